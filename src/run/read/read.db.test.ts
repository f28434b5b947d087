import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { ReadRow, RowsData } from '../../kinds/screens/read-data.ts'
import type { OneNeed, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { done, input, itemWith, made, startTestRun, type TestRun } from '../testing.ts'
import { change, takeStep } from '../write/writes.ts'
import { readForm } from './form.ts'
import { readOptions } from './options.ts'
import { read } from './read.ts'

let run: TestRun
let camera: string
let laptop: string
/** Loans by what they are: Ben's draft and request, Cleo's own request. */
const loans: Record<string, string> = {}

const rows = (more: Partial<RowsNeed> = {}): RowsNeed => ({
  kind: 'rows',
  entity: 'loan',
  columns: ['number', 'borrower', 'due_back', 'total_value', 'register_ref', 'purpose', 'state'],
  where: null,
  filters: [],
  search: null,
  sort: [],
  after: null,
  before: null,
  limit: 25,
  countTo: 1000,
  ...more,
})
const one = (id: string): OneNeed => ({ kind: 'one', entity: 'loan', by: { field: 'id', value: id }, history: 20 })

beforeAll(async () => {
  run = await startTestRun(inject('databaseUrl'))
  camera = await itemWith(run, 'CA-0001')
  laptop = await itemWith(run, 'LA-0007')
  const lend = (who: string, due: string, item: string, purpose: string | null = null) =>
    made(run, who, 'loan', input({ out_on: '2026-03-02', due_back: due, purpose }, { lines: [{ item }] }))
  loans.draft = await lend('Ben', '2026-03-09', camera, 'A film')
  loans.asked = await lend('Ben', '2026-03-05', camera)
  loans.cleo = await lend('Cleo', '2026-03-07', laptop)
  for (const [who, id] of [
    ['Ben', loans.asked],
    ['Cleo', loans.cleo],
  ] as const)
    done(await takeStep(run.runtime, await run.as(who), 'loan', id!, 'submit', null))
})
afterAll(() => run?.drop())

const ids = async (who: string, need: RowsNeed) =>
  (await read(run.runtime, await run.as(who), need))!.rows.map(({ id }) => id)

test('a borrower sees the own loans and nothing of others, in the list, the count and by address', async () => {
  const data = (await read(run.runtime, await run.as('Ben'), rows()))!
  expect(data.rows.map(({ id }) => id).sort()).toEqual([loans.draft, loans.asked].sort())
  expect(data.count).toEqual({ n: 2, more: false })
  expect(await read(run.runtime, await run.as('Ben'), one(loans.cleo!))).toBeNull()
  expect(await readForm(run.runtime, await run.as('Ben'), 'loan', { field: 'id', value: loans.cleo! })).toBeNull()
})

test('a clerk sees all loans, a visitor none', async () => {
  expect(await ids('Dan', rows())).toHaveLength(3)
  const nobody = await read(run.runtime, await run.as('nobody'), rows())
  expect(nobody!.rows).toEqual([])
  expect(nobody!.count).toEqual({ n: 0, more: false })
  expect(nobody!.create.open).toBe(false)
})

test('a field that a role may not see is absent from columns, rows, record, form and history', async () => {
  const ben = await run.as('Ben')
  const list = (await read(run.runtime, ben, rows()))!
  expect(list.columns).not.toContain('total_value')
  const record = (await read(run.runtime, ben, one(loans.draft!)))!
  const form = (await readForm(run.runtime, ben, 'loan', { field: 'id', value: loans.draft! }))!
  for (const seen of [list.rows[0]!.values, record.row.values, form.values])
    expect(seen).not.toHaveProperty('total_value')
  expect(JSON.stringify(record.history)).not.toContain('total_value')
  expect(form.fields.map(({ key }) => key)).not.toContain('total_value')
  // The same questions, asked by somebody who may.
  const dan = await run.as('Dan')
  expect((await read(run.runtime, dan, rows()))!.rows[0]!.values).toHaveProperty('total_value')
})

test('a hidden field leaves the application for nobody', async () => {
  await run.runtime.store.query(sql`update loan set register_ref = 'R-77' where id = ${loans.asked}`)
  for (const who of ['Ben', 'Dan', 'Mia']) {
    const request = await run.as(who)
    const seen = [await read(run.runtime, request, rows()), await read(run.runtime, request, one(loans.asked!))]
    expect(
      JSON.stringify(seen, (key, value) => (['because', 'also', 'branch'].includes(key) ? null : value)),
    ).not.toMatch(/register_ref|R-77/)
  }
})

test('filters and orders by a forbidden field do as if there were no such field', async () => {
  const filters = (field: string) => rows({ filters: [{ field, comparison: 'at least', value: '9999999' }] })
  expect(await ids('Ben', filters('total_value'))).toEqual(await ids('Ben', filters('no_such_field')))
  expect(await ids('Ben', filters('total_value'))).toHaveLength(2)
  // Who may see it filters by it.
  expect(await ids('Dan', filters('total_value'))).toHaveLength(0)
  const sorted = (field: string) => rows({ sort: [{ field, descending: true }] })
  expect(await ids('Ben', sorted('total_value'))).toEqual(await ids('Ben', sorted('no_such_field')))
})

test('labels of people are names; their addresses are nowhere', async () => {
  const record = (await read(run.runtime, await run.as('Dan'), one(loans.cleo!)))!
  expect(record.row.labels.borrower).toBe('Cleo')
  expect(
    JSON.stringify(record, (key, value) => (['because', 'also', 'branch'].includes(key) ? null : value)),
  ).not.toContain('@example.com')
  const people = await read(run.runtime, await run.as('Ben'), {
    ...rows(),
    entity: 'person',
    columns: ['name', 'email'],
  })
  expect(people!.columns).toEqual(['name'])
})

test('options of a picker are titles in order, found by their words', async () => {
  const ben = await run.as('Ben')
  const need = { entity: 'loan_line', field: 'item', search: null, limit: 10 }
  const { options } = await readOptions(run.runtime, ben, need)
  expect(options.map(({ label }) => label)).toEqual(['Sony A7 · CA-0001', 'ThinkPad X1 · LA-0007'])
  const found = await readOptions(run.runtime, ben, { ...need, search: 'thinkPAD x1' })
  expect(found.options.map(({ value }) => value)).toEqual([laptop])
  expect((await readOptions(run.runtime, ben, { ...need, search: '%' })).options).toEqual([])
  expect((await readOptions(run.runtime, ben, { ...need, limit: 1 })).more).toBe(true)
  expect((await readOptions(run.runtime, await run.as('nobody'), need)).options).toEqual([])
  // Numbers in them count: 3 comes before 13.
  const named = (from: string, to: string) =>
    run.runtime.store.query(sql`update public.category set name = ${to} where name = ${from}`)
  await named('Cameras', 'Shelf 13')
  await named('Laptops', 'Shelf 3')
  const shelves = await readOptions(run.runtime, await run.as('Dan'), { ...need, entity: 'item', field: 'category' })
  expect(shelves.options.map(({ label }) => label).filter(label => label.startsWith('Shelf'))).toEqual([
    'Shelf 3',
    'Shelf 13',
  ])
  const items = { entity: 'item', columns: ['category'], sort: [{ field: 'category', descending: false }] }
  const listed = (await read(run.runtime, await run.as('Dan'), rows(items)))!.rows.map(({ labels }) => labels.category!)
  expect([...new Set(listed)].filter(label => label.startsWith('Shelf'))).toEqual(['Shelf 3', 'Shelf 13'])
  await named('Shelf 13', 'Cameras')
  await named('Shelf 3', 'Laptops')
  const mail = { entity: 'loan', field: 'borrower', search: 'example.com', limit: 10 }
  expect((await readOptions(run.runtime, ben, mail)).options).toEqual([])
})

test('pages follow each other in both directions over ties and empties, and hold while rows come', async () => {
  const mia = await run.as('Mia')
  const made_: string[] = []
  const purposes = ['P13', 'P3', 'P03', 'Ä 2', 'a 10']
  for (let index = 0; index < 11; index++)
    made_.push(
      await made(
        run,
        'Mia',
        'loan',
        input(
          {
            out_on: '2026-03-02',
            due_back: index % 3 === 0 ? '2026-03-04' : '2026-03-06',
            purpose: index % 2 ? purposes[(index - 1) / 2]! : null,
          },
          { lines: [{ item: camera }] },
        ),
      ),
    )
  const mine = { filters: [{ field: 'borrower', comparison: 'is', value: run.people.Mia! }] as const }
  for (const sort of [
    [],
    [{ field: 'due_back', descending: false }],
    [{ field: 'due_back', descending: true }],
    [
      { field: 'purpose', descending: false },
      { field: 'due_back', descending: true },
    ],
    [{ field: 'purpose', descending: true }],
    [
      { field: 'state', descending: false },
      { field: 'borrower', descending: true },
    ],
    [
      { field: 'total_value', descending: false },
      { field: 'days', descending: false },
    ],
  ]) {
    const shown = (await read(run.runtime, mia, rows({ ...mine, sort, limit: 100 })))!.rows
    const all = shown.map(({ id }) => id)
    expect(all).toHaveLength(11)
    // As people count, umlauts beside their letter; what counts alike and differs is apart. Empty ones come last either way.
    if (sort[0]?.field === 'purpose') {
      const counted = ['Ä 2', 'a 10', 'P03', 'P3', 'P13']
      expect(shown.map(({ values }) => values.purpose)).toEqual([
        ...(sort[0].descending ? counted.toReversed() : counted),
        ...Array<null>(6).fill(null),
      ])
    }
    const forwards: string[] = []
    let after: string | null = null
    let last: string | null = null
    do {
      const page: RowsData = (await read(run.runtime, mia, rows({ ...mine, sort, limit: 3, after })))!
      forwards.push(...page.rows.map(({ id }) => id))
      if (after === null) expect(page.previous).toBeNull()
      last = page.previous
      after = page.next
    } while (after !== null)
    expect(forwards).toEqual(all)
    const backwards: string[] = []
    let before: string | null = last
    while (before !== null) {
      const page = (await read(run.runtime, mia, rows({ ...mine, sort, limit: 3, before })))!
      backwards.unshift(...page.rows.map(({ id }) => id))
      before = page.previous
    }
    expect(backwards).toEqual(all.slice(0, 9))
  }
})

test('an invented place in the order is the first page', async () => {
  const mia = await run.as('Mia')
  const first = await ids('Mia', rows({ limit: 2 }))
  for (const after of [
    'x',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["a\'; drop table loan"]').toString('base64url'),
    Buffer.from('[null]').toString('base64url'),
  ])
    expect((await read(run.runtime, mia, rows({ limit: 2, after })))!.rows.map(({ id }) => id)).toEqual(first)
})

test('values in filters are values, whatever they look like', async () => {
  for (const value of ["' or true --", '\0', '\ud800', '%', '9'.repeat(400)])
    for (const [field, comparison] of [
      ['purpose', 'is'],
      ['number', 'contains'],
      ['borrower', 'is'],
      ['due_back', 'before'],
      ['total_value', 'at least'],
    ] as const)
      expect(await ids('Mia', rows({ filters: [{ field, comparison, value }] }))).toEqual([])
  expect(await ids('Mia', rows({ search: "' or true -- \0 \ud800" }))).toEqual([])
})

test('the count is right on a page without rows, and beside a cursor', async () => {
  const mia = await run.as('Mia')
  const nowhere = [{ field: 'number', comparison: 'is', value: 'LN-1999-00001' }] as const
  const nothing = await read(run.runtime, mia, rows({ filters: nowhere }))
  expect(nothing).toMatchObject({ rows: [], count: { n: 0, more: false }, next: null, previous: null })
  const first = (await read(run.runtime, mia, rows({ limit: 1 })))!
  const second = (await read(run.runtime, mia, rows({ limit: 1, after: first.next })))!
  expect(first.count!.n).toBeGreaterThan(1)
  expect(second.count).toEqual(first.count)
  const bounded = (await read(run.runtime, mia, rows({ limit: 1, countTo: 1 })))!
  expect(bounded.count).toEqual({ n: 1, more: true })
  // The one that is left by the filter lies before the place: a page without rows, of a list with one.
  const only = [{ field: 'number', comparison: 'is', value: first.rows[0]!.values.number as string }] as const
  const beyond = await read(run.runtime, mia, rows({ filters: only, after: first.next }))
  expect(beyond).toMatchObject({ rows: [], count: { n: 1, more: false }, next: null })
})

test('every page costs the same few statements, however many rows it has', async () => {
  const dan = await run.as('Dan')
  const count = async (need: Parameters<typeof read>[2]) =>
    (await run.runtime.store.counted(() => read(run.runtime, dan, need as RowsNeed))).statements.length
  expect(await count(rows())).toBe(1)
  expect(await count(rows({ limit: 1 }))).toBe(1)
  expect(await count(rows({ countTo: 0 }))).toBe(1)
  expect(await count(one(loans.asked!) as never)).toBe(2)
  const board = {
    kind: 'groups',
    filters: [],
    search: null,
    entity: 'loan',
    by: 'state',
    groups: ['Requested', 'Approved', 'Out'],
    columns: ['number', 'borrower'],
    where: null,
    sort: [],
    limit: 50,
  } as const
  expect(await count(board as never)).toBe(1)
  const data = (await read(run.runtime, dan, board))!
  expect(data.groups.map(({ value, count: { n }, rows: found }) => [value, n, found.length])).toEqual([
    ['Requested', 2, 2],
    ['Approved', 0, 0],
    ['Out', 0, 0],
  ])
})

test('what may be done stands with each row, with the cell that decides', async () => {
  const as = async (who: string, id: string) => (await read(run.runtime, await run.as(who), one(id)))!.row.may
  const draft = await as('Ben', loans.draft!)
  expect(draft.change).toMatchObject({ open: true, reason: 'allowed' })
  expect(draft.steps.find(({ step }) => step === 'submit')).toMatchObject({
    open: true,
    offered: true,
    to: 'Requested',
  })
  expect(draft.steps.find(({ step }) => step === 'approve')).toMatchObject({
    open: false,
    offered: false,
    reason: 'who',
  })
  const asked = await as('Ben', loans.asked!)
  expect(asked.change).toMatchObject({ open: false, reason: 'row' })
  expect(asked.change.because.text).toBe('borrower = me and state = Draft')
  // Her own loan: a clerk could, but not this one.
  const own = (await as('Cleo', loans.cleo!)).steps.find(({ step }) => step === 'approve')
  expect(own).toMatchObject({ open: false, offered: true, reason: 'when', missing: null })
  expect(own!.because.text).toBe('borrower != me')
  expect((await as('Dan', loans.cleo!)).steps.find(({ step }) => step === 'approve')).toMatchObject({ open: true })
  expect((await as('Dan', loans.cleo!)).steps.find(({ step }) => step === 'hand_out')).toMatchObject({
    reason: 'state',
    offered: true,
  })
})

test('the history tells who changed what, in words, and only what the reader may see', async () => {
  const request = await run.as('Ben')
  done(
    await change(run.runtime, request, 'loan', loans.draft!, 1, {
      values: { purpose: 'A longer film' },
      children: {},
      invalidValues: [],
    }),
  )
  const record = (await read(run.runtime, await run.as('Ben'), one(loans.draft!)))!
  expect(record.history[0]).toMatchObject({
    who: 'Ben',
    what: 'change',
    changes: [{ field: 'purpose', before: 'A film', after: 'A longer film' }],
  })
  expect(record.history[1]!.changes).toContainEqual({ field: 'borrower', before: null, after: 'Ben' })
  expect(record.history[1]!.changes).toContainEqual({ field: 'lines', before: null, after: 'Sony A7 · CA-0001' })
})

test('the form of a new record: what is entered, what is only shown, and what it begins with', async () => {
  const form = (await readForm(run.runtime, await run.as('Ben'), 'loan', null))!
  expect(form.fields.map(({ key, settable }) => `${key}${settable ? '' : ' (shown)'}`)).toEqual([
    'number (shown)',
    'borrower',
    'out_on',
    'due_back',
    'purpose',
    'lines',
    'days (shown)',
    'approved_by (shown)',
    'handed_out_at (shown)',
    'returned_at (shown)',
  ])
  expect(form.fields.find(({ key }) => key === 'lines')!.children!.map(({ key, settable }) => [key, settable])).toEqual(
    [
      ['item', true],
      ['value', false],
      ['damaged', true],
    ],
  )
  expect(form.values).toMatchObject({ borrower: run.people.Ben, out_on: '2026-03-02', due_back: null, lines: [] })
  expect(form.labels).toEqual({ borrower: 'Ben' })
  expect(form.verdict.open).toBe(true)
  expect((await readForm(run.runtime, await run.as('Ben'), 'item', null))!.verdict.open).toBe(false)
})

test('the form of a stored record: who it was lent to stays, and what is closed says which line closes it', async () => {
  const form = (await readForm(run.runtime, await run.as('Ben'), 'loan', { field: 'id', value: loans.asked! }))!
  expect(form.verdict).toMatchObject({ open: false, reason: 'row' })
  const own = (await readForm(run.runtime, await run.as('Ben'), 'loan', { field: 'id', value: loans.draft! }))!
  expect(own.fields.find(({ key }) => key === 'borrower')!.settable).toBe(false)
  expect(own.labels).toMatchObject({ borrower: 'Ben', 'lines.0.item': 'Sony A7 · CA-0001' })
  const clerks = (await readForm(run.runtime, await run.as('Dan'), 'loan', { field: 'id', value: loans.asked! }))!
  expect(clerks.verdict.open).toBe(true)
  expect(clerks.fields.find(({ key }) => key === 'purpose')!.settable).toBe(false)
  expect(clerks.values).toHaveProperty('total_value', '2400.00')
})

test('a row that is the same to the letter is the same object, for those who may the same and under the same constants', async () => {
  const seen = async (who: string, limits: Record<string, string> = {}) => {
    const request = await run.as(who)
    const held = Object.keys(limits).length === 0 ? request.limits : { ...request.limits, ...limits }
    const { rows: found } = (await read(run.runtime, { ...request, limits: held }, rows()))!
    return new Map(found.map(row => [row.id, row]))
  }
  const [draft, asked] = [loans.draft!, loans.asked!]
  const first = await seen('Ben')
  done(
    await change(
      run.runtime,
      await run.as('Ben'),
      'loan',
      draft,
      first.get(draft)!.version,
      input({ purpose: 'Another film' }),
    ),
  )
  const later = await seen('Ben')
  expect(later.get(asked)).toBe(first.get(asked))
  expect(later.get(draft)!.values.purpose).toBe('Another film')
  expect((await seen('Dan')).get(asked)).not.toBe(first.get(asked))
  expect((await seen('Ben', { max_loan_days: '1' })).get(asked)).not.toBe(first.get(asked))
})

test('a page that is the same to the letter is the same list, for those who may the same and under the same constants', async () => {
  const page = async (who: string, more: Partial<RowsNeed> = {}, limits: Record<string, string> = {}) => {
    const request = await run.as(who)
    const held = Object.keys(limits).length === 0 ? request.limits : { ...request.limits, ...limits }
    return (await read(run.runtime, { ...request, limits: held }, rows(more)))!
  }
  const sorted = { sort: [{ field: 'number', descending: false }], limit: 1 }
  const first = await page('Ben', sorted)
  const second = await page('Ben', { ...sorted, after: first.next })
  const again = await page('Ben', sorted)
  expect(again.rows).toBe(first.rows)
  expect([again.next, again.previous]).toEqual([first.next, first.previous])
  expect(second.rows[0]!.id).not.toBe(first.rows[0]!.id)
  expect((await page('Ben', { ...sorted, before: second.previous })).rows).toEqual(first.rows)
  expect((await page('Ben', { ...sorted, limit: 2 })).rows).toEqual([...first.rows, ...second.rows])
  expect((await page('Dan', sorted)).rows).not.toBe(first.rows)
  expect((await page('Ben', sorted, { max_loan_days: '1' })).rows).not.toBe(first.rows)
  const [{ id, version }] = first.rows as [ReadRow]
  done(await change(run.runtime, await run.as('Ben'), 'loan', id, version, input({ purpose: 'A third film' })))
  expect((await page('Ben', sorted)).rows[0]!.values.purpose).toBe('A third film')
})
