/**
 * Numbers over many rows: counted, added up, averaged, for each group and all together. One statement, whatever the number of
 * groups and rows; every row and every field in it is asked for with the permissions of whoever asks.
 */

import { placesIn } from '../../expression/currency.ts'
import { divide, formatDecimal, parseDecimal, round } from '../../expression/decimal.ts'
import type { Expression } from '../../expression/expression.ts'
import { isClock, isPercent } from '../../expression/fit.ts'
import { identifier, join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Figure, Grouping, Measure } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import type { FigureKey, FigureRow, FiguresData } from '../../kinds/screens/read-data.ts'
import type { AskedValues, FiguresNeed } from '../../kinds/screens/screen-kind.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import { valueSql, whereSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { sqlType } from '../values.ts'
import { amongAll } from './among-all.ts'
import { commas, type Filtered, filterOf, searchOf } from './filter.ts'
import { emptiedGroup, type Group, groupOf, groupPlace, groupValue, placeOf } from './group.ts'
import { readable } from './readable.ts'
import { type Part as Column, fromArray, type Raw, selectArray } from './select.ts'
import { shownRows, whereKey } from './shown.ts'

/** Null: one of the groups is by what these roles never see. */
export async function readFigures(runtime: Runtime, request: Request, need: FiguresNeed): Promise<FiguresData | null> {
  const { app, store } = runtime
  const { entity, by, measures, limit, across, span } = need
  const policy = policyFor(app, request.actor)
  const { filters = [], search = null, searched, similar, view, archived } = need.looked ?? {}
  const looked = [
    filterOf(app, policy, entity, 't', filters),
    searchOf(app, policy, entity, 't', search, { through: searched, similar }),
  ]
  const key = [
    policy.key,
    entity,
    whereKey(need.where),
    whereKey(view ?? null),
    archived ?? false,
    need.list ?? null,
    ...by.map(groupPlace),
    '|',
    ...measures.map(measure => `${measure.figure.kind} ${placeOf(measure)}`),
    limit,
    need.last ?? false,
    across === undefined ? '' : `${groupPlace(across.by)} ${across.limit} ${across.largest}`,
    span === undefined ? '' : placeOf(span.value),
    ...looked.map(({ shape }) => shape),
  ]
  const { statement, columns, seen, isClosed } = cachedStatement(app, ['figures', ...key], () => {
    const groups = allGroups(need).map(grouping =>
      (need.list === undefined ? groupOf : emptiedGroup)(app, policy, grouping),
    )
    const parts = measures.map(measure => partsOf(app, policy, measure, need.list === undefined))
    const all = columnsOf(measures, groups)
    return {
      isClosed: groups.some(({ seen }) => seen === false),
      seen: parts.map(({ isSeen }) => isSeen),
      columns: all,
      statement: built(figuresSql(app, policy, need, looked, groups, parts, all)),
    }
  })
  if (isClosed) return null
  const zone = { zone: app.product.timeZone.name }
  const days = span === undefined ? {} : { 'span.from': span.from, 'span.to': span.to }
  const bindings = bindingsOf(request, {
    ...zone,
    ...days,
    ...askedBindings(need.asked),
    ...Object.assign({}, ...looked.map(one => one.bindings)),
  })
  const cells = await store.run<{ cells: readonly (string | null)[] }>(statement, bindings)
  const found = cells.map(row => fromArray(columns, row.cells))
  const isOf = (row: Raw, index: number) => row[`rolled_${index}`] !== '1'
  const isTotal = (row: Raw) => !by.some((_, index) => isOf(row, index))
  const isAcross = (row: Raw) => across !== undefined && isOf(row, by.length)
  const values = (row: Raw | undefined) =>
    measures.map((measure, index) =>
      seen[index] && row !== undefined ? figureOf(measure, row, index, need.list !== undefined) : null,
    )
  const totalRow = found.find(row => isTotal(row) && !isAcross(row))
  const totals = values(totalRow)
  const keyAt = (row: Raw, index: number, grouping: Grouping): FigureKey => ({
    value: groupValue(grouping, row[`key_${index}`] ?? null),
    label: (row[`label_${index}`] ?? null) as string | null,
  })
  const figureRow = (row: Raw): FigureRow => ({
    keys: by.flatMap((grouping, index) => (isOf(row, index) ? [keyAt(row, index, grouping)] : [])),
    across: isAcross(row) ? keyAt(row, by.length, across!.by) : null,
    values: shares(measures, values(row), totals),
  })
  const groupRows = found.filter(row => allGroups(need).length > 0 && row !== totalRow)
  const isWithin = ({ place, column }: Raw) =>
    Number(place) <= limit + 1 && (across === undefined || Number(column) <= across.limit + 1)
  const within = groupRows.filter(isWithin)
  const rows = within.map(figureRow)
  const beyond = groupRows.find(row => !isWithin(row))
  const left = (count: Raw[string] | undefined, shown: number) => Number(count ?? 1) - 1 - shown
  return {
    kind: 'figures',
    seen,
    rows,
    total: { keys: [], across: null, values: shares(measures, totals, totals) },
    left: left(totalRow?.among, within.filter(row => !isTotal(row) && !isAcross(row)).length),
    leftAcross: left(totalRow?.columns, within.filter(row => isTotal(row)).length),
    highest: beyond === undefined ? null : figureRow(beyond),
  }
}

