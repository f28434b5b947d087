/**
 * Computed fields whose value the database keeps in a column: of which many records are asked at once, and that go through the record's own
 * rows and read nothing but what is stored in these and in the record itself. All others are worked out wherever they are read.
 */
import type { Checked, Path } from './checked.ts'
import { computedOf, computedRoot, partsOf } from './computed.ts'
import type { Expression } from './expression.ts'
import type { FieldShape, Schema, Type } from './type.ts'

export interface Kept {
  readonly value: Expression
  /** Fields of the record that are these rows. */
  readonly lists: ReadonlySet<string>
  /** Columns of the record that it reads. */
  readonly own: ReadonlySet<string>
  /** By entity: columns of the rows that it reads, the one that names their record among them. */
  readonly rows: ReadonlyMap<string, { readonly parent: string; readonly columns: ReadonlySet<string> }>
}

/** The column of a kept field: no field can have this name. */
export const keptColumn = (field: string): string => `_${field}`

/** PostgreSQL cuts longer names off. */
const longest = 62

const known = new WeakMap<FieldShape, Kept | null>()

/** Null: the field has a column anyway, or is worked out wherever it is read. */
export const keptOf = (schema: Schema, entity: string, field: string): Kept | null =>
  schema.get(entity)?.asked?.has(field) === true ? keepable(schema, entity, field) : null

/** The same if many records were asked for it. */
export function keepable(schema: Schema, entity: string, field: string): Kept | null {
  const shape = schema.get(entity)?.fields.get(field)
  if (shape?.computed === undefined || field.length > longest) return null
  const found = known.get(shape)
  if (found !== undefined) return found
  const kept = gathered(schema, entity, shape)
  known.set(shape, kept)
  return kept
}

function gathered(schema: Schema, entity: string, shape: FieldShape): Kept | null {
  const value = computedOf(shape)
  if (value === null || !isPlain(value.type) || schema.get(entity)?.elsewhere === true) return null
  const own = new Set<string>()
  const lists = new Set<string>()
  const rows = new Map<string, { parent: string; columns: Set<string> }>()
  const open = new Set<Checked>()
  /** `of`: the entity of the rows that are looked at; null: it is the record itself. */
  const isHere = (node: Checked, of: string | null): boolean => {
    if (node.op === 'field') return isStored(node.path, of)
    if (node.op === 'aggregate') {
      const { source } = node
      // How rows stand is not among what they hold, and what is written goes by the wording of the application.
      if (node.name === 'list' || node.name === 'groups' || node.name === 'days') return false
      if (of !== null || source.kind !== 'list' || source.parent === null || !isOne(source.path)) return false
      lists.add(source.path.steps[0]!.field)
      if (!rows.has(source.entity))
        rows.set(source.entity, { parent: source.parent, columns: new Set([source.parent]) })
      return partsOf(node).every(part => isHere(part, source.entity))
    }
    if (elsewhere.has(node.op) || (node.op === 'call' && node.calendar !== undefined)) return false
    return partsOf(node).every(part => isHere(part, of))
  }
  const isStored = (path: Path, of: string | null): boolean => {
    if (!isOne(path)) return false
    const [step] = path.steps
    const at = path.base === 'own' ? of : null
    if (!step!.computed) {
      const columns = at === null ? own : rows.get(at)!.columns
      columns.add(step!.field)
      return true
    }
    const root = computedRoot(schema, step!.entity, step!.field)
    if (root === null || open.has(root)) return false
    open.add(root)
    const isIt = isHere(root, at)
    open.delete(root)
    return isIt
  }
  return isHere(value.root, null) && rows.size > 0 ? { value, lists, own, rows } : null
}

const isOne = ({ base, steps }: Path): boolean => steps.length === 1 && (base === 'own' || base === 'this')

/** What more than the record and its rows decides. */
const elsewhere: ReadonlySet<Checked['op']> = new Set([
  'me',
  'today',
  'now',
  'limit',
  'limit on',
  'answer',
  'setting',
  'function',
  'member',
  'within',
  'values',
  'error',
])

/** One value that people sort and filter by. */
const isPlain = ({ kind }: Type): boolean =>
  ['text', 'choice', 'integer', 'decimal', 'money', 'yes/no', 'date', 'moment', 'time', 'duration'].includes(kind)
