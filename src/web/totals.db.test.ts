/** What stands under a list, and what a list weighs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create, takeStep } from '../run/write/writes.ts'
import type { Assets } from './client.ts'
import { standardAssets } from './standard-assets.ts'
import { startTestWeb, type TestBrowser, type TestWeb, weigh } from './testing.ts'

let web: TestWeb
let assets: Assets
let folder: string
let keeper: TestBrowser
let helper: TestBrowser
let villager: TestBrowser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ninefold totals '))
  assets = await standardAssets(folder)
  const app = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text
      .replace('price, count, bought', 'price, count, lasts')
      .replace(
        'price, count, cost',
        'price, count, lasts, cost, average of cost, share of count where state = Broken out of count as State',
      )
      .replace('| count | integer', '| lasts | duration | |\n$&'),
  )
  web = await startTestWeb(inject('databaseUrl'), app, { assets })
  const { runtime } = web.run
  const [saw] = await runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Saw'`)
  const as = await web.run.as('Kira')
  for (let at = 0; at < 30; at++) {
    const values = {
      code: `T-${at + 10}`,
      name: `Tool ${at}`,
      kind: saw!.id,
      price: '1.50',
      count: '2',
      bought: '2026-02-01',
    }
    const cost = at < 2 ? { cost: '0.25', lasts: 'PT5400S' } : {}
    const id = done(await create(runtime, as, 'tool', input({ ...values, ...cost })))
    if (at < 10) done(await takeStep(runtime, as, 'tool', id, 'break', null, input({})))
  }
  ;[keeper, helper, villager] = await Promise.all([web.browser('Kira'), web.browser('Hugo'), web.browser('Vera')])
})
afterAll(async () => {
  await web?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

const foot = (text: string): readonly string[] =>
  Array.from(
    (/<tfoot.*?<\/tfoot>/.exec(text)?.[0] ?? '').matchAll(/<t[hd][^>]*>([^<]*)</g),
    ([, cell]) => cell!,
  ).filter(cell => cell !== '')

test('what a list adds up is the sum over all that the filters let through, in the statement of the list', async () => {
  web.statements.length = 0
  const { text } = await keeper.get('/tools')
  expect(web.statements.length).toBe(2)
  expect(foot(text)).toEqual(['Total', '33%', '€45.00', '60', '3:00', '0.50 · avg. 0.25'])
  expect(foot((await keeper.get('/tools?state=Broken')).text)).toEqual([
    'Total',
    '100%',
    '€15.00',
    '20',
    '3:00',
    '0.50 · avg. 0.25',
  ])
  expect(foot((await keeper.get('/tools?_columns=code,price')).text)).toEqual(['Total', '€45.00'])
  // Also on the second page, and where nothing is to be added up there is no foot.
  const next = /href="(\/tools\?after=[^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(foot((await keeper.get(next)).text)).toEqual(['Total', '33%', '€45.00', '60', '3:00', '0.50 · avg. 0.25'])
  expect(foot((await keeper.get('/tools?code=T-10&code.starts-with=T-10')).text)).toEqual([])
  expect(foot((await keeper.get('/tools?_columns=code,name')).text)).toEqual([])
})

test('what somebody does not see is in no sum', async () => {
  // They see what is ready, and no costs.
  expect(foot((await villager.get('/tools')).text)).toEqual(['Total', '0%', '€30.00', '40'])
  expect(foot((await helper.get('/tools')).text)).toEqual(['Total', '33%', '€45.00', '60', '3:00'])
  expect(foot((await helper.get('/tools?_columns=code,cost,price')).text)).toEqual(['Total', '€45.00'])
})

/** Heads of groups and rows, in their order: what stands in each head, and the codes of the rows below it. */
const groups = (text: string): readonly string[] =>
  Array.from(/<tbody.*?<\/tbody>/s.exec(text)?.[0].matchAll(/<tr( class="grp")?.*?<\/tr>/gs) ?? [], ([row, isHead]) =>
    isHead === undefined
      ? /\b(T-\d+)\b/.exec(row)![1]!
      : Array.from(row.replace(/<small.*?<\/small>/s, '').matchAll(/>([^<]+)</g), ([, cell]) => cell!.trim())
          .filter(cell => cell !== '')
          .join(' '),
  )
const linkTo = (text: string, of: RegExp): string => of.exec(text)![1]!.replaceAll('&amp;', '&')

