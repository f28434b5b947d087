/**
 * Figures on a page, held against what they come to over the records that somebody sees: of a dashboard whenever and in a period, of
 * charts, reports and pivots the number of each group. How a group is called is left open, where it is no choice and no state.
 */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Card, CardContent, Grouping, Measure, Parameter, Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { counted } from '../kinds/screens/counted.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { fieldIn } from '../web/routes.ts'
import { type Counting, countedIn, type Days, grouped, measured, seesAll, Untold, worthIn } from './amounts.ts'
import type { Player, Site } from './client.ts'
import { worth } from './judge.ts'
import { tryLines } from './lists.ts'
import { openPage, plainText } from './page.ts'
import { saidOf } from './parts.ts'
import { linesOn } from './shown.ts'
import { isTold } from './trial.ts'

/** What is not as the document says; empty: nothing. `html`: the page as it opens. */
export async function tryFigures(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const route = specified(screen.route)
  if (route === null || fieldIn(route) !== null) return []
  const counting: Counting = { site, world: await site.observatory.world(player), asked: new Map() }
  const { cards } = usesOf(screen)
  if (cards.length > 0) return await otherCards({ ...counting, screen, player }, route.pattern, cards, html)
  // A report, or a pivot: lists have sums of their own.
  const isTable = 'parameters' in screen.part || 'shelves' in screen.part
  if (isTable) return await otherTable({ ...counting, screen, player }, route.pattern, html)
  return []
}

interface About extends Counting {
  readonly screen: Screen
  readonly player: Player
}

/** The same, but nothing where it cannot be told from here. */
function told(work: () => readonly string[]): readonly string[] {
  try {
    return work()
  } catch (error) {
    if (error instanceof Untold) return []
    throw error
  }
}

/** A dashboard: whenever, and from the first day of what it counts to the one in the middle. */
async function otherCards(about: About, path: string, cards: readonly Card[], html: string) {
  const dated = cards.flatMap(({ shows }) => {
    const content = specified(shows)
    return content !== null && content.kind !== 'list' && content.date !== null ? [content] : []
  })
  const days = dated.flatMap(({ date, measures: [{ figure }] }) =>
    told(() =>
      countedIn(about, figure.entity, []).flatMap(record => {
        const value = worthIn(about, date!, figure.entity, record)
        return typeof value === 'string' ? [value.slice(0, 10)] : []
      }),
    ),
  )
  const sorted = [...days].sort()
  const [first, middle] = [sorted[0], sorted[Math.floor(sorted.length / 2)]]
  const looks: { readonly days: Days; readonly html: string }[] = []
  if (dated.length === 0) looks.push({ days: null, html })
  const own = periodOf(about)
  if (own !== null && dated.length > 0) {
    looks.push({ days: own.days, html })
    about.site.judged.add(own.cell)
  }
  const queries = [
    { days: null, query: 'period=all' },
    ...(first === undefined || middle === undefined
      ? []
      : [{ days: { from: first, to: middle }, query: `from=${first}&to=${middle}&against=none` }]),
  ]
  for (const { days: within, query } of dated.length === 0 ? [] : queries) {
    const page = await openPage(about.site, about.player, `${path}?${query}`)
    if (page.kind !== 'shown') return [`${path}?${query} is not shown: ${page.why}`]
    looks.push({ days: within, html: page.html })
  }
  const wrong: string[] = []
  for (const look of looks)
    for (const card of cards) {
      const when = look.days === null ? '' : `from ${look.days.from} to ${look.days.to}, `
      const content = specified(card.shows)
      const found =
        content?.kind === 'list'
          ? await otherLines(about, content, sectionOf(look.html, card.name.text))
          : told(() => otherCard(about, card, look.days, look.html))
      wrong.push(...found.map(text => `${when}${card.name.text}: ${text}`))
    }
  return wrong
}

