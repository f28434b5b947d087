/**
 * The SQL back end: an expression as PostgreSQL, over the row that an alias names. Total like the language: what it gives never
 * raises for any row. Agrees with the JavaScript back end on every value (the differential test compares them).
 *
 * Tier 0 expressions become text without subqueries and parameters, so that a CHECK constraint can hold them.
 * Text columns must have a deterministic collation. Inner tables are called `nx1`, `nx2`…: no outer alias may be.
 */
import { UTC } from './calendar.ts'
import type { Checked, Path, Source, Step } from './checked.ts'
import { computedRoot, partsOf } from './computed.ts'
import { parseDuration } from './dates.ts'
import type { Expression } from './expression.ts'
import { scalarFunction } from './functions.ts'
import { groupingOf } from './grouping.ts'
import { overMany } from './many.ts'
import { identifier, join, Rollup, raw, type Sql, slot, sql } from './sql.ts'
import { castOf, literal, shiftDate, shiftMoment, timesDays, timesSeconds } from './sql-values.ts'
import type { Schema } from './type.ts'

/** Where a field of the record before the change is read: an alias, or the field itself. */
export type Row = string | ((field: string) => Sql)

interface SqlContext {
  /** The row of the expression's own record. In a CHECK: the table's name. */
  readonly alias: Row
  /** That row before the change, for `old`. */
  readonly old?: Row
  /** The record that the rule is about, where that is not the own one (`Scope.this`). */
  readonly this?: Row
  /** Of a row that is not stored yet: the record that it is part of, which is not stored either. Paths over `this` go through it. */
  readonly above?: Row | undefined
  /** A column; by default `alias."field"`. */
  readonly column?: (entity: string, field: string, alias: string) => Sql
  /** The table of `several`: by default `<entity>_<field>` with the columns `owner` and `member`. */
  readonly links?: (entity: string, field: string) => Links
  /**
   * `condition`: it stands where unknown means false (a `where`, a filter). Then `is` and `in` are written so that an index
   * serves them. `value` by default.
   */
  readonly as?: 'value' | 'condition'
  /** Aggregates are written so that they can be worked out for many rows at once (`overMany`). */
  readonly rollups?: boolean
}

export interface Links {
  readonly table: Sql
  readonly owner: string
  readonly member: string
}

/**
 * Parameters are the slots `me`, `today`, `now`, `limits.<name>`, `answer.<name>`, `settings.<name>`, with casts. Throws only for
 * mistakes of ours: a TypeScript function (tier 3), `old` without a row for it.
 */
export function toSql(expression: Expression, context: SqlContext): Sql {
  let tables = 0
  const place: Place = {
    context,
    schema: expression.schema,
    own: context.alias,
    about: context.this ?? context.alias,
    alias: () => `nx${++tables}`,
    joined: new Map(),
  }
  const { root } = expression
  const value = emit(root, place, context.as === 'condition')
  const isClock = root.type.kind === 'duration' && root.type.of === 'clock'
  return isClock ? sql`make_interval(secs => (${value})::double precision)` : value
}

interface Place {
  readonly context: SqlContext
  readonly schema: Schema
  readonly own: Row
  /** `this`. */
  readonly about: Row
  /** A name for one more inner table. */
  readonly alias: () => string
  /** By the alias of an inner table: what its records refer to, in the same `from`. */
  readonly joined: Map<string, Joined>
}

/**
 * Of one of many records, what it refers to is joined: the database then begins with either end, reads it once for all of them, and may ask
 * `any` for all rows together. One record or none each, so that no row is lost or doubled.
 */
interface Joined {
  readonly joins: Sql[]
  /** Aliases by whose field leads there. */
  readonly at: Map<string, string>
}

/** Without its schema: a connection of ours looks for the view that stands for a table of others, then in `public`, and nowhere else. */
const tableSql = (name: string): Sql => identifier(name)

