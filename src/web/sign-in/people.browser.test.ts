/** People and their ways in, in Chromium: passkeys of a device that the browser is given; invitation, password and second factor; acting as somebody. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Serving } from '../../cli/serving.ts'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import type { Store } from '../../store/pool.ts'
import {
  button,
  complaints,
  desktop,
  findings,
  go,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from '../browsing.ts'
import { openLink } from './links.ts'

let store: Store
let serving: Serving

beforeAll(async () => {
  ;({ serving, store } = await startBrowsing(
    readSound(loanDesk, text =>
      text
        .replace('**Sign-in:** e-mail link', '**Sign-in:** e-mail link, password, passkey')
        .replace(/(## 6 .*\n)/, '$1\n- **Act as others:** Manager\n'),
    ),
  ))
})

// All of these browsers have one address, which is let try only so often.
beforeEach(() => store.inTransaction(tx => tx.write(sql`delete from ninefold.attempt`)))
afterAll(stopBrowsing)

/** A device with a fingerprint reader; `verifies`: whether the finger is the right one. */
async function device(page: Page): Promise<(verifies: boolean) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async isUserVerified =>
    void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }))
}

const personId = (name: string): string => serving.people().find(person => person.name === name)!.id
const signOut = async (page: Page) => {
  await page.context().clearCookies()
  await go(page, '/-/sign-in')
}
const usePasskey = (page: Page) => button(page, 'Sign in with a passkey').click()
const fault = (page: Page) => page.getByRole('main').getByRole('alert').first()
const isIn = (page: Page, name: string) => page.locator('.me', { hasText: name }).waitFor({ state: 'attached' })

