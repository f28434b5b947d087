/**
 * Figures on a page, held against what they come to over the records that somebody sees: of a dashboard whenever and in a period, of
 * charts, reports and pivots the number of each group. How a group is called is left open, where it is no choice and no state.
 */
import type { Cell } from '../document/source.ts'
import type { Expression } from '../expression/expression.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Card, CardContent, Grouping, Measure, Parameter, Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { counted } from '../kinds/screens/counted.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { fieldIn } from '../web/routes.ts'
import {
  type AskedTexts,
  type Counting,
  countedIn,
  type Days,
  grouped,
  measured,
  seesAll,
  Untold,
  weekOf,
  worthIn,
} from './amounts.ts'
import { namesUnseen } from './audience.ts'
import { otherAnswer, otherBehind } from './behind.ts'
import type { Player, Site } from './client.ts'
import { type Columns, type Grid, gridIn, isNumber, numberIn, otherGrid, type Wanted } from './grids.ts'
import { worth } from './judge.ts'
import { tryLines } from './lists.ts'
import { dayOf, wireDay } from './oracle/values.ts'
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

/** The same, but null where it cannot be told from here. */
function orNothing<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Untold) return null
    throw error
  }
}

const told = (work: () => readonly string[]): readonly string[] => orNothing(work) ?? []

/** A page of figures: of which days, and with which it compares them; null: with none. */
interface Look {
  readonly days: Days
  readonly before: Days
  readonly html: string
}

type Query = Omit<Look, 'html'> & { readonly query: string }

/** A dashboard: whenever, in a period that is over, and in one that is not. */
async function otherCards(about: About, path: string, cards: readonly Card[], html: string) {
  const dated = cards.flatMap(({ shows }) => {
    const content = specified(shows)
    return content !== null && content.kind !== 'list' && content.date !== null ? [content] : []
  })
  const looks: Look[] = []
  if (dated.length === 0) looks.push({ days: null, before: null, html })
  const own = periodOf(about)
  if (own !== null && dated.length > 0) {
    looks.push({ ...own, html })
    about.site.judged.add(own.cell)
  }
  for (const { query, ...days } of dated.length === 0 ? [] : queriesOf(about, dated)) {
    const page = await openPage(about.site, about.player, `${path}?${query}`)
    if (page.kind !== 'shown') return [`${path}?${query} is not shown: ${page.why}`]
    looks.push({ ...days, html: page.html })
  }
  const wrong: string[] = []
  for (const look of looks)
    for (const card of cards) {
      const when = look.days === null ? '' : `from ${look.days.from} to ${look.days.to}, `
      const content = specified(card.shows)
      const found =
        content?.kind === 'list'
          ? await otherLines(about, content, sectionOf(look.html, card.name.text))
          : told(() => otherCard(about, card, look))
      wrong.push(...found.map(text => `${when}${card.name.text}: ${text}`))
    }
  return wrong
}

/** Whenever; from the first day of what they count to the one in the middle; from today on and from a day in the past on, compared with days on which something lies. */
function queriesOf(
  about: About,
  dated: readonly (CardContent & { readonly kind: 'number' | 'chart' })[],
): readonly Query[] {
  const days = dated.flatMap(({ date, measures: [{ figure }] }) =>
    told(() =>
      countedIn(about, figure.entity, []).flatMap(record => {
        const value = worthIn(about, date!, figure.entity, record)
        return typeof value === 'string' ? [value.slice(0, 10)] : []
      }),
    ),
  )
  const sorted = [...days].sort()
  const { today } = about.world
  const [first, half] = [sorted[0], sorted[Math.floor(sorted.length / 2)]]
  const isOver = first !== undefined && half !== undefined && !(first <= today && today < half)
  const [from, to] = isOver ? [first, half] : [half, sorted.at(-1)]
  const gone = sorted.filter(day => dayOf(day) < dayOf(today) - 1)
  const [eldest, last, middle] = [gone[0], gone.at(-1), gone[Math.floor(gone.length / 2)]]
  return [
    { days: null, before: null, query: 'period=all' },
    ...(from === undefined || to === undefined || (from <= today && today < to)
      ? []
      : [{ days: { from, to }, before: asLong({ from, to }), query: `from=${from}&to=${to}` }]),
    ...(last === undefined ? [] : [beginningAt(today, last, today)]),
    ...(eldest === undefined || middle === undefined || eldest === middle ? [] : [beginningAt(middle, eldest, today)]),
  ]
}

