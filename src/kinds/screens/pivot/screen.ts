import type { Grouping, Measure, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { type Specified, specified } from '../../../headings/specified.ts'
import { shownEntity } from '../columns.ts'
import { counted, groupingKey } from '../counted.ts'
import { emptyText, filters, where } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, FiguresNeed, RowsNeed, ScreenKind } from '../screen-kind.ts'

/** Groups below each other, and rows and columns of one page. */
const most = { levels: 2, rows: 200, columns: 24 }

const members = {
  emptyText,
  where,
  filters,
  measures: {
    read: reader => reader.measures('Measure'),
    uses: measures => ({ measures }),
    texts: all => all.flatMap(measure => specified(measure)?.name ?? []).map(text => ({ text })),
  } satisfies Member<readonly Specified<Measure>[]>,
  shelves: {
    read: reader => ({
      rows: reader.groups(''),
      across: reader.groupings('Across'),
      offered: reader.groupings('By'),
    }),
    uses: ({ rows, across, offered }) => ({ groups: [...rows, ...across, ...offered] }),
    compared: {
      told: ', its groups',
      as: ({ rows, across, offered }) => ({
        value: [rows, across, offered].map(all => all.map(({ cell }) => cell.text)),
        words: [...rows, ...across, ...offered].map(({ cell }) => cell.text).join(', ') || null,
      }),
    },
  } satisfies Member<Shelves>,
} satisfies Members

interface Shelves {
  readonly rows: readonly Grouping[]
  readonly across: readonly Grouping[]
  readonly offered: readonly Grouping[]
}

export const pivotPart = (screen: Screen) => partOf(members, screen)

/** Groups in rows and in columns, with figures where they cross. */
export const pivot: ScreenKind = {
  name: 'pivot',
  written: 'pivot of Entity by field',
  opening: 'pivot of',
  meaning:
    'Groups in rows and in columns with figures where they cross, subtotals and totals; its reader changes what stands where.',
  entity: 'required',
  by: 'groups elsewhere',
  properties: [
    { name: 'Where', meaning: 'Records that count, besides what permissions allow.' },
    { name: 'Across', meaning: 'What stands in columns: `month of out_on`. Absent: the measures alone.' },
    { name: 'By', meaning: 'Further groups that its readers may put into rows or columns: `item.category, state`.' },
    {
      name: 'Measure',
      meaning: 'A number for each cell: `sum of total_value as Value`. Absent: how many records there are.',
      many: true,
    },
    {
      name: 'Filters',
      meaning: 'What its readers look for records by. Absent: the state and fields with few answers.',
    },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  members,
  shows: 'figures',
}

export interface PivotNeed {
  readonly figures: FiguresNeed & { readonly looked: RowsNeed }
  /** Of those that may stand in rows and columns, what is there now. */
  readonly offered: readonly Grouping[]
  readonly ignored: readonly string[]
}

/** Null: there is nothing to count. */
export function pivotNeed(screen: Screen, app: App, address: Address): PivotNeed | null {
  const entity = shownEntity(screen, app)
  if (entity === null) return null
  const part = pivotPart(screen)
  const { rows, across, offered } = part.shelves
  const rest = new URLSearchParams(address.query)
  const all = address.open([...new Map([...rows, ...across, ...offered].map(one => [groupingKey(one), one])).values()])
  const known = new Map(all.map(one => [groupingKey(one), one]))
  const take = (name: string, preset: readonly Grouping[]): readonly Grouping[] => {
    const said = rest.getAll(name).filter(text => text !== '')
    if (!rest.has(name)) return preset.flatMap(one => known.get(groupingKey(one)) ?? [])
    const found = said.flatMap(text => known.get(text) ?? [])
    if (found.length === said.length) rest.delete(name)
    return [...new Set(found)]
  }
  const by = take('rows', rows.slice(0, most.levels)).slice(0, most.levels)
  const [column] = take('across', across).filter(one => !by.includes(one))
  const { filters: looked, search, ignored } = readQuery(entity, app, { ...address, query: rest }, [])
  const measures = part.measures.flatMap(measure => specified(measure) ?? [])
  const records: RowsNeed = {
    kind: 'rows',
    entity: entity.key,
    columns: [],
    where: part.where,
    filters: looked,
    search,
    searched: [],
    sort: [],
    after: null,
    before: null,
    limit: 1,
    countTo: 0,
  }
  return {
    figures: {
      kind: 'figures',
      entity: entity.key,
      where: part.where,
      by,
      measures: part.measures.length === 0 ? [counted(entity.key, screen.name)] : measures,
      asked: {},
      limit: most.rows,
      ...(column !== undefined && { across: { by: column, limit: most.columns } }),
      looked: records,
    },
    offered: all,
    ignored: [...ignored, ...unreadOfLists(rest)],
  }
}
