/** A React component of the document in Chromium: with scripts and without, and when it fails there. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Serving } from '../cli/serving.ts'
import { sql } from '../expression/sql.ts'
import { requestFor } from '../run/people.ts'
import { done, input, readSound, testId } from '../run/testing.ts'
import { create } from '../run/writes.ts'
import type { Store } from '../store/pool.ts'
import { complaints, findings, go, open, picture, startBrowsing, stopBrowsing } from './browsing.ts'

const document = join(import.meta.dirname, '../../examples/street-defects/street-defects.md')

let store: Store
let serving: Serving
let who: string
let path: string

beforeAll(async () => {
  ;({ serving, store } = await startBrowsing(
    readSound(document, text =>
      text.replace(
        'const kind = ',
        "if (weekdaysOnly && record.place === 'Break') throw new Error('broken')\n  const kind = ",
      ),
    ),
  ))
  who = serving.people().find(({ roles }) => roles.includes('Dispatcher'))!.name
  path = await made('Quay 1')
})

afterAll(stopBrowsing)

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
