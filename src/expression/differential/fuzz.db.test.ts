/**
 * The two back ends give the same value for the same record: random expressions, evaluated in JavaScript and in PostgreSQL.
 * `NINEFOLD_FUZZ` sets how many (500 by default, 2,000 with `NINEFOLD_TEST_WHOLE`), `NINEFOLD_FUZZ_SEED` where chance begins.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sampled } from '../../../scripts/limits.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import type { Expression } from '../expression.ts'
import { overMany } from '../many.ts'
import { raw, type Sql, sql, statement } from '../sql.ts'
import { expressionOf } from '../testing.ts'
import { toSql } from '../to-sql.ts'
import { chance } from './chance.ts'
import { asConditions, bindingsOf, inJavaScript, inSql } from './compare.ts'
import { everywhere, faults } from './faults.ts'
import { generate } from './generate.ts'
import { makeWorld, scope, type World, worldSql } from './world.ts'

const amount = Number(process.env.NINEFOLD_FUZZ ?? sampled(2000))
const seed = Number(process.env.NINEFOLD_FUZZ_SEED ?? 20_261_121)
const batch = 25

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  world = makeWorld(seed)
  await database.store.inTransaction(async tx => {
    for (const statement of worldSql(world)) await tx.write(statement)
  })
  await database.store.inSession(session => session.execute('analyze'))
})

afterAll(() => database.drop())

test('JavaScript and PostgreSQL agree on every value of random expressions', async () => {
  const expressions = some(amount, seed)
  const differences: string[] = []
  let known = 0
  let compared = 0
  for (let start = 0; start < expressions.length && differences.length < 10; start += batch) {
    const part = expressions.slice(start, start + batch)
    for (const [index, column] of (await inSqlOneByOne(part)).entries()) {
      const expression = part[index]!
      const expected = inJavaScript(expression, world.environments)
      compared += expected.length
      known += expected.filter(value => value !== null).length
      const row = typeof column === 'string' ? 0 : expected.findIndex((value, place) => value !== column[place])
      if (row < 0) continue
      const given = typeof column === 'string' ? column : String(column[row])
      differences.push(`${expression.cell.text}\n  record ${row}: JavaScript ${expected[row]}, PostgreSQL ${given}`)
    }
  }
  expect(differences).toEqual([])
  expect(compared).toBe(amount * world.environments.length)
  // The expressions must say something: not nearly all of them may be unknown.
  expect(known / compared).toBeGreaterThan(0.5)
})

test('what stands in a where finds the records for which JavaScript says yes', async () => {
  const conditions = some(Math.ceil(amount / 2), seed + 1).filter(expression => expression.type.kind === 'yes/no')
  const differences: string[] = []
  for (let start = 0; start < conditions.length && differences.length < 10; start += batch) {
    const part = conditions.slice(start, start + batch)
    for (const [index, column] of (await asConditions(part, database.store)).entries()) {
      const expected = inJavaScript(part[index]!, world.environments).map(value => String(value === 'true'))
      if (JSON.stringify(column) !== JSON.stringify(expected)) differences.push(part[index]!.cell.text)
    }
  }
  expect(differences).toEqual([])
})

test('a `not` around what may be unknown means the same in both', async () => {
  // The checker asks for such a `not` to be written otherwise (N0251), so it is put in behind its back.
  const dice = chance(seed + 2)
  const expressions = some(Math.ceil(amount / 4), seed + 2).map(expression => ({
    ...expression,
    root: everywhere(node => {
      // What was known not to be empty need not be so any more.
      const unsure = { ...node, optional: true }
      const turned = node.type.kind === 'yes/no' && node.op !== 'literal' && dice.percent(30)
      return turned ? { ...unsure, op: 'not', of: unsure } : unsure
    })(expression.root),
  }))
  const differences: string[] = []
  for (let start = 0; start < expressions.length && differences.length < 10; start += batch) {
    const part = expressions.slice(start, start + batch)
    for (const [index, column] of (await inSql(part, database.store)).entries()) {
      const expected = inJavaScript(part[index]!, world.environments)
      if (JSON.stringify(column) !== JSON.stringify(expected)) differences.push(JSON.stringify(part[index]!.root))
    }
  }
  expect(differences).toEqual([])
})

/** Aggregates of which each of the others would be looked at for one record after the other; and those that stay with each record. */
const overOthers: readonly (readonly [text: string, joins: number])[] = [
  ['count(Loan where who = this.who and c = this.c)', 1],
  ['sum(Loan.m2 where item = this.item and c = this.c and b2) + m', 1],
  ['sum(Loan.total where year(day) = year(this.day) and item.price > 0)', 1],
  ['max(Loan.day2 where this.t2 = t and i2 > 0 or i > 5 and d > 0)', 0],
  ['max(Loan.day2 where this.t2 = t and (i2 > 0 or i > 5))', 1],
  ['min(Loan.day where c2 = this.c2)', 1],
  ['min(Loan.dur where who.manager = this.who and b = this.b)', 1],
  ['count(Loan.i2 where i = this.i and count(lines where price > 0) > 0)', 1],
  ['(if count(Loan where c = this.c and day < limits.first) > 3 then sum(Loan.d where c = this.c) else 0)', 2],
  ['count(Loan where c = this.c and who = me)', 1],
  ['count(Loan where above.c = this.c and count(Loan where i = 1) > 0 and late)', 1],
  ['count(other Loan where c = this.c)', 0],
  ['count(Loan where c = this.c and i > this.i)', 0],
  ['count(Loan where c = this.c and any(lines where n = this.i))', 0],
  ['any(Loan where c = this.c and i > 3 and d > 0)', 0],
  ['sum(Loan.m where who = this.who)', 0],
  ['count(Loan where b2 is this.b2)', 0],
  ['sum(lines.price where ok)', 0],
]

