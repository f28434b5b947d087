/** Filters by child rows and the search in long texts, over HTTP: what they let through, and that nobody learns by them what they may not see. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let keeper: TestBrowser
let helper: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/orders-by-row.md')))
  const parts = await web.run.runtime.store.query<{ name: string; id: string }>(sql`select name, id from public.part`)
  const part = (name: string) => parts.find(one => one.name === name)!.id
  const as = await web.run.as('Kira')
  const order = async (code: string, lines: readonly (readonly [string, string, string, string?])[], notes: string[]) =>
    done(
      await create(
        web.run.runtime,
        as,
        'order',
        input(
          { code },
          {
            lines: lines.map(([name, quantity, price, due = null]) => ({ part: part(name), quantity, price, due })),
            notes: notes.map(text => ({ text })),
          },
        ),
      ),
    )
  await order(
    'A',
    [
      ['Bolt', '5', '2', '2026-03-02'],
      ['Nut', '50', '1'],
    ],
    ['in a hurry'],
  )
  await order(
    'B',
    [
      ['Nut', '5', '9'],
      ['Bolt', '1', '1', '2026-02-01'],
    ],
    [],
  )
  await order('C', [], ['late'])
  ;[keeper, helper] = await Promise.all([web.browser('Kira'), web.browser('Hugo')])
})
afterAll(() => web?.stop())

const codes = async (query: string, browser = keeper): Promise<string> => {
  const { text, status } = await browser.get(`/orders?sort=code&${query}`)
  expect([query, status]).toEqual([query, 200])
  return Array.from(
    text.matchAll(/<tr[^>]*>.*?<\/tr>/gs),
    ([row]) => /class="ttl"[^>]*>([A-C])</.exec(row)?.[1] ?? '',
  ).join('')
}

test('a record is found by one of its rows, and what the row names', async () => {
  expect(await codes('lines.quantity=50')).toBe('A')
  expect(await codes('lines.part.name=bol')).toBe('AB')
  expect(await codes('lines.due.within=today')).toBe('A')
  expect(await codes('lines.due.is-empty=yes')).toBe('AB')
  expect(await codes('lines.both.at-least=45')).toBe('AB')
  expect(await codes('notes.text=late')).toBe('C')
})

test('filters of one group speak of the same row, those of alternatives of another', async () => {
  expect(await codes('lines.part.name=Nut&lines.quantity.at-least=50')).toBe('A')
  expect(await codes('lines.part.name=Nut&lines.quantity.at-most=4')).toBe('')
  expect(await codes('lines.part.name=Nut&1.lines.quantity.at-most=4')).toBe('B')
  expect(await codes('1.lines.part.name=Nut&1.lines.quantity=5&2.notes.text=late')).toBe('BC')
  expect(await codes('lines.part.name=Bolt&notes.text=hurry')).toBe('A')
})

test('rows, fields and lists that somebody does not see find nothing', async () => {
  expect(await codes('lines.quantity=50', helper)).toBe('')
  expect(await codes('lines.part.name=Nut', helper)).toBe('B')
  for (const unseen of ['lines.price=9', 'notes.text=late', 'lines.nothing=1', 'nothing.text=1']) {
    const { text } = await helper.get(`/orders?${unseen}`)
    expect(await codes(unseen, helper)).toBe('ABC')
    expect(text).toContain(unseen)
  }
  const { text } = await helper.get('/orders?_open=filters')
  expect(text).toContain('<option value="lines.part.name">Lines: Part: Name</option>')
  expect(text).not.toMatch(/value="(lines\.price|notes\.text)"/)
})

test('the form of filters puts them together, in two statements a page', async () => {
  const { location } = await keeper.get(
    '/orders?_f0=lines.part.name&_c0=is&_v0=Bolt&_f1=lines.quantity&_v1=5&_build=apply',
  )
  expect(location).toBe('/orders?lines.part.name.is=Bolt&lines.quantity=5')
  web.statements.length = 0
  const { text } = await keeper.get(`${location}&_open=filters&_new=lines.due`)
  expect(web.statements).toHaveLength(2)
  expect(text).toContain('name="_f2" value="lines.due"')
  expect(text.replaceAll(/<!-- -->/g, '')).toContain('Lines: Part: Name <b>Bolt</b>')
})

test('long texts are searched without being told so, for those who see them', async () => {
  const as = await web.run.as('Kira')
  const texts = { code: 'D', told: 'Deliver it to the back door', closed: 'They pay late' }
  done(await create(web.run.runtime, as, 'order', input(texts)))
  const found = async (search: string, browser: TestBrowser) => {
    const { text } = await browser.get(`/orders?q=${search}`)
    return { rows: text.match(/class="ttl"[^>]*>D</g)?.length ?? 0, hint: /placeholder="(Code[^"]*)"/.exec(text)?.[1] }
  }
  expect(await found('back+door', keeper)).toEqual({ rows: 1, hint: 'Code, Told or Closed' })
  expect(await found('back+door', helper)).toEqual({ rows: 1, hint: 'Code or Told' })
  expect((await found('late', keeper)).rows).toBe(1)
  expect((await found('late', helper)).rows).toBe(0)
  expect((await helper.get('/-/search?q=late')).text).not.toContain('D</a>')
})
