/** A list as a file: what leaves is what the person sees and may take out, and nothing in it runs in a spreadsheet. */
import { join } from 'node:path'
import { streamCsvRows } from 'hucre/csv'
import { streamXlsxRows } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { pagesOf, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let keeper: TestBrowser
let helper: TestBrowser
let villager: TestBrowser

const columns = 'Code,Name,Kind,State,Price,Count,Bought,Serviced,Electric,Keeper,Cost'

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shed.md')))
  const [saw] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Saw'`)
  const as = await web.run.as('Kira')
  const tool = async (code: string, name: string, more: Readonly<Record<string, string | boolean>> = {}) =>
    done(await create(web.run.runtime, as, 'tool', input({ code, name, kind: saw!.id, price: '12.50', ...more })))
  await tool('A-1', '=HYPERLINK("http://evil.example","x")', {
    bought: '2026-02-28',
    serviced: '2026-07-01T10:30:00.000Z',
    electric: true,
    keeper: web.run.people.Kira!,
    cost: '-9.10',
  })
  await tool('A-2', 'Fretsaw, "fine" and small')
  await tool('A-3', 'Broken saw')
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`update public.tool set state = 'Broken' where code = 'A-3'`),
  )
  ;[keeper, helper, villager] = await Promise.all([web.browser('Kira'), web.browser('Hugo'), web.browser('Vera')])
})
afterAll(() => web?.stop())

const csv = async (browser: TestBrowser, path: string) => {
  const { text, status } = await browser.get(path)
  expect([path, status]).toEqual([path, 200])
  return [...streamCsvRows(text)]
}

test('who may take nothing out finds neither a button nor anything at the address', async () => {
  expect((await villager.get('/tools')).text).not.toContain('_export')
  for (const format of ['csv', 'xlsx', 'pdf']) expect((await villager.get(`/tools?_export=${format}`)).status).toBe(404)
  expect((await keeper.get('/kinds')).text).not.toContain('_export')
  expect((await keeper.get('/kinds?_export=csv')).status).toBe(404)
  expect((await (await web.browser(null)).get('/tools?_export=csv')).status).toBe(303)
  expect((await keeper.get('/tools?_export=odt')).status).toBe(404)
})

test('a file has the rows of the list in its order, with the columns that this person sees', async () => {
  const { headers } = await keeper.get('/tools?_export=csv')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="tools-2026-03-02.csv"')
  const [head, ...rows] = await csv(keeper, '/tools?sort=-code&_export=csv')
  expect(head).toEqual(columns.split(','))
  expect(rows.map(([code]) => code)).toEqual(['A-3', 'A-2', 'A-1'])
  expect(rows[1]?.slice(0, 7)).toEqual(['A-2', 'Fretsaw, "fine" and small', 'Saw', 'Ready', '12.50', '1', ''])
  const [found, ...filtered] = await csv(keeper, '/tools?state=Broken&_export=csv')
  expect([found, filtered.map(([code]) => code)]).toEqual([columns.split(','), ['A-3']])
})

test('a PDF has the words of the page: its columns, what it was narrowed by, and what may leave of it', async () => {
  const file = await keeper.get('/tools?state=Broken&_export=pdf')
  const { headers } = file
  const [page] = await pagesOf(file)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="Tools 2026-03-02\.pdf"/)
  expect(page).toContain('State: Broken')
  expect(page).toContain('Broken saw')
  expect(page).not.toContain('Fretsaw')
  const [hers = ''] = await pagesOf(await keeper.get('/tools?_export=pdf'))
  for (const said of ['Cost', '-9.10', '28 Feb 2026', '€12.50', 'Broken saw', '1 / 1']) expect(hers).toContain(said)
  const [his = ''] = await pagesOf(await helper.get('/tools?_export=pdf'))
  expect([his.includes('Fretsaw'), his.includes('Broken saw'), his.includes('Cost')]).toEqual([true, false, false])
  const told = web.log.filter(({ event }) => event === 'export').at(-1)
  expect(told?.detail).toMatchObject({ person: web.run.people.Hugo, entity: 'tool', format: 'pdf', rows: 2 })
})

test('a condition in Export narrows the file, not the list; a field that is not seen is not in it', async () => {
  expect((await helper.get('/tools')).text).toContain('A-3')
  const [head, ...rows] = await csv(helper, '/tools?_export=csv')
  expect(head).toEqual(columns.split(',').slice(0, -1))
  expect(rows.map(([code]) => code)).toEqual(['A-1', 'A-2'])
})

test('a text that a spreadsheet would run is written as text; a negative number stays one', async () => {
  const [, first] = await csv(keeper, '/tools?_export=csv')
  expect(first).toEqual([
    'A-1',
    `'=HYPERLINK("http://evil.example","x")`,
    'Saw',
    'Ready',
    '12.50',
    '1',
    '2026-02-28',
    '2026-07-01 12:30:00',
    'yes',
    'Kira',
    '-9.10',
  ])
})

test('Excel gets numbers, dates and yes/no as such, and a formula as a text', async () => {
  const id = (await fetch(`${web.url}/tools?_export=xlsx`, {
    headers: { cookie: [...keeper.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })) as Response
  const rows: unknown[][] = []
  for await (const row of streamXlsxRows(new Uint8Array(await id.arrayBuffer()))) rows.push([...row.values])
  expect(rows[0]).toEqual(columns.split(','))
  expect(rows[1]).toEqual([
    'A-1',
    '=HYPERLINK("http://evil.example","x")',
    'Saw',
    'Ready',
    12.5,
    1,
    new Date('2026-02-28T00:00:00.000Z'),
    new Date('2026-07-01T12:30:00.000Z'),
    true,
    'Kira',
    -9.1,
  ])
})

test('a long list leaves in pages, by key, each row once; what left is written down', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into public.tool (id, version, state, state_since, created_at, changed_at, code, name, kind, price, count, electric)
      select ('01940000-0000-7000-9999-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 'Ready', ${web.run.now}, ${web.run.now}, ${web.run.now},
        'Z-' || lpad(n::text, 5, '0'), 'Many', (select id from public.kind where name = 'Saw'), 1, 1, false
      from generate_series(1, 1200) as n`),
  )
  web.statements.length = 0
  const [, ...rows] = await csv(keeper, '/tools?code.starts-with=Z&_export=csv')
  expect(new Set(rows.map(([code]) => code)).size).toBe(1200)
  expect(rows).toHaveLength(1200)
  // Who asks, and three pages of five hundred.
  expect(web.statements).toHaveLength(4)
  const told = web.log.filter(({ event }) => event === 'export').at(-1)
  expect(told?.detail).toMatchObject({ person: web.run.people.Kira, entity: 'tool', format: 'csv', rows: 1200 })
  const paper = await keeper.get('/tools?code.starts-with=Z&_export=pdf')
  expect([paper.status, paper.text.includes('At most 1000 records are printed at once.')]).toEqual([422, true])
})
