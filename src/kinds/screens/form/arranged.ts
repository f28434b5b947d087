/** The rows of a form as they stand in the browser: in which order, with the rows in them, each known by a key of its own. */
import type { FieldView } from '../view-model.ts'
import { type RowView, rowAt } from './names.ts'
import type { FormView, RowsView } from './view-model.ts'

export interface ArrangedRow {
  readonly key: string
  /** As it came; its names are those of where it stood then. */
  readonly row: RowView
  readonly lists: Arranged
}

/** Rows by the key of their list's field. */
export type Arranged = ReadonlyMap<string, readonly ArrangedRow[]>

/** `lines.0.tasks` → `tasks`. */
const fieldOf = ({ key }: Pick<RowsView, 'key'>): string => key.slice(key.lastIndexOf('.') + 1)

/** Lists as they came. */
export const arranged = (lists: readonly RowsView[], above = ''): Arranged =>
  new Map(
    lists.map(list => {
      const field = fieldOf(list)
      return [field, list.rows.map(row => arrangedRow(row, `${above}${field}-${row.index}`))]
    }),
  )

export const arrangedRow = (row: RowView, key: string): ArrangedRow => ({
  key,
  row,
  lists: arranged(row.lists, `${key}-`),
})

export const listsOf = ({ parts }: Pick<FormView, 'parts'>): readonly RowsView[] =>
  parts.flatMap(part => (part.kind === 'rows' ? [part.rows] : []))

/** The rows of the list that is named so now: `lines`, `lines.0.tasks`. */
export function rowsAt(all: Arranged, [list = '', index, ...rest]: readonly string[]): readonly ArrangedRow[] {
  const rows = all.get(list) ?? []
  if (index === undefined) return rows
  const row = rows[Number(index)]
  return row === undefined ? [] : rowsAt(row.lists, rest)
}

/** The same with other rows in that list. */
export function withRowsAt(
  all: Arranged,
  [list = '', index, ...rest]: readonly string[],
  rows: readonly ArrangedRow[],
): Arranged {
  const inside = (row: ArrangedRow) => ({ ...row, lists: withRowsAt(row.lists, rest, rows) })
  const before = all.get(list) ?? []
  const now = index === undefined ? rows : before.map((row, at) => (at === Number(index) ? inside(row) : row))
  return new Map(all).set(list, now)
}

/** A list as it is named now. */
export function listAt(
  lists: readonly RowsView[],
  all: Arranged,
  [list = '', index, ...rest]: readonly string[],
): RowsView | undefined {
  const rows = lists.find(one => fieldOf(one) === list)
  const row = all.get(list)?.[Number(index)]
  if (rows === undefined || index === undefined) return rows
  return row && listAt(rowAt(rows, row.row, Number(index)).lists, row.lists, rest)
}

/** All controls, rows and lists in the order of the form, as they are named now. */
export function namesOf(view: FormView, all: Arranged): ReadonlySet<string> {
  const own = (field: FieldView) => (field.control.kind === 'shown' ? [] : [field.name])
  const inList = (list: RowsView, among: Arranged): readonly string[] => [
    list.key,
    ...rowsAt(among, [fieldOf(list)]).flatMap(({ row, lists }, index) => {
      const now = rowAt(list, row, index)
      return [`${list.key}.${index}`, ...now.fields.flatMap(own), ...now.lists.flatMap(one => inList(one, lists))]
    }),
  ]
  return new Set(view.parts.flatMap(part => (part.kind === 'field' ? own(part.field) : inList(part.rows, all))))
}

/** Where a name lies, in words: each list with what its row is called, `Parts`, `Cleaning`, `Tasks`, `Row 2`. */
export function placeOf(
  lists: readonly RowsView[],
  all: Arranged,
  [list = '', index, ...rest]: readonly string[],
  words: { readonly called: (field: FieldView) => string; readonly row: (number: number) => string },
): readonly string[] {
  const rows = lists.find(one => fieldOf(one) === list)
  const row = all.get(list)?.[Number(index)]
  if (rows === undefined || index === undefined || row === undefined) return []
  const now = rowAt(rows, row.row, Number(index))
  const texts = rows.naming.flatMap(key => now.fields.filter(field => field.key === key)).map(words.called)
  const name = texts.filter(text => text !== '').join(' ') || words.row(Number(index) + 1)
  return [rows.label, name, ...placeOf(now.lists, row.lists, rest, words)]
}