/** The days of the period that its reader sees first, up to today; null: it says none, or one of weeks. */
function periodOf({ site, screen, world: { today } }: About) {
  const cell = saidOf({ site, screen }, 'period')
  const [year, month] = [today.slice(0, 4), Number(today.slice(5, 7))]
  const first = { year: 1, quarter: month - ((month - 1) % 3), month }[cell?.text ?? '']
  if (cell === null || first === undefined) return null
  return { cell, days: { from: `${year}-${String(first).padStart(2, '0')}-01`, to: today } }
}

function otherCard(about: About, card: Card, days: Days, html: string): readonly string[] {
  const content = specified(card.shows)
  if (content === null || content.kind === 'list') return []
  const [measure] = content.measures
  const { entity, where } = measure.figure
  const within = content.date === null ? null : { by: content.date, days }
  const records = countedIn(about, entity, measure.whole === null ? [where] : [], within)
  const { judged } = about.site
  const note = (...cells: readonly (Cell | null | undefined)[]) => judged.add(...cells)
  if (content.kind === 'number') {
    if (!seesAll(about, entity, textsOf(measure), records)) return []
    const block = [...html.matchAll(/<div class="kpi">(.*?)<\/div>/gs)].find(([, inner]) =>
      plainText(/<dt>(.*?)<\/dt>/s.exec(inner!)?.[1] ?? '').startsWith(card.name.text),
    )?.[0]
    const shown = block === undefined ? undefined : linesOn(block)[0]?.[1]
    if (shown === undefined) return []
    const is = measured(about, measure, records)
    note(measure.cell, measure.figure.cell)
    judged.in(about.screen.name, 'Shows')
    if (days !== null) note(content.date?.cell)
    const wrong = isNumber(shown, is) ? [] : [`it is ${shown}, and not ${is ?? 'empty'}`]
    return [...wrong, ...otherAim(about, card, is, block!)]
  }
  // Along the days of a period it is drawn by smaller units.
  if (days !== null && content.date?.cell.text === content.by.value.cell.text) return []
  const table = sectionOf(html, card.name.text)
  if (table === null || content.drawn === 'grouped') return []
  const by = content.across === null ? [content.by] : [content.by, content.across]
  const wrong = otherGroups(about, { entity, by, measures: content.measures, records }, table)
  if (wrong === null) return []
  note(...content.measures.flatMap(({ cell, figure }) => [cell, figure.cell]), ...by.map(({ cell }) => cell))
  if (days !== null) note(content.date?.cell)
  return wrong
}

const textsOf = ({ figure, whole }: Measure): readonly string[] =>
  [figure.of, figure.where, ...(whole !== null && whole !== 'all' && 'kind' in whole ? [whole.of, whole.where] : [])]
    .filter(one => one !== null)
    .map(one => one.cell.text)

