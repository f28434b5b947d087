/** What stands under the columns of a table: its totals, and those of each group of its rows, by the figures that were read with its rows. */
import type { Wire } from '../../expression/type.ts'
import type { Grouping, Total } from '../../headings/2-screens/model.ts'
import { foldedName, foldHref, groupedName, groupHref, noGroup, withoutHref } from '../../kinds/screens/address.ts'
import { groupingKey } from '../../kinds/screens/counted.ts'
import type { FigureKey, FiguresData, ReadRow, RowsData } from '../../kinds/screens/read-data.ts'
import { groupField, groupsOf, writeFolded } from '../../kinds/screens/row-groups.ts'
import type { RowsGroup, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { GroupView, TableFrame } from '../../kinds/screens/table-view.ts'
import { seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import type { Building } from './common.ts'
import { columnTexts, groupLabel, keyText, measureText } from './figures.ts'

/** What of it holds: where there are more records than were counted, it would be of some of them. */
export const whole = (figures: FiguresData | null, { count }: RowsData): FiguresData | null =>
  count === null || count.more ? null : figures

type Sums = (values: readonly (string | null)[]) => readonly (string | null)[]

/** The figures of one group, or of all, as they stand under the columns; null under those that have none. */
export function sumsUnder({ site }: Building, totals: readonly Total[], columns: TableFrame['columns']): Sums {
  return values =>
    columns.map(({ field }) => {
      const cells = totals.flatMap(({ field: under, measure }, index) => {
        const value = values[index + 1] ?? null
        if (under !== field || value === null) return []
        const [text = ''] =
          measure.whole === null ? [measureText(site, measure, value)] : columnTexts(site, measure, [value])
        const { kind } = measure.figure
        return kind === 'average' || kind === 'smallest' || kind === 'largest'
          ? [say(site, `total.${kind}`, { value: text })]
          : [text]
      })
      return cells.length === 0 ? null : cells.join(' · ')
    })
}

/** Those of a page: of its rows, and between them those that are folded, as far as there are figures of all. */
export function groupViews(
  build: Building,
  group: RowsGroup,
  { rows, groups, previous, next }: RowsData,
  figures: FiguresData | null,
  sums: Sums,
): readonly GroupView[] {
  const { site, context } = build
  const begins = groups.flatMap((value, at) => (at === 0 || groups[at - 1] !== value ? [{ value, at }] : []))
  const known = new Map((figures?.rows ?? []).map(row => [row.keys[0]!.value, row]))
  const order = ordered([...known.keys()], group.descending)
  const [first, last] = [begins[0], begins.at(-1)].map(one => (one === undefined ? -1 : order.indexOf(one.value)))
  const isWithin = (_: Wire, at: number) =>
    (previous === null || at >= first!) && (next === null || (last! >= 0 && at <= last!))
  const shown = figures === null || begins.some(({ value }) => !known.has(value)) ? null : order.filter(isWithin)
  const values = shown ?? begins.map(({ value }) => value)
  let reached = groups.length
  return values
    .toReversed()
    .map((value): GroupView => {
      reached = begins.find(one => one.value === value)?.at ?? reached
      const figure = known.get(value)
      const key: FigureKey = figure?.keys[0] ?? { value, label: labelIn(group, rows[reached]) }
      const count = figure?.values[0] ?? null
      return {
        at: reached,
        id: `g${order.indexOf(value)}`,
        label: keyText(site, group.by, key),
        count: count === null ? '' : site.reader.format.count(Number(count)),
        fold: shown === null ? '' : foldHref(context.path, context.query, writeFolded(value)),
        isFolded: group.folded.includes(value),
        sums: sums(figure?.values ?? []),
      }
    })
    .toReversed()
}

/** What a row says of its group, where no figures do. */
const labelIn = (group: RowsGroup, row: ReadRow | undefined): string | null =>
  groupField(group).map(field => row?.labels[field] ?? null)[0] ?? null

/** As rows stand: what is empty is last either way. */
function ordered(values: readonly Wire[], descending: boolean): readonly Wire[] {
  if (!descending) return values
  const some = values.filter(value => value !== null)
  return [...some.toReversed(), ...values.filter(value => value === null)]
}

/** The menu by which its reader chooses a group. */
export function groupChoice(build: Building, declared: readonly Grouping[], need: RowsNeed): TableFrame['grouping'] {
  const { site, context } = build
  const { path, query } = context
  const entity = site.app.entities.get(need.entity)!
  const sees = seesOf(context)
  const { offered } = groupsOf(declared, need.columns, entity, site.app, { query, sees }, need.sort)
  if (offered.length === 0) return null
  const by = need.group?.by
  const isAsked = query.has(foldedName) || query.has(groupedName)
  return {
    label: by === undefined ? say(site, 'groupRows') : say(site, 'groupedBy', { group: groupLabel(site, by) }),
    choices: [
      {
        label: say(site, 'ungrouped'),
        href:
          declared.length === 0 && isAsked ? withoutHref(path, query, groupedName) : groupHref(path, query, noGroup),
        current: by === undefined,
      },
      ...offered.map(one => ({
        label: groupLabel(site, one),
        href: groupHref(path, query, groupingKey(one)),
        current: by !== undefined && groupingKey(one) === groupingKey(by),
      })),
    ],
  }
}
