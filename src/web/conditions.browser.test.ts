/** Fields that come, go and lock while somebody fills a form in; without scripts the form is whole, and the server judges. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Serving, startServing } from '../cli/serving.ts'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { applyMigration } from '../store/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'
import {
  both,
  button,
  complaints,
  files,
  findings,
  live,
  open,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'

let database: TestDatabase
let serving: Serving
let person: string

beforeAll(async () => {
  const app = readSound(join(import.meta.dirname, '../run/fixtures/bookings.md'))
  database = await createTestDatabase(inject('databaseUrl'), { connections: 8 })
  await applyMigration(database.store, app, null, { now: new Date() })
  serving = await startServing({
    app,
    store: database.store,
    mode: 'dev',
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: () => new Date(),
    log: ({ level, event, detail }) =>
      void (level === 'error' && complaints.push(`${event} ${JSON.stringify(detail)}`)),
    smtp: null,
    from: 'desk@example.com',
    variable: () => undefined,
    files,
  })
  const [first] = await database.store.query<{ name: string }>(sql`select name from person order by name limit 1`)
  person = first!.name
  await startBrowsing(serving.url)
})

afterAll(async () => {
  await stopBrowsing()
  await serving?.close()
  await database?.drop()
})

test.each(both)('guests are asked for with catering only, and its price is locked; scripts %s', async scripts => {
  const { page, context } = await open(person, { scripts })
  await page.goto(`${serving.url}/bookings/new`)
  if (scripts) await live(page)
  const guests = page.getByLabel('Guests', { exact: true })
  const price = page.getByLabel('Price', { exact: true })
  const catering = page.getByRole('checkbox', { name: 'Catering' })
  await page.getByLabel('Floor', { exact: true }).fill('1')
  await page.getByLabel('Begins').fill('2026-03-10T10:00')
  await page.getByLabel('Ends').fill('2026-03-10T11:00')
  expect(await guests.isVisible()).toBe(!scripts)
  if (scripts) {
    await price.fill('12.00')
    await catering.check()
    expect([await guests.isVisible(), await price.isDisabled(), await price.inputValue()]).toEqual([
      true,
      true,
      '10.00',
    ])
    await catering.uncheck()
    expect([await guests.isVisible(), await price.isDisabled()]).toEqual([false, false])
  }
  await catering.check()
  await button(page, 'Create booking').click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Say how many guests come.')
  await picture(page, `conditions-${scripts ? 'with' : 'without'}-scripts`)
  if (scripts) expect(await findings(page)).toEqual([])
  await guests.fill('4')
  await button(page, 'Create booking').click()
  await page.waitForURL(/\/bookings\/BK-/)
  expect(await page.getByText('4', { exact: true }).first().isVisible()).toBe(true)
  await context.close()
})
