/** The application of the tutorial does what its scenarios say, and takes the file of the page as the page says. */
import { expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { demoPeople } from '../headings/demo-people.ts'
import { readApp } from '../headings/index.ts'
import { firstHour } from '../headings/testing-standard.ts'
import { createTestDatabase } from '../store/testing.ts'
import { multipart, startTestWeb, type TestWeb } from '../web/testing.ts'
import { verifyOn } from './verify.ts'

const { steps, courses } = firstHour()
const app = readApp('training.md', path => (path === 'training.md' ? steps.at(-1)! : null)).app!

test('its scenarios hold', async () => {
  const database = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(app, database.store, () => undefined, app, 'written')
    expect(lines.filter(({ passed }) => !passed).map(({ title, detail }) => `${title}: ${detail}`)).toEqual([])
    expect(lines.length).toBeGreaterThan(15)
  } finally {
    await database.drop()
  }
})

/** The application of a step with its demo people, in which this person asks for the welding course, and others see how it stands. */
async function whileAsking(
  step: string,
  who: string,
  act: (request: { readonly ask: () => Promise<void>; readonly web: TestWeb }) => Promise<void>,
): Promise<void> {
  const web = await startTestWeb(
    inject('databaseUrl'),
    readApp('training.md', path => (path === 'training.md' ? step : null)).app!,
  )
  try {
    const browser = await web.browser(who)
    const [course] = await web.run.runtime.store.query<{ id: string }>(
      sql`select id from public.course where title = 'Welding'`,
    )
    const made = await browser.json('POST', '/api/v1/request', { course: course!.id, begins_on: '2099-05-04' })
    const { id } = JSON.parse(made.text) as { id: string }
    const ask = async () => expect((await browser.json('POST', `/api/v1/request/${id}/ask`)).status).toBe(200)
    await act({ ask, web })
  } finally {
    await web.stop()
  }
}

test('Olga finds what Emma asks for once it is no draft', () =>
  whileAsking(steps[1]!, 'Emma', async ({ ask, web }) => {
    const olga = await web.browser('Olga')
    const list = async () => (await olga.get('/requests')).text
    expect(await list()).not.toContain('TR-0001')
    await ask()
    expect(await list()).toContain('TR-0001')
  }))

test('after Mara the request of Emil goes on waiting for somebody from the office, which its page says', () =>
  whileAsking(steps[2]!, 'Emil', async ({ ask, web }) => {
    expect(demoPeople(web.run.runtime.app).map(({ name, roles }) => [name, ...roles])).toEqual([
      ['Mara', 'Employee'],
      ['Emil', 'Employee'],
      ['Olga', 'Office'],
    ])
    const mara = await web.browser('Mara')
    const page = '/requests/TR-0001'
    const waitsFor = async () => /<dt>Waiting for[\s\S]*?<dd>([^<]*)</.exec((await mara.get(page)).text)?.[1]
    await ask()
    expect(await waitsFor()).toBe('Mara and Office')
    await mara.submit(`${page}/do/approve`, `${page}/do/approve`)
    expect(await waitsFor()).toBe('Office')
  }))

test('of the list that comes in, one row changes a course, one is new, one is refused', async () => {
  const web = await startTestWeb(inject('databaseUrl'), app)
  try {
    const olga = await web.browser('Olga')
    const token = await olga.token()
    const sent = multipart([
      ['_csrf', token],
      ['file', courses, 'courses.csv'],
    ])
    const { location } = await olga.request('POST', '/-/import?entity=course', sent)
    await olga.submit(location!, location!, { do: 'check', written: 'de-DE' })
    const tried = (await olga.get(location!)).text
    expect(tried).toContain('2 rows are right, 0 would change nothing, 1 has something wrong.')
    await olga.submit(location!, location!, { do: 'apply' })
    expect(await web.run.runtime.store.query(sql`select code, price, places from public.course order by code`)).toEqual(
      [
        { code: 'FA-1', price: '85.00', places: '12' },
        { code: 'PR-1', price: '340.00', places: '10' },
        { code: 'WE-1', price: '1200.00', places: '8' },
      ],
    )
  } finally {
    await web.stop()
  }
})