test('rows stand in groups with counts and figures of their own, in the one statement of the list', async () => {
  const first = await keeper.get('/tools?_by=state')
  web.statements.length = 0
  const { text } = await keeper.get('/tools?_by=state')
  expect(web.statements.length).toBe(2)
  const codes = Array.from({ length: 30 }, (_, at) => `T-${at + 10}`)
  expect(groups(text)).toEqual([
    'Ready 20 0% €30.00 40',
    ...codes.slice(10),
    'Broken 10 100% €15.00 20 3:00 0.50 · avg. 0.25',
    ...codes.slice(0, 5),
  ])
  expect(first.text.replace(/name="_csrf"[^>]*/g, '')).toBe(text.replace(/name="_csrf"[^>]*/g, ''))
  // The next page says again whose rows they are.
  const next = await keeper.get(linkTo(text, /href="(\/tools\?_by=state&amp;after=[^"]+)" rel="next"/))
  expect(groups(next.text)).toEqual(['Broken 10 100% €15.00 20 3:00 0.50 · avg. 0.25', ...codes.slice(5, 10)])
  const before = await keeper.get(linkTo(next.text, /href="(\/tools\?_by=state&amp;before=[^"]+)" rel="prev"/))
  expect(groups(before.text)).toEqual(groups(text))
  // And the record goes on to the one below it.
  const record = await keeper.get(linkTo(text, /href="(\/tools\/T-39\?[^"]+)"/))
  expect(record.text).toContain('href="/tools/T-10?_list=%2Ftools%3F_by%3Dstate"')
})

test('groups are folded by their address, count all the same, and turn round with their column', async () => {
  const { text } = await keeper.get('/tools?_by=state')
  const folded = await keeper.get(linkTo(text, /href="([^"]+)" aria-expanded="true"[^>]*>(?:(?!<\/a>).)*Ready/s))
  expect(groups(folded.text).slice(0, 3)).toEqual([
    'Ready 20 0% €30.00 40',
    'Broken 10 100% €15.00 20 3:00 0.50 · avg. 0.25',
    'T-10',
  ])
  expect(groups(folded.text)).toHaveLength(12)
  expect(foot(folded.text)).toEqual(['Total', '33%', '€45.00', '60', '3:00', '0.50 · avg. 0.25'])
  expect(folded.text).toMatch(/aria-expanded="false"/)
  // Nothing but heads is no empty list.
  const heads = await keeper.get('/tools?_by=state&_folded=Ready&_folded=Broken')
  expect(groups(heads.text)).toEqual(['Ready 20 0% €30.00 40', 'Broken 10 100% €15.00 20 3:00 0.50 · avg. 0.25'])
  expect(groups((await keeper.get('/tools?_by=state&sort=-state')).text)[0]).toMatch(/^Broken 10/)
  const back = linkTo(heads.text, /href="([^"]+)" aria-expanded="false"[^>]*>(?:(?!<\/a>).)*Broken/s)
  expect(back).toBe('/tools?_by=state&_folded=Ready')
})

test('what is empty, or may not be seen, is a group of its own', async () => {
  const heads = (text: string) => groups(text).filter(line => !line.startsWith('T-'))
  const bought = await keeper.get('/tools?_columns=code,price,bought&_by=month+of+bought')
  expect(heads(bought.text)).toEqual(['February 2026 30 €45.00'])
  expect(heads((await keeper.get('/tools?_by=keeper')).text)).toEqual(['none 30 33% €45.00 60 3:00 0.50 · avg. 0.25'])
  expect(groups((await keeper.get('/tools?_by=keeper&_folded=-')).text)).toEqual([
    'none 30 33% €45.00 60 3:00 0.50 · avg. 0.25',
  ])
  // Helpers see no costs: they are neither in a sum nor a group.
  expect(heads((await helper.get('/tools?_by=state')).text)).toEqual([
    'Ready 20 0% €30.00 40',
    'Broken 10 100% €15.00 20 3:00',
  ])
  const unknown = await helper.get('/tools?_by=cost')
  expect(heads(unknown.text)).toEqual([])
  expect(unknown.text).toContain('Part of the address was not understood: _by=cost.')
})

test('a list weighs at most 60 KB, of which JavaScript at most 30, before anything on it is touched', async () => {
  const { text } = await keeper.get('/tools')
  expect(text.match(/<tr/g)?.length).toBeGreaterThan(25)
  // Also as it leaves before it is compressed: what stands in each row is what adds up.
  expect(text.length).toBeLessThan(50_000)
  expect(text).toMatch(/href="\/-\/assets\/sans-100\.\w+\.woff2"/)
  const { scripts, all } = weigh(assets, text)
  expect(scripts).toBeGreaterThan(5000)
  expect(scripts).toBeLessThan(30_000)
  expect(all).toBeLessThan(60_000)
})
