/** A pivot: figures that were read → rows of cells, sums before what lies in them. */
import type { Measure, Screen } from '../../../headings/2-screens/model.ts'
import { foldedName, foldHref, largestHref, measureName } from '../address.ts'
import { inAddress } from '../cards/period.ts'
import { switchView } from '../cards/switch.ts'
import { groupingKey } from '../counted.ts'
import type { Lookup, Presenter } from '../presenter.ts'
import type { FigureKey, FigureRow, FiguresData } from '../read-data.ts'
import { writeFolded } from '../row-groups.ts'
import { groupFilters, spanFilters, together } from '../sayable.ts'
import type { FiguresFile } from '../screen-page.ts'
import { type PivotNeed, pivotPart } from './screen.ts'
import { sentences } from './texts.ts'
import type { PivotCell, PivotRow, PivotView } from './view-model.ts'

/** Rows with much of a measure first, in each group and the groups themselves; `of` null: as they stand. */
function sorted(grid: Grid, of: number | null, sizeOf: (value: string | null) => number | null): Grid['rows'] {
  if (of === null) return grid.rows
  const size = (keys: readonly FigureKey[]) =>
    sizeOf(grid.at(keys, null)?.values[of] ?? null) ?? Number.NEGATIVE_INFINITY
  const largest = (left: readonly FigureKey[], right: readonly FigureKey[]) => Math.sign(size(right) - size(left)) || 0
  const groups = [...Map.groupBy(grid.rows, ([first]) => first!.value).values()]
  return groups
    .map(([head, ...within]) => [head!, ...within.toSorted(largest)])
    .toSorted(([left], [right]) => largest(left!, right!))
    .flat()
}

interface Pivoted {
  readonly screen: Screen
  readonly need: PivotNeed
  readonly data: FiguresData
}

/** What stands where, before it is written. `null` stands for all. */
interface Grid {
  readonly columns: readonly (FigureKey | null)[]
  readonly rows: readonly (readonly FigureKey[])[]
  readonly at: (keys: readonly FigureKey[], across: FigureKey | null) => FigureRow | undefined
  /** Places of the measures that this person may see. */
  readonly measures: readonly number[]
}

function gridOf({ need, data }: Pivoted): Grid {
  const { by, across, measures } = need.figures
  const place = (keys: readonly FigureKey[], column: FigureKey | null) =>
    JSON.stringify([keys.map(({ value }) => value), column && [column.value]])
  const cells = new Map([...data.rows, data.total].map(row => [place(row.keys, row.across), row]))
  const sums = data.rows.filter(row => row.across === null && row.keys.length > 0).map(({ keys }) => keys)
  // A sum stands behind what lies in it: here it comes first.
  const rows =
    by.length < 2
      ? sums
      : [...Map.groupBy(sums, ([first]) => first!.value).values()].flatMap(group => [
          group.at(-1)!,
          ...group.slice(0, -1),
        ])
  const columns = data.rows.flatMap(row => (row.keys.length === 0 && row.across !== null ? [row.across] : []))
  return {
    rows,
    columns: across === undefined ? [null] : [...columns, null],
    at: (keys, column) => cells.get(place(keys, column)),
    measures: measures.flatMap((_, index) => (data.seen[index] ? [index] : [])),
  }
}

export function pivotView(presenter: Presenter, given: Pivoted & { readonly lookup: Lookup }): PivotView {
  const { screen, need, data, lookup } = given
  const { figures, address, path, reader } = presenter
  const said = sentences.in(reader.locale)
  const { by, across, measures, entity } = need.figures
  const grid = gridOf(given)
  const names = grid.measures.map(index => figures.measure(measures[index]!))
  const write = cellsOf(presenter, given, grid)
  const asked = address.query.get(measureName)
  // Of rows that are left out it is not known how they would stand.
  const largest = data.left > 0 ? undefined : grid.measures.find((_, place) => String(place) === asked)
  const folded = new Set(address.query.getAll(foldedName))
  const foldOf = (keys: readonly FigureKey[]) => writeFolded(keys[0]!.value)
  const rows = sorted(grid, largest ?? null, figures.size).filter(
    keys => keys.length < by.length || by.length < 2 || !folded.has(foldOf(keys)),
  )
  const label = (keys: readonly FigureKey[]) => figures.key(by[keys.length - 1]!, keys.at(-1)!)
  const options = [
    { value: '', label: said('nothing') },
    ...need.offered.map(one => ({ value: groupingKey(one), label: figures.group(one) })),
  ]
  const choice = (name: string, id: string, text: string, chosen: PivotNeed['offered'][number] | undefined) => ({
    name,
    id,
    label: text,
    value: chosen === undefined ? '' : groupingKey(chosen),
    options,
  })
  const groups = [...by, ...(across === undefined ? [] : [across.by])].map(one => figures.group(one))
  const left = data.left > 0 ? [said('rowsLeft', { first: grid.rows.length, count: data.left })] : []
  const columnsLeft = data.leftAcross > 0 ? [said('columnsLeft', { count: data.leftAcross })] : []
  const anew = grid.measures.some(index => !isAdded(measures[index]!)) ? [said('anew')] : []
  return {
    ...presenter.frame(screen, entity),
    bar: lookup.bar([], { looks: ['rows', 'across', measureName, ...inAddress] }),
    ignored: lookup.ignored,
    // Figures of a pivot are compared with each other.
    period: need.period && { ...switchView(presenter, need.period), against: null },
    exports: figures.exports(entity, address.query),
    shelves: {
      action: path,
      hidden: [...address.query].flatMap(([name, value]) =>
        ['rows', 'across', foldedName, measureName].includes(name) ? [] : [{ name, value }],
      ),
      choices: [
        choice('rows', 'rows-0', said('rows'), by[0]),
        choice('rows', 'rows-1', said('thenBy'), by[1]),
        choice('across', 'across', said('columns'), across?.by),
      ],
      show: said('show'),
    },
    caption: said('label', { figures: reader.format.allOf(names), groups: reader.format.allOf(groups) }),
    corner: by.map(one => figures.group(one)).join(', '),
    columns:
      across === undefined ? null : grid.columns.map(key => (key === null ? said('all') : figures.key(across.by, key))),
    measures: names,
    sorts:
      data.left > 0 || grid.rows.length < 2
        ? []
        : grid.measures.map((index, place) => ({
            href: largestHref(path, address.query, place),
            isNow: index === largest,
          })),
    rows: rows.map((keys, at) => ({
      id: String(at),
      label: label(keys),
      looks: by.length < 2 ? 'alone' : keys.length < by.length ? 'group' : 'within',
      fold:
        keys.length < by.length
          ? { href: foldHref(path, address.query, foldOf(keys)), isFolded: folded.has(foldOf(keys)) }
          : null,
      cells: write(keys),
    })),
    total: { id: 'all', label: said('all'), looks: 'group', fold: null, cells: write([]) } satisfies PivotRow,
    notes: [...left, ...columnsLeft, ...anew],
    empty:
      data.rows.length > 0 || by.length + grid.columns.length === 1
        ? null
        : (pivotPart(screen).emptyText?.text ?? said('empty')),
  }
}

