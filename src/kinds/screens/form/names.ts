/** Names of a form's controls: in their order, with their texts as the page came, and numbered anew when rows come and go. */
import type { FieldView } from '../view-model.ts'
import type { FormView, RowsView } from './view-model.ts'

export type RowView = RowsView['rows'][number]

/** A row in another place: its controls, and those of its rows, are named by its number. */
export function rowAt(rows: Pick<RowsView, 'key'>, row: RowView, index: number): RowView {
  const prefix = `${rows.key}.${index}.`
  const renamed = (field: FieldView): FieldView => {
    const name = prefix + field.key
    return { ...field, name, id: name.replaceAll('.', '-') }
  }
  return {
    ...row,
    index,
    hidden: row.hidden.map(({ name, value }) => ({ name: prefix + name.split('.').at(-1), value })),
    fields: row.fields.map(renamed),
    lists: row.lists.map(list => listAt(list, prefix)),
    remove: row.remove === null ? null : { name: '_remove', value: `${rows.key}.${index}` },
  }
}

function listAt(list: RowsView, prefix: string): RowsView {
  const key = prefix + list.key.split('.').at(-1)
  return {
    ...list,
    key,
    id: key.replaceAll('.', '-'),
    rows: list.rows.map((row, index) => rowAt({ key }, row, index)),
    add: list.add === null ? null : { ...list.add, value: key },
  }
}

/** Names after rows changed their places: `to` gives where a row stands then, null where it is gone. */
export function replaced(
  names: ReadonlySet<string>,
  list: string,
  to: (at: number) => number | null,
): ReadonlySet<string> {
  return new Set(
    [...names].flatMap(name => {
      const [own, index, ...rest] = name.split('.')
      if (own !== list || index === undefined) return [name]
      const at = to(Number(index))
      return at === null ? [] : [[own, at, ...rest].join('.')]
    }),
  )
}

/** What stood at one place stands at another, those between make room. */
export const moved = <Row>(rows: readonly Row[], from: number, to: number): readonly Row[] =>
  rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!)

/** All controls and lists in the order of the form, with the rows that there are now. */
export function namesOf(
  view: FormView,
  rows: ReadonlyMap<string, readonly { readonly row: RowView }[]>,
): ReadonlySet<string> {
  return new Set(
    view.parts.flatMap(part => {
      if (part.kind === 'field') return part.field.control.kind === 'shown' ? [] : [part.field.name]
      const { key } = part.rows
      const now = rows.get(key) ?? []
      const typed = (field: FieldView) => field.control.kind !== 'shown'
      const inRow = (row: RowView): readonly string[] => [
        ...row.fields.filter(typed).map(({ name }) => name),
        ...row.lists.flatMap(list => [list.key, ...list.rows.flatMap(inRow)]),
      ]
      return [key, ...now.flatMap(({ row }, index) => inRow(rowAt(part.rows, row, index)))]
    }),
  )
}

/** What the form would send if nobody touched it. */
export function pairsOf(view: FormView): readonly (readonly [string, string])[] {
  const own = (field: FieldView) => (field.control.kind === 'shown' ? [] : [[field.name, field.value] as const])
  const inRows = ({ key, rows }: RowsView): readonly (readonly [string, string])[] => [
    [key, ''],
    ...rows.flatMap(row => [
      ...row.hidden.map(({ name, value }) => [name, value] as const),
      ...row.fields.flatMap(own),
      ...row.lists.flatMap(inRows),
    ]),
  ]
  return view.parts.flatMap(part => (part.kind === 'field' ? own(part.field) : inRows(part.rows)))
}

/** Whether a form with these fields sends files. */
export const hasFiles = (fields: readonly FieldView[]): boolean => fields.some(({ control }) => control.kind === 'file')

export const formHasFiles = (view: FormView): boolean =>
  view.parts.some(part => (part.kind === 'field' ? hasFiles([part.field]) : rowsHaveFiles(part.rows)))

const rowsHaveFiles = ({ blank, blankLists }: RowsView): boolean => hasFiles(blank) || blankLists.some(rowsHaveFiles)
