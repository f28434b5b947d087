import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import { formatDecimal, parseDecimal } from '../decimal.ts'
import { identifier, join, type Sql, sql, statement } from '../sql.ts'
import { castOf } from '../sql-values.ts'
import { expressionOf } from '../testing.ts'
import { toSql } from '../to-sql.ts'
import type { RecordValue } from '../type.ts'
import {
  boxes,
  closed,
  laws,
  limits,
  lines,
  me,
  now,
  old,
  parcel,
  people,
  schema,
  scope,
  things,
  today,
} from './corpus.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  await database.store.inTransaction(async tx => {
    const rows = { person: people, parcel: [parcel], line: lines, crumb: [], box: boxes, thing: things }
    for (const [entity, records] of Object.entries(rows)) {
      for (const made of tableSql(entity, entity, records)) await tx.write(made)
    }
    for (const made of tableSql('parcel_old', 'parcel', [old])) await tx.write(made)
  })
})

afterAll(() => database.drop())

function tableSql(table: string, entity: string, records: readonly RecordValue[]): readonly Sql[] {
  const fields = [...schema.get(entity)!.fields.values()].filter(
    field => field.computed === undefined && field.type.kind !== 'list',
  )
  const columns = fields.map(field => sql`${identifier(field.key)} ${castOf(field.type)}`)
  return [
    sql`create table ${identifier(table)} (${join(columns, ', ')}, position serial)`,
    ...records.map(record => {
      const values = fields.map(field => sql`${record[field.key]}::text::${castOf(field.type)}`)
      return sql`insert into ${identifier(table)} values (${join(values, ', ')})`
    }),
  ]
}

const bindings = {
  me,
  today,
  now,
  closed,
  ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value])),
}

async function ask(value: Sql): Promise<unknown> {
  const rows = await database.store.query<{ value: unknown }>(
    sql`select ${value} as value from parcel t join parcel_old o on o.id = t.id`,
    bindings,
  )
  return rows[0]!.value
}

describe.each(laws)('law $law', ({ rows }) => {
  test.each(rows)('$says: $text', async ({ text, gives }) => {
    const given = await ask(toSql(expressionOf(text, scope), { alias: 't', old: 'o' }))
    const number = typeof given === 'string' ? parseDecimal(given) : null
    expect(number === null ? given : formatDecimal(number)).toBe(gives)
  })
})

test('what the document says stays a value, whatever is in it', async () => {
  for (const text of ["'; drop table parcel; --", '\\', "\\'", "E'x'", '$1', '%s', '😀', '/* */']) {
    expect(await ask(toSql(expressionOf(`t + "${text}"`, scope), { alias: 't' }))).toBe(`abc${text}`)
  }
})

test('a rule over one record alone can be a CHECK, and holds like one', async () => {
  const rules = [
    'day < last',
    'n / zero > 1 or n = 7',
    'day + 1 month <= last - 3 and length(t) < 10',
    'working_days(day, last) > 0 and round(d, 1) = -2.5',
    'min(n, e) is empty and max(day, leap) = day',
    'state in (Draft, Out) and (te is empty or te starts with "x") and if on then tm < 12:00 else false',
    'at + 90 minutes > 2026-03-28T09:00Z and twice = 14',
  ]
  for (const [index, text] of rules.entries()) {
    // Without a working week of its own, whose closed days may change.
    const expression = expressionOf(text, { ...scope, calendar: { zone: 'Europe/Berlin' } }, 'yes/no')
    expect(expression.tier).toBe(0)
    const condition = toSql(expression, { alias: 'parcel' })
    expect(statement(condition).bind({})).toEqual([])
    const name = identifier(`rule_${index}`)
    await database.store.inTransaction(async tx => {
      await tx.write(sql`alter table parcel add constraint ${name} check (${condition})`)
    })
  }
  const broken = database.store.inTransaction(tx => tx.write(sql`update parcel set day = last`))
  await expect(broken).rejects.toThrow(/rule_0/)
})

