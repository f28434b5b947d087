/**
 * The SQL back end: an expression as PostgreSQL, over the row that an alias names. Total like the language: what it gives never
 * raises for any row. Agrees with the JavaScript back end on every value (the differential test compares them).
 *
 * Tier 0 expressions become text without subqueries and parameters, so that a CHECK constraint can hold them.
 * Text columns must have a deterministic collation. Inner tables are called `nx1`, `nx2`…: no outer alias may be.
 */
import { UTC } from './calendar.ts'
import type { Checked, CheckedNode } from './checked.ts'
import { parseDuration } from './dates.ts'
import { against, type EmitScope, numeric, type SqlContext, whereSql } from './emitting.ts'
import type { Expression } from './expression.ts'
import { isClock } from './fit.ts'
import { scalarFunction } from './functions.ts'
import { identifier, join, raw, type Sql, slot, sql } from './sql.ts'
import { boundedSeconds, castOf, literal, shiftDate, shiftMoment, timesDays } from './sql-values.ts'
import { aggregateSql } from './to-sql-aggregates.ts'
import { heldThere, memberSql, pathSql, recordsSql, withinSql } from './to-sql-records.ts'

export type { Row } from './emitting.ts'

/**
 * Parameters are the slots `me`, `today`, `now`, `limits.<name>`, `answer.<name>`, `settings.<name>`, with casts. Throws only for
 * mistakes of ours: a TypeScript function (tier 3), `old` without a row for it.
 */
export function toSql(expression: Pick<Expression, 'schema' | 'root'>, context: SqlContext): Sql {
  let tables = 0
  const place: EmitScope = {
    context,
    schema: expression.schema,
    own: context.alias,
    about: context.this ?? context.alias,
    alias: () => `nx${++tables}`,
    joined: new Map(),
    emit,
  }
  const { root } = expression
  const value = emit(root, place, context.as === 'condition')
  return isClock(root.type) ? sql`make_interval(secs => (${value})::double precision)` : value
}

/** Numbers are any numeric type, clock durations `numeric` seconds, calendar durations `interval`. Brackets around what needs them. */
function emit(node: Checked, place: EmitScope, condition = false): Sql {
  const there = condition ? heldThere(node, place) : null
  if (there !== null) return there
  switch (node.op) {
    case 'literal':
      return literal(node.value, node.type)
    case 'field':
      return asSeconds(node, pathSql(node.path, place))
    case 'me':
    case 'today':
    case 'now':
      return sql`${slot(node.op)}::${castOf(node.type)}`
    case 'limit':
      return asSeconds(node, sql`${slot(`limits.${node.name}`)}::${castOf(node.type)}`)
    case 'limit on': {
      const alias = place.alias()
      const column = (name: string) => identifier(alias, name)
      return asSeconds(
        node,
        sql`(select ${column('value')}::${castOf(node.type)} from jsonb_to_recordset(${slot(`limits.${node.name} on`)}::jsonb)
          as ${identifier(alias)} (since date, value text) where ${column('since')} <= ${emit(node.day, place)} order by ${column('since')} desc limit 1)`,
      )
    }
    case 'answer':
      return sql`${slot(`answer.${node.name}`)}::${castOf(node.type)}`
    case 'setting':
      return sql`${slot(`settings.${node.name}`)}::${castOf(node.type)}`
    case 'and':
    case 'or': {
      const parts = node.parts.map(part => emit(part, place, condition))
      const all = sql`(${join(parts, ` ${node.op} `)})`
      return condition && node.op === 'and' ? { ...all, all: parts } : all
    }
    case 'not':
      if (node.of.op === 'empty') return sql`(${emit(node.of.of, place)} is not null)`
      return sql`(not ${emit(node.of, place)})`
    case 'negate':
      return sql`(-${numeric(node.of, place)})`
    case 'empty':
      return sql`(${emit(node.of, place)} is null)`
    case 'same':
      return sameSql(node, place, condition)
    case 'compare':
      return sql`(${emit(node.left, place)} ${raw(node.sign === '!=' ? '<>' : node.sign)} ${against(node.left, node.right, place)})`
    case 'between':
      return sql`(${emit(node.of, place)} between ${emit(node.low, place)} and ${emit(node.high, place)})`
    case 'in':
      return sql`(${emit(node.of, place)} in (${join(
        node.list.map(member => against(node.of, member, place)),
        ', ',
      )}))`
    case 'contains':
      return sql`(strpos(${emit(node.left, place)} collate "C", ${emit(node.right, place)}) > 0)`
    case 'starts':
      return sql`starts_with(${emit(node.left, place)} collate "C", ${emit(node.right, place)})`
    case 'concat':
      return sql`(${emit(node.left, place)} || ${emit(node.right, place)})`
    case 'arithmetic':
      return arithmeticSql(node, place)
    case 'shift': {
      const from = emit(node.left, place)
      if (node.left.type.kind === 'moment') return shiftMoment(from, node.sign, emit(node.right, place))
      const by = node.right.type.kind === 'duration' ? emit(node.right, place) : numeric(node.right, place)
      return shiftDate(from, node.sign, by, node.right)
    }
    case 'difference': {
      const difference = sql`(${emit(node.left, place)} - ${emit(node.right, place)})`
      return node.left.type.kind === 'date' ? difference : sql`extract(epoch from ${difference})`
    }
    case 'times':
      return timesSql(node, place)
    case 'if':
      return sql`(case when ${emit(node.condition, place, true)} then ${emit(node.then, place)} else ${emit(node.otherwise, place)} end)`
    case 'call':
      return callSql(node, place)
    case 'function':
      throw new Error(`The function '${node.name}' is written in TypeScript and has no SQL.`)
    case 'aggregate':
      return aggregateSql(node, place)
    case 'values': {
      const { from, where, alias } = recordsSql(node.source, place)
      const value = emit(node.value, { ...place, own: alias })
      return sql`array(select ${value} from ${from()}${whereSql(where)} order by ${identifier(alias, 'id')})`
    }
    case 'member':
      return memberSql(node, place, condition)
    case 'within':
      return withinSql(node, place)
    case 'error':
      return raw('null')
  }
}

