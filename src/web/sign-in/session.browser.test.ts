/** Pages that are left open when their session ends, in Chromium. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import type { Store } from '../../store/pool.ts'
import { complaints, go, open, startBrowsing, stopBrowsing } from '../browsing.ts'

let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(loanDesk)))
})
afterAll(stopBrowsing)

test('signing out in one tab empties the others, but for what is being typed', async () => {
  const { page, context } = await open('Ben')
  await go(page, '/loans')
  const writing = await context.newPage()
  await go(writing, '/loans/new')
  await writing.locator('textarea, input[type=text]').first().fill('typed')
  const leaving = await context.newPage()
  await go(leaving, '/loans')
  await leaving.getByRole('button', { name: 'Account of Ben' }).click()
  await leaving.getByRole('button', { name: 'Sign out' }).click()
  await leaving.waitForURL('**/-/sign-in')
  await page.waitForURL('**/-/sign-in?next=%2Floans')
  expect(new URL(writing.url()).pathname).toBe('/loans/new')
  expect(await writing.locator('textarea, input[type=text]').first().inputValue()).toBe('typed')
  await context.close()
})

test('a page shows nothing any more when its session was not used for too long; looking is no use of it', async () => {
  const { page, context } = await open('Dan')
  await page.clock.install()
  await go(page, '/loans')
  const used = async () =>
    (await store.query<{ seen: string }>(sql`select max(seen_at)::text as seen from ninefold.session`))[0]!.seen
  await store.query(sql`update ninefold.session set seen_at = seen_at - interval '5 minutes'`)
  const before = await used()
  const asked = page.waitForResponse('**/-/session')
  await page.clock.fastForward('31:00')
  expect((await asked).status()).toBe(204)
  expect([await used(), new URL(page.url()).pathname]).toEqual([before, '/loans'])
  await store.query(sql`update ninefold.session set seen_at = seen_at - interval '31 minutes'`)
  await page.clock.fastForward('01:00')
  await page.waitForURL('**/-/sign-in?next=%2Floans')
  await context.close()
  expect(complaints.filter(complaint => !complaint.includes('401'))).toEqual([])
})