/** Those of the rows, and behind them the one across. */
const allGroups = ({ by, across }: FiguresNeed): readonly Grouping[] => [
  ...by,
  ...(across === undefined ? [] : [across.by]),
]

/** Those groupings of which these roles may see something on some record. */
export function openGroups(app: App, actor: Request['actor'], by: readonly Grouping[]): readonly Grouping[] {
  const policy = policyFor(app, actor)
  return by.filter(({ value }) => readable(app, policy, value.root, 't') !== false)
}

export const askedBindings = (asked: AskedValues = {}): Readonly<Record<string, Wire>> =>
  Object.fromEntries(Object.entries(asked).map(([key, value]) => [`limits.asked.${key}`, value]))

interface Part {
  readonly isSeen: boolean
  /** Columns of each row: values and conditions that the columns over the groups are made of. */
  readonly inner: readonly Sql[]
  /** The number over a group, and what it is a share of; over the columns `part_<n>` from `first` on. */
  readonly outer: (first: number) => readonly Sql[]
}

/** `isZero`: a sum of nothing is zero; else it is empty. */
function partsOf(app: App, policy: Policy, { figure, whole: of }: Measure, isZero: boolean): Part {
  const figures = [figure, ...(of !== null && of !== 'all' && 'kind' in of ? [of] : [])]
  const conditions = figures.map(one => countedOf(app, policy, one))
  if (conditions.includes(false)) return { isSeen: false, inner: [], outer: () => [raw('null'), raw('null')] }
  const columns = figures.map((one, index) => [
    conditionSql(conditions[index]!),
    ...(one.of === null ? [] : [amount(valueSql(one.of, 't'), one.of.type)]),
  ])
  const amountOfNone = of !== null && of !== 'all' && !('kind' in of) ? of : null
  return {
    isSeen: true,
    inner: columns.flat(),
    outer: first => {
      const over = figures.map((one, index) => aggregate(one, first + (index === 0 ? 0 : columns[0]!.length), isZero))
      const base =
        amountOfNone === null ? (over[1] ?? raw('null')) : amount(valueSql(amountOfNone, 't'), amountOfNone.type)
      return [over[0]!, base]
    },
  }
}

/** Rows that count in a figure: those that it names, as far as these roles see what it reads. */
function countedOf(app: App, policy: Policy, { of, where }: Figure): Condition {
  return allOf([
    ...[of, where].map(one => (one === null ? true : readable(app, policy, one.root, 't'))),
    ...(where === null ? [] : [whereSql(where, 't')]),
  ])
}

/** Durations are added up as seconds. */
const amount = (value: Sql, type: Type): Sql =>
  isClock(type) ? sql`extract(epoch from ${value})` : type.kind === 'integer' ? sql`(${value})::numeric` : value

function aggregate({ kind, of, type }: Figure, first: number, isZero: boolean): Sql {
  const column = (index: number) => identifier('f', `part_${first + index}`)
  const counted = sql`filter (where ${column(0)})`
  if (of === null) return sql`count(*) ${counted}`
  switch (kind) {
    case 'count':
      return sql`count(*) ${counted}`
    case 'sum': {
      const sum = sql`sum(${column(1)}) ${counted}`
      return isZero ? sql`coalesce(${sum}, 0)` : sum
    }
    case 'average':
      return sql`round(avg(${column(1)}) ${counted}, ${raw(String(placesOf(type)))})`
    case 'smallest':
      return sql`min(${column(1)}) ${counted}`
    case 'largest':
      return sql`max(${column(1)}) ${counted}`
  }
}

