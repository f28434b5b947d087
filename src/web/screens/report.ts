/** A report: figures that were read → a table with subtotals, a way to the records behind each, and the same as a file. */

import type { Parameter, Screen } from '../../headings/2-screens/model.ts'
import { keyName } from '../../headings/translate.ts'
import type { FigureRow, FiguresData, RowsData } from '../../kinds/screens/read-data.ts'
import { reportPart } from '../../kinds/screens/report/screen.ts'
import type { ReportView } from '../../kinds/screens/report/view-model.ts'
import type { ReportNeed } from '../../kinds/screens/screen-kind.ts'
import type { FiguresFile } from '../../kinds/screens/screen-page.ts'
import type { FieldView } from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { say } from '../sentences.ts'
import { exportName, sheetFormats } from '../sheets.ts'
import { capital } from '../site.ts'
import { assumedOf, type Building, namingFields, noneOf, screenMark } from './common.ts'
import {
  decimalsOf,
  firstOf,
  groupLabel,
  keyAsText,
  keyCell,
  keyText,
  linesView,
  measureCells,
  measureIsNumeric,
  measureIsPercent,
  measureLabel,
  measureText,
} from './figures.ts'
import { thingsOf } from './things.ts'
import { controlOf } from './values.ts'

export interface ReportOptions {
  readonly screen: Screen
  readonly need: ReportNeed
  readonly ignored: readonly string[]
  readonly data: FiguresData
  /** Of the group that the address names. */
  readonly rows: RowsData | null
}

/** The records behind a group are read with what they are named and linked by. */
export const behindNeed = ({ site }: Building, { rows, figures }: ReportNeed): ReportNeed['rows'] =>
  rows === null ? null : { ...rows, columns: [...new Set([...rows.columns, ...namingFields(site, figures.entity)])] }

export function reportView(build: Building, { screen, need, ignored, data, rows }: ReportOptions): ReportView {
  const { site, context } = build
  const { figures } = need
  const { by, entity } = figures
  const shown = shownMeasures(need, data)
  const columns = columnsOf(build, need, data)
  const group = (row: Pick<FigureRow, 'keys'>) =>
    row.keys.map((key, index) => keyText(site, by[index]!, key)).join(', ')
  return {
    kind: 'report',
    title: screen.name.text,
    pageTitle: screen.name.text,
    crumbs: [],
    mark: screenMark(site, screen),
    assumed: assumedOf(site, entity),
    action: context.path,
    fields: reportPart(screen).parameters.map(parameter =>
      fieldOf(build, parameter, need.written[parameter.key] ?? ''),
    ),
    ignored: ignored.length === 0 ? [] : [say(site, 'notUnderstood', { parts: ignored.join(', ') })],
    caption: say(site, 'figuresOf', {
      title: screen.name.text,
      measures: site.reader.format.allOf(shown.map(index => measureLabel(site, figures.measures[index]!))),
    }),
    columns,
    rows: data.rows.map((row, index) => {
      const isSum = row.keys.length < by.length
      return {
        id: String(index),
        isSum,
        href: isSum ? null : hrefOf(build, row),
        cells: cellsOf(build, need, data, row, data.rows[index - 1] ?? null),
      }
    }),
    total:
      data.rows.length === 0 && by.length > 0
        ? null
        : [
            ...(by.length === 0
              ? [say(site, 'allTogether')]
              : by.map((_, index) => (index === 0 ? site.reader.words('total') : ''))),
            ...numbers(build, need, data, data.total),
          ],
    more: data.left === 0 ? null : firstOf(site, data.rows.length, data.left),
    exports: mayExport(build, entity) ? exportLinks(build) : [],
    empty:
      data.rows.length > 0 || by.length === 0
        ? null
        : (reportPart(screen).emptyText?.text ?? noneOf(site, entity, reportPart(screen).where !== null)),
    behind:
      rows === null || need.rows === null
        ? null
        : {
            title: say(site, 'recordsBehind', {
              things: capital(thingsOf(site, entity)),
              group: group({ keys: labelled(need, data) }),
            }),
            list: linesView(
              build,
              entity,
              need.rows.columns.filter(column => rows.columns.includes(column)),
              rows.rows,
              noneOf(site, entity, true),
            ),
            next: rows.next === null ? null : withQuery(build, query => query.set('after', rows.next!)),
            close: withQuery(build, query => {
              for (const name of [...query.keys()])
                if (name.startsWith('group.') || name === 'after') query.delete(name)
            }),
          },
  }
}

/** The keys of the group in the address, with the label that its row has. */
function labelled({ shown, figures }: ReportNeed, data: FiguresData): FigureRow['keys'] {
  const row = data.rows.find(
    ({ keys }) => keys.length === figures.by.length && keys.every(({ value }, index) => value === shown[index]),
  )
  return row?.keys ?? shown.map(value => ({ value, label: null }))
}

/** Whose records one may not all take along, one takes no figures of along either. */
export const mayExport = ({ site, context }: Building, entity: string): boolean =>
  policyFor(site.app, context.request.actor).all(entity, 'export')

