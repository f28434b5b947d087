/** Rows of a list in the browser: which there are, what is wrong with them, and how they come, go and change places. */
import type { Reader } from '../../../ui/reader.tsx'
import type { ErrorView, Hidden } from '../view-model.ts'
import { type ArrangedRow, arrangedRow } from './arranged.ts'
import { moved, type RowView, replaced, rowAt } from './names.ts'
import type { RowsView } from './view-model.ts'

export const typeable = ':is(input:not([type=hidden]), select, textarea)'

export interface LiveRows {
  readonly rows: readonly { readonly key: string; readonly row: RowView }[]
  readonly errors: readonly ErrorView[]
  /** The submit that adds a row; null where no more are allowed. */
  readonly add: Hidden | null
  /** One more, or as many as are wanted and fit. Null as long as no script runs: the buttons then submit. */
  readonly append: ((column?: number, count?: number) => void) | null
  readonly remove: ((key: string) => void) | null
  /** To another place among them. The focus stays on the same control. */
  readonly move: ((key: string, to: number) => void) | null
  /** Sums of the columns, where there are rows to add up and anything in them. */
  readonly totals: readonly (string | null)[] | null
}

interface Changed {
  /** Of the list, where it counts as changed. */
  readonly name: string
  /** What names in it become. */
  readonly shift: (names: ReadonlySet<string>) => ReadonlySet<string>
  /** What has the focus then, as a selector. */
  readonly focused: string
}

interface Arranging {
  readonly now: readonly ArrangedRow[]
  /** What the columns come to, by field. */
  readonly sums: Readonly<Record<string, string>>
  readonly started: boolean
  readonly errorsFor: (name: string, given: readonly ErrorView[]) => readonly ErrorView[]
  readonly words: Reader['words']
  readonly newKey: () => string
  readonly change: (rows: readonly ArrangedRow[], changed: Changed) => void
}

export function liveRows(rows: RowsView, arranging: Arranging): LiveRows {
  const { now, sums, started, errorsFor, words } = arranging
  const { key: list, most } = rows
  const numbered = now.map(({ key, row }, index) => ({ key, row: rowAt(rows, row, index) }))
  const isFull = most !== null && now.length >= most
  const totals = rows.blank.map(({ key }, at) => sums[key] ?? (at === 0 ? words('total') : null))
  // It stands at the list itself.
  const own = errorsFor(list, rows.errors).map(({ place: _, ...error }) => error)
  return {
    rows: numbered,
    totals: now.length < 2 || Object.keys(sums).length === 0 ? null : totals,
    errors: [...own, ...numbered.flatMap(({ row }, index) => errorsFor(`${list}.${index}`, row.errors))],
    add: isFull ? null : { name: '_add', value: list },
    append: !started || isFull ? null : (column, count = 1) => append(rows, arranging, column, count),
    remove: started ? key => remove(rows, arranging, key) : null,
    move: started ? (key, to) => move(rows, arranging, key, to) : null,
  }
}

function append(rows: RowsView, { now, newKey, change }: Arranging, column: number | undefined, count: number): void {
  const { key: name, id, most, blank, blankLists } = rows
  const row: RowView = {
    index: now.length,
    // That it shows its lists: without rows in them there are none.
    hidden: blankLists.map(({ key }) => ({ name: key, value: '' })),
    fields: blank,
    lists: blankLists,
    errors: [],
    remove: { name: '_remove', value: '' },
    removeLabel: '',
  }
  const fitting = Math.min(count, (most ?? Number.POSITIVE_INFINITY) - now.length)
  const more = Array.from({ length: fitting }, () => arrangedRow(row, newKey()))
  const last = now.length + fitting - 1
  const cell = column === undefined ? '' : `> td:nth-child(${column + 1})`
  change([...now, ...more], { name, shift: names => names, focused: `#${id}-${last} ${cell} ${typeable}` })
}

function remove({ key: name }: RowsView, { now, change }: Arranging, key: string): void {
  const at = now.findIndex(one => one.key === key)
  const shift = (names: ReadonlySet<string>) =>
    replaced(names, name, one => (one === at ? null : one > at ? one - 1 : one))
  change(now.toSpliced(at, 1), { name, shift, focused: `[name=_add][value="${name}"]` })
}

function move({ key: name, id }: RowsView, { now, change }: Arranging, key: string, to: number): void {
  const from = now.findIndex(one => one.key === key)
  const places = moved([...now.keys()], from, to)
  const { id: active = '' } = document.activeElement ?? {}
  const inRow = active.startsWith(`${id}-${from}-`) ? active.slice(`${id}-${from}-`.length) : 'move'
  const shift = (names: ReadonlySet<string>) => replaced(names, name, one => places.indexOf(one))
  change(moved(now, from, to), { name, shift, focused: `#${id}-${to}-${inRow}` })
}
