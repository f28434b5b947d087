/** What the cards of a page count and add up: of the records that this person sees, those for which the condition of a figure holds, group by group. */
import { add, type Decimal, formatDecimal, parseDecimal, whole } from '../expression/decimal.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import { currencyPlaces } from '../expression/values.ts'
import type { CardContent, Figure, Grouping, Measure, Parameter, Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { isArchived } from '../run/access/archived.ts'
import type { Player, Site } from './client.ts'
import { type Asked, worth } from './judge.ts'
import { readsOf, sees } from './oracle/rights.ts'
import { linesOn } from './shown.ts'
import { isTold } from './trial.ts'
import type { World } from './world.ts'

/** Groups of a chart, beyond which some may be left out. */
const groupsAtMost = 12

type Lines = ReturnType<typeof linesOn>

interface About {
  readonly site: Site
  readonly world: World
  readonly lines: Lines
  /** What a report asks, as it begins. */
  readonly asked: Readonly<Record<string, Wire>>
}

/** What is not as the document says; empty: nothing. */
export async function tryFigures(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const world = await site.observatory.world(player)
  const about = { site, world, lines: linesOn(html), asked: answersOf(screen, world) }
  const isEver = (screen.part.period ?? 'all') === 'all'
  const cards = usesOf(screen).cards.flatMap(({ name, shows }) => {
    const content = specified(shows)
    // What has a day counts in the period of its page.
    if (content === null || content.kind === 'list' || (content.date !== null && !isEver)) return []
    const wrong = content.kind === 'number' ? otherNumber(about, name.text, content) : otherGroups(about, content)
    if (wrong === null) return []
    site.judged.add(content.measures[0].cell, content.measures[0].figure.cell)
    site.judged.in(name, 'Shows', ...(content.kind === 'chart' ? ['By'] : []))
    return wrong.map(text => `${name.text}: ${text}`)
  })
  return [...cards, ...otherReport(about, screen)]
}

function answersOf({ part }: Screen, world: World): About['asked'] {
  const parameters = (part.parameters ?? []) as readonly Parameter[]
  return Object.fromEntries(
    parameters.map(({ key, default: preset }) => {
      const value = preset === null ? null : worth(preset, world.environment('person', {}))
      return [`asked.${key}`, value === NOT_LOADED || typeof value === 'object' ? null : value]
    }),
  )
}

/** A line for each group of a report: the last that it is grouped by, and its figures. */
function otherReport(about: About, screen: Screen): readonly string[] {
  const { site, lines } = about
  const entity = specified(screen.shows)?.entity ?? null
  if (!('parameters' in screen.part) || entity === null || !isTold(site.app, entity)) return []
  const { measures, groups, where } = usesOf(screen)
  const figures = measures.flatMap(one => specified(one) ?? [])
  const [first] = figures
  const counted =
    first === undefined || figures.length < measures.length || groups.length === 0
      ? null
      : countedIn(about, { ...first, figure: { ...first.figure, where } })
  if (counted === null || counted.length === 0) return []
  const labels = (record: RecordValue) => groups.map(by => groupOf(about, by, entity, record))
  // Each group, and what those that it is a part of come to.
  const parts = Map.groupBy(
    counted.flatMap(record => groups.map((_, at) => ({ record, path: labels(record).slice(0, at + 1) }))),
    ({ path }) => JSON.stringify(path),
  )
  if (parts.size > groupsAtMost || counted.some(record => labels(record).includes(undefined))) return []
  site.judged.add(where?.cell, ...figures.map(({ cell }) => cell), ...groups.map(({ cell }) => cell))
  site.judged.in(screen.name, 'Shows')
  const wanted = [...parts.values()].map(all => {
    const records = all.map(({ record }) => record)
    const says = figures.map(({ whole: of, figure }) =>
      of !== null || figure.where !== null ? null : amountOf(about, figure, records),
    )
    return { last: all[0]!.path.at(-1)!, says }
  })
  return wanted.flatMap(({ last, says }) => {
    const isIt = (cells: readonly string[]) =>
      cells.some(cell => cell.includes(last)) &&
      says.every((amount, at) => amount === null || isShown(cells.at(at - says.length) ?? '', amount))
    const alike = wanted.filter(one => one.last === last && one.says.join() === says.join()).length
    return lines.filter(isIt).length >= alike
      ? []
      : [`there is no line ${last} ${says.map(amount => amount ?? '…').join(' ')}`]
  })
}

/** Null: it cannot be told from here. */
function otherNumber(about: About, name: string, { measures: [measure] }: CardContent & { kind: 'number' }) {
  const text = about.lines.find(([head, figure]) => head === name && figure !== undefined)?.[1]
  const counted = countedIn(about, measure)
  const says = counted === null || text === undefined ? null : amountOf(about, measure.figure, counted)
  if (says === null || text === undefined) return null
  return isShown(text, says) ? [] : [`it is ${text}, and not ${says}`]
}

/** A line of its table for each group: what it is called, where that is plain, and its figure at the end. */
function otherGroups(about: About, { measures, by }: CardContent & { kind: 'chart' }) {
  const [measure] = measures
  const counted = measures.length > 1 ? null : countedIn(about, measure)
  if (counted === null) return null
  const groups = Map.groupBy(counted, record => groupOf(about, by, measure.figure.entity, record))
  if (groups.size > groupsAtMost || groups.has(undefined)) return null
  const wrong: string[] = []
  for (const [group, records] of groups) {
    const says = amountOf(about, measure.figure, records)
    if (says === null) return null
    const isThere = about.lines.some(cells => cells[0]?.includes(group!) && isShown(cells.at(-1)!, says))
    if (!isThere) wrong.push(`there is no line ${group} ${says}`)
  }
  return wrong
}

/** The records that a measure counts; null: it cannot be told. */
function countedIn({ site, world, asked }: About, { whole: of, figure }: Measure): readonly RecordValue[] | null {
  const { entity, where } = figure
  if (of !== null || !isTold(site.app, entity)) return null
  const { lines } = world.told.entity(entity)
  const reads = [figure.of, where].flatMap(one => (one === null ? [] : [...readsOf({ world, entity }, one.cell.text)]))
  // What somebody does not see of a record does not count.
  if (reads.some(key => lines.has(key))) return null
  const seen = world.records(entity).filter(record => !isArchived(record) && sees({ world, entity, record }))
  const held = seen.map(record => (where === null ? true : worth(where, withAnswers(world, entity, record, asked))))
  return held.includes(NOT_LOADED) ? null : seen.filter((_, at) => held[at] === true)
}

function withAnswers(world: World, entity: string, record: RecordValue, asked: About['asked']): Asked {
  const environment = world.environment(entity, record)
  return { ...environment, limits: { ...environment.limits, ...asked } }
}

/** Of a count, or a sum of money; null: of anything else. */
function amountOf(
  { world }: About,
  { kind, of, type, entity }: Figure,
  records: readonly RecordValue[],
): string | null {
  if (kind === 'count' && of === null) return String(records.length)
  if (kind !== 'sum' || of === null || type.kind !== 'money') return null
  let sum: Decimal = whole(0)
  for (const record of records) {
    const value = worth(of, world.environment(entity, record))
    if (value === NOT_LOADED) return null
    sum = add(sum, parseDecimal(String(value ?? '0'))!)
  }
  return formatDecimal(sum, type.places ?? currencyPlaces(type.currency))
}

const isShown = (text: string, amount: string): boolean => text.replace(/\D/g, '') === amount.replace(/\D/g, '')

/** What a group is called, or what that begins with; undefined: it cannot be told. */
function groupOf({ site, world }: About, { unit, value }: Grouping, entity: string, record: RecordValue) {
  const found = worth(value, world.environment(entity, record))
  if (typeof found !== 'string') return undefined
  if (unit === null && value.type.kind === 'choice') return found
  if (unit === null && value.type.kind === 'reference') {
    const [first] = site.app.entities.get(value.type.entity)!.title
    const title = first === undefined ? undefined : world.record(value.type.entity, found)?.[first]
    return typeof title === 'string' ? title : undefined
  }
  if (unit !== 'month' || value.type.kind !== 'date') return undefined
  const language = site.app.language === 'en' ? 'en-GB' : site.app.language
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(found),
  )
}