/** Numbers are any numeric type, clock durations `numeric` seconds, calendar durations `interval`. Brackets around what needs them. */
function emit(node: Checked, place: Place, condition = false): Sql {
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
const asSeconds = (node: Checked, value: Sql): Sql =>
  node.type.kind === 'duration' && node.type.of === 'clock' ? sql`extract(epoch from ${value})` : value

/** Arithmetic is done in `numeric`, which does not overflow; columns of whole numbers are bigint. */
function numeric(node: Checked, place: Place): Sql {
  const value = emit(node, place)
  const isNumeric = node.op === 'arithmetic' || node.op === 'negate' || node.type.kind !== 'integer'
  return isNumeric ? value : sql`${value}::numeric`
}

/** The right side of an equation. Two columns of text may have different collations; bytes decide then. */
function against(left: Checked, right: Checked, place: Place): Sql {
  const value = emit(right, place)
  const isText = ['text', 'choice', 'choices'].includes(left.type.kind)
  return isText && right.op !== 'literal' && left.op !== 'literal' ? sql`${value} collate "C"` : value
}

function sameSql(node: Extract<Checked, { op: 'same' }>, place: Place, condition: boolean): Sql {
  const [first, second] = [node.left.optional, node.right.optional]
  const plain = condition ? !(first && second) : !(first || second)
  const left = emit(node.left, place)
  const right = against(node.left, node.right, place)
  return plain ? sql`(${left} = ${right})` : sql`(${left} is not distinct from ${right})`
}

/**
 * A condition about one record that a row refers to, and about nothing else of the row, is asked of the other records: the database finds
 * them once for all rows. Those that name whoever asks are few, and lead to their rows by an index. Null: it is no such condition.
 */
function heldThere(node: Checked, place: Place): Sql | null {
  const field = farField(node, place)
  const [first, ...steps] = field?.path.steps ?? []
  if (field === null || first === undefined) return null
  const near = { ...field, path: { base: 'own' as const, steps } }
  const { from, alias, id } = tableOf(first.to!, place)
  const held = emit(replaced(node, field, near), { ...place, own: alias }, true)
  const key = fieldSql(first, baseRow(field.path, place)!, place)
  if ((node.op === 'compare' || node.op === 'same') && (node.left.op === 'me' || node.right.op === 'me'))
    return sql`(${key} = any(array(select ${id} from ${from()} where ${held})))`
  return sql`(exists (select 1 from ${from()} where ${id} = ${key} and ${held}))`
}

type FieldNode = Extract<Checked, { op: 'field' }>

/** The field of another record that a condition compares with what is known before any row is looked at; without it, it is unknown. */
function farField(node: Checked, place: Place): FieldNode | null {
  switch (node.op) {
    case 'field':
      return isFar(node, place) && node.type.kind === 'yes/no' ? node : null
    case 'not':
      // `is not` holds of what is empty.
      return node.of.op === 'same' ? null : farField(node.of, place)
    case 'compare':
    case 'contains':
    case 'starts':
      return farOf(node.left, [node.right], place) ?? farOf(node.right, [node.left], place)
    case 'same':
      if (node.left.optional && node.right.optional) return null
      return farOf(node.left, [node.right], place) ?? farOf(node.right, [node.left], place)
    case 'in':
      return farOf(node.of, node.list, place)
    case 'between':
      return farOf(node.of, [node.low, node.high], place)
    default:
      return null
  }
}

const farOf = (node: Checked, others: readonly Checked[], place: Place): FieldNode | null =>
  node.op === 'field' && isFar(node, place) && others.every(isGiven) ? node : null

function isFar({ path }: FieldNode, place: Place): boolean {
  if (path.base !== 'own' && path.base !== 'this') return false
  const row = baseRow(path, place)
  const [first, ...further] = path.steps
  return typeof row === 'string' && !place.joined.has(row) && further.length > 0 && !first!.computed
}

const isGiven = (node: Checked): boolean =>
  (node.op !== 'field' || node.path.base === 'me') && !('source' in node) && partsOf(node).every(isGiven)

function replaced(node: Checked, from: FieldNode, to: FieldNode): Checked {
  const put = (one: Checked) => (one === from ? to : one)
  switch (node.op) {
    case 'not':
      return { ...node, of: replaced(node.of, from, to) }
    case 'compare':
    case 'contains':
    case 'starts':
    case 'same':
      return { ...node, left: put(node.left), right: put(node.right) }
    case 'in':
    case 'between':
      return { ...node, of: put(node.of) }
    default:
      return put(node)
  }
}

function arithmeticSql(node: Extract<Checked, { op: 'arithmetic' }>, place: Place): Sql {
  const left = numeric(node.left, place)
  const right = numeric(node.right, place)
  if (node.sign !== '/') return sql`(${left} ${raw(node.sign)} ${right})`
  // The quotient cut to 11 places, then rounded to 10: exact, whatever the size of the numbers (trap 7).
  return sql`round(div(${left} * 100000000000, nullif(${right}, 0)) * 0.00000000001, 10)`
}

function callSql(node: Extract<Checked, { op: 'call' }>, place: Place): Sql {
  const isNumber = (argument: Checked) => ['integer', 'decimal', 'money'].includes(argument.type.kind)
  return scalarFunction(node.name)!.sql(
    node.arguments.map(argument => ({
      sql: isNumber(argument) ? numeric(argument, place) : emit(argument, place),
      type: argument.type,
      optional: argument.optional,
    })),
    node.calendar ?? UTC,
  )
}

function timesSql({ by, of }: Extract<Checked, { op: 'times' }>, place: Place): Sql {
  const number = numeric(by, place)
  if (of.op !== 'literal' || of.type.kind !== 'duration' || of.type.of === 'clock')
    return timesSeconds(number, emit(of, place))
  return timesDays(number, parseDuration(of.value as string)!)
}

/** The value of a path: a column, of one of many records through what is joined, else a subquery along its references. */
function pathSql(path: Path, place: Place): Sql {
  const [first, ...further] = path.steps as readonly [Step, ...Step[]]
  const base = baseRow(path, place)
  if (base !== null && further.length === 0) return fieldSql(first, base, place)
  const { above } = place.context
  if (above !== undefined && first.parent && base === place.context.this)
    return pathSql({ base: 'this', steps: further }, { ...place, about: above })
  const joined = typeof base === 'string' ? place.joined.get(base) : undefined
  if (joined !== undefined) {
    const at = path.steps.slice(0, -1).reduce((from, step) => joinedAt(joined, step, from, place), base as string)
    return joinedSql(path.steps.at(-1)!, joined, at, place)
  }
  // From the record that the first reference leads to; for `my`, from the person.
  const steps = base === null ? path.steps : further
  const start = place.alias()
  const entity = base === null ? first.entity : first.to!
  const key = base === null ? sql`${slot('me')}::uuid` : fieldSql(first, base, place)
  let from = sql`${tableSql(entity)} ${identifier(start)}`
  let alias = start
  for (const step of steps.slice(0, -1)) {
    const next = place.alias()
    const on = sql`${identifier(next, 'id')} = ${fieldSql(step, alias, place)}`
    from = sql`${from} join ${tableSql(step.to!)} ${identifier(next)} on ${on}`
    alias = next
  }
  return sql`(select ${fieldSql(steps.at(-1)!, alias, place)} from ${from} where ${identifier(start, 'id')} = ${key})`
}

/** Where there is no such record, what is computed is empty too: a count over nothing would be 0. */
function joinedSql(step: Step, joined: Joined, at: string, place: Place): Sql {
  const value = fieldSql(step, at, place)
  const isSure = !step.computed || ![...joined.at.values()].includes(at)
  return isSure ? value : sql`(case when ${identifier(at, 'id')} is not null then ${value} end)`
}

function joinedAt(joined: Joined, step: Step, from: string, place: Place): string {
  const way = `${from} ${step.field}`
  const known = joined.at.get(way)
  if (known !== undefined) return known
  const key = joinedSql(step, joined, from, place)
  const alias = place.alias()
  joined.joins.push(sql` left join ${tableSql(step.to!)} ${identifier(alias)} on ${identifier(alias, 'id')} = ${key}`)
  joined.at.set(way, alias)
  place.joined.set(alias, joined)
  return alias
}

function baseRow(path: Path, place: Place): Row | null {
  switch (path.base) {
    case 'own':
      return place.own
    case 'this':
      return place.about
    case 'me':
      return null
    case 'old':
      if (place.context.old === undefined) throw new Error("An expression with 'old' was asked for without an old row.")
      return place.context.old
  }
}

function fieldSql(step: Step, row: Row, place: Place): Sql {
  if (step.computed) {
    const root = computedRoot(place.schema, step.entity, step.field)
    // A field whose own expression has a mistake is empty.
    if (root === null) return sql`null::${castOf(place.schema.get(step.entity)!.fields.get(step.field)!.type)}`
    return unseconded(root, emit(root, { ...place, own: row, about: row }))
  }
  return columnSql(step.entity, step.field, row, place)
}

/** What stands in a column's place is what the column would hold. */
const unseconded = (root: Checked, value: Sql): Sql =>
  root.type.kind === 'duration' && root.type.of === 'clock'
    ? sql`make_interval(secs => (${value})::double precision)`
    : value

function columnSql(entity: string, field: string, row: Row, { context }: Place): Sql {
  if (typeof row === 'function') return row(field)
  return context.column?.(entity, field, row) ?? identifier(row, field)
}

interface Records {
  /** To be asked for when all that is said of the records is written. */
  readonly from: () => Sql
  readonly where: readonly Sql[]
  readonly alias: string
  /** The id of the record; for `several` without looking into the table of records. */
  readonly id: Sql
}

/** One more table, with what its records refer to. */
function tableOf(entity: string, place: Place): Omit<Records, 'where'> {
  const alias = place.alias()
  const joined: Joined = { joins: [], at: new Map() }
  place.joined.set(alias, joined)
  const from = () => sql`${tableSql(entity)} ${identifier(alias)}${join(joined.joins, '')}`
  return { from, alias, id: identifier(alias, 'id') }
}

function recordsSql(source: Source, place: Place): Records {
  const { from, alias, id } = tableOf(source.entity, place)
  if (source.kind === 'records') {
    const where = source.other ? [sql`${id} <> ${columnSql(source.entity, 'id', place.about, place)}`] : []
    const { tenant, live } = source
    const same =
      tenant === undefined ? [] : [sql`${emit(tenant.own, { ...place, own: alias })} = ${emit(tenant.of, place)}`]
    const there = live === undefined ? [] : [emit(live, { ...place, own: alias }, true)]
    return { from, where: [...same, ...there, ...where], alias, id }
  }
  const owner = ownerSql(source.path, place)
  if (source.parent !== null) {
    return { from, where: [sql`${identifier(alias, source.parent)} = ${owner}`], alias, id }
  }
  const last = source.path.steps.at(-1)!
  const links = (place.context.links ?? defaultLinks)(last.entity, last.field)
  const link = place.alias()
  const member = identifier(link, links.member)
  const linked = () => sql`${from()} join ${links.table} ${identifier(link)} on ${member} = ${id}`
  return { from: linked, where: [sql`${identifier(link, links.owner)} = ${owner}`], alias, id }
}

const defaultLinks = (entity: string, field: string): Links => ({
  table: identifier('public', `${entity}_${field}`),
  owner: 'owner',
  member: 'member',
})

/** The id of the record whose list a path names. */
function ownerSql(path: Path, place: Place): Sql {
  if (path.steps.length > 1) return pathSql({ ...path, steps: path.steps.slice(0, -1) }, place)
  const base = baseRow(path, place)
  return base === null ? sql`${slot('me')}::uuid` : columnSql(path.steps[0]!.entity, 'id', base, place)
}

function aggregateSql(node: Extract<Checked, { op: 'aggregate' }>, place: Place): Sql {
  const { from, where, alias, id } = recordsSql(node.source, place)
  const inside = { ...place, own: alias }
  const held = node.where ?? (node.name === 'count' || node.name === 'sum' ? null : node.value)
  switch (node.name) {
    case 'any':
    case 'none': {
      const conditions = held === null ? where : [...where, emit(held, inside, true)]
      return sql`(${raw(node.name === 'any' ? 'exists' : 'not exists')} (select 1 from ${from()}${whereSql(conditions)}))`
    }
    case 'all': {
      const conditions = held === null ? [raw('false')] : [...where, sql`${emit(held, inside)} is not true`]
      return sql`(not exists (select 1 from ${from()}${whereSql(conditions)}))`
    }
  }
  const conditions = node.where === null ? where : [...where, emit(node.where, inside, true)]
  // What is emitted over the records decides what stands beside them: `from` comes after it.
  const of = (value: Sql, order = raw('')) => sql`(select ${value} from ${from()}${whereSql(conditions)}${order})`
  if (node.name === 'first') {
    const value = emit(node.value!, inside)
    const keys = node.order!.map(({ of: key, down }) => sql`${emit(key, inside)}${raw(down ? ' desc nulls last' : '')}`)
    return of(value, sql` order by ${join([...keys, id], ', ')} limit 1`)
  }
  const alone = of(overAll(node, inside))
  return rollupOf(node, alone, place) ?? alone
}

type Aggregate = Extract<Checked, { op: 'aggregate' }>

function overAll({ name, value }: Aggregate, inside: Place): Sql {
  if (value === null) return raw('count(*)')
  if (name === 'sum') return sql`coalesce(sum(${numeric(value, inside)}), 0)`
  return sql`${raw(name)}(${emit(value, inside)})`
}

/** Null: it is worked out for one row at a time. */
function rollupOf(node: Aggregate, alone: Sql, place: Place): Sql | null {
  const grouping = place.context.rollups ? groupingOf(node) : null
  const row = place.about
  if (grouping === null || typeof row !== 'string') return null
  const of = grouping.keys.map(key => against(key.own, key.of, place))
  const grouped = (name: string, among: ((of: Sql) => Sql) | null) => {
    const { from, alias } = tableOf(node.source.entity, place)
    const inside = { ...place, own: alias }
    const keys = grouping.keys.map(key => emit(key.own, inside))
    const wanted = among === null ? [] : [sql`${keys[0]!} in ${among(of[0]!)}`]
    const where = [...wanted, ...grouping.where.map(one => emit(one, inside, true))]
    const columns = keys.map((key, index) => sql`${key} as ${identifier(`k${index}`)}, `)
    const value = overAll(node, inside)
    // By number: parameters in two places would make two expressions of one.
    const by = raw(keys.map((_, index) => index + 1).join(', '))
    const groups = (all: Sql) =>
      sql`select ${join(columns, '')}${value} as value from ${all}${whereSql(where)} group by ${by}`
    const ties = of.map((one, index) => sql`${identifier(name, `k${index}`)} = ${one}`)
    return sql` left join (${overMany(alias, from(), where, groups)}) as ${identifier(name)} on ${join(ties, ' and ')}`
  }
  const isNone = node.name === 'count' || node.name === 'sum'
  const value = (column: Sql) => (isNone ? sql`coalesce(${column}, 0)` : column)
  return { texts: ['', ''], values: [new Rollup({ row, node, alone, grouped, value })] }
}

const whereSql = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('') : sql` where ${join(conditions, ' and ')}`

function memberSql(node: Extract<Checked, { op: 'member' }>, place: Place, condition: boolean): Sql {
  const { from, where, id } = recordsSql(node.source, place)
  const one = emit(node.of, place)
  if (condition) return sql`exists (select 1 from ${from()}${whereSql([...where, sql`${id} = ${one}`])})`
  return sql`(${one} = any(array(select ${id} from ${from()}${whereSql(where)})))`
}

function withinSql(node: Extract<Checked, { op: 'within' }>, place: Place): Sql {
  const [climb, next] = [identifier(place.alias()), place.alias()]
  const parent = identifier(next, node.parent)
  const above = sql`select ${parent} from ${climb} join ${tableSql(node.entity)} ${identifier(next)} on ${identifier(next, 'id')} = ${climb}.id where ${parent} is not null`
  const all = sql`with recursive ${climb}(id) as (select ${emit(node.of, place)} union ${above}) select id from ${climb}`
  return sql`(${emit(node.tree, place)} = any(array(${all})))`
}