/** From a day on as long as from an earlier one up to it. Of one that is not over, so much of the earlier one is compared as has gone by. */
function beginningAt(day: string, earlier: string, today: string): Query {
  const [first, before, now] = [day, earlier, today].map(dayOf) as [number, number, number]
  const end = first + (first - before) - 1
  const isRunning = first <= now && now < end
  const gone = isRunning ? now - first : end - first
  return {
    days: { from: day, to: wireDay(first + gone) },
    before: { from: earlier, to: wireDay(before + gone) },
    query: `from=${day}&to=${wireDay(end)}`,
  }
}

/** As many days right before these. */
function asLong({ from, to }: NonNullable<Days>): NonNullable<Days> {
  const [first, last] = [dayOf(from), dayOf(to)]
  return { from: wireDay(first - (last - first + 1)), to: wireDay(first - 1) }
}

/** The days of the period that its reader sees first, up to today, and as many of the one before; null: it says none. */
function periodOf({ site, screen, world: { today } }: About) {
  const cell = saidOf({ site, screen }, 'period')
  const months = { year: 12, quarter: 3, month: 1, week: 0 }[cell?.text ?? '']
  if (cell === null || months === undefined) return null
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1]
  const begins = (back: number) =>
    months === 0
      ? weekOf(site.app, dayOf(today)) - 7 * back
      : Date.UTC(year, month - (month % months) - back * months, 1) / 86_400_000
  const [first, now] = [begins(0), dayOf(today)]
  const isOver = now + 1 === begins(-1)
  const last = isOver ? first - 1 : Math.min(first - 1, begins(1) + (now - first))
  return {
    cell,
    days: { from: wireDay(first), to: today },
    before: { from: wireDay(begins(1)), to: wireDay(last) },
  }
}

function otherCard(about: About, card: Card, { days, before, html }: Look): readonly string[] {
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
    const change = before === null ? null : beforeOf(about, content, before)
    return [...wrong, ...otherAim(about, card, is, block!), ...otherChange(about, card, is, change, block!)]
  }
  // Along the days of a period it is drawn by smaller units.
  if (days !== null && content.date?.cell.text === content.by.value.cell.text) return []
  const table = sectionOf(html, card.name.text)
  if (table === null) return []
  const { by, across, measures } = content
  const wrong = otherGroups(about, { entity, form: drawn, rows: [by], across, measures, records }, table)
  if (wrong === null) return []
  note(...measures.flatMap(({ cell, figure }) => [cell, figure.cell]), by.cell, across?.cell)
  if (days !== null) note(content.date?.cell)
  return wrong
}