/** Places of the measures that this person may see. */
const shownMeasures = ({ figures }: ReportNeed, { seen }: FiguresData): readonly number[] =>
  figures.measures.flatMap((_, index) => (seen[index] ? [index] : []))

function columnsOf({ site }: Building, need: ReportNeed, data: FiguresData): ReportView['columns'] {
  const { by, measures } = need.figures
  const groups = by.map((grouping, index) => ({ key: `g${index}`, label: groupLabel(site, grouping), numeric: false }))
  const head = groups.length > 0 ? groups : [{ key: 'g', label: '', numeric: false }]
  const figures = shownMeasures(need, data).map(index => ({
    key: `m${index}`,
    label: measureLabel(site, measures[index]!),
    numeric: measureIsNumeric(measures[index]!),
  }))
  return [...head, ...figures]
}

function numbers({ site }: Building, need: ReportNeed, data: FiguresData, row: FigureRow): readonly string[] {
  const valueIn = (of: FigureRow, index: number) => of.values[index] ?? null
  return shownMeasures(need, data).map(index => {
    const measure = need.figures.measures[index]!
    const column = [...data.rows, data.total].map(of => valueIn(of, index))
    return measureText(site, measure, valueIn(row, index), decimalsOf(measure, column))
  })
}

/** A group is named once, where it begins; its sum says that it is one. */
function cellsOf(
  build: Building,
  need: ReportNeed,
  data: FiguresData,
  row: FigureRow,
  before: FigureRow | null,
): readonly string[] {
  const { site } = build
  const { by } = need.figures
  const last = row.keys.length - 1
  const same = (index: number) =>
    before !== null && row.keys.slice(0, index + 1).every(({ value }, at) => before.keys[at]?.value === value)
  const groups = by.map((grouping, index) => {
    const key = row.keys[index]
    if (key === undefined) return ''
    const text = keyText(site, grouping, key)
    if (row.keys.length < by.length && index === last) return say(site, 'groupSum', { group: text })
    return index < last && same(index) ? '' : text
  })
  return [...groups, ...numbers(build, need, data, row)]
}

function withQuery({ context }: Building, change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(context.query)
  change(query)
  return query.size === 0 ? context.path : `${context.path}?${query}`
}

const hrefOf = (build: Building, row: FigureRow): string =>
  `${withQuery(build, query => {
    query.delete('after')
    row.keys.forEach(({ value }, index) => {
      query.set(`group.${index}`, keyAsText(value))
    })
  })}#behind`

export const exportLinks = (build: Building): ReportView['exports'] =>
  [...sheetFormats.values()].map(({ name }) => ({
    label: say(build.site, name === 'csv' ? 'reportCsv' : 'reportExcel'),
    href: withQuery(
      { ...build, context: { ...build.context, query: new URLSearchParams(withoutGroup(build)) } },
      query => {
        query.set(exportName, name)
      },
    ),
  }))

const withoutGroup = ({ context }: Building): [string, string][] =>
  [...context.query].filter(([name]) => !name.startsWith('group.') && name !== 'after')

function fieldOf(
  { site }: Building,
  { key, cell, kind, parameters, type, default: preset }: Parameter,
  value: string,
): FieldView {
  const label = keyName(site.app, key)
  const control = controlOf({
    site,
    field: { kind, parameters, type, default: null } as Parameters<typeof controlOf>[0]['field'],
    optional: true,
  })
  const id = `ask-${key}`
  return {
    key,
    name: key,
    id,
    label,
    hint: null,
    required: preset !== null,
    value,
    errors: [],
    control,
    mark: site.mark(cell),
  }
}

/**
 * The figures as rows of a file: every group in its own cell, also where the table leaves it out, and no sums of them. Where there
 * are more than it has, a last row says so.
 */
export function reportSheet(
  build: Building,
  need: ReportNeed,
  data: FiguresData,
  typed: boolean,
): Omit<FiguresFile, 'entity'> {
  const { site } = build
  const shown = shownMeasures(need, data)
  const { by } = need.figures
  const groups = by.length === 0 ? [data.total] : data.rows.filter(({ keys }) => keys.length === by.length)
  const columns = shown.map(index =>
    measureCells(
      need.figures.measures[index]!,
      groups.map(row => row.values[index] ?? null),
      typed,
    ),
  )
  const rows = groups.map((row, at) => [
    ...row.keys.map((key, index) => keyCell(site, by[index]!, key, typed)),
    ...columns.map(column => column[at] ?? null),
  ])
  return {
    head: columnsOf(build, need, data)
      .filter(({ key }) => key !== 'g')
      .map(({ label }) => label),
    shows: [
      ...by.map(() => 'text' as const),
      ...shown.map(index => (measureIsPercent(need.figures.measures[index]!) ? 'percent' : 'number')),
    ],
    rows: data.left === 0 ? rows : [...rows, [say(site, 'firstShown', { count: rows.length })]],
  }
}