test.each([
  { viewport: desktop, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
] as const)('a passkey is added, named, used and removed at $viewport.width', async look => {
  const { page, context } = await open('Ben', look)
  const verify = await device(page)
  await go(page, '/-/account')
  await page.getByRole('link', { name: 'Add or remove' }).click()
  await button(page, 'Add a passkey').click()
  await fault(page).getByText('at most 60 characters').waitFor()
  await page.getByLabel('Name').fill('Laptop')
  await verify(false)
  await button(page, 'Add a passkey').click()
  await fault(page).getByText('No passkey was made').waitFor()
  await verify(true)
  await button(page, 'Add a passkey').click()
  await page.getByText('“Laptop” can be used from now on.').waitFor()
  await page.getByLabel('Name').first().fill('Old laptop')
  await button(page, 'Rename Laptop').click()
  await page.getByRole('heading', { name: 'Old laptop' }).waitFor()
  await picture(page, `passkeys-${look.viewport.width}`)
  expect(await findings(page)).toEqual([])

  await signOut(page)
  await picture(page, `sign-in-passkey-${look.viewport.width}`)
  expect(await findings(page)).toEqual([])
  await verify(false)
  await usePasskey(page)
  await fault(page).getByText('No passkey was used').waitFor()
  await verify(true)
  const sent = page.waitForRequest(request => request.url().endsWith('/-/sign-in/passkey'))
  await usePasskey(page)
  await isIn(page, 'Ben')
  // What was sent is worth nothing a second time, nor in another browser.
  const again = await (await sent).postData()!
  const { page: stranger, context: elsewhere } = await open('Cleo', look)
  for (const one of [page, stranger]) {
    await signOut(one)
    const csrf = await one.locator('[data-passkey] [name=_csrf]').inputValue()
    const form = Object.fromEntries([...new URLSearchParams(again), ['_csrf', csrf]])
    for (const credential of [form.credential!, '', '{}', '{"id":"x"}', 'null']) {
      const answer = await one.request.post(`${serving.url}/-/sign-in/passkey`, {
        form: { ...form, credential },
        headers: { origin: serving.url },
      })
      expect([credential.slice(0, 9), answer.status()]).toEqual([credential.slice(0, 9), 403])
      expect(await answer.text()).toContain('This passkey was not accepted.')
    }
  }
  await elsewhere.close()

  await usePasskey(page)
  await isIn(page, 'Ben')
  await go(page, '/-/account/passkeys')
  await page.getByRole('link', { name: 'Remove Old laptop' }).click()
  expect(await findings(page)).toEqual([])
  await button(page, 'Remove Old laptop').click()
  await page.getByText('The passkey is removed.').waitFor()
  await signOut(page)
  await usePasskey(page)
  await fault(page).getByText('was not accepted').waitFor()
  await context.close()
  expect(complaints).toEqual([])
})

test('after the first factor a passkey of the same person stands for the code', async () => {
  const { store } = serving.runtime()
  const { page, context } = await open('Ben')
  await device(page)
  await go(page, '/-/account/passkeys')
  await page.getByLabel('Name').fill('Phone')
  await button(page, 'Add a passkey').click()
  await page.getByText('“Phone” can be used').waitFor()
  await store.inTransaction(async tx => {
    for (const name of ['Ben', 'Cleo'])
      await tx.write(sql`insert into ninefold.second_factor (person, secret, confirmed_at)
        values (${personId(name)}::uuid, ${new Secret().base32}, ${new Date()})`)
  })
  const begin = async (name: string) => {
    const token = await openLink(store, personId(name), new Date(), randomBytes)
    await signOut(page)
    await go(page, `/-/link?token=${token}`)
    await button(page, 'Sign in').click()
    await page.getByLabel('Code').waitFor()
  }
  await begin('Cleo')
  expect(await button(page, 'Sign in with a passkey').count()).toBe(0)
  const cleo = await page.locator('[name=token]').first().inputValue()
  await begin('Ben')
  expect(await findings(page)).toEqual([])
  await page.evaluate(token => {
    for (const input of document.querySelectorAll<HTMLInputElement>('[name=token]')) input.value = token
  }, cleo)
  await usePasskey(page)
  await fault(page).getByText('was not accepted').waitFor()
  await begin('Ben')
  await usePasskey(page)
  await isIn(page, 'Ben')
  await context.close()
  expect(complaints).toEqual([])
})

test.each([
  { scripts: false, viewport: desktop, colorScheme: 'dark' },
  { scripts: true, viewport: phone, colorScheme: 'light' },
] as const)('each page says who acts as whom, and stops it; scripts: $scripts', async look => {
  const { page, context } = await open('Mia', look)
  await go(page, '/-/act')
  await picture(page, `act-${look.viewport.width}`)
  if (look.scripts) expect(await findings(page)).toEqual([])
  await page.getByLabel('Name').selectOption({ label: 'Ben' })
  await page.getByLabel('Reason').fill('Ben cannot find his loan')
  await button(page, 'Act as them').click()
  const banner = page.getByRole('complementary', { name: /^Mia acts as Ben, until/ })
  await banner.waitFor()
  await go(page, '/loans')
  await banner.waitFor()
  await picture(page, `acting-${look.viewport.width}`)
  if (look.scripts) expect(await findings(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await banner.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Ben cannot find his loan').first().waitFor()
  expect(await banner.count()).toBe(0)
  await context.close()
  expect(complaints).toEqual([])
})

/** The newest link of this kind that was mailed to somebody. */
async function mailed(to: string, name: 'invitation' | 'password'): Promise<string> {
  const link = async () => {
    const [mail] = await serving.runtime().store.query<{ text: string }>(sql`
      select payload->>'text' as text from ninefold.outbox
      where name = ${name} and payload->'to'->>'address' = ${to} order by id desc limit 1`)
    return /http\S+/.exec(mail?.text ?? '')?.[0] ?? null
  }
  await expect.poll(link).not.toBeNull()
  return (await link())!
}

test.each([
  { scripts: true, viewport: desktop, colorScheme: 'light' },
  { scripts: false, viewport: phone, colorScheme: 'dark' },
] as const)(
  'somebody is invited, forgets the password, and turns on a second factor; scripts: $scripts',
  async look => {
    const email = `nora${look.viewport.width}@example.org`
    const seen = async (page: Page, name: string) => {
      await picture(page, `${name}-${look.viewport.width}`)
      if (look.scripts) expect(await findings(page), name).toEqual([])
    }
    const { page, context } = await open('Mia', look)
    await go(page, '/-/people')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Nora ${look.viewport.width}`)
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await page.getByLabel('Send an invitation by e-mail').check()
    await button(page, 'Add person').click()
    await page.getByText('was sent an invitation').waitFor()
    await seen(page, 'people')

    const setPassword = async (name: 'invitation' | 'password', password: string) => {
      const link = await mailed(email, name)
      await page.context().clearCookies()
      await page.goto(link)
      await page.getByLabel('New password').fill('short')
      await button(page, 'Set password and sign in').click()
      await page
        .getByText(/at least 8/i)
        .first()
        .waitFor()
      await seen(page, `${name}-refused`)
      await page.getByLabel('New password').fill(password)
      const shows = button(page, 'Show password')
      const state = async () => [
        await page.getByLabel('New password').getAttribute('type'),
        await shows.getAttribute('aria-pressed'),
      ]
      expect(await shows.isVisible()).toBe(look.scripts)
      if (look.scripts) {
        await shows.press('Enter')
        expect(await state()).toEqual(['text', 'true'])
        await seen(page, `${name}-shown`)
        await shows.press('Space')
        expect(await state()).toEqual(['password', 'false'])
        await shows.press('Enter')
      }
      await button(page, 'Set password and sign in').click()
      await isIn(page, 'Nora')
      return link
    }
    const first = await setPassword('invitation', 'four unrelated words here')
    await page.context().clearCookies()
    await page.goto(first)
    await page.getByText('This link has been used').waitFor()

    await go(page, '/-/sign-in')
    await page.getByRole('link', { name: 'Forgotten your password?' }).click()
    await seen(page, 'forgotten')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await button(page, 'E-mail me a link').click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await setPassword('password', 'five other unrelated words here')

    await go(page, '/-/account/second-factor')
    await page.getByLabel('Current password').fill('five other unrelated words here')
    await button(page, 'Set up').click()
    await seen(page, 'second-factor')
    const secret = ((await page.locator('main code').first().textContent()) ?? '').replaceAll(' ', '')
    const code = (steps = 0) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    await page.getByLabel('Code').fill(code())
    await button(page, 'Turn on').click()
    await page
      .getByText(/recovery code|shown once|only once/i)
      .first()
      .waitFor()
    await signOut(page)
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await page.getByLabel('Password').fill('five other unrelated words here')
    await button(page, 'Sign in').click()
    await seen(page, 'code')
    await page.getByLabel('Code').fill('000000')
    await button(page, 'Sign in').click()
    await page.getByText('This code is wrong').first().waitFor()
    // The clock may be a step ahead: the code of this one was used up above.
    await page.getByLabel('Code').fill(code(1))
    await button(page, 'Sign in').click()
    await isIn(page, 'Nora')
    await context.close()
    expect(complaints).toEqual([])
  },
)

test.each([
  { viewport: desktop, colorScheme: 'light', scripts: true },
  { viewport: phone, colorScheme: 'dark', scripts: false },
] as const)('how somebody else signs in, and who confirms that it is them, at $viewport.width', async look => {
  const { page, context } = await open('Mia', look)
  await store.inTransaction(async tx => {
    await tx.write(sql`insert into ninefold.second_factor (person, secret, confirmed_at)
      values (${personId('Dan')}::uuid, 'x', now()) on conflict do nothing`)
    await tx.write(sql`insert into ninefold.account (person, password, changed_at) values (${personId('Dan')}::uuid, 'x', now())
      on conflict do nothing`)
    await tx.write(
      sql`update ninefold.session set created_at = now() - interval '1 hour' where person = ${personId('Mia')}::uuid`,
    )
  })
  await go(page, '/-/people')
  if (look.scripts) expect(await findings(page)).toEqual([])
  await picture(page, `people-${look.viewport.width}`)
  await page.getByRole('link', { name: 'Signing in Dan' }).click()
  await button(page, 'Reset second factor').click()
  await fault(page).waitFor()
  await picture(page, `people-sign-in-${look.viewport.width}`)
  if (look.scripts) expect(await findings(page)).toEqual([])
  await store.inTransaction(tx =>
    tx.write(sql`update ninefold.session set confirmed_at = now() where person = ${personId('Mia')}::uuid`),
  )
  await go(page, `/-/people/sign-in?person=${personId('Dan')}`)
  await button(page, 'Reset second factor').focus()
  await page.keyboard.press('Enter')
  await page.getByText('There is no second factor, and no passkey.').waitFor()
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.account where person = ${personId('Dan')}::uuid`))
  await context.close()
})
