import { evaluate } from '../../../expression/evaluate.ts'
import { labelOf } from '../../../expression/names.ts'
import type { Wire } from '../../../expression/type.ts'
import type { Grouping, Measure, Parameter, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { type Specified, specified } from '../../../headings/specified.ts'
import { fieldKind } from '../../fields/index.ts'
import { isBlank } from '../../fields/texts.ts'
import { columnsOf, shownEntity } from '../columns.ts'
import { counted } from '../counted.ts'
import { columns, emptyText, where } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import { pageSizeOf, unread } from '../query.ts'
import type { Address, AskedValues, FiguresNeed, RowsNeed, ScreenKind } from '../screen-kind.ts'

/** Groups of a report; of its file. */
const rowsAtMost = 1000
export const fileRows = 50_000

const members = {
  emptyText,
  where,
  columns: columns(),
  parameters: {
    read: reader => reader.parameters(),
    texts: all => all.map(({ key }) => ({ text: labelOf(key) })),
  } satisfies Member<readonly Parameter[]>,
  measures: {
    read: reader => reader.measures('Measure'),
    uses: measures => ({ measures }),
    texts: all => all.flatMap(measure => specified(measure)?.name ?? []).map(text => ({ text })),
  } satisfies Member<readonly Specified<Measure>[]>,
  groups: { read: reader => reader.groups('By'), uses: groups => ({ groups }) } satisfies Member<readonly Grouping[]>,
} satisfies Members

export const reportPart = (screen: Screen) => partOf(members, screen)

/** Groups with measures and subtotals; what it is asked stands in its address. */
export const report: ScreenKind = {
  name: 'report',
  written: 'report of Entity by field',
  opening: 'report of',
  meaning: 'Groups with measures, subtotals and the total, with the records behind each, and as a file of figures.',
  entity: 'required',
  by: 'groups elsewhere',
  properties: [
    { name: 'Where', meaning: 'Records that count, besides what permissions allow.' },
    { name: 'By', meaning: 'Further groups, outermost first: `item.category, month of out_on`.' },
    {
      name: 'Measure',
      meaning: 'A number for each group: `sum of total_value as Value`. Absent: how many records there are.',
      many: true,
    },
    {
      name: 'Asks',
      meaning: 'What it asks its reader, `asked.from` in its expressions: `from: date default today - 30`.',
      many: true,
    },
    { name: 'Columns', meaning: 'Fields of the records behind a group. Absent: as in a list.' },
    { name: 'Empty text', meaning: 'What stands there when there is nothing to show.' },
  ],
  members,
  shows: 'figures',
}

export interface ReportNeed {
  readonly figures: FiguresNeed
  /** The rows of one group, where the address asks for them. */
  readonly rows: RowsNeed | null
  /** Keys of that group, by place. */
  readonly shown: readonly Wire[]
  /** What was asked as a control holds it. */
  readonly written: Readonly<Record<string, string>>
  readonly ignored: readonly string[]
}

/** How an address names the key of a group. */
export const groupName = (index: number | ''): string => `group.${index}`

/** Null: there is nothing to count. */
export function reportNeed(screen: Screen, app: App, address: Address): ReportNeed | null {
  const entity = shownEntity(screen, app)
  if (entity === null) return null
  const { parameters, measures, where, groups, columns } = reportPart(screen)
  const by = address.open(groups)
  const rest = new URLSearchParams(address.query)
  const { asked, written, wrong } = readAnswers(parameters, address, rest)
  const shown = readGroup(by, rest)
  const after = shown.length > 0 ? rest.get('after') : null
  if (after !== null) rest.delete('after')
  const behind: RowsNeed = {
    kind: 'rows',
    entity: entity.key,
    columns: columnsOf(columns, entity, app),
    where,
    filters: [],
    search: null,
    sort: [],
    after,
    before: null,
    limit: pageSizeOf(address),
    countTo: 0,
    among: shown.map((value, index) => ({ by: by[index]!, value })),
    asked,
  }
  return {
    figures: {
      kind: 'figures',
      entity: entity.key,
      where,
      by,
      measures:
        measures.length === 0 ? [counted(entity.key, screen.name)] : measures.flatMap(one => specified(one) ?? []),
      asked,
      limit: rowsAtMost,
    },
    rows: shown.length === 0 ? null : behind,
    shown,
    written,
    ignored: [...wrong, ...unread(rest)],
  }
}

/** What is not answered, or not understood, is as it is preset; what was read is taken out of `rest`. */
function readAnswers(parameters: readonly Parameter[], address: Address, rest: URLSearchParams) {
  const asked: Record<string, Wire> = {}
  const written: Record<string, string> = {}
  const wrong: string[] = []
  for (const { key, kind, parameters: of, default: preset } of parameters) {
    const text = rest.get(key)
    rest.delete(key)
    const parsed = text === null || isBlank(text) ? null : fieldKind(kind).parse(text, of, address.locale, address.zone)
    if (parsed !== null && 'invalid' in parsed) wrong.push(`${key}=${text}`.slice(0, 80))
    const value =
      parsed !== null && !('invalid' in parsed)
        ? parsed.value
        : text !== null && parsed === null
          ? null
          : presetOf(preset, address)
    asked[key] = value
    written[key] = value === null ? '' : fieldKind(kind).input(value, of, address.locale, address.zone)
  }
  return { asked: asked as AskedValues, written, wrong }
}

function presetOf(preset: Parameter['default'], { today, limits }: Address): Wire {
  if (preset === null) return null
  const value = evaluate(preset, {
    row: {},
    old: null,
    me: null,
    my: null,
    today,
    now: `${today}T00:00:00.000Z`,
    limits,
    related: () => undefined,
  })
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** The keys of a group as they stand in an address, empty where the group is, and are taken out of it. Too long ones are none of ours. */
function readGroup(by: readonly Grouping[], rest: URLSearchParams): readonly Wire[] {
  const texts = by.flatMap((_, index) => rest.get(groupName(index)) ?? [])
  if (texts.length < by.length || texts.some(text => text.length > 500)) return []
  for (const index of by.keys()) rest.delete(groupName(index))
  return texts.map((text, index): Wire => {
    if (text === '') return null
    const { unit, value } = by[index]!
    return value.type.kind === 'yes/no' && unit === null ? text === 'true' : text
  })
}