/** What is aimed at, and whether it is reached the way that is better. */
function otherAim({ site }: About, card: Card, is: number | null, block: string) {
  const content = specified(card.shows)
  if (content?.kind !== 'number' || content.aim === null || is === null) return []
  const aim = Number(content.aim.cell.text)
  if (Number.isNaN(aim)) return []
  const wanted = content.measures[0].whole === null ? aim : 100 * aim
  const way = content.better === 'lower' ? is <= wanted : content.better === 'higher' ? is >= wanted : null
  const said = [...block.matchAll(/<dd class="muted">(.*?)<\/dd>/gs)].find(([, inner]) => /class="cmp/.test(inner!))
  const text = plainText(said?.[1] ?? '')
  site.judged.add(content.aim.cell)
  const wrong = text.split(/[^\d.,]+/).some(one => one !== '' && isNumber(one, wanted))
    ? []
    : [`it aims at '${text}', and not at ${wanted}`]
  if (way === null) return wrong
  site.judged.in(content.aim.cell, 'Better')
  const isSaid = new RegExp(`class="cmp ${way ? 'good' : 'bad'}"`).test(said?.[0] ?? '')
  return isSaid ? wrong : [...wrong, `it is ${is}: that its aim is ${way ? 'reached' : 'missed'} is not said`]
}

/** Some records below each other. */
function otherLines(about: About, content: CardContent & { readonly kind: 'list' }, html: string | null) {
  const { site, world } = about
  const entity = site.app.entities.get(content.entity)!
  if (html === null || !isTold(site.app, entity.key)) return []
  site.judged.in(content.cell, 'Shows')
  return tryLines({ site, world, entity }, content, html)
}

/** A part of a page below its heading; null: it is not there. */
function sectionOf(html: string, title: string): string | null {
  const parts = html.split('<section class="sheet"').slice(1)
  return parts.find(part => plainText(/<h2[^>]*>(.*?)<\/h2>/s.exec(part)?.[1] ?? '') === title) ?? null
}

/** What each group is parted by has its own numbers up to here. */
const mostSeries = 5

interface Groups {
  readonly entity: string
  readonly by: readonly Grouping[]
  readonly measures: readonly Measure[]
  readonly records: readonly RecordValue[]
  /** Each group has one line, which leads to its records. */
  readonly hasLines?: boolean
}

/** Numbers of groups that are not in a table, and numbers in it that none of them explains; null: it cannot be told. */
function otherGroups(about: About, groups: Groups, html: string): readonly string[] | null {
  const { entity, by, measures, records, hasLines = false } = groups
  const texts = [...measures.flatMap(textsOf), ...by.map(({ value }) => value.cell.text)]
  if (!seesAll(about, entity, texts, records)) return null
  // Sums of parts stand beside the whole: of each grouping alone, of some together, and of all, which come last.
  const levels = [[], ...by.map(one => [one]), ...(by.length > 2 ? pairsOf(by) : []), ...(by.length > 1 ? [by] : [])]
  const sets = levels.map(level => [...grouped(about, level, entity, records)])
  const worth = (set: readonly RecordValue[]) => measures.map(one => measured(about, one, set, records))
  const leaves = sets.at(-1)!.map(([name, set]) => ({ name, values: worth(set) }))
  const all = sets.flatMap(level => level.flatMap(([, set]) => worth(set)))
  const rows = linesOn(html).map(([, ...cells]) => cells)
  const shown = rows.flat()
  if (leaves.length === 0 || (shown.length === 0 && !hasLines)) return null
  // Of many series the largest stand for themselves.
  if (by.length > 1 && grouped(about, by.slice(1), entity, records).size > mostSeries) return null
  const missing = leaves.flatMap(({ name, values }) =>
    values.flatMap(value =>
      value === null || value === 0 || shown.some(text => isNumber(text, value))
        ? []
        : [`${name.replace('\n', ', ')} is ${value}, which is not shown`],
    ),
  )
  const unlike = hasLines ? otherGroupLines(leaves, html) : []
  const misnamed = by.length > 1 ? [] : otherNames(about, entity, by[0]!, sets[1] ?? [], html)
  const strange = shown.filter(
    text => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text) && numberIn(text) !== 0 && !all.some(value => isNumber(text, value)),
  )
  return [...missing, ...unlike, ...misnamed, ...strange.map(text => `it shows ${text}, which no group is`)].slice(0, 3)
}

interface Leaf {
  readonly name: string
  readonly values: readonly (number | null)[]
}

/** Groups without a line of their own: the number of one may stand in the sum, or beside another. */
function otherGroupLines(leaves: readonly Leaf[], html: string): readonly string[] {
  const lines = [...html.matchAll(/<tr>.*?<\/tr>/gs)].flatMap(([row]) => (row.includes('#behind"') ? linesOn(row) : []))
  const says = (line: readonly string[], values: Leaf['values']) =>
    values.every(value => value === null || line.some(text => isNumber(text, value)))
  const missing = [...Map.groupBy(leaves, ({ values }) => values.join())].flatMap(([figures, alike]) => {
    const there = lines.filter(line => says(line, alike[0]!.values)).length
    return there < alike.length ? [`${there} of its groups come to ${figures}, and not ${alike.length}`] : []
  })
  return lines.length === leaves.length
    ? missing
    : [`it has ${lines.length} groups, and not ${leaves.length}`, ...missing]
}

