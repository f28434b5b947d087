/** The SQL back end among records: paths along references, the rows of a list, what lies below in a tree. */
import type { Checked, CheckedNode, Path, Source, Step } from './checked.ts'
import { computedRoot, partsOf } from './computed.ts'
import { type EmitScope, type Joined, type Links, type Row, tableSql, whereSql } from './emitting.ts'
import { keptColumn, keptOf } from './kept-columns.ts'
import { identifier, join, type Sql, slot, sql } from './sql.ts'
import { castOf } from './sql-values.ts'

/** The value of a path: a column, of one of many records through what is joined, else a subquery along its references. */
export function pathSql(path: Path, place: EmitScope): Sql {
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
  // From the record that the first reference leads to; for `my`, from the person, and from a record that has a name.
  const steps = base === null ? path.steps : further
  const start = place.alias()
  const entity = base === null ? first.entity : first.to!
  const key = base === null ? givenId(path) : fieldSql(first, base, place)
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
function joinedSql(step: Step, joined: Joined, at: string, place: EmitScope): Sql {
  const value = fieldSql(step, at, place)
  const isSure = !step.computed || ![...joined.at.values()].includes(at)
  return isSure ? value : sql`(case when ${identifier(at, 'id')} is not null then ${value} end)`
}

function joinedAt(joined: Joined, step: Step, from: string, place: EmitScope): string {
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

function baseRow(path: Path, place: EmitScope): Row | null {
  switch (path.base) {
    case 'own':
      return place.own
    case 'this':
      return place.about
    case 'self':
      return place.context.alias
    case 'me':
    case 'named':
      return null
    case 'old':
      if (place.context.old === undefined) throw new Error("An expression with 'old' was asked for without an old row.")
      return place.context.old
  }
}

/** The record that is no row here: whoever asks, or one that has a name. */
const givenId = ({ base, name }: Path): Sql => sql`${slot(base === 'named' ? `named.${name}` : 'me')}::uuid`

function fieldSql(step: Step, row: Row, place: EmitScope): Sql {
  if (step.computed) {
    const isKept =
      place.context.kept && typeof row === 'string' && keptOf(place.schema, step.entity, step.field) !== null
    if (isKept) return columnSql(step.entity, keptColumn(step.field), row, place)
    const root = computedRoot(place.schema, step.entity, step.field)
    // A field whose own expression has a mistake is empty.
    if (root === null) return sql`null::${castOf(place.schema.get(step.entity)!.fields.get(step.field)!.type)}`
    return unseconded(root, place.emit(root, { ...place, own: row, about: row }))
  }
  return columnSql(step.entity, step.field, row, place)
}

/** What stands in a column's place is what the column would hold. */
const unseconded = (root: Checked, value: Sql): Sql =>
  root.type.kind === 'duration' && root.type.of === 'clock'
    ? sql`make_interval(secs => (${value})::double precision)`
    : value

function columnSql(entity: string, field: string, row: Row, { context }: EmitScope): Sql {
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
export function tableOf(entity: string, place: EmitScope): Omit<Records, 'where'> {
  const alias = place.alias()
  const joined: Joined = { joins: [], at: new Map() }
  place.joined.set(alias, joined)
  const from = () => sql`${tableSql(entity)} ${identifier(alias)}${join(joined.joins, '')}`
  return { from, alias, id: identifier(alias, 'id') }
}

export function recordsSql(source: Source, place: EmitScope): Records {
  const { from, alias, id } = tableOf(source.entity, place)
  if (source.kind === 'records') {
    const where = source.other ? [sql`${id} <> ${columnSql(source.entity, 'id', place.about, place)}`] : []
    const { tenant, live } = source
    const same =
      tenant === undefined
        ? []
        : [sql`${place.emit(tenant.own, { ...place, own: alias })} = ${place.emit(tenant.of, place)}`]
    const there = live === undefined ? [] : [place.emit(live, { ...place, own: alias }, true)]
    return { from, where: [...same, ...there, ...where], alias, id }
  }
  const last = source.path.steps.at(-1)!
  const unstored = source.parent === null ? unstoredRow(source.path, place) : null
  if (unstored !== null)
    return { from, where: [sql`${id} = any(string_to_array(${unstored(last.field)}, ' ')::uuid[])`], alias, id }
  const owner = ownerSql(source.path, place)
  if (source.parent !== null) {
    return { from, where: [sql`${identifier(alias, source.parent)} = ${owner}`], alias, id }
  }
  const links = (place.context.links ?? defaultLinks)(last.entity, last.field)
  const link = place.alias()
  const member = identifier(link, links.member)
  const linked = () => sql`${from()} join ${links.table} ${identifier(link)} on ${member} = ${id}`
  return { from: linked, where: [sql`${identifier(link, links.owner)} = ${owner}`], alias, id }
}

const defaultLinks = (entity: string, field: string): Links => ({
  table: identifier(`${entity}_${field}`),
  owner: 'owner',
  member: 'member',
})

/** The record whose list a path names, where it is given as values: what it names may not be stored yet. */
function unstoredRow(path: Path, place: EmitScope): Exclude<Row, string> | null {
  const [first, ...further] = path.steps
  const base = baseRow(path, place)
  const isAbove = further.length === 1 && first!.parent && base !== null && base === place.context.this
  const row = further.length === 0 ? base : isAbove ? place.context.above : null
  return typeof row === 'function' ? row : null
}

/** The id of the record whose list a path names. */
function ownerSql(path: Path, place: EmitScope): Sql {
  if (path.steps.length > 1) return pathSql({ ...path, steps: path.steps.slice(0, -1) }, place)
  const base = baseRow(path, place)
  return base === null ? givenId(path) : columnSql(path.steps[0]!.entity, 'id', base, place)
}

export function memberSql(node: CheckedNode<'member'>, place: EmitScope, condition: boolean): Sql {
  const { from, where, id } = recordsSql(node.source, place)
  const one = place.emit(node.of, place)
  if (condition) return sql`exists (select 1 from ${from()}${whereSql([...where, sql`${id} = ${one}`])})`
  return sql`(${one} = any(array(select ${id} from ${from()}${whereSql(where)})))`
}

export function withinSql(node: CheckedNode<'within'>, place: EmitScope): Sql {
  const [climb, next] = [identifier(place.alias()), place.alias()]
  const parent = identifier(next, node.parent)
  const above = sql`select ${parent} from ${climb} join ${tableSql(node.entity)} ${identifier(next)} on ${identifier(next, 'id')} = ${climb}.id where ${parent} is not null`
  const all = sql`with recursive ${climb}(id) as (select ${place.emit(node.of, place)} union ${above}) select id from ${climb}`
  return sql`(${place.emit(node.tree, place)} = any(array(${all})))`
}

/**
 * A condition about one record that a row refers to, and about nothing else of the row, is asked of the other records: the database finds
 * them once for all rows. Those that name whoever asks are few, and lead to their rows by an index. Null: it is no such condition.
 */
export function heldThere(node: Checked, place: EmitScope): Sql | null {
  const field = farField(node, place)
  const [first, ...steps] = field?.path.steps ?? []
  if (field === null || first === undefined) return null
  const near = { ...field, path: { base: 'own' as const, steps } }
  const { from, alias, id } = tableOf(first.to!, place)
  const held = place.emit(replaced(node, field, near), { ...place, own: alias }, true)
  const key = fieldSql(first, baseRow(field.path, place)!, place)
  if ((node.op === 'compare' || node.op === 'same') && (node.left.op === 'me' || node.right.op === 'me'))
    return sql`(${key} = any(array(select ${id} from ${from()} where ${held})))`
  return sql`(exists (select 1 from ${from()} where ${id} = ${key} and ${held}))`
}

type FieldNode = CheckedNode<'field'>

/** The field of another record that a condition compares with what is known before any row is looked at; without it, it is unknown. */
function farField(node: Checked, place: EmitScope): FieldNode | null {
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

const farOf = (node: Checked, others: readonly Checked[], place: EmitScope): FieldNode | null =>
  node.op === 'field' && isFar(node, place) && others.every(isGiven) ? node : null

function isFar({ path }: FieldNode, place: EmitScope): boolean {
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
