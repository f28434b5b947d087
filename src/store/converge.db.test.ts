/** A migration comes to the tables of its document: interrupted anywhere, done by many at once, from any tables to any others. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sampled, whole } from '../../scripts/limits.ts'
import { applyFor } from './migrate.ts'
import type { Store } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './testing.ts'
import {
  check,
  column,
  holds,
  index,
  loan,
  migrating,
  now,
  reference,
  table,
  target,
  unique,
} from './testing-tables.ts'

let database: TestDatabase
let store: Store
const { apply, nothingLeft, insert, all, catalogue, empty } = migrating(() => store)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  store = database.store
})
afterAll(() => database.drop())
beforeEach(() => empty())

/** A store whose connection breaks instead of the statement of this number, of those that change anything. */
function dyingAt(at: number, died: () => void): Store {
  let statements = 0
  return {
    ...store,
    inSession: work =>
      store.inSession(session =>
        work({
          ...session,
          execute: text => {
            if (!/^(alter|create|drop|comment|update|insert|delete|do)/.test(text) || statements++ !== at)
              return session.execute(text)
            died()
            return session.execute('select pg_terminate_backend(pg_backend_pid())')
          },
        }),
      ),
  }
}

describe('an interrupted migration', () => {
  const first = target(loan({}, column('days', 'bigint')))

  const states = (names: readonly string[]) => `"state" in (${names.map(name => `'${name}'`).join(', ')})`
  const visits = (parent: string, was: string | null) =>
    table('line', [column(parent, 'uuid', { was })], {
      constraints: [reference('line', parent, parent)],
      indexes: [index('line', parent)],
    })
  const before = target(
    loan(
      {
        constraints: [
          check('loan', 'state', states(['Open', 'Shut']), holds('state', 'state', 'Loan')),
          check('loan', 'days', '"days" >= 0', holds('min', 'days', '0')),
          unique('loan', 'code'),
        ],
        indexes: [index('loan', 'days'), index('loan', 'purpose')],
      },
      column('days', 'bigint'),
      column('code', 'text'),
      column('state', 'text', { notNull: true }),
    ),
    visits('loan', null),
  )
  const after = target(
    table(
      'visit',
      [
        column('number', 'text', { notNull: true }),
        column('reason', 'text', { notNull: true, was: 'purpose', fill: { sql: "'none'", shown: 'none' } }),
        column('days', 'numeric(19,2)', { notNull: true, fill: { sql: '1', shown: '1' } }),
        column('code', 'bigint'),
        column('state', 'text', { notNull: true, renamed: [{ from: 'Shut', to: 'Closed' }] }),
        column('extra', 'text', { notNull: true, fill: { sql: '"number"', shown: 'the number' } }),
        column('given', 'bigint', { notNull: true, fill: { sql: '7', shown: '7' } }),
      ],
      {
        was: 'loan',
        constraints: [
          check('visit', 'state', states(['Open', 'Closed']), holds('state', 'state', 'Visit')),
          check('visit', 'days', '"days" > 0', holds('min', 'days', '1')),
          unique('visit', 'number'),
          unique('visit', 'code'),
        ],
        indexes: [index('visit', 'days'), index('visit', 'reason')],
      },
    ),
    visits('visit', 'loan'),
  )
  const told = (record: string) =>
    all(`insert into ninefold.history (id, at, entity, record, version, what, kind, changes, request, document)
      values (gen_random_uuid(), now(), 'loan', '${record}', 1, 'change', 'change', '{"purpose": [null, "x"]}', 'r', 'd')`)

  async function begin() {
    await empty()
    await apply(before)
    await insert('loan', { number: 'L1', state: 'Shut', code: '10' })
    await insert('loan', { number: 'L2', days: '3', purpose: 'why', state: 'Open' })
    const [{ id: record }] = (await all('select id from loan order by number')) as [{ id: string }]
    await insert('line', { loan: record })
    await told(record)
  }

  const end = async () => ({
    catalogue: await catalogue(),
    records: await all('select number, reason, days, code, state, extra, given from visit order by number'),
    lines: await all('select number from line join visit on visit.id = line.visit'),
    history: await all('select entity, changes from ninefold.history'),
    onTheWay: await all(`select obj_description('ninefold.document'::regclass) as "to"`),
  })

  test('comes to the very same tables, after whichever statement it stopped', async () => {
    await begin()
    expect((await apply(after)).kind).toBe('applied')
    const uninterrupted = await end()
    expect(uninterrupted).toMatchObject({
      records: [
        { number: 'L1', reason: 'none', days: '1.00', code: '10', state: 'Closed', extra: 'L1', given: '7' },
        { number: 'L2', reason: 'why', days: '3.00', code: null, state: 'Open', extra: 'L2', given: '7' },
      ],
      lines: [{ number: 'L1' }],
      history: [{ entity: 'visit', changes: { reason: [null, 'x'] } }],
      onTheWay: [{ to: null }],
    })
    const every = whole ? 1 : 6
    let at = Math.floor(Math.random() * every)
    for (let isOver = false; !isOver; at += every) {
      await begin()
      isOver = true
      const dying = dyingAt(at, () => {
        isOver = false
      })
      await applyFor(dying, after, null, { now }).catch(() => {})
      expect((await apply(after)).kind).toBe('applied')
      expect({ at, ...(await end()) }).toEqual({ at, ...uninterrupted })
      await nothingLeft(after)
    }
    expect(at).toBeGreaterThan(90)
  })

  test('an index that was left unfinished is built anew', async () => {
    await apply(first)
    await insert('loan', { number: 'L1' })
    await insert('loan', { number: 'L1' })
    await expect(all('create unique index concurrently loan_days_idx on loan (number)')).rejects.toThrow()
    const wanted = target(loan({ indexes: [index('loan', 'days')] }, column('days', 'bigint')))
    await apply(wanted)
    await nothingLeft(wanted)
    expect(
      await all(
        `select indisvalid as valid, indisunique as "unique" from pg_index where indexrelid = 'loan_days_idx'::regclass`,
      ),
    ).toEqual([{ valid: true, unique: false }])
  })
})

