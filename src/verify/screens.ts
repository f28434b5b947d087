/**
 * Every screen of heading 2, opened as each kind of person there is and as a visitor: it is shown to whom the document lets, to nobody
 * else, whole, and without an error in the log. Where an address names a record, once for each state that there is a record in.
 */

import type { RecordValue } from '../expression/type.ts'
import type { Route, Screen } from '../headings/2-screens/model.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { isArchived } from '../run/access/archived.ts'
import { fieldIn, routeHref } from '../web/routes.ts'
import { isFor, opensRecord, opensScreen } from './audience.ts'
import { inParallel, type Player, type Site } from './client.ts'
import { tryDays } from './days.ts'
import { tryBeside } from './doors.ts'
import { tryFacts } from './facts.ts'
import { tryFigures } from './figures.ts'
import { tryRecords } from './lists.ts'
import { seesField } from './oracle/rights.ts'
import { isIn, openPage, type Page, plainText } from './page.ts'
import { otherPaper, otherSheets } from './paper.ts'
import { tryParts } from './parts.ts'
import { referring } from './referring.ts'
import { otherTies } from './ties.ts'
import type { Case } from './trial.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

/** Records of one kind that one person opens on one screen. */
const recordsOfEach = 12
const toldOfEach = 3

/** One page: of a record, or of the screen itself. */
interface Opening {
  readonly path: string
  /** In words: `Loan LN-1 in Out`; empty: the screen itself. */
  readonly what: string
  /** Of its record; null: there is none, or it has none. */
  readonly state: string | null
  /** Null: the document does not tell. */
  readonly expected: () => Promise<boolean | null>
}

/** Somebody for each set of roles. */
export async function kindsOfPeople(site: Site): Promise<readonly Player[]> {
  const kinds = new Map<string, Player>()
  for (const player of site.players) {
    const { actor } = await site.observatory.world(player)
    const roles = [...actor.roles].sort().join(', ')
    if (!kinds.has(roles)) kinds.set(roles, player)
  }
  return [...kinds.values(), visitor]
}

/** Opens every screen as every role. */
export async function tryScreens(
  site: Site,
  tell: (line: Line) => void,
  screens: readonly Screen[] = site.app.screens,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  const people = await kindsOfPeople(site)
  for (const [index, screen] of screens.entries()) {
    site.at?.(`${index + 1} of ${screens.length} screens: ${screen.name.text}`)
    const ofPeople = await inParallel(people, player => tryScreen(site, screen, player))
    const tried = [...ofPeople, ...(await tryStates(site, screen, people)), ...(await tryTies(site, screen, people))]
    const troubles = site.troubles()
    for (const line of troubles.length === 0 ? tried : blamed(tried, troubles)) {
      lines.push(line)
      tell(line)
    }
  }
  return lines
}

/** What the log says stands with whose page failed; where none did, with all that were opened meanwhile. */
function blamed(lines: readonly Line[], troubles: readonly string[]): readonly Line[] {
  const guilty = lines.some(({ passed }) => !passed) ? lines.filter(({ passed }) => !passed) : lines
  const log = troubles.map(text => `the log says: ${text}`).join('\n       ')
  return lines.map(line =>
    guilty.includes(line)
      ? { ...line, passed: false, untried: false, detail: line.detail === null ? log : `${line.detail}\n       ${log}` }
      : line,
  )
}

async function tryScreen(site: Site, screen: Screen, player: Player): Promise<Line> {
  const who = player === visitor ? visitor.name : player.roles.join(', ') || player.name
  const title = `${screen.name.text} as ${who}`
  const openings = await openingsOf(site, screen, player)
  if (typeof openings === 'string')
    return { cell: screen.name, title: `${title}: not opened`, passed: true, untried: true, detail: openings }
  const wrong: string[] = []
  site.judged.in(screen.name, 'For')
  if (openings.length > 0) site.judged.in(specified(screen.route)!.cell, 'Route', 'Screen', 'For')
  let shown = 0
  let last: Page['kind'] = 'failed'
  for (const opening of openings) {
    const found = await judged(site, screen, player, opening)
    last = found.page.kind
    if (found.wrong !== null) wrong.push(found.wrong)
    if (found.page.kind !== 'shown') continue
    shown++
    wrong.push(...(await otherContents(site, screen, player, opening, found.page.html)))
  }
  if (player !== visitor) wrong.push(...(await otherSheets(site, screen, player)))
  const ofRecords = openings.filter(({ what }) => what !== '').length
  const records = `${ofRecords} ${ofRecords === 1 ? 'record' : 'records'}, ${shown} shown`
  return {
    cell: screen.name,
    title: `${title}: ${ofRecords === 0 ? last : records}`,
    passed: wrong.length === 0,
    detail: wrong.length === 0 ? null : told(wrong),
  }
}