const placesOf = (type: Type): number =>
  type.kind === 'money' ? (type.places ?? placesIn(type)) : isPercent(type) ? 4 : 2

/**
 * Columns of the answer. Of each group `key_0`, whether it is rolled up into a sum (`rolled_0`) and what its key is called (`label_0`); of each
 * measure `number_0` and what that is a share of (`base_0`); they are made of `part_0` of each record.
 */
function columnsOf(measures: readonly Measure[], groups: readonly Group[]): readonly Column[] {
  const column = (name: string, type: Type['kind']): Column => ({ name, type, sql: identifier('s', name) })
  return [
    ...groups.flatMap(({ type, label }, index) => [
      column(`key_${index}`, type.kind),
      column(`rolled_${index}`, 'integer'),
      ...(label(raw('null'), 'named') === null ? [] : [column(`label_${index}`, 'text')]),
    ]),
    ...measures.flatMap(({ figure: { type } }, index) => [
      column(`number_${index}`, isClock(type) ? 'decimal' : type.kind),
      column(`base_${index}`, 'decimal'),
    ]),
    // Where it stands in their order, the total first, and how many there are.
    ...(groups.length === 0 ? [] : ['place', 'among', 'column', 'columns'].map(name => column(name, 'integer'))),
  ]
}

function figuresSql(
  app: App,
  policy: Policy,
  { entity, where, by, measures, limit, last: newest, across, span, looked: as, list }: FiguresNeed,
  looked: readonly Filtered[],
  groups: readonly Group[],
  parts: readonly Part[],
  all: readonly Column[],
): Sql {
  const cells = sql`${selectArray(all)} as cells`
  const rows = allOf([
    shownRows(policy, entity, where, as),
    ...(span === undefined ? [] : [duringSql(app, policy, span.value)]),
    ...looked.map(({ condition }) => condition()),
    ...groups.map(({ seen }) => seen),
  ])
  const inner = parts.flatMap(part => part.inner)
  const firsts = parts.map((_, index) => parts.slice(0, index).reduce((sum, part) => sum + part.inner.length, 0))
  const columns = commas([
    raw('1 as one'),
    ...groups.map((group, index) => sql`${group.sql} as ${identifier(`key_${index}`)}`),
    ...inner.map((part, index) => sql`${part} as ${identifier(`part_${index}`)}`),
  ])
  const most = list === undefined ? raw('') : raw(` limit ${list + 1}`)
  const of = amongAll(entity, rows, from => sql`select ${columns} from ${from} where ${conditionSql(rows)}${most}`)
  const outer = parts.flatMap((part, index) => {
    const [number, base] = part.outer(firsts[index]!)
    return [sql`${number!} as ${identifier(`number_${index}`)}`, sql`${base!} as ${identifier(`base_${index}`)}`]
  })
  const keys = groups.map((_, index) => identifier('f', `key_${index}`))
  const rollups = [keys.slice(0, by.length), keys.slice(by.length)].filter(some => some.length > 0)
  const grouped = sql`select ${commas([
    ...keys.map((key, index) => sql`${key} as ${identifier(`key_${index}`)}`),
    ...keys.map((key, index) => sql`grouping(${key}) as ${identifier(`rolled_${index}`)}`),
    ...outer,
  ])} from (${of}) as f${
    rollups.length === 0 ? raw('') : sql` group by ${commas(rollups.map(some => sql`rollup (${join(some, ', ')})`))}`
  }`
  if (groups.length === 0) return sql`select ${cells} from (${grouped}) as s`
  const [first] = measures
  const height = first!.whole === null || first!.whole === 'all' ? raw('number_0') : raw('number_0 / nullif(base_0, 0)')
  const label = (index: number) => identifier('s', `label_${index}`)
  const labels = groups.flatMap((one, index) => {
    const text = one.label(identifier('h', `key_${index}`), `named_${index}`)
    return text === null ? [] : [sql`${text} as ${identifier(`label_${index}`)}`]
  })
  // The total first, so that it is there however many groups there are; the sum of a group behind what lies in it.
  const orderOf = (index: number) => [
    sql`${groups[index]!.order(identifier('s', `key_${index}`), label(index))}${raw(newest ? ' desc' : '')} nulls last`,
    identifier('s', `key_${index}`),
  ]
  const order = by.flatMap((_, index) => [
    sql`${identifier('s', `rolled_${index}`)}${raw(index === 0 ? ' desc' : '')}`,
    ...orderOf(index),
  ])
  const end = by.length
  const isSum = raw(`s.rolled_${end}`)
  const columnOrder =
    across === undefined
      ? []
      : [sql`${isSum} desc`, ...(across.largest ? [raw('s.size desc nulls last')] : []), ...orderOf(end)]
  // Of what lies across, only the sums are counted as rows, and only the totals as columns.
  const many = (sums: Sql | null) =>
    sums === null ? sql`count(*) over ()` : sql`count(*) filter (where ${sums} = 1) over ()`
  const places = commas([
    raw('s.*'),
    sql`${many(across === undefined ? null : isSum)} as among`,
    sql`${across === undefined ? raw('1') : many(by.length === 0 ? null : raw('s.rolled_0'))} as columns`,
    sql`dense_rank() over (order by ${join(order.length === 0 ? [raw('1')] : order, ', ')}) as place`,
    sql`dense_rank() over (order by ${join(columnOrder.length === 0 ? [raw('1')] : columnOrder, ', ')}) as "column"`,
    ...(newest
      ? [
          sql`row_number() over (order by ${join([raw('s.rolled_0'), ...(across === undefined ? [] : [sql`${isSum} desc`]), sql`${height} desc nulls last`, raw('s.key_0 desc')], ', ')}) as height`,
        ]
      : []),
  ])
  const size = across?.largest
    ? [
        sql`max(${height}) ${raw(by.length === 0 ? '' : 'filter (where h.rolled_0 = 1)')} over (partition by h.${raw(`rolled_${end}, h.key_${end}`)}) as size`,
      ]
    : []
  const last = raw(String(limit + 1))
  const isColumn = across === undefined ? raw('') : sql` and s."column" <= ${raw(String(across.limit + 1))}`
  return sql`select ${cells} from (select ${places} from (select ${commas([raw('h.*'), ...labels, ...size])} from (${grouped}) as h) as s) as s
    where (s.place <= ${last}${isColumn})${raw(newest ? ' or s.height = 1' : '')} order by s.place${raw(newest ? ' desc' : '')}, s."column"`
}

