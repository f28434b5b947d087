import type { Expression } from '../../../expression/expression.ts'
import type { Grouping, Measure, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { type Specified, specified } from '../../../headings/specified.ts'
import { spanOf } from '../cards/need.ts'
import { type Period, period, periodKey, readPeriod } from '../cards/period.ts'
import { shownEntity } from '../columns.ts'
import { counted, groupingKey } from '../counted.ts'
import { emptyText, filters, where } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { periods } from '../periods.ts'
import { readQuery, unreadOfLists } from '../query.ts'
import type { Address, FiguresNeed, RowsNeed, ScreenKind } from '../screen-kind.ts'

/** Groups below each other, and rows and columns of one page. */
const most = { levels: 2, rows: 200, columns: 24 }

const members = {
  emptyText,
  where,
  filters,
  period,
  measures: {
    read: reader => reader.measures('Measure'),
    uses: measures => ({ measures }),
    texts: all => all.flatMap(measure => specified(measure)?.name ?? []).map(text => ({ text })),
  } satisfies Member<readonly Specified<Measure>[]>,
  shelves: {
    read: reader => {
      const [rows, across, offered] = [reader.groups(''), reader.groupings('Across'), reader.groupings('By')]
      const overTime = [...across, ...rows, ...offered].find(({ unit }) => periods.includes(unit))
      return { rows, across, offered, date: reader.day('Date') ?? overTime?.value ?? null }
    },
    uses: ({ rows, across, offered, date }) => ({
      groups: [
        ...rows,
        ...across,
        ...offered,
        ...(date === null ? [] : [{ cell: date.cell, unit: null, value: date }]),
      ],
    }),
    compared: {
      told: ', its groups',
      as: ({ rows, across, offered, date }) => ({
        value: [rows, across, offered, date === null ? [] : [date]].map(all => all.map(({ cell }) => cell.text)),
        words: [...rows, ...across, ...offered].map(({ cell }) => cell.text).join(', ') || null,
      }),
    },
  } satisfies Member<Shelves>,
} satisfies Members

interface Shelves {
  readonly rows: readonly Grouping[]
  readonly across: readonly Grouping[]
  readonly offered: readonly Grouping[]
  /** The day that a period asks for: where nothing is said, that of the first group over time. Null: there is none. */
  readonly date: Expression | null
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
    { name: 'By', meaning: 'Further groups for rows and columns: `item.category, state`.' },
    {
      name: 'Measure',
      meaning: 'A number for each group: `sum of total_value as Value`. Absent: how many records there are.',
      many: true,
    },
    periodKey,
    { name: 'Date', meaning: 'The day of its period: `out_on`. Absent: that of the first group over time.' },
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
  /** Null: there is no day by which it could ask. */
  readonly period: Period | null
  readonly ignored: readonly string[]
}

/** Null: there is nothing to count. */
export function pivotNeed(screen: Screen, app: App, address: Address): PivotNeed | null {
  const entity = shownEntity(screen, app)
  if (entity === null) return null
  const part = pivotPart(screen)
  const { rows, across, offered, date } = part.shelves
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
  const asked = date && readPeriod(rest, address, part.period, app.product.weekBegins.day)
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
      ...(date !== null && asked?.days != null && { span: spanOf(app, date, asked.days.now) }),
    },
    offered: all,
    period: asked,
    ignored: [...ignored, ...unreadOfLists(rest)],
  }
}