/** What stands on a page that was opened, and what leads on from there. */
async function otherContents(
  site: Site,
  screen: Screen,
  player: Player,
  { state, path }: Opening,
  html: string,
): Promise<readonly string[]> {
  const wrong = [
    ...(state === null ? [] : otherEnd(site, screen, state, html)),
    ...(await tryFigures(site, screen, player, html)),
    ...(await tryParts(site, screen, player, html)),
    ...(await tryFacts(site, screen, player, html, path)),
    ...(await otherPaper(site, screen, player, html, path)),
    ...(await tryRecords(site, screen, player, html)),
  ]
  if (player === visitor) return wrong
  return [...wrong, ...(await tryBeside(site, screen, player, html)), ...(await tryDays(site, screen, player))]
}

/** The head of a record's page shows its state, and an end as one: reached, or come to nothing. */
function otherEnd({ app, judged }: Site, screen: Screen, state: string, html: string): readonly string[] {
  const entity = specified(screen.shows)?.entity ?? ''
  const is = app.workflows.get(entity)?.states.find(({ name }) => name === state)
  const shown = /<span class="st st-(\w+) pill">(.*?)<\/span>/s.exec(html)
  if (is === undefined || shown === null) return []
  const [, looks, inner] = shown
  judged.in(is.cell, 'Kind')
  const wrong = plainText(inner!) === state ? [] : [`in ${state} it says that it is in ${plainText(inner!)}`]
  const isEnd = inner!.includes('class="rd"')
  if (isEnd !== (is.kind === 'end')) wrong.push(`in ${state} it is ${isEnd ? '' : 'not '}shown as ended`)
  else if (isEnd && is.outcome !== undefined && looks !== is.outcome) wrong.push(`${state} is shown as a ${looks} end`)
  return wrong
}

interface Judged {
  readonly page: Page
  readonly wrong: string | null
}

async function judged(site: Site, screen: Screen, player: Player, { path, what, expected }: Opening): Promise<Judged> {
  const page = await openPage(site, player, path)
  const says = what === '' ? '' : `${what}: `
  if (page.kind === 'failed') return { page, wrong: `${says}${path} fails: ${page.why}` }
  const wanted = await expected()
  // A page of a record, and a form, is for whoever may see, make or change such a record.
  if (wanted !== null && (what !== '' || kindOf(screen)?.entry !== undefined)) site.judged.in(screen.name, 'Shows')
  if (wanted !== null && wanted !== (page.kind === 'shown'))
    return {
      page,
      wrong: `${says}the application ${page.kind === 'shown' ? 'shows it' : `says ${page.why}`}, the document ${wanted ? 'shows' : 'refuses'} it`,
    }
  // The page of a record is named by the record, and the pages of a wizard by what they ask.
  const isNamed = what === '' && kindOf(screen)?.entry !== 'steps'
  if (page.kind === 'shown' && isNamed && !page.heading.includes(screen.name.text.replace(/\s+/g, ' ')))
    return { page, wrong: `the heading of ${path} is '${page.heading}'` }
  if (page.kind === 'shown' && !isIn(site.app.language, page.html))
    return { page, wrong: `${says}${path} is not in ${site.app.language}` }
  return { page, wrong: null }
}

/** What there is to open; a text: why there is nothing. */
async function openingsOf(site: Site, screen: Screen, player: Player): Promise<readonly Opening[] | string> {
  const route = specified(screen.route)
  if (route === null) return 'its address is not specified'
  const field = fieldIn(route)
  const { observatory, app } = site
  const world = await observatory.world(player)
  if (field === null)
    return [{ path: route.pattern, what: '', state: null, expected: async () => opensScreen({ app, world }, screen) }]
  // What it shows is left open: it is for nobody else all the same.
  if (isUnspecified(screen.shows))
    return [
      {
        path: routeHref(route, '1'),
        what: 'whatever it shows',
        state: null,
        expected: async () => (isFor(screen, world.actor) ? null : false),
      },
    ]
  if (screen.shows.entity === null) return 'it names no record'
  const entity = app.entities.get(screen.shows.entity)!
  const there = world.records(entity.key).filter(record => record[field] != null && !isArchived(record))
  const isSeen = (record: RecordValue) =>
    opensRecord({ app, world, entity: entity.key, record }, screen, field) !== false
  const seen = there.filter(isSeen)
  const ofEachState = [...Map.groupBy(seen, ({ state }) => state).values()].map(([first]) => first!)
  const looked = seen.slice(-recordsOfEach).map((record): Case => ({ app, world, entity: entity.key, record }))
  const [eldest, secretive] = [await eldestOf(site, entity, seen), await secretiveOf(site, entity, looked)]
  const telling = [eldest, secretive, mostReferred(looked)].filter(one => one !== null)
  const shown = new Set([...ofEachState.slice(0, recordsOfEach), ...telling])
  const records = [...shown, ...there.filter(record => !isSeen(record)).slice(0, 1)]
  const openings = records.map(record => openingOf(site, screen, player, { route, field, entity }, record))
  if (openings.length > 0) return openings
  if (!isFor(screen, world.actor))
    return [{ path: routeHref(route, '1'), what: '', state: null, expected: async () => false }]
  return `there is no ${entity.name} to open it with: add sample data, or a scenario that makes one`
}

