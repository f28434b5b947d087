import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { identifier, sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { planMigration } from '../../store/migrate.ts'
import { startTestRun, type TestRun } from '../testing.ts'
import { alike } from './alike.ts'
import { spellings } from './filter.ts'
import { read } from './read.ts'
import { readFound } from './search.ts'

const text = `# Cards

## 3 Entities and their fields

### Card

| Field | Type | Rules |
| --- | --- | --- |
| name | text 80 | required; searchable |
| remarks | long text | searchable |
| secret | text 80 | searchable |
| box | Box | |
| hidden_in | Box | |

### Box

| Field | Type |
| --- | --- |
| label | text 40 |
| lid | text 40 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Reader | appointed by Reader |

### Card

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Reader | yes | yes | no | no |

| Field | See |
| --- | --- |
| secret | none |
| hidden_in | none |

### Box

| Role | See |
| --- | --- |
| Reader | lid is empty |
`

let run: TestRun
beforeAll(async () => {
  const { app, found } = readApp('cards.md', () => text, { version: () => 'one' })
  expect(found.filter(({ severity }) => severity === 'error').map(one => `${one.code} ${one.message}`)).toEqual([])
  run = await startTestRun(inject('databaseUrl'), app!)
  const cards = [
    ['Gisela Müller', 'keeps the Übungsraum', 'crown', 'Zürich', ''],
    ['Paul Mueller', 'neue Straße 5', 'ring', '', 'Zürich'],
    ['René Łuczak', '100 % wool', 'sceptre', 'Zug', 'Zürich'],
  ] as const
  await run.runtime.store.query(sql`insert into box (id, label, lid, created_at, changed_at)
    values (gen_random_uuid(), 'Zürich', null, now(), now()), (gen_random_uuid(), 'Zug', 'shut', now(), now())`)
  for (const [name, remarks, secret, box, hidden] of cards)
    await run.runtime.store.query(
      sql`insert into card (id, name, remarks, secret, box, hidden_in, created_at, changed_at)
        select gen_random_uuid(), ${name}, ${remarks}, ${secret}, (select id from box where label = ${box}),
          (select id from box where label = ${hidden}), now(), now()`,
    )
})
afterAll(() => run.drop())

const need: RowsNeed = {
  kind: 'rows',
  entity: 'card',
  columns: ['name'],
  where: null,
  filters: [],
  search: null,
  sort: [{ field: 'name', descending: false }],
  after: null,
  before: null,
  limit: 25,
  countTo: 0,
}
const names = async (more: Partial<RowsNeed>) =>
  (await read(run.runtime, await run.as(Object.keys(run.people)[0]!), { ...need, ...more }))!.rows.map(
    ({ values }) => values.name,
  )

test.each([
  ['MÜLLER', ['Gisela Müller', 'Paul Mueller']],
  ['muller', ['Gisela Müller']],
  ['mueller', ['Gisela Müller', 'Paul Mueller']],
  ['strasse', ['Paul Mueller']],
  ['STRAßE', ['Paul Mueller']],
  ['uebung', ['Gisela Müller']],
  ['rene luc', ['René Łuczak']],
  ['ell pa', ['Paul Mueller']],
  ['eue', ['Paul Mueller']],
  ['100 %', ['René Łuczak']],
  // Nothing is a wildcard, and what may not be seen is not found.
  ['1_0', []],
  ['crown', []],
])('%s finds what people expect', async (search, expected) => {
  expect(await names({ search })).toEqual(expected)
})

test('pages of what is found are in order, whether few or many have the word', async () => {
  await run.runtime.store.query(sql`insert into card (id, name, remarks, created_at, changed_at)
    select gen_random_uuid(), 'Row ' || lpad(n::text, 4, '0'), case when n % 500 = 7 then 'rare' else 'common' end, now(), now()
    from generate_series(1, 1200) n`)
  const request = await run.as(Object.keys(run.people)[0]!)
  const paged = async (search: string) => {
    const page = (place: Partial<RowsNeed>) =>
      read(run.runtime, request, { ...need, search, limit: 2, countTo: 1000, ...place })
    const first = (await page({}))!
    const second = (await page({ after: first.next }))!
    const back = (await page({ before: second.previous }))!
    expect(back.rows).toEqual(first.rows)
    return [first.count, ...[first, second].map(({ rows }) => rows.map(({ values }) => values.name))]
  }
  const [some, many] = await Promise.all([paged('rare'), paged('common')])
  expect(some).toEqual([{ n: 3, more: false }, ['Row 0007', 'Row 0507'], ['Row 1007']])
  expect(many).toEqual([{ n: 1000, more: true }, ['Row 0001', 'Row 0002'], ['Row 0003', 'Row 0004']])
  await run.runtime.store.query(sql`delete from card where name like 'Row %'`)
})

test('filters look in the same way', async () => {
  const of = (comparison: 'contains' | 'starts with', value: string) =>
    names({ filters: [{ field: 'name', comparison, value }] })
  expect(await of('contains', 'RENE')).toEqual(['René Łuczak'])
  expect(await of('contains', '%')).toEqual([])
  expect(await of('starts with', 'gisela mu')).toEqual(['Gisela Müller'])
  expect(await of('starts with', 'mu')).toEqual([])
})

test('what refers to a record of that name is found too, by fields and records that one sees', async () => {
  const found = async (search: string, { limit = 5, similar = false } = {}) => {
    const request = await run.as(Object.keys(run.people)[0]!)
    const among = ['card', 'box'].map(entity => ({ entity, by: 'id' }))
    const groups = await readFound(run.runtime, request, {
      search,
      among,
      shown: () => ['name', 'label'],
      limit,
      similar,
    })
    return groups.map(({ rows, more }) => [
      rows.map(({ row, through }) => [row.values.name ?? row.values.label, through?.title ?? null]),
      more,
    ])
  }
  expect(await found('zuerich')).toEqual([
    [[['Gisela Müller', 'Zürich']], null],
    [[['Zürich', null]], null],
  ])
  expect(await found('zug')).toEqual([])
  expect(await found('gisela zuerich')).toEqual([])
  await run.runtime.store.query(sql`update card set box = (select id from box where label = 'Zürich')`)
  expect((await found('zuerich', { limit: 2 }))[0]![1]).toEqual({ field: 'box', record: expect.any(String) })
  expect((await found('e', { limit: 2 }))[0]![1]).toBe('own')
  // A letter off, in its own words and in what they are called that it refers to; who is called so comes first.
  const similar = async (search: string) => (await found(search, { similar: true })).map(([rows]) => rows)
  expect(await similar('zuercih')).toEqual([
    ['Gisela Müller', 'Paul Mueller', 'René Łuczak'].map(title => [title, 'Zürich']),
    [['Zürich', null]],
  ])
  await run.runtime.store.query(sql`update card set remarks = remarks || ', Rene knows' where name = 'Gisela Müller'`)
  expect(await similar('Reen')).toEqual([
    [
      ['René Łuczak', null],
      ['Gisela Müller', null],
    ],
  ])
  expect(await similar('cronw')).toEqual([])
})

test.each([
  // One letter changed, missing, too many, swapped with the next; at both ends, too.
  ['giesla', ['Gisela Müller']],
  ['xisela', ['Gisela Müller']],
  ['gisea', ['Gisela Müller']],
  ['giselax', ['Gisela Müller']],
  ['Mülelr', ['Gisela Müller', 'Paul Mueller']],
  ['Uebungsraun', ['Gisela Müller']],
  ['übungsrüum', ['Gisela Müller']],
  ['luzcak', ['René Łuczak']],
  ['pual strase', ['Paul Mueller']],
  // Inside of long words only; two letters off, short words and figures are not taken for others.
  ['ungsraumx', ['Gisela Müller']],
  ['aume', []],
  ['gsiale', []],
  ['pul', []],
  ['straße 6', []],
  // Nothing of it is a pattern, and what may not be seen is not found.
  ['gisel.*', []],
  ['（gisela', []],
  ['[gisela]{2}|\\', []],
  ['cronw', []],
  [`${'wool'.repeat(6)}l`, []],
])('%s finds what is similar', async (search, expected) => {
  expect(await names({ search, similar: true })).toEqual(expected)
})

test.each([
  ["o'brien", ['Aidan O’Brien']],
  ['o’brien', ['Aidan O’Brien']],
  ['ab1234', ['AB-1234']],
  ['AB\u20111234', ['AB-1234']],
  ['ab 1234', ['AB-1234']],
  ['ai\u00addan', ['Aidan O’Brien']],
  ['"don\'t"', ['“Don’t” sign']],
  ['«don`t»', ['“Don’t” sign']],
  ['5″', ['Pipe 5" or 7″']],
  ['7"', ['Pipe 5" or 7″']],
])('%s finds what is written otherwise', async (search, expected) => {
  for (const name of ['Aidan O’Brien', 'AB-1234', '“Don’t” sign', 'Pipe 5" or 7″'])
    await run.runtime.store.query(sql`insert into card (id, name, created_at, changed_at)
      select gen_random_uuid(), ${name}, now(), now() where not exists (select from card where name = ${name})`)
  expect(await names({ search })).toEqual(expected)
})

test.each([
  ['ab77', ['AB.77']],
  ['AB-77', ['AB.77']],
  ['ab88', ['AB/88']],
  ['AB_77', ['AB.77']],
  ['cd12e', ['CD:12_E']],
  ['cd12.e', ['CD:12_E']],
  ['47110815', ['4711 0815']],
  ['4711.0815', ['4711 0815']],
  ['ab79', []],
  ['[ab77]', []],
])('%s finds the code that is written apart', async (search, expected) => {
  for (const name of ['AB.77', 'AB/88', 'CD:12_E', '4711 0815'])
    await run.runtime.store.query(sql`insert into card (id, name, created_at, changed_at)
      select gen_random_uuid(), ${name}, now(), now() where not exists (select from card where name = ${name})`)
  expect(await names({ search })).toEqual([])
  expect(await names({ search, similar: true })).toEqual(expected)
})

test('umlauts are looked for in each of their spellings', () => {
  expect(spellings('Blume')).toEqual(['blume'])
  expect(spellings('Ärger')).toEqual(['ärger', 'aerger'])
  expect(spellings('Queue')).toEqual(['queue', 'quu'])
})

test('an index serves it', async () => {
  const [found] = await run.runtime.store.query<{ definition: string }>(
    sql`select pg_get_indexdef('public.card_search'::regclass) as definition`,
  )
  expect(found!.definition).toContain('gin (ninefold.fold(name) gin_trgm_ops, ninefold.fold(remarks) gin_trgm_ops')
  expect((await planMigration(run.runtime.store, run.runtime.app)).steps).toEqual([])
  const plan = await run.runtime.store.inTransaction(async tx => {
    await tx.write(sql`set local enable_seqscan = off`)
    return tx.query<{ 'QUERY PLAN': string }>(
      sql`explain select from card where ninefold.fold(name) like '%' || ninefold.fold(${'mull'}::text) || '%'`,
    )
  })
  expect(JSON.stringify(plan)).toContain('card_search')
  // Also by a word that is a letter off, or a code written together: of a thousand records it looks at few.
  await run.runtime.store.query(sql`insert into card (id, name, created_at, changed_at)
    select gen_random_uuid(), 'Row ' || lpad(n::text, 4, '0'), now(), now() from generate_series(1, 1000) n`)
  for (const [field, word] of [
    ['remarks', 'gsela'],
    ['remarks', 'uebugnsraum'],
    ['name', 'row0770'],
    ['name', 'rows0770'],
  ] as const) {
    const looked = await run.runtime.store.inTransaction(async tx => {
      await tx.write(sql`set local enable_seqscan = off`)
      return tx.query<{ 'QUERY PLAN': string }>(
        sql`explain (analyze, timing off) select from card where ninefold.fold(${identifier(field)}) ~ ninefold.fold(${alike(word)}::text)`,
      )
    })
    const text = looked.map(line => line['QUERY PLAN']).join('\n')
    expect(text).toContain('card_search')
    expect(Number(/Removed by Index Recheck: (\d+)/.exec(text)?.[1] ?? 0)).toBeLessThan(5)
  }
})
