/** Tables of other applications as the document sees them: which column holds which field, and how their values are spelled. */
import { keyOf } from '../../expression/names.ts'
import { literal as textLiteral, whiteSpace } from '../../kinds/fields/checks.ts'
import { inlined, quoted } from '../names.ts'
import type { Table } from '../physical.ts'
import type { ActualColumn, ActualConstraint, ActualTable } from './introspect.ts'

export interface Taken {
  readonly table: Table
  readonly foreign: ActualTable
  /** By the wanted column: the column that holds its values. */
  readonly columns: ReadonlyMap<string, ActualColumn>
}

/** Columns that every table of ours has; values that others keep under these names stay, under another one. */
export const ours: ReadonlySet<string> = new Set([
  'id',
  'version',
  'created_at',
  'created_by',
  'changed_at',
  'changed_by',
])

/** What Ninefold adds to a table of another application begins so. */
export const besidePrefix = 'ninefold_'

/** How a view refuses what its table does not keep as it was written. */
export const notKeptCode = '22023'

/** `OrderDetails` and `order details` are the table `order_details` in the language of documents. */
export const snake = (name: string): string => keyOf(name.replace(/([a-z\d])([A-Z])/g, '$1 $2'))

/** Columns keep their names, as far as names go; what is called like a column of ours is another one. */
export function columnsFor(table: Table, foreign: ActualTable): ReadonlyMap<string, ActualColumn> {
  const found = new Map<string, ActualColumn>()
  const theirs = [...foreign.columns.values()].filter(({ name }) => !name.startsWith(besidePrefix))
  for (const { name, was } of table.columns) {
    if (ours.has(name)) continue
    const old =
      theirs.find(one => one.name === name) ??
      theirs.find(
        one =>
          !table.columns.some(other => other.name === one.name && !ours.has(one.name)) &&
          [snake(one.name), `own_${snake(one.name)}`].some(known => known === name || known === was),
      )
    // Contents of files do not lie in tables of ours: theirs stay where they are.
    if (old !== undefined && old.type !== 'bytea') found.set(name, old)
  }
  return found
}

export const ofKind = ({ constraints }: ActualTable, kind: string): readonly ActualConstraint[] =>
  [...constraints.values()].filter(one => one.kind === kind)

/** The one column that is the primary key; null where there are several, or none. */
export function keyColumn(foreign: ActualTable): string | null {
  const columns = ofKind(foreign, 'p')[0]?.columns ?? []
  return columns.length === 1 ? columns[0]! : null
}

/** As texts come in: lines end with a line feed, nothing is to trim, and an empty text is none. */
export const trimmed = (text: string): string =>
  `nullif(btrim(replace(replace(${text}, E'\\r\\n', E'\\n'), E'\\r', E'\\n'), ${inlined(textLiteral(whiteSpace))}), '')`

export const spelling = (choice: string): string => choice.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** The values that a column of ours may have, where they are a closed list: others spell them otherwise. */
export function choicesOf({ constraints }: Table, column: string): readonly string[] {
  const begin = `${quoted(column)} in (`
  const check = constraints.find(one => one.kind === 'check' && one.expression.startsWith(begin))
  return check?.kind === 'check' ? literalsIn(check.expression) : []
}

/** The texts that an SQL expression names. */
export const literalsIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'"))