/** A clock duration's column or parameter is an interval. */
const asSeconds = (node: Checked, value: Sql): Sql => (isClock(node.type) ? sql`extract(epoch from ${value})` : value)

function sameSql(node: CheckedNode<'same'>, place: EmitScope, condition: boolean): Sql {
  const [first, second] = [node.left.optional, node.right.optional]
  const plain = condition ? !(first && second) : !(first || second)
  const left = emit(node.left, place)
  const right = against(node.left, node.right, place)
  return plain ? sql`(${left} = ${right})` : sql`(${left} is not distinct from ${right})`
}

function arithmeticSql(node: CheckedNode<'arithmetic'>, place: EmitScope): Sql {
  const left = numeric(node.left, place)
  const right = numeric(node.right, place)
  if (node.sign !== '/') {
    const sum = sql`(${left} ${raw(node.sign)} ${right})`
    return isClock(node.type) ? boundedSeconds(sum) : sum
  }
  // The quotient cut to 11 places, then rounded to 10: exact, whatever the size of the numbers (trap 7).
  const quotient = (of: Sql) => sql`round(div(${of} * 100000000000, nullif(${right}, 0)) * 0.00000000001, 10)`
  // That of milliseconds, as JavaScript has it.
  return isClock(node.type) ? boundedSeconds(sql`${quotient(sql`${left} * 1000`)} * 0.001`) : quotient(left)
}

function callSql({ name, arguments: given, calendar = UTC, closed }: Call, place: EmitScope): Sql {
  const isNumber = (argument: Checked) => ['integer', 'decimal', 'money'].includes(argument.type.kind)
  const values = given.map(argument => ({
    sql: isNumber(argument) ? numeric(argument, place) : emit(argument, place),
    type: argument.type,
    optional: argument.optional,
  }))
  const { sql: said } = scalarFunction(name)!
  if (closed === undefined) return said(values, calendar)
  // Looked up once, however often the function looks at them.
  const alias = place.alias()
  const week = { ...calendar.week!, closedSql: identifier(alias, 'days') }
  const days = sql`(select (${emit(closed, place)})::date[] as days, ${values.at(-1)!.sql} as of offset 0) as ${identifier(alias)}`
  return sql`(select ${said(values, { ...calendar, week })} from ${days} where ${identifier(alias, 'of')} is not null)`
}

type Call = CheckedNode<'call'>

function timesSql({ by, of }: CheckedNode<'times'>, place: EmitScope): Sql {
  const number = numeric(by, place)
  if (of.op !== 'literal' || of.type.kind !== 'duration' || of.type.of === 'clock')
    return boundedSeconds(sql`${number} * ${emit(of, place)}`)
  return timesDays(number, parseDuration(of.value as string)!)
}