/** Of records of which these roles may see the day. */
function duringSql(app: App, policy: Policy, value: Expression): Condition {
  const at = (name: string) => sql`${slot(`span.${name}`)}::${sqlType(value.type)}`
  const of = valueSql(value, 't')
  return allOf([readable(app, policy, value.root, 't'), sql`(${of} >= ${at('from')} and ${of} < ${at('to')})`])
}

/** A number as it comes from the database → wire. `isUnderRows`: with as many decimals as the values that it is made of. */
function figureOf({ figure, whole: of }: Measure, row: Raw, index: number, isUnderRows: boolean): string | null {
  const value = row[`number_${index}`] as string | null
  if (value === null) return null
  if (of !== null && of !== 'all') return ratio(value, row[`base_${index}`] as string | null)
  if (isClock(figure.type)) return `PT${formatDecimal(round(parseDecimal(value)!, 0))}S`
  return plainNumber.test(value) && (figure.kind === 'average' || !isUnderRows)
    ? formatDecimal(parseDecimal(value)!, figure.kind === 'average' ? placesOf(figure.type) : 0)
    : value
}

const plainNumber = /^-?\d+(\.\d+)?$/

/** Shares of all groups together. A share of nothing is empty. */
const shares = (
  measures: readonly Measure[],
  values: readonly (string | null)[],
  totals: readonly (string | null)[],
): readonly (string | null)[] =>
  values.map((value, index) =>
    measures[index]!.whole === 'all' ? ratio(seconds(value), seconds(totals[index] ?? null)) : value,
  )

const seconds = (value: string | null): string | null => value?.replace(/^(-?)PT(.*)S$/, '$1$2') ?? null

function ratio(part: string | null, base: string | null): string | null {
  const [above, below] = [parseDecimal(part ?? ''), parseDecimal(base ?? '')]
  const found = above === null || below === null ? null : divide(above, below)
  return found === null ? null : formatDecimal(round(found, 4), 4)
}