test('many processes that start at once all find the tables made', async () => {
  const wanted = target(loan())
  const results = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const other = (await import('./pool.ts')).openStore(database.url, { connections: 1 })
      try {
        return (await applyFor(other, wanted, null, { now })).kind
      } finally {
        await other.close()
      }
    }),
  )
  expect(new Set(results)).toEqual(new Set(['applied']))
  expect(await all('select count(*) as documents from ninefold.document')).toEqual([{ documents: '1' }])
})

describe('random tables', () => {
  const types = ['text', 'bigint', 'numeric(19,2)', 'date', 'boolean', 'uuid', 'timestamp(3) with time zone']
  const word = fc.constantFrom('a', 'b', 'order', 'user', 'naïve "name"', 'x'.repeat(63), 'select', 'd', 'e')
  const columnArbitrary = fc.record({
    name: word,
    type: fc.constantFrom(...types),
    notNull: fc.boolean(),
    unique: fc.boolean(),
    indexed: fc.boolean(),
    refers: fc.boolean(),
  })
  const tableArbitrary = fc
    .record({
      name: fc.constantFrom('loan', 'item', 'group', 'y'.repeat(63)),
      columns: fc.uniqueArray(columnArbitrary, { selector: one => one.name, maxLength: 6 }),
    })
    .map(({ name, columns }) =>
      table(
        name,
        columns.map(one => column(one.name, one.refers ? 'uuid' : one.type, { notNull: one.notNull })),
        {
          constraints: columns.flatMap(one => [
            ...(one.unique ? [unique(name, one.name)] : []),
            ...(one.refers ? [reference(name, one.name, 'person')] : []),
            ...(one.type === 'bigint' && !one.refers
              ? [check(name, one.name, `"${one.name.replaceAll('"', '""')}" > 0`, holds('min', one.name, '0'))]
              : []),
          ]),
          indexes: columns.filter(one => one.indexed).map(one => index(name, one.name)),
        },
      ),
    )
  const appArbitrary = fc.uniqueArray(tableArbitrary, { selector: one => one.name, maxLength: 4 })

  test('plan, apply, plan again: nothing left, from any document to any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(appArbitrary, { minLength: 2, maxLength: 3 }), fc.boolean(), async (apps, filled) => {
        await empty()
        for (const [step, tables] of apps.entries()) {
          const wanted = target(...tables)
          const applied = await apply(wanted)
          if (applied.kind === 'refused') {
            expect(filled).toBe(true)
            return
          }
          await nothingLeft(wanted)
          if (filled && step === 0)
            for (const one of tables.filter(two => two.columns.every(col => !col.notNull || col.name === 'id')))
              await insert(one.name, {})
        }
      }),
      { numRuns: sampled(50) },
    )
  })
})