type NumberContent = CardContent & { readonly kind: 'number' }

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
  const said = [...block.matchAll(/<dd class="muted">(.*?)<\/dd>/gs)].findLast(([, inner]) => /class="cmp/.test(inner!))
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

/** What it was in the days before; null: that cannot be told. */
function beforeOf(about: About, { measures: [measure], date }: NumberContent, days: NonNullable<Days>) {
  if (date === null) return null
  const { entity, where } = measure.figure
  const records = countedIn(about, entity, measure.whole === null ? [where] : [], { by: date, days })
  return seesAll(about, entity, textsOf(measure), records) ? { was: measured(about, measure, records) } : null
}

/** What it was is said, by how much it went up or down, and which of them is good. */
function otherChange(
  { site }: About,
  { shows }: Card,
  is: number | null,
  before: { readonly was: number | null } | null,
  block: string,
): readonly string[] {
  const content = specified(shows)
  if (before === null || is === null || content?.kind !== 'number') return []
  const { was } = before
  const [{ whole, figure }] = content.measures
  const isCompared = was !== null && (was !== 0 || whole !== null)
  const isHigher = is > (was ?? 0)
  const tone =
    content.better === null || is === was ? '' : ` ${isHigher === (content.better === 'higher') ? 'good' : 'bad'}`
  const [, there = '', size = '', against = ''] =
    /<dd class="muted"><span class="cmp( \w+)?">(.*?)<\/span>(.*?)<\/dd>/s.exec(block) ?? []
  const isThere = /<dd class="muted"><span class="cmp/.test(block)
  if (isCompared) site.judged.in(content.measures[0].cell, 'Better')
  if (isThere !== isCompared) return [`that it was ${was ?? 'nothing'} is ${isCompared ? 'not ' : ''}said`]
  if (!isThere) return []
  if (there !== tone) return [`it was ${was} and is ${is}: that is said to be${there || ' neither'}`]
  // Behind it stand the days.
  const [said = ''] = plainText(against).split(/,\s/)
  if (!isNumber(said, was)) return [`it was ${was}: it says '${said}'`]
  const isExact = whole === null && (figure.kind === 'count' || figure.kind === 'sum')
  const part = Math.abs(((is - was!) / was!) * 100)
  return !isExact || is === was || isNumber(plainText(size), part)
    ? []
    : [`it was ${was} and is ${is}: it says '${plainText(size)}'`]
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

/** What a table of figures has. */
interface TableForm {
  /** At most, before others stand for themselves. */
  readonly lines: number
  /** Groups beside each other, at most before others stand for themselves. */
  readonly across: number
  /** Each group of a line is named in a column of its own. */
  readonly namesEach: boolean
  /** Lines of sums and of nothing stand in it as well. */
  readonly isWhole: boolean
  /** Behind the groups beside each other stands what they come to. */
  readonly sumsAcross: boolean
}

/** The table that says what is drawn. */
const drawn: TableForm = { lines: 60, across: 5, namesEach: false, isWhole: false, sumsAcross: false }
const listed: TableForm = { lines: 1000, across: 0, namesEach: true, isWhole: true, sumsAcross: false }
const crossed: TableForm = { lines: 200, across: 24, namesEach: false, isWhole: true, sumsAcross: true }

interface Groups {
  readonly entity: string
  readonly form: TableForm
  readonly rows: readonly Grouping[]
  readonly across: Grouping | null
  readonly measures: readonly Measure[]
  readonly records: readonly RecordValue[]
}

/** Lines of groups that a table has not, and numbers in it that none of them explains; null: it cannot be told. */
function otherGroups(about: About, groups: Groups, html: string): readonly string[] | null {
  const { entity, form, rows, across, measures, records } = groups
  const by = across === null ? rows : [...rows, across]
  const texts = [...measures.flatMap(textsOf), ...by.map(({ value }) => value.cell.text)]
  if (!seesAll(about, entity, texts, records)) return null
  const grid = gridIn(html, form.namesEach ? Math.max(1, rows.length) : 1)
  const hasLines = form.namesEach && rows.length > 0
  if (records.length === 0 || (grid === null && !hasLines)) return null
  const size = (level: readonly Grouping[]) => grouped(about, level, entity, records).size
  if (size(rows) > form.lines || (across !== null && size([across]) > form.across)) return null
  const shown = grid ?? { heads: [], lines: [] }
  const columns = columnsOf(about, groups, shown)
  const unlike = otherGrid(shown, wantedOf(about, groups), columns, form.isWhole)
  // Sums of parts stand beside the whole: of each grouping alone, of some together, and of all.
  const levels = [[], ...by.map(one => [one]), ...(by.length > 2 ? pairsOf(by) : []), ...(by.length > 1 ? [by] : [])]
  const all = levels.flatMap(level =>
    [...grouped(about, level, entity, records).values()].flatMap(set =>
      measures.map(one => measured(about, one, set, records)),
    ),
  )
  const strange = shown.lines
    .flatMap(line => line.texts)
    .filter(
      text => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text) && numberIn(text) !== 0 && !all.some(value => isNumber(text, value)),
    )
  return [...unlike, ...strange.map(text => `it shows ${text}, which no group is`)].slice(0, 3)
}

const pairsOf = (by: readonly Grouping[]) => by.flatMap((one, at) => by.slice(at + 1).map(other => [one, other]))

/** Groups beside each other, in the order of their keys; of a pivot those of all come last. */
const acrossIn = (about: About, { entity, across, records }: Groups) =>
  across === null ? [] : [...grouped(about, [across], entity, records)].sort(([one], [other]) => (one < other ? -1 : 1))

function columnsOf(about: About, groups: Groups, { heads }: Grid): Columns {
  const { entity, form, across, measures } = groups
  const named = acrossIn(about, groups).map(([, [first]]) => nameIn(about, across!, entity, first!))
  const names = across === null ? [undefined] : form.sumsAcross ? [...named, heads.at(-1)] : named
  return { names, inOrder: form.sumsAcross && across !== null && across.unit !== null, measures: measures.length }
}

/** The lines of groups, of what several of them come to, and of all. */
function wantedOf(about: About, groups: Groups): readonly Wanted[] {
  const { entity, form, rows, across, measures, records } = groups
  const beside = acrossIn(about, groups).map(([, set]) => new Set(set))
  const worth = (set: readonly RecordValue[]) =>
    measures.map(one => (set.length === 0 ? null : measured(about, one, set, records)))
  const valuesOf = (set: readonly RecordValue[]) => [
    ...beside.flatMap(column => worth(set.filter(record => column.has(record)))),
    ...(across === null || form.sumsAcross ? worth(set) : []),
  ]
  const levels = form.isWhole ? [...rows.map((_, at) => rows.slice(0, at + 1)), []] : [rows]
  return levels.flatMap(level =>
    [...grouped(about, level, entity, records).values()].map((set): Wanted => {
      const kind = level.length === 0 ? 'total' : level.length < rows.length ? 'sum' : 'group'
      return { kind, names: level.map(one => nameIn(about, one, entity, set[0]!)), values: valuesOf(set) }
    }),
  )
}

/** What a group is called; undefined: it cannot be told. */
function nameIn(about: About, { unit, value }: Grouping, entity: string, record: RecordValue) {
  const { site, world } = about
  const found = worth(value, world.environment(entity, record))
  if (typeof found !== 'string' || namesUnseen({ app: site.app, world }, value.type, found)) return undefined
  if (unit === null && value.type.kind === 'choice') return found
  if (unit === null && value.type.kind === 'text') return found.replace(/\s+/g, ' ').trim()
  if (unit === null && value.type.kind === 'reference') {
    const titles = site.app.entities.get(value.type.entity)!.title
    const named = world.record(value.type.entity, found)
    const title = titles.length === 1 ? named?.[titles[0]!] : undefined
    return typeof title === 'string' && seesAll(about, value.type.entity, titles, [named!]) ? title : undefined
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
  readonly shelves?: Readonly<Record<'rows' | 'across' | 'offered', readonly Grouping[]>> & {
    readonly date: Expression | null
  }
}

/** A page of it: what stands where, and of which days. */
interface TableLook {
  readonly rows: readonly Grouping[]
  readonly across: Grouping | null
  readonly html: string
  readonly days: Days
  /** What is answered to what it asks. */
  readonly asked: AskedTexts
}

/** A report, or a pivot, as it opens, with another answer to what it asks, and with each of the groups that it offers. */
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
  const { rows = groups, across: [across = null] = [], date = null } = shelves ?? {}
  const preset = date && saidOf({ site, screen }, 'period')
  const own = preset && periodOf(about)
  const looks: TableLook[] =
    preset === null || own !== null ? [{ rows, across, html, days: own?.days ?? null, asked }] : []
  const look = async (
    by: Pick<TableLook, 'rows' | 'across'>,
    query: Readonly<Record<string, string>>,
    answers: AskedTexts = asked,
  ) => {
    const whenever = new URLSearchParams({ ...query, ...(preset !== null && { period: 'all' }) })
    const page = await openPage(site, about.player, `${path}?${whenever}`)
    if (page.kind === 'shown') looks.push({ ...by, html: page.html, days: null, asked: answers })
  }
  const answer = orNothing(() =>
    otherAnswer(about, parameters, asked, answers => countedIn({ ...about, asked: answers }, entity, [where])),
  )
  if (answer !== null) await look({ rows, across }, answer.query, answer.asked)
  if (preset !== null) await look({ rows, across }, {})
  for (const one of shelves?.offered ?? [])
    await look({ rows: [one], across: null }, { rows: one.cell.text.replaceAll('`', '').trim(), across: '' })
  const form = shelves === undefined ? listed : crossed
  const behind = shelves !== undefined ? null : orNothing(() => countedIn({ ...about, asked }, entity, [where]))
  const strange = behind === null ? [] : await otherBehind({ ...about, asked, entity, rows, records: behind, html })
  const unlike = looks.flatMap(({ html: page, days, asked: answers, ...by }) =>
    told(() => {
      const counting = { ...about, asked: answers }
      const records = countedIn(counting, entity, [where], date && { by: date, days })
      const wrong = otherGroups(counting, { entity, form, ...by, measures, records }, page)
      if (wrong === null) return []
      site.judged.in(screen.name, 'Shows')
      site.judged.add(
        where?.cell,
        ...by.rows.map(({ cell }) => cell),
        by.across?.cell,
        ...(days === null ? [] : [date?.cell, own?.cell]),
        ...parameters.map(({ cell }) => cell),
      )
      site.judged.add(...measures.flatMap(({ cell, figure }) => [cell, figure.cell]))
      const { workingTime } = site.app
      if (workingTime !== null && measures.flatMap(textsOf).some(text => /\bworking_hours\(/.test(text)))
        site.judged.in(workingTime.cell, 'Days', 'Hours')
      return wrong
    }),
  )
  return [...unlike, ...strange]
}
