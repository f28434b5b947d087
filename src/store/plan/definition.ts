/**
 * What an object is, as one line of text. It is kept in the object's comment, so that comparing is exact: PostgreSQL gives
 * definitions back in its own words, which differ from version to version. An object without such a comment is not ours.
 */

import { foldedSql, type Without } from '../../expression/letters.ts'
import { raw } from '../../expression/sql.ts'
import { columnList, inlined, literal, quoted, tableName } from '../names.ts'
import type { Constraint, Index } from '../physical.ts'
import { collation } from '../system.ts'

const mark = 'ninefold: '

/** What the trigger holds that keeps rows as they are. */
export const appendOnly = 'append only'

/** What triggers hold that keep rows from being above themselves begins so. */
const noCircle = 'no circle of '

/** Whether a trigger holds it, and not a constraint of PostgreSQL's own. */
export const isTrigger = (definition: string): boolean => definition === appendOnly || definition.startsWith(noCircle)

/** A column that the database works out by itself. */
export const keptMark = 'kept'

/** A default of the database's own, for records of a version before; the version of the document that brought it follows. */
export const defaultMark = 'default of '

export const commentOf = (definition: string): string => literal(mark + definition)

/** The definition in a comment; null where the object is somebody else's. */
export const definitionIn = (comment: string | null): string | null =>
  comment?.startsWith(mark) ? comment.slice(mark.length) : null

/** The constraint, without its name. */
export function constraintDefinition(constraint: Constraint): string {
  switch (constraint.kind) {
    case 'primary':
      return `primary key (${columnList(constraint.columns)})`
    case 'unique':
      return `unique (${columnList(constraint.columns)})${constraint.deferrable ? ' deferrable' : ''}`
    case 'foreign':
      return `foreign key (${quoted(constraint.column)}) references ${tableName(constraint.table)} (${quoted(constraint.key)}) on delete ${constraint.onDelete}`
    case 'check':
      return `check (${constraint.expression})`
    case 'append only':
      return appendOnly
    // Not quoted: where the column is renamed, the trigger that was made for it is made anew.
    case 'tree':
      return `${noCircle}${constraint.column}`
    case 'exclude': {
      const alike = constraint.within.map(column => `${column} with =`)
      return `exclude using gist (${[...alike, `(${constraint.stretch}) with &&`].join(', ')}) where (${constraint.where})`
    }
  }
}

/** What a column is compared by in a unique index. */
export const comparedBy = (column: string, without: Without | null | undefined): string =>
  without == null ? quoted(column) : inlined(foldedSql(without, raw(quoted(column))))

/** The index as SQL, without its name and table. */
export function indexDefinition(index: Index): string {
  if (index.folded)
    return `using gin (${index.columns.map(({ name }) => `ninefold.fold(${quoted(name)}) gin_trgm_ops`).join(', ')})`
  const columns = index.columns.map(
    ({ name, without, forPeople, descending, emptiesLast }) =>
      comparedBy(name, without) +
      (forPeople ? ` collate ${collation}` : '') +
      (descending ? ' desc' : '') +
      (emptiesLast ? ' nulls last' : ''),
  )
  const alike = index.nullsAlike ? ' nulls not distinct' : ''
  return `${index.unique ? 'unique ' : ''}(${columns.join(', ')})${alike}${index.where === null ? '' : ` where (${index.where})`}`
}

/** A definition after renames: its own columns by `columns`, the table that it refers to by `tables`. */
export function renamedDefinition(
  definition: string,
  columns: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, string>,
): string {
  const own = ownPart(definition)
  const rename = (text: string, names: ReadonlyMap<string, string>) =>
    text.replace(/"((?:[^"]|"")+)"/g, (whole, name: string) => {
      const to = names.get(name.replaceAll('""', '"'))
      return to === undefined ? whole : quoted(to)
    })
  return rename(own, columns) + rename(definition.slice(own.length), tables)
}

/** What of it speaks of the table that has it: a table that it refers to may be called like one of its columns. */
const ownPart = (definition: string): string =>
  definition.startsWith('foreign key') ? definition.slice(0, definition.indexOf(' references ')) : definition

export const speaksOf = (definition: string, column: string): boolean => ownPart(definition).includes(quoted(column))