test('columns of different collations compare', async () => {
  await database.store.inTransaction(async tx => {
    await tx.write(sql`alter table parcel alter column te type text collate "C"`)
  })
  expect(await ask(toSql(expressionOf('t = te', scope), { alias: 't' }))).toBe(null)
  expect(await ask(toSql(expressionOf('t is te or t + te = te + t', scope), { alias: 't' }))).toBe(null)
})

test('an index serves `=`, and `is` where the other side cannot be empty', async () => {
  await database.store.inTransaction(async tx => {
    await tx.write(
      sql`create table big as select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid as via from generate_series(1, 20000) i`,
    )
    await tx.write(sql`create index on big (via)`)
  })
  await database.store.inSession(session => session.execute('analyze big'))
  for (const text of ['via = me', 'via is me']) {
    const condition = toSql(expressionOf(text, scope), { alias: 'big', as: 'condition' })
    const plan = await database.store.query<Record<string, string>>(
      sql`explain select 1 from big where ${condition}`,
      bindings,
    )
    expect(plan.map(row => Object.values(row)[0]).join('\n')).toContain('Index')
  }
})

test('a condition about what a row refers to is asked of that, once; an index leads from those who ask to their rows', async () => {
  const condition = (written: string) => toSql(expressionOf(written, scope), { alias: 'big', as: 'condition' })
  const plan = await database.store.query<Record<string, string>>(
    sql`explain select 1 from big where ${condition('via.boss = me or via = me')}`,
    bindings,
  )
  const told = plan.map(row => Object.values(row)[0]).join('\n')
  expect(told.match(/Index Scan on big_via_idx/g)).toHaveLength(2)
  expect(told).not.toContain('Seq Scan on big')
  const text = (written: string) => statement(condition(written)).text
  expect(text('via.name in ("Ada", "Bo")')).toBe(
    `(exists (select 1 from "person" "nx1" where "nx1"."id" = "big"."via" and ("nx1"."name" in ('Ada', 'Bo'))))`,
  )
  expect(text('via.boss is not empty and not via.boss = me')).toContain('exists')
  // What holds of the empty as well is asked of the row itself, and so is what compares two of its fields.
  for (const written of ['via.boss is not me', 'via.boss is empty', 'via.name = t', 'coalesce(via.name, "y") = "y"'])
    expect(text(written)).not.toContain('exists')
})

test('a path costs one subquery, rows of a list one', () => {
  const text = (written: string) => statement(toSql(expressionOf(written, scope), { alias: 't' })).text
  expect(text('to.boss.name')).toBe(
    '(select "nx2"."name" from "person" "nx1" join "person" "nx2" on "nx2"."id" = "nx1"."boss" where "nx1"."id" = "t"."to")',
  )
  expect(text('sum(lines.value where ok)')).toBe(
    '(select coalesce(sum("nx1"."value"::numeric), 0) from "line" "nx1" where "nx1"."parcel" = "t"."id" and "nx1"."ok")',
  )
  // What many records refer to is joined, once: the database begins with either end.
  expect(text('count(Line where parcel.to.name = this.t)')).toBe(
    '(select count(*) from "line" "nx1" left join "parcel" "nx2" on "nx2"."id" = "nx1"."parcel" left join "person" "nx3" on "nx3"."id" = "nx2"."to" where ("nx3"."name" = "t"."t" collate "C"))',
  )
  for (const written of [
    'sum(Line.parcel.n where parcel.te is this.te and not parcel.n = this.n)',
    'any(lines where parcel.n = count(other Parcel where n = this.n))',
  ])
    expect(text(written).match(/"parcel" "nx/g)).toHaveLength(written.startsWith('sum') ? 1 : 2)
  expect(text('state not in (Draft, Out)')).toBe(`(not ("t"."state" in ('Draft', 'Out')))`)
})

test('tables of a schema that the connection searches first hide none of the document', async () => {
  const written = ['to.boss.name is not empty', 'count(lines) > 0', 'any(Person where name is not empty)']
  const told = () => Promise.all(written.map(text => ask(toSql(expressionOf(text, scope), { alias: 't' }))))
  const before = await told()
  await database.store.inSession(session =>
    session.execute(
      'create schema authorization current_user create table person (at date) create table line (at date)',
    ),
  )
  expect(await told()).toEqual(before)
})
