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
      .replace('price, count, cost', 'price, count, lasts, cost')
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
  expect(foot(text)).toEqual(['Total', '€45.00', '60', '3:00', '0.50'])
  expect(foot((await keeper.get('/tools?state=Broken')).text)).toEqual(['Total', '€15.00', '20', '3:00', '0.50'])
  expect(foot((await keeper.get('/tools?_columns=code,price')).text)).toEqual(['Total', '€45.00'])
  // Also on the second page, and where nothing is to be added up there is no foot.
  const next = /href="(\/tools\?after=[^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(foot((await keeper.get(next)).text)).toEqual(['Total', '€45.00', '60', '3:00', '0.50'])
  expect(foot((await keeper.get('/tools?code=T-10&code.starts-with=T-10')).text)).toEqual([])
  expect(foot((await keeper.get('/tools?_columns=code,name')).text)).toEqual([])
})

test('what somebody does not see is in no sum', async () => {
  // They see what is ready, and no costs.
  expect(foot((await villager.get('/tools')).text)).toEqual(['Total', '€30.00', '40'])
  expect(foot((await helper.get('/tools')).text)).toEqual(['Total', '€45.00', '60', '3:00'])
  expect(foot((await helper.get('/tools?_columns=code,cost,price')).text)).toEqual(['Total', '€45.00'])
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
