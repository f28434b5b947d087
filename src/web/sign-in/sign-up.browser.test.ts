/** Signing up, in Chromium: by keyboard, on a phone, without scripts; where links end, and where one is signed in. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readSound } from '../../run/testing.ts'
import type { Store } from '../../store/pool.ts'
import {
  button,
  complaints,
  desktop,
  findings,
  focused,
  go,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
  tabTo,
  visit,
} from '../browsing.ts'
import { openLink, type Purpose } from './links.ts'

const password = 'four unrelated words here'
let store: Store

beforeAll(async () => {
  ;({ store } = await startBrowsing(readSound(join(import.meta.dirname, '../fixtures/library.md'))))
})
beforeEach(() => store.inTransaction(tx => tx.write(sql`delete from ninefold.attempt`)))
afterAll(stopBrowsing)

/** The newest mail to somebody: its name and its link. */
async function mailed(to: string): Promise<{ readonly name: string; readonly link: string }> {
  const [mail] = await store.query<{ name: string; text: string }>(sql`
    select name, payload->>'text' as text from ninefold.outbox where payload->'to'->>'address' = ${to} order by id desc limit 1`)
  return { name: mail!.name, link: /http\S+/.exec(mail!.text)![0] }
}
const looks = [
  { scripts: true, viewport: desktop, colorScheme: 'light' },
  { scripts: false, viewport: phone, colorScheme: 'dark' },
] as const
const seen = (look: (typeof looks)[number]) => async (page: Page, name: string) => {
  await picture(page, `${name}-${look.viewport.width}`)
  if (look.scripts) expect(await findings(page), name).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, name).toBeLessThanOrEqual(0)
}

test.each(looks)(
  'somebody signs up, and their mailbox is told when they do it again; scripts: $scripts',
  async look => {
    const email = `ada${look.viewport.width}@example.org`
    const show = seen(look)
    const { page, context } = await visit(look)
    const fill = async (name: string) => {
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Card').fill('A-001')
      await page.getByLabel('Kind').selectOption('Staff')
    }
    await go(page, '/-/sign-in')
    await tabTo(page, 'Create an account')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await show(page, 'sign-up')
    await button(page, 'Send me the link').press('Enter')
    await page.getByText('Name is missing').first().waitFor()
    await show(page, 'sign-up-refused')
    await page
      .getByRole('main')
      .getByRole('link', { name: /Card is missing/ })
      .press('Enter')
    if (look.scripts) expect(await focused(page)).toBe('card')
    await fill('Ada')
    await button(page, 'Send me the link').press('Enter')
    await page.getByRole('heading', { name: /look into your mailbox/ }).waitFor()
    await show(page, 'sign-up-sent')

    const { link } = await mailed(email)
    await page.goto(link)
    await show(page, 'sign-up-link')
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page
      .getByText(/at least 8/i)
      .first()
      .waitFor()
    await show(page, 'sign-up-password')
    await page.getByLabel('New password').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.me', { hasText: 'Ada' }).waitFor({ state: 'attached' })
    await go(page, '/wishes')
    expect(await page.getByRole('heading', { name: 'Wishes' }).count()).toBeGreaterThan(0)

    await context.clearCookies()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
    await show(page, 'sign-up-gone')
    await page.getByRole('main').getByRole('link', { name: 'Ask for another link' }).click()
    await fill('Somebody')
    await button(page, 'Send me the link').click()
    await page.getByRole('heading', { name: /look into your mailbox/ }).waitFor()
    const again = await mailed(email)
    expect(again.name).toBe('sign_up_known')
    await page.goto(again.link)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
    await page.locator('.me', { hasText: 'Ada' }).waitFor({ state: 'attached' })
    await context.close()
    expect(complaints).toEqual([])
  },
)

test.each(looks)('an old or used link of any kind leads on; scripts: $scripts', async look => {
  const show = seen(look)
  const [person] = await store.query<{ id: string }>(sql`select id from public.person where name = 'Rosa'`)
  const { page, context } = await visit(look)
  const token = (purpose: Purpose, at: number) =>
    openLink(store, person!.id, new Date(Date.now() - at), randomBytes, purpose)
  for (const [purpose, path] of [
    ['invitation', '/-/password'],
    ['password', '/-/password'],
    ['sign_in', '/-/link'],
  ] as const) {
    const old = await token(purpose, 8 * 86_400_000)
    await go(page, `${path}?token=${old}`)
    await page.getByText('This link has been used, or is too old').waitFor()
    await show(page, `old-${purpose}`)
    const next = page
      .getByRole('main')
      .getByRole('link', { name: purpose === 'sign_in' ? 'Sign in' : 'Ask for another link' })
    await next.press('Enter')
    await page.getByLabel('E-mail').waitFor()
  }
  await context.close()
  expect(complaints).toEqual([])
})

test.each(looks)('one sees where one is signed in, and ends it there; scripts: $scripts', async look => {
  const show = seen(look)
  const { page, context } = await open('Vera', look)
  const { page: other, context: elsewhere } = await open('Vera', look)
  await go(page, '/-/account')
  await show(page, 'account')
  // Named with what tells them apart.
  const ends = page.getByRole('main').getByRole('button', { name: /^Sign out there/ })
  const names = await ends.evaluateAll(all => all.map(one => one.textContent))
  expect(names[0]).toMatch(/since .+, last used/)
  await ends.first().press('Enter')
  await page.getByText(/session(s)? (is|are) ended/).waitFor()
  await go(other, '/-/account')
  await other.getByLabel('Password').waitFor()
  await elsewhere.close()
  await context.close()
  expect(complaints).toEqual([])
})