const pairsOf = (by: readonly Grouping[]) => by.flatMap((one, at) => by.slice(at + 1).map(other => [one, other]))

/** Groups whose figure does not stand beside what they are called, where that is plain. */
function otherNames(
  about: About,
  entity: string,
  by: Grouping,
  groups: readonly (readonly [string, readonly RecordValue[]])[],
  html: string,
) {
  const heads = linesOn(html).map(([head = '']) => head)
  return groups.flatMap(([, [first]]) => {
    const name = first === undefined ? undefined : nameIn(about, by, entity, first)
    return name === undefined || heads.some(head => head.includes(name)) ? [] : [`there is no line ${name}`]
  })
}

/** What a group is called; undefined: it cannot be told. */
function nameIn({ site, world }: About, { unit, value }: Grouping, entity: string, record: RecordValue) {
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

/** What a report asks its readers; groups that those of a pivot may put into its rows. */
interface Part {
  readonly parameters?: readonly Parameter[]
  readonly shelves?: Readonly<Record<'rows' | 'across' | 'offered', readonly Grouping[]>>
}

/** A report, or a pivot, as it opens, and with each of the groups that it offers. */
async function otherTable(about: About, path: string, html: string): Promise<readonly string[]> {
  const { screen, site } = about
  const { parameters = [], shelves }: Part = screen.part
  const asked = new Map(
    parameters.flatMap(({ key, default: given }) => (given === null ? [] : [[key, given.cell.text] as const])),
  )
  const entity = specified(screen.shows)?.entity ?? null
  if (entity === null || !isTold(site.app, entity) || asked.size < parameters.length) return []
  const { where, groups, measures: written } = usesOf(screen)
  const measures = written.length === 0 ? [counted(entity, screen.name)] : written.flatMap(one => specified(one) ?? [])
  const looks = [{ by: shelves === undefined ? groups : [...shelves.rows, ...shelves.across], html }]
  for (const one of shelves?.offered ?? []) {
    const query = new URLSearchParams({ rows: one.cell.text.replaceAll('`', '').trim(), across: '' })
    const page = await openPage(site, about.player, `${path}?${query}`)
    if (page.kind === 'shown') looks.push({ by: [one], html: page.html })
  }
  const counting = { ...about, asked }
  return looks.flatMap(({ by, html: page }) =>
    told(() => {
      const records = countedIn(counting, entity, [where])
      const hasLines = 'parameters' in screen.part && by.length > 0
      const wrong = otherGroups(counting, { entity, by, measures, records, hasLines }, page)
      if (wrong === null) return []
      site.judged.in(screen.name, 'Shows')
      site.judged.add(where?.cell, ...by.map(({ cell }) => cell), ...parameters.map(({ cell }) => cell))
      site.judged.add(...measures.flatMap(({ cell, figure }) => [cell, figure.cell]))
      const { workingTime } = site.app
      if (workingTime !== null && measures.flatMap(textsOf).some(text => /\bworking_hours\(/.test(text)))
        site.judged.in(workingTime.cell, 'Days', 'Hours')
      return wrong
    }),
  )
}

/** The number that a text says; NaN: none. Groups of three digits are thousands. */
function numberIn(text: string): number {
  const digits = /-?\d[\d.,’'\s\u202f]*/.exec(text.replace(/−/g, '-'))?.[0].trim() ?? ''
  const [, whole = digits, part = ''] = /^(.*)[.,](\d{1,2}|\d{4,})$/.exec(digits) ?? []
  const number = whole.replace(/[^\d-]/g, '')
  return number === '' ? Number.NaN : Number(`${number}.${part === '' ? '0' : part}`)
}

/** Whether a text says a number, as exactly as it says one; null: nothing. */
function isNumber(text: string, value: number | null): boolean {
  const is = numberIn(text)
  if (value === null) return Number.isNaN(is)
  const places = /[.,](\d{1,2}|\d{4,})[^\d]*$/.exec(text)?.[1]?.length ?? 0
  return Math.abs(is - value) <= 0.5 * 10 ** -places + 1e-9
}