test('aggregates are the same for many records at once, and of each record alone', async () => {
  const bindings = bindingsOf()
  const half = toSql(expressionOf('i > 2', scope), { alias: 't' })
  const none = toSql(expressionOf('i > 2 and i < 2', scope), { alias: 't' })
  for (const [text, joins] of overOthers) {
    const value = toSql(expressionOf(text, scope), { alias: 't', rollups: true })
    for (const where of [raw('true'), half, none]) {
      const select = (from: Sql) =>
        sql`select t.id, (${value})::text as value from ${from} where ${where} order by t.id`
      const many = overMany('t', raw('loan t'), [where], select)
      expect([text, statement(many).text.match(/group by/g)?.length ?? 0]).toEqual([text, joins])
      const rows = await database.store.query<{ value: string | null }>(many, bindings)
      expect([text, rows]).toEqual([text, await database.store.query(select(raw('loan t')), bindings)])
    }
  }
})

test.each(faults)('a seeded fault is seen: $name', async fault => {
  let seen = 0
  for (let round = 0; round < 50 && seen === 0; round++) {
    const part = some(60, seed + round)
    const right = part.map(expression => inJavaScript(expression, world.environments))
    const wrong =
      fault.text === undefined
        ? part.map(expression => inJavaScript(expression, world.environments, fault))
        : await inSqlOneByOne(part, fault)
    // What PostgreSQL refuses altogether shows nothing.
    seen += right.filter(
      (column, index) => typeof wrong[index] !== 'string' && JSON.stringify(column) !== JSON.stringify(wrong[index]),
    ).length
  }
  expect(seen).toBeGreaterThan(0)
})

function some(count: number, from: number): readonly Expression[] {
  const dice = chance(from)
  const expressions: Expression[] = []
  while (expressions.length < count) {
    const expression = generate(dice)
    if (expression !== null) expressions.push(expression)
  }
  return expressions
}

/** All in one statement; where PostgreSQL refuses it, one by one, to see which. A text is what PostgreSQL said. */
async function inSqlOneByOne(expressions: readonly Expression[], fault?: (typeof faults)[number]) {
  try {
    return await inSql(expressions, database.store, fault)
  } catch {
    const columns = []
    for (const expression of expressions) {
      const [column] = await inSql([expression], database.store, fault).catch((error: Error) => [error.message])
      columns.push(column!)
    }
    return columns
  }
}