/** The one that went through most states: it has a past to tell. Null: none went anywhere. */
async function eldestOf({ observatory }: Site, { key }: Entity, records: readonly RecordValue[]) {
  let eldest: { readonly record: RecordValue; readonly moves: number } | null = null
  for (const record of records.slice(-recordsOfEach)) {
    const told = await observatory.history(key, String(record.id))
    const moves = told.filter(({ from, to }) => from !== null && from !== to).length
    if (moves > (eldest?.moves ?? 0)) eldest = { record, moves }
  }
  return eldest?.record ?? null
}

/** One of whose past something is closed to its reader. Null: there is none. */
async function secretiveOf({ observatory }: Site, { key, fields }: Entity, records: readonly Case[]) {
  for (const one of records) {
    const closed = fields.filter(field => !seesField(one, field))
    if (closed.length === 0) continue
    const told = await observatory.history(key, String(one.record.id))
    if (told.some(({ changes }) => closed.some(field => Array.isArray(changes[field.key])))) return one.record
  }
  return null
}

/** The one below which most lists stand. Null: there are no two of them below any. */
function mostReferred(records: readonly Case[]): RecordValue | null {
  const lists = records.map(one => ({ record: one.record, count: referring(one, null)?.length ?? 0 }))
  const [most] = lists.filter(({ count }) => count > 1).sort((left, right) => right.count - left.count)
  return most?.record ?? null
}

/** States that no record was in: one is put there past all steps, for everybody to open it. */
async function tryStates(site: Site, screen: Screen, people: readonly Player[]): Promise<readonly Line[]> {
  const { app, observatory } = site
  const route = specified(screen.route)
  const field = route === null ? null : fieldIn(route)
  const entity = app.entities.get(specified(screen.shows)?.entity ?? '')
  if (route === null || field === null || entity === undefined) return []
  const records = (await observatory.world(visitor)).records(entity.key).filter(record => !isArchived(record))
  const there = new Set(records.map(({ state }) => state))
  const lines: Line[] = []
  for (const { name } of app.workflows.get(entity.key)?.states ?? []) {
    if (there.has(name) || records.length === 0) continue
    const put = await firstPut(site, entity, records, name)
    const title = `${screen.name.text} in ${name}`
    if (put === null) {
      const detail = 'no record could be brought to that state'
      lines.push({ cell: screen.name, title: `${title}: not opened`, passed: true, untried: true, detail })
      continue
    }
    const found = await inParallel(people, async player => {
      const opening = openingOf(site, screen, player, { route, field, entity }, { ...put, state: name })
      const { page, wrong } = await judged(site, screen, player, opening)
      const drawn = page.kind === 'shown' ? otherEnd(site, screen, name, page.html) : []
      const all = [...(wrong === null ? [] : [wrong]), ...drawn]
      return { shown: page.kind === 'shown', wrong: all.map(text => `${player.name}: ${text}`) }
    })
    await observatory.put(entity.key, String(put.id), String(put.state))
    const wrong = found.flatMap(one => one.wrong)
    const shown = found.filter(one => one.shown).length
    lines.push({
      cell: screen.name,
      title: `${title}: ${people.length} people, ${shown} shown`,
      passed: wrong.length === 0,
      detail: wrong.length === 0 ? null : told(wrong),
    })
  }
  return lines
}

/** Records that the first sort key of a list does not tell apart. */
async function tryTies(site: Site, screen: Screen, people: readonly Player[]): Promise<readonly Line[]> {
  const wrong = await otherTies(site, screen, people)
  const title = `${screen.name.text}: its order by further keys`
  return wrong.length === 0 ? [] : [{ cell: screen.name, title, passed: false, detail: told(wrong) }]
}

/** The first of these that the database lets be in this state. */
async function firstPut(
  { observatory }: Site,
  { key }: Entity,
  records: readonly RecordValue[],
  state: string,
): Promise<RecordValue | null> {
  for (const record of records.slice(0, recordsOfEach))
    if (await observatory.put(key, String(record.id), state)) return record
  return null
}

const told = (wrong: readonly string[]): string =>
  [...wrong.slice(0, toldOfEach), ...(wrong.length > toldOfEach ? [`and ${wrong.length - toldOfEach} more`] : [])].join(
    '\n       ',
  )

interface Shown {
  readonly route: Route
  /** By which the address names a record. */
  readonly field: string
  readonly entity: Entity
}

const openingOf = (
  site: Site,
  screen: Screen,
  player: Player,
  { route, field, entity }: Shown,
  record: RecordValue,
): Opening => ({
  path: routeHref(route, String(record[field])),
  what: `${entity.name} ${String(record[field])}${record.state == null ? '' : ` in ${String(record.state)}`}`,
  state: (record.state ?? null) as string | null,
  expected: () => opensNow(site, screen, player, entity, String(record.id), field),
})

/** Asked of the record as it is now; null as well where it went meanwhile. */
async function opensNow(
  { app, observatory }: Site,
  screen: Screen,
  player: Player,
  { key }: Entity,
  id: string,
  field: string,
): Promise<boolean | null> {
  const world = await observatory.world(player)
  const record = world.record(key, id)
  return record === undefined ? null : opensRecord({ app, world, entity: key, record }, screen, field)
}