const isAdded = ({ figure, whole }: Measure): boolean => whole === null && ['count', 'sum'].includes(figure.kind)

/** The cells of a row, written alike over the whole of a measure. */
function cellsOf(
  presenter: Presenter,
  given: Pivoted,
  grid: Grid,
): (keys: readonly FigureKey[]) => readonly PivotCell[] {
  const { figures, app } = presenter
  const { by, across, measures, entity, where, looked, span } = given.need.figures
  const zone = app.product.timeZone.name
  const all = [...grid.rows, []].flatMap(keys =>
    grid.columns.map(column => ({ keys, column, row: grid.at(keys, column) })),
  )
  const texts = new Map(
    grid.measures.map(index => {
      const column = figures.column(
        measures[index]!,
        all.map(({ row }) => row?.values[index] ?? null),
      )
      return [index, new Map(all.map(({ row }, at) => [row, column[at]!]))]
    }),
  )
  const leads = grid.measures.map(index => presenter.leads(entity, [where, measures[index]!.figure.where]))
  const isCrossing = (keys: readonly FigureKey[], column: FigureKey | null) =>
    keys.length === by.length && (column !== null || grid.columns.length === 1)
  const first = grid.measures[0]
  const isHeated = first !== undefined && isAdded(measures[first]!)
  const sizeIn = (row: FigureRow | undefined) => (first === undefined ? null : figures.size(row?.values[first] ?? null))
  const most = Math.max(
    0,
    ...all.flatMap(({ keys, column, row }) => (isCrossing(keys, column) ? (sizeIn(row) ?? 0) : 0)),
  )
  return keys =>
    grid.columns.flatMap(column => {
      const row = grid.at(keys, column)
      const filters = together(
        looked.filters,
        span === undefined ? [] : spanFilters(span),
        ...keys.map((key, level) => groupFilters(by[level]!, key.value, zone)),
        column === null ? [] : groupFilters(across!.by, column.value, zone),
      )
      return grid.measures.map((index, place): PivotCell => {
        const size = figures.size(row?.values[index] ?? null)
        return {
          text: row === undefined ? '' : texts.get(index)!.get(row)!,
          href: looked.search !== null || (size ?? 0) === 0 ? null : leads[place]!(filters),
          heat:
            isHeated && place === 0 && isCrossing(keys, column) && most > 0 && (size ?? 0) > 0
              ? Math.ceil((4 * size!) / most)
              : null,
        }
      })
    })
}

/** The same shape as a file: groups in cells of their own, no sums of groups, and the sum over the columns last. */
export function pivotFile(presenter: Presenter, given: Pivoted): FiguresFile {
  const { figures, reader } = presenter
  const { by, across, measures, entity } = given.need.figures
  const grid = gridOf(given)
  const rows = grid.rows.filter(keys => keys.length === by.length)
  const lines = rows.length === 0 ? [[]] : rows
  const shown = grid.columns.flatMap(column => grid.measures.map(index => ({ column, index })))
  const name = (column: FigureKey | null) =>
    across === undefined ? [] : [column === null ? sentences.in(reader.locale)('all') : figures.key(across.by, column)]
  const cells = shown.map(({ column, index }) =>
    figures.cells(
      measures[index]!,
      lines.map(keys => grid.at(keys, column)?.values[index] ?? null),
    ),
  )
  return {
    entity,
    head: [
      ...by.map(one => figures.group(one)),
      ...shown.map(({ column, index }) => [...name(column), figures.measure(measures[index]!)].join(', ')),
    ],
    shows: [
      ...by.map(() => 'text' as const),
      ...shown.map(({ index }) => (figures.isPercent(measures[index]!) ? 'percent' : 'number') as 'percent' | 'number'),
    ],
    rows: lines.map((keys, at) => [
      ...keys.map((key, level) => figures.key(by[level]!, key)),
      ...cells.map(column => column[at] ?? null),
    ]),
  }
}
