/** What the cards of a page count and add up: of the records that this person sees, those for which the condition of a figure holds, group by group. */
import { add, type Decimal, formatDecimal, parseDecimal, whole } from '../expression/decimal.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue } from '../expression/type.ts'
import { currencyPlaces } from '../expression/values.ts'
import type { CardContent, Figure, Grouping, Measure, Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { isArchived } from '../run/access/archived.ts'
import type { Player, Site } from './client.ts'
import { worth } from './judge.ts'
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
}

/** What is not as the document says; empty: nothing. */
export async function tryFigures(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const about = { site, world: await site.observatory.world(player), lines: linesOn(html) }
  const isEver = (screen.part.period ?? 'all') === 'all'
  return usesOf(screen).cards.flatMap(({ name, shows }) => {
    const content = specified(shows)
    // What has a day counts in the period of its page.
    if (content === null || content.kind === 'list' || (content.date !== null && !isEver)) return []
    const wrong = content.kind === 'number' ? otherNumber(about, name.text, content) : otherGroups(about, content)
    if (wrong === null) return []
    site.judged.add(content.measures[0].cell, content.measures[0].figure.cell)
    site.judged.in(name, 'Shows', ...(content.kind === 'chart' ? ['By'] : []))
    return wrong.map(text => `${name.text}: ${text}`)
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
function countedIn({ site, world }: About, { whole: of, figure }: Measure): readonly RecordValue[] | null {
  const { entity, where } = figure
  if (of !== null || !isTold(site.app, entity)) return null
  const { lines } = world.told.entity(entity)
  const reads = [figure.of, where].flatMap(one => (one === null ? [] : [...readsOf({ world, entity }, one.cell.text)]))
  // What somebody does not see of a record does not count.
  if (reads.some(key => lines.has(key))) return null
  const seen = world.records(entity).filter(record => !isArchived(record) && sees({ world, entity, record }))
  const held = seen.map(record => (where === null ? true : worth(where, world.environment(entity, record))))
  return held.includes(NOT_LOADED) ? null : seen.filter((_, at) => held[at] === true)
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

/** What a group is called; undefined: it cannot be told. */
function groupOf({ site, world }: About, { unit, value }: Grouping, entity: string, record: RecordValue) {
  const found = worth(value, world.environment(entity, record))
  if (typeof found !== 'string') return undefined
  if (unit === null && value.type.kind === 'choice') return found
  if (unit === null && value.type.kind === 'reference') {
    const titles = site.app.entities.get(value.type.entity)!.title
    const title = titles.length === 1 ? world.record(value.type.entity, found)?.[titles[0]!] : undefined
    return typeof title === 'string' ? title : undefined
  }
  if (unit !== 'month' || value.type.kind !== 'date') return undefined
  const language = site.app.language === 'en' ? 'en-GB' : site.app.language
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(found),
  )
}
