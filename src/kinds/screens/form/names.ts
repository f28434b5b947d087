/** Names of a form's controls: with their texts as the page came, and numbered anew when rows come and go. */
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

/** Names after rows of a list changed their places: `to` gives where a row stands then, null where it is gone. */
export function replaced(
  names: ReadonlySet<string>,
  list: string,
  to: (at: number) => number | null,
): ReadonlySet<string> {
  const prefix = `${list}.`
  return new Set(
    [...names].flatMap(name => {
      if (!name.startsWith(prefix)) return [name]
      const [index, ...rest] = name.slice(prefix.length).split('.')
      const at = to(Number(index))
      return at === null ? [] : [[list, at, ...rest].join('.')]
    }),
  )
}

/** What stood at one place stands at another, those between make room. */
export const moved = <Row>(rows: readonly Row[], from: number, to: number): readonly Row[] =>
  rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!)

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
