/** A React component of the document in Chromium: with scripts and without, and when it fails there. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Serving } from '../cli/serving.ts'
import { sql } from '../expression/sql.ts'
import { requestFor } from '../run/people/people.ts'
import { done, input, readSound, testId } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import type { Store } from '../store/pool.ts'
import { complaints, findings, go, open, picture, startBrowsing, stopBrowsing, tabTo, visit } from './browsing.ts'

const document = join(import.meta.dirname, '../../examples/street-defects/street-defects.md')

let store: Store
let serving: Serving
let who: string
let path: string
let town: string

/** Another site, whose page has the form in a frame. */
const host = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>Town</title><iframe src="${serving.url}/-/embed/report" title="Report"></iframe>`)
})

beforeAll(async () => {
  await new Promise<void>(resolve => void host.listen(0, '127.0.0.1', resolve))
  town = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  ;({ serving, store } = await startBrowsing(
    readSound(document, text =>
      text
        .replace('https://www.harwick.example', town)
        .replace(
          'const kind = ',
          "if (weekdaysOnly && record.place === 'Break') throw new Error('broken')\n  const kind = ",
        ),
    ),
  ))
  who = serving.people().find(({ roles }) => roles.includes('Dispatcher'))!.name
  path = await made('Quay 1')
})

afterAll(async () => {
  host.close()
  await stopBrowsing()
})

async function made(place: string): Promise<string> {
  const [first] = await store.query<Record<string, string>>(
    sql`select (select id from category where days = 14) as category, (select id from street limit 1) as street`,
  )
  const person = serving.people().find(({ name }) => name === who)!.id
  const request = await requestFor(serving.runtime(), person, {
    now: new Date(),
    id: place,
    locale: 'en',
    newId: testId,
  })
  const id = done(await create(serving.runtime(), request, 'case', input({ ...first, place })))
  const [row] = await store.query<{ number: string }>(sql`select number from "case" where id = ${id}`)
  return `/cases/${row!.number}`
}

test('it stands there without scripts, and is alive with them', async () => {
  const still = await open(who, { scripts: false })
  await go(still.page, path)
  expect(await still.page.locator('[data-block]').textContent()).toContain('14 of 14 days left')
  await still.context.close()

  const { page, context } = await open(who, {})
  await go(page, path)
  await page.getByLabel('Weekdays only').check()
  await page.getByText('10 of 10 weekdays left').waitFor()
  await picture(page, 'block')
  expect(await findings(page)).toEqual([])
  await context.close()
})

test('a block that fails in the browser says so in its place, and the page stands', async () => {
  const broken = await made('Break')
  const { page, context } = await open(who, {})
  await go(page, broken)
  await page.getByLabel('Weekdays only').click()
  await page.getByText('Deadline (blocks/deadline.tsx) could not be shown.').waitFor()
  expect(await page.getByText('Break').first().isVisible()).toBe(true)
  complaints.length = 0
  await context.close()
})

test('a resident reports a defect by keyboard, without scripts, and there is room to type', async () => {
  const { page, context } = await visit({ scripts: false })
  await go(page, '/report')
  const { width } = (await page.locator('#place').boundingBox())!
  expect(width).toBeGreaterThan(320)
  expect(await page.getByRole('complementary', { name: 'Related' }).count()).toBe(0)
  await tabTo(page, 'category')
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'street')
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'place')
  await page.keyboard.type('Number 12')
  await page.keyboard.press('Enter')
  await page.getByText('Thank you. It has arrived.').waitFor()
  expect(await store.query(sql`select place from report where place = 'Number 12'`)).toHaveLength(1)
  await context.close()
})

test('a page of the town shows the form in a frame without cookies, another site cannot', async () => {
  const { page, context } = await visit()
  await page.goto(town)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Category').selectOption({ index: 1 })
  await frame.getByLabel('Street').selectOption({ index: 1 })
  await frame.getByLabel('Place').fill('In a frame')
  await frame.getByRole('button', { name: 'Send' }).click()
  await frame.getByText('Thank you. It has arrived.').waitFor()
  expect(await context.cookies()).toEqual([])
  expect(await store.query(sql`select place from report where place = 'In a frame'`)).toHaveLength(1)
  expect(complaints).toEqual([])
  await page.goto(town.replace('127.0.0.1', 'localhost'))
  expect(complaints).toEqual([expect.stringContaining(`frame-ancestors ${town}`)])
  complaints.length = 0
  await context.close()
})
