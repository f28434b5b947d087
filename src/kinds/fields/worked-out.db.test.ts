/**
 * What checks can be stored: whatever an expression of a type works out is held by a field of that type once it is rounded, or lies
 * outside of what the field can hold and is refused as that. `NINEFOLD_FUZZ` sets how many expressions.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { chance } from '../../expression/differential/chance.ts'
import { generate } from '../../expression/differential/generate.ts'
import { makeWorld } from '../../expression/differential/world.ts'
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import { suits } from '../../expression/fit.ts'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing.ts'
import type { FieldParameters } from './field-kind.ts'
import { fieldKind } from './index.ts'

const amount = Number(process.env.NINEFOLD_FUZZ ?? 1500)
const seed = Number(process.env.NINEFOLD_FUZZ_SEED ?? 20_261_128)

let database: TestDatabase
let expressions: readonly Expression[]
const { environments } = makeWorld(seed)

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'))
  const dice = chance(seed)
  expressions = Array.from({ length: amount }, () => generate(dice)).filter(one => one !== null)
})
afterAll(() => database.drop())

/** Beyond what the field is for, which nothing but the values can tell. */
const outside: ReadonlySet<string> = new Set(['NF-RANGE', 'NF-TOO-LONG', 'NF-TEXT'])

test.each<[kind: string, argument: string]>([
  ['integer', ''],
  ['decimal', ''],
  ['decimal', '8.2'],
  ['money', 'EUR'],
  ['percent', ''],
  ['percent', '1'],
  ['duration', ''],
  ['date', ''],
  ['date and time', ''],
  ['time', ''],
  ['yes/no', ''],
  ['text', ''],
])('%s %s holds what expressions of its type work out', async (name, argument) => {
  const kind = fieldKind(name)
  const parameters = kind.read(argument, new Map()) as FieldParameters
  const type = kind.type(parameters, '')
  const worked = expressions
    .filter(one => suits(one.type, type))
    .flatMap(one => environments.map(environment => [one.cell.text, evaluate(one, environment)] as const))
    .filter(([, value]) => value !== NOT_LOADED && value !== null && value !== '')
  const held = worked.flatMap(([text, value]) => {
    const wire = value as Exclude<Wire, null>
    const rounded = typeof wire === 'string' ? (kind.rounded?.(wire, parameters) ?? wire) : wire
    const parsed = kind.fromJson(rounded, parameters)
    if ('invalid' in parsed) {
      expect(outside, `${text} gave ${wire}: ${parsed.invalid.code}`).toContain(parsed.invalid.code)
      return []
    }
    return parsed.value === null ? [] : [{ wire: String(wire), held: String(parsed.value) }]
  })
  expect(held.length).toBeGreaterThan(50)
  const { store } = database
  const check = kind.check(parameters, raw('"x"'))
  const column = raw(kind.column(parameters)!)
  await store.query(sql`drop table if exists held`)
  await store.query(sql`create table held ("x" ${column}${check === null ? raw('') : sql` check (${check})`})`)
  const taken = await store.query<{ x: Wire }>(
    sql`insert into held select v::${column} from unnest(${held.map(one => one.held)}::text[]) with ordinality as u (v, n) order by n returning x`,
  )
  expect(taken.map(({ x }) => String(x))).toEqual(held.map(one => one.held))
  if (parameters.scale === undefined) return
  // The database rounds what it computes itself in the same way.
  const same = await store.query<{ x: Wire }>(
    sql`select v::numeric::${column} as x from unnest(${held.map(({ wire }) => wire)}::text[]) with ordinality as u (v, n) order by n`,
  )
  expect(same.map(({ x }) => x)).toEqual(held.map(one => one.held))
})
