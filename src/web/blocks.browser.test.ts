/** A React component of the document in Chromium: with scripts and without, and when it fails there. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Serving, startServing } from '../cli/serving.ts'
import { sql } from '../expression/sql.ts'
import { requestFor } from '../run/people.ts'
import { done, input, readSound, testId } from '../run/testing.ts'
import { create } from '../run/writes.ts'
import { applyMigration } from '../store/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import { complaints, files, findings, go, open, picture, startBrowsing, stopBrowsing } from './browsing.ts'

const document = join(import.meta.dirname, '../../examples/street-defects/street-defects.md')

let database: TestDatabase
let serving: Serving
let who: string
let path: string

beforeAll(async () => {
  const app = readSound(document, text =>
    text.replace(
      'const kind = ',
      "if (weekdaysOnly && record.place === 'Break') throw new Error('broken')\n  const kind = ",
    ),
  )
  database = await createTestDatabase(inject('databaseUrl'), { connections: 8 })
  await applyMigration(database.store, app, null, { now: new Date() })
  serving = await startServing({
    app,
    store: database.store,
    files,
    mode: 'dev',
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: () => new Date(),
    log: ({ level, event, detail }) =>
      void (level === 'error' && complaints.push(`${event} ${JSON.stringify(detail)}`)),
    smtp: null,
    from: 'street@example.com',
    variable: () => undefined,
  })
  who = serving.people().find(({ roles }) => roles.includes('Dispatcher'))!.name
  path = await made('Quay 1')
  await startBrowsing(serving.url)
})

afterAll(async () => {
  await stopBrowsing()
  await serving?.close()
  await database?.drop()
})

async function made(place: string): Promise<string> {
  const { store } = database
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
