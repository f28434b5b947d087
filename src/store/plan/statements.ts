/** The statements that make tables, columns, constraints and indexes. Whole statements that a database administrator can read. */
import { columnList, literal, quoted, tableName } from '../names.ts'
import type { Column, Constraint, Index, KeptColumn, Table } from '../physical.ts'
import { treeKey } from '../trees.ts'
import { commentOf, constraintDefinition, indexDefinition, isTrigger, keptMark } from './definition.ts'

export const alter = (table: string, change: string): string => `alter table ${tableName(table)} ${change}`

/** A column as it stands in `create table`. */
export function columnText(column: Column): string {
  return [
    `${quoted(column.name)} ${column.type}`,
    column.default === null ? '' : ` default ${column.default}`,
    column.notNull ? ' not null' : '',
  ].join('')
}

export const keptText = ({ name, type, default: begins }: KeptColumn): string =>
  `${quoted(name)} ${type}${begins === null ? '' : ` default ${begins}`}`

export const commentOnKept = (table: string, column: string): string =>
  `comment on column ${tableName(table)}.${quoted(column)} is ${commentOf(keptMark)}`

/** The table with what does not refer to other tables. */
export function createTable(table: Table): readonly string[] {
  const triggers = table.constraints.filter(isHeldByTrigger)
  const own = table.constraints.filter(one => one.kind !== 'foreign' && !triggers.includes(one))
  const lines = [
    ...table.columns.map(columnText),
    ...table.kept.map(keptText),
    ...own.map(constraint => `constraint ${quoted(constraint.name)} ${constraintText(constraint)}`),
  ]
  return [
    `create table ${tableName(table.name)} (\n  ${lines.join(',\n  ')}\n)`,
    `comment on table ${tableName(table.name)} is ${commentOf(table.title)}`,
    ...table.kept.map(({ name }) => commentOnKept(table.name, name)),
    ...own.map(constraint => commentOnConstraint(table.name, constraint)),
    ...triggers.flatMap(one => [addConstraint(table.name, one), commentOnConstraint(table.name, one)]),
    ...table.indexes.flatMap(index => [createIndex(table.name, index, false), commentOnIndex(index)]),
  ]
}

const isHeldByTrigger = (constraint: Constraint): boolean => isTrigger(constraintDefinition(constraint))

/** The definition as PostgreSQL wants it. */
export function constraintText(constraint: Constraint): string {
  // Checked at once unless the transaction asks otherwise: rows of a list may then swap their values.
  if (constraint.kind === 'unique' && constraint.deferrable)
    return `unique (${columnList(constraint.columns)}) deferrable initially immediate`
  return constraintDefinition(constraint)
}

export function addConstraint(table: string, constraint: Constraint, notValid = false): string {
  const name = quoted(constraint.name)
  if (constraint.kind === 'append only')
    return `create trigger ${name} before update or delete on ${tableName(table)} for each row execute function ninefold.append_only()`
  if (constraint.kind === 'tree') {
    const column = quoted(constraint.column)
    const given = [constraint.column, treeKey(table, constraint.column)].map(literal).join(', ')
    return `create constraint trigger ${name} after insert or update of ${column} on ${tableName(table)} deferrable for each row when (new.${column} is not null) execute function ninefold.no_circle(${given})`
  }
  return alter(table, `add constraint ${name} ${constraintText(constraint)}${notValid ? ' not valid' : ''}`)
}

/** `definition`: of what is taken away, where it may be a trigger. */
export const dropConstraint = (table: string, name: string, definition: string | null = null): string =>
  definition !== null && isTrigger(definition)
    ? `drop trigger if exists ${quoted(name)} on ${tableName(table)}`
    : alter(table, `drop constraint if exists ${quoted(name)}`)

/** The index of the constraint's name becomes what holds it. */
export function adoptIndex(table: string, constraint: Extract<Constraint, { kind: 'primary' | 'unique' }>): string {
  const name = quoted(constraint.name)
  const kind = constraint.kind === 'primary' ? 'primary key' : 'unique'
  const deferrable = constraint.kind === 'unique' && constraint.deferrable ? ' deferrable initially immediate' : ''
  return alter(table, `add constraint ${name} ${kind} using index ${name}${deferrable}`)
}

export const commentOnConstraint = (table: string, constraint: Constraint): string =>
  `comment on ${isHeldByTrigger(constraint) ? 'trigger' : 'constraint'} ${quoted(constraint.name)} on ${tableName(table)} is ${commentOf(constraintDefinition(constraint))}`

/** `concurrently` cannot run in a transaction. */
export function createIndex(table: string, index: Index, concurrently: boolean): string {
  const definition = indexDefinition(index)
  const rest = index.unique ? definition.slice('unique '.length) : definition
  const create = `create ${index.unique ? 'unique ' : ''}index ${concurrently ? 'concurrently ' : ''}`
  return `${create}${quoted(index.name)} on ${tableName(table)} ${rest}`
}

/** A definition in the comment marks the index as ours and as complete. */
export const commentOnIndex = (index: Index): string =>
  `comment on index ${tableName(index.name)} is ${commentOf(indexDefinition(index))}`

export const dropIndex = (name: string): string => `drop index concurrently if exists ${tableName(name)}`
