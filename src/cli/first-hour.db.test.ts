/** The application of the tutorial does what its scenarios say, and takes the file of the page as the page says. */
import { expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readApp } from '../headings/index.ts'
import { firstHour } from '../headings/testing-standard.ts'
import { createTestDatabase } from '../store/testing.ts'
import { multipart, startTestWeb } from '../web/testing.ts'
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
