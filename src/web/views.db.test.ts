/** Views of a list over HTTP: those of the document, and that nobody sees more by them. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create, takeStep } from '../run/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let keeper: TestBrowser
let villager: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shed.md')))
  const { runtime } = web.run
  const [saw] = await runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Saw'`)
  const as = await web.run.as('Kira')
  for (const [code, name, price] of [
    ['A', 'Anvil', '150'],
    ['B', 'Bellows', '5'],
    ['C', 'Chisel', '5'],
  ] as const) {
    const count = code === 'A' ? '2' : '1'
    const id = done(await create(runtime, as, 'tool', input({ code, name, kind: saw!.id, price, count, cost: '7' })))
    if (code !== 'A') done(await takeStep(runtime, as, 'tool', id, 'break', null, input({})))
  }
  ;[keeper, villager] = await Promise.all([web.browser('Kira'), web.browser('Vera')])
})
afterAll(() => web?.stop())

const codes = (text: string) =>
  Array.from(text.matchAll(/class="ttl" href="\/tools\/([^"]+)"/g), ([, code]) => code).join('')
const tabs = (text: string) =>
  Array.from(
    (/<nav class="views".*?<div/.exec(text)?.[0] ?? '').matchAll(
      /<a href="(\/tools[^"]*)"( aria-current="page")?>([^<]*)</g,
    ),
    ([, href, current, label]) => `${label}${current === undefined ? '' : '*'} ${href}`,
  )

test('a view has its rows, its columns and its order', async () => {
  web.statements.length = 0
  const { text } = await keeper.get('/tools?_view=broken')
  expect(web.statements.length).toBe(2)
  expect(codes(text)).toBe('CB')
  expect(text).toContain('Cost')
  expect(text).not.toContain('>Bought<')
  expect(tabs(text)).toEqual([
    'All /tools',
    'Broken* /tools?_view=broken',
    'Mine /tools?_view=mine',
    'Dear /tools?_view=dear',
  ])
  expect(tabs((await keeper.get('/tools')).text)[0]).toBe('All* /tools')
  expect(codes((await keeper.get('/tools?_view=dear')).text)).toBe('A')
})

test('filters, order and columns of the reader go on top, and the view stays', async () => {
  const { text } = await keeper.get('/tools?_view=broken&sort=code&_columns=code&name.contains=e')
  expect(codes(text)).toBe('BC')
  expect(text).toContain('<input type="hidden" name="_view" value="broken"/>')
  expect(codes((await keeper.get('/tools?_view=broken&name.contains=Bell')).text)).toBe('B')
  expect(text).toContain(
    '_view=broken&amp;name.contains=e&amp;_open=filters'.replace(
      '&amp;name',
      '&amp;sort=code&amp;_columns=code&amp;name',
    ),
  )
})

test('nobody sees more by a view, and one that is not there is said', async () => {
  expect(codes((await villager.get('/tools?_view=broken')).text)).toBe('')
  expect(codes((await villager.get('/tools?_view=dear')).text)).toBe('A')
  expect((await villager.get('/tools?_view=broken')).text).not.toContain('Cost')
  const { text, status } = await keeper.get('/tools?_view=late')
  expect([status, codes(text)]).toEqual([200, 'ABC'])
  expect(text).toContain('_view=late')
  expect(text).toMatch(/not understood|nicht verstanden/i)
})

test('a file has what the view shows', async () => {
  const { text } = await keeper.get('/tools?_view=broken&_export=csv')
  expect(text.trim().split(/\r?\n/).length).toBe(3)
})
