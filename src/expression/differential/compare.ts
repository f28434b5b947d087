/** Runs expressions in both back ends over the same records and tells where they differ. */
import { type Portable, toPortable } from '../computed.ts'
import { type Decimal, formatDecimal, parseDecimal } from '../decimal.ts'
import { type Environment, evaluate, NOT_LOADED } from '../evaluate.ts'
import type { Expression } from '../expression.ts'
import { join, raw, type Sql, sql } from '../sql.ts'
import { toSql } from '../to-sql.ts'
import type { Type, Wire } from '../type.ts'
import { type Fault, faultyFunctions } from './faults.ts'
import { closed, limitValues, names, now, today } from './world.ts'

/** What is asked of a database here. */
export interface Asked {
  readonly query: <Row extends object>(
    query: Sql,
    bindings: Readonly<Record<string, unknown>>,
  ) => Promise<readonly Row[]>
}

/** One value per record. */
export type Column = readonly (string | null)[]

/** What JavaScript gives for each record, in the form that both back ends are brought to. */
export function inJavaScript(expression: Expression, environments: readonly Environment[], fault?: Fault): Column {
  // As the browser gets it.
  const portable = JSON.parse(JSON.stringify(toPortable(expression))) as Portable
  const root = fault?.tree?.(portable.root) ?? portable.root
  return environments.map(environment => {
    const value = evaluate({ ...portable, root }, { ...environment, functions: faultyFunctions })
    if (value === NOT_LOADED) return 'not loaded'
    return plain(
      fault?.result === undefined ? (value as Wire) : fault.result(value as Wire, expression.type),
      expression.type,
    )
  })
}

/** Conditions as a `where` has them: what is not true, is false there. */
export async function asConditions(expressions: readonly Expression[], store: Asked): Promise<readonly Column[]> {
  const values = expressions.map(
    expression => sql`coalesce(${toSql(expression, { alias: 't', old: 'o', as: 'condition' })}, false)`,
  )
  return columns(values, expressions, store)
}

/** What PostgreSQL gives for many expressions: one column each. Throws when PostgreSQL does. */
export async function inSql(
  expressions: readonly Expression[],
  store: Asked,
  fault?: Fault,
): Promise<readonly Column[]> {
  const values = expressions.map(expression => {
    const value = comparable(toSql(expression, { alias: 't', old: 'o' }), expression.type)
    return fault?.text === undefined ? value : { ...value, texts: value.texts.map(fault.text) }
  })
  return columns(values, expressions, store)
}

async function columns(
  values: readonly Sql[],
  expressions: readonly Expression[],
  store: Asked,
): Promise<readonly Column[]> {
  const query = sql`select array[${join(
    values.map(value => sql`(${value})::text`),
    ', ',
  )}] as given from loan t join loan_old o on o.id = t.id order by t.id`
  const rows = await store.query<{ given: readonly (string | null)[] }>(query, bindingsOf())
  return expressions.map((expression, index) => rows.map(row => plainSql(row.given[index]!, expression.type)))
}

/** What is known when a record is asked. */
export const bindingsOf = (): Readonly<Record<string, unknown>> => ({
  me: '00000002-0000-7000-8000-000000000000',
  'named.mate': names.mate,
  today,
  now,
  closed,
  ...Object.fromEntries(Object.entries(limitValues).map(([name, value]) => [`limits.${name}`, value])),
})

/** A duration comes as an interval, which PostgreSQL writes in many ways. */
function comparable(value: Sql, type: Type): Sql {
  if (type.kind === 'duration') return sql`round(extract(epoch from ${value}), 3)`
  if (type.kind === 'moment')
    return sql`to_char((${value}) at time zone 'UTC', ${raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`)})`
  return value
}

function plainSql(text: string | null, type: Type): string | null {
  if (text === null) return null
  if (type.kind === 'time') return text.slice(0, 5)
  return numeric.has(type.kind) || type.kind === 'duration' ? formatDecimal(parseDecimal(text) as Decimal) : text
}

const numeric: ReadonlySet<string> = new Set(['integer', 'decimal', 'money'])

function plain(value: Wire, type: Type): string | null {
  if (value === null) return null
  if (numeric.has(type.kind)) return formatDecimal(parseDecimal(value as string) as Decimal)
  if (type.kind === 'duration')
    return formatDecimal(
      parseDecimal(
        /^(-?)PT(.*)S$/
          .exec(value as string)!
          .slice(1)
          .join(''),
      ) as Decimal,
    )
  return String(value)
}
