/** The pages of one's account and of administration, and forms: at most four statements each, whatever the document says and the person has. */
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { startTestProvider, type TestProvider } from './sign-in/testing-provider.ts'
import { startTestWeb, type TestWeb } from './testing.ts'

let provider: TestProvider
let web: TestWeb

/** With a provider for single sign-on. */
async function serve(app: App) {
  provider = await startTestProvider()
  web = await startTestWeb(inject('databaseUrl'), app, { variable: provider.variable })
}
afterEach(async () => {
  await web.stop()
  await provider.stop()
})

/** Somebody who has the role, signed in more than once. */
async function holder(role: string) {
  const [row] = await web.run.runtime.store.query<{ id: string }>(
    sql`select person as id from ninefold.appointment where role = ${role} limit 1`,
  )
  for (let at = 0; at < 3; at++) await web.signedIn(row!.id)
  return { id: row!.id, browser: await web.signedIn(row!.id) }
}

/** Status and number of statements of each, the second time: sessions are noted as used once. */
async function counted(role: string, paths: readonly string[]) {
  const { browser } = await holder(role)
  const found: [string, number, number][] = []
  for (const path of paths) {
    await browser.get(path)
    web.statements.length = 0
    const { status } = await browser.get(path)
    found.push([path, status, web.statements.length])
  }
  return found.filter(([, status, statements]) => status !== 200 || statements > 4)
}

/** Every way in, deputies, and a role that does all that there is to do about people. Without its inbox, whose figure is a statement of its own on these pages. */
const everything = (text: string) =>
  text
    .replace(
      /- \*\*Sign-in:\*\* .*/,
      '- **Sign-in:** password, e-mail link, passkey, single sign-on\n- **Document for:** Director',
    )
    .replace(/\| \/waiting .*\n/, '')
    .replace(/(## 6 .*\n)/, '$1\n- **Act as others:** Director\n- **Personal data for:** Director\n')
    .replace(/(## 7 .*\n)/, '$1\n- **Send again:** Director\n')

const ofEverybody = [
  '/-/account',
  '/-/account/second-factor',
  '/-/account/keys',
  '/-/notices',
  '/-/drafts',
  '/-/search?q=a',
]

test('with deputies, every way in, and somebody who looks after people', async () => {
  await serve(readSound(join(loanDesk, '../../purchasing/purchasing.md'), everything))
  const { store } = web.run.runtime
  const { id } = await holder('Director')
  const [other] = await store.query<{ id: string; name: string }>(
    sql`select id, name from public.person where id <> ${id}::uuid order by name limit 1`,
  )
  await store.query(sql`insert into ninefold.identity (issuer, subject, person, made_at)
    values ('https://id.example', 'x', ${id}::uuid, now())`)
  await store.query(sql`insert into ninefold.deputy (id, person, deputy, from_on, until_on, at)
    values (${id}::uuid, ${id}::uuid, ${other!.id}::uuid, '2026-01-01', '2099-01-01', now())`)
  await store.query(sql`insert into ninefold.acting (id, by, person, reason, at, until_at)
    values (${id}::uuid, ${other!.id}::uuid, ${id}::uuid, 'Asked for it', now(), now())`)
  const [centre] = await store.query<{ id: string }>(sql`select id from public.cost_centre limit 1`)
  const why = `/-/why?entity=cost_centre&id=${centre!.id}`
  const name = encodeURIComponent(other!.name)
  expect(
    await counted('Director', [
      ...ofEverybody,
      '/-/account/passkeys',
      '/-/account/connection?issuer=https://id.example',
      '/-/people',
      `/-/people?q=${name}`,
      '/-/limits',
      '/-/act',
      '/-/unsent',
      '/-/person-data',
      `/-/person-data?q=${name}`,
      why,
      `${why}&person=${name}`,
      `${why}&person=${other!.id}`,
      `${why}&person=nobody`,
      '/-/document',
      '/-/document/states',
      '/-/document/entities',
      '/-/document/permissions',
      '/-/document/versions',
    ]),
  ).toEqual([])
  const page = (await (await holder('Director')).browser.get('/-/account')).text
  for (const shown of ['id.example', other!.name, 'Asked for it', 'Sign out everywhere else'])
    expect(page).toContain(shown)
})

test('forms with many references, and copies of what they make', async () => {
  await serve(readSound(join(loanDesk, '../../purchasing/purchasing.md'), everything))
  const [product] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.product limit 1`)
  expect(await counted('Purchaser', ['/orders/new', '/products/new', `/products/new?_copy=${product!.id}`])).toEqual([])
})

test('forms of people who have an inbox: new, prefilled, changed and copied', async () => {
  await serve(
    readSound(join(loanDesk, '../../purchasing/purchasing.md'), text =>
      text.replace(/(## 7 .*\n)/, '$1\n- **Send again:** Director\n'),
    ),
  )
  const first = async (table: string) =>
    (await web.run.runtime.store.query<{ id: string }>(sql`select id from ${raw(table)} limit 1`))[0]!.id
  const [centre, supplier, product] = [await first('cost_centre'), await first('supplier'), await first('product')]
  const paths = {
    Accountant: [
      '/budgets/new',
      `/cost-centres/new?_copy=${centre}`,
      `/cost-centres/${centre}/edit`,
      `/invoices/new?supplier=${supplier}`,
    ],
    Purchaser: ['/orders/new', `/orders/new?supplier=${supplier}`, `/products/new?_copy=${product}`],
    Director: ['/-/unsent'],
  }
  for (const [role, asked] of Object.entries(paths)) expect([role, await counted(role, asked)]).toEqual([role, []])
})

test('where links alone let people in', async () => {
  await serve(
    readSound(join(loanDesk, '../../purchasing/purchasing.md'), text =>
      everything(text).replace('password, e-mail link, passkey, single sign-on', 'e-mail link'),
    ),
  )
  expect(await counted('Director', [...ofEverybody, '/-/act'])).toEqual([])
})

test('where it is written down who read what', async () => {
  await serve(readSound(join(import.meta.dirname, 'fixtures/ward.md')))
  const { id } = await holder('Nurse')
  const pages: readonly (readonly [string, string])[] = [
    ['Auditor', '/-/reads'],
    ['Auditor', `/-/reads?person=${id}`],
    ['Officer', '/-/person-data'],
    ['Officer', `/-/person-data?person=${id}`],
    ['Matron', '/-/people'],
    ['Nurse', '/-/emergency?entity=patient'],
  ]
  for (const [role, path] of pages) expect([role, await counted(role, [path])]).toEqual([role, []])
})
