/**
 * `ninefold verify`: the document's own examples and scenarios, tried on the running application over HTTP, as the people they name;
 * what heading 4 and heading 6 say of everybody, in every state; and every screen, as everybody.
 */
import type { Cell } from '../document/source.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { isArchived } from '../run/access/archived.ts'
import { tryBeginning } from './beginning.ts'
import { tryCalls } from './calls.ts'
import type { Site } from './client.ts'
import { tryConstants } from './constants.ts'
import { tryExample } from './examples.ts'
import { reachOf } from './judged.ts'
import { tryKept } from './kept.ts'
import { tryLanguages } from './languages.ts'
import { tryMatrix } from './matrix.ts'
import { headingOf, type Only, wants } from './only.ts'
import { tryOrders } from './orders.ts'
import { saidOf } from './parts.ts'
import { tryProduct } from './product.ts'
import { tryReceived } from './received.ts'
import { toldLines } from './refused.ts'
import { playScenario } from './scenarios.ts'
import { tryScreens } from './screens.ts'
import { tryStored } from './stored.ts'
import { trySweeps } from './sweeps.ts'
import { tryTimers } from './timers.ts'
import { visitor } from './world.ts'

/** What became of one row of the document, or of all tries that one of its cells decides. */
export interface Line {
  readonly cell: Cell
  /** The row in words. */
  readonly title: string
  readonly passed: boolean
  /** Nothing could be tried, and `detail` says why: it has not failed. */
  readonly untried?: boolean
  /** What happened instead, or why it could not be tried. */
  readonly detail: string | null
}

/** `written`: only the rows of Examples and Scenarios. */
export type What = 'all' | 'written'

/** The lines of a run as far as somebody wants them; each is told once. */
interface Report {
  /** As soon as they were tried. */
  readonly add: (lines: readonly Line[]) => void
  /** Tells a line of those that are kept as a whole. */
  readonly tell: (line: Line) => void
  readonly keep: (lines: readonly Line[]) => void
  readonly lines: () => readonly Line[]
}

function reportOf(app: App, say: (line: Line) => void, only: Only | null): Report {
  const kept: Line[] = []
  const isWanted = ({ cell }: Line) => only === null || !('heading' in only) || headingOf(app, cell) === only.heading
  const tell = (line: Line) => {
    if (isWanted(line)) say(line)
  }
  const keep = (lines: readonly Line[]) => {
    for (const line of lines) kept.push(line)
  }
  return {
    add(lines) {
      keep(lines)
      for (const line of lines) tell(line)
    },
    tell,
    keep,
    lines: () => kept.filter(isWanted),
  }
}

/**
 * Written rows in the document's order, each told as soon as it was tried; then what follows from the document. What is kept of all
 * these records and what the log of the application told meanwhile come last.
 */
export async function verify(
  site: Site,
  say: (line: Line) => void,
  what: What = 'all',
  only: Only | null = null,
): Promise<readonly Line[]> {
  const report = reportOf(site.app, say, only)
  await tryWritten(site, report, only)
  const troubles = what === 'all' ? await tryDerived(site, report, only) : []
  if (what === 'all' && wants(only, [3])) report.add(await tryStored(site))
  if (wants(only, [3])) report.add(await tryKept(site))
  if (what === 'all' && wants(only, [2])) report.add(await tryEmpty(site))
  report.add(toldLines(site.app, site.told))
  report.add(troubleLines(site.app, [...troubles, ...site.troubles()]))
  return report.lines()
}

/** The first records, and the rows of Examples and Scenarios. */
async function tryWritten(site: Site, report: Report, only: Only | null): Promise<void> {
  if (wants(only, [3])) report.add(await tryBeginning(site))
  for (const rule of site.app.rules)
    if (wants(only, [5], rule.entity))
      for (const example of rule.examples) report.add([await tryExample(site, rule, example)])
  const { scenarios } = site.app
  for (const [index, scenario] of scenarios.entries()) {
    if (!wants(only, [headingOf(site.app, scenario.title) ?? 0])) continue
    site.at?.(`${index + 1} of ${scenarios.length} scenarios: ${scenario.title.text}`)
    report.add(await playScenario(site, scenario))
  }
}

/**
 * The matrix, cell by cell, the screens, which then have records of every kind to show, words, constants, timers and calls. Gives what
 * the log told of the matrix.
 */
async function tryDerived(site: Site, report: Report, only: Only | null): Promise<readonly string[]> {
  // Records of a scenario may be of another day: what is due of them would take them away.
  await site.clock.hold()
  const entity = only !== null && 'entity' in only ? only.entity : null
  if (entity !== null || wants(only, [3, 4, 5, 6, 8])) report.keep(await tryMatrix(site, report.tell, entity))
  const troubles = site.troubles()
  await putAside(site)
  const screens = screensOf(site.app, only)
  if (screens.length > 0) report.keep(await tryScreens(site, report.tell, screens))
  if (wants(only, [1])) report.add([...(await tryLanguages(site)), ...(await tryProduct(site))])
  if (wants(only, [9])) report.keep(await tryConstants(site, report.tell))
  if (wants(only, [4])) {
    await tryTimers(site, line => report.add([line]))
    await trySweeps(site, line => report.add([line]))
  }
  if (wants(only, [7]))
    report.add([...(await tryCalls(site)), ...(await tryOrders(site)), ...(await tryReceived(site))])
  return troubles
}

/** Those that are wanted: of an entity, what shows it. */
function screensOf({ screens }: App, only: Only | null): readonly Screen[] {
  if (only !== null && 'entity' in only) return screens.filter(({ shows }) => specified(shows)?.entity === only.entity)
  return wants(only, [2]) ? screens : []
}

const troubleLines = ({ title }: App, troubles: readonly string[]): readonly Line[] =>
  troubles.map(detail => ({ cell: title, title: 'an error in the log', passed: false, detail }))

/** On the records of the files of sample data: that they are there, and the screens of which something is still to be looked at. */
export async function verifyFurnished(
  site: Site,
  say: (line: Line) => void,
  only: Only | null = null,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  const add = (line: Line) => {
    if (only !== null && 'heading' in only && headingOf(site.app, line.cell) !== only.heading) return
    // What could not be tried here was tried, or told, before.
    if (line.untried === true) return
    lines.push(line)
    say(line)
  }
  await site.clock.hold()
  if (wants(only, [3])) for (const line of await tryBeginning(site, true)) add(line)
  await tryScreens(site, add, openScreens(site, screensOf(site.app, only)))
  for (const entity of wants(only, [3, 4, 5, 6]) ? openEntities(site) : []) await tryMatrix(site, add, entity)
  if (wants(only, [3])) for (const line of await tryStored(site)) add(line)
  for (const line of troubleLines(site.app, site.troubles())) add(line)
  return lines
}

/** So many cells of an entity that nothing was held against are worth another look at it. */
const openAtLeast = 3

/** Entities of which much is still to be looked at: nobody could make one without what the files have. */
function openEntities({ app, judged }: Site): readonly string[] {
  const open = reachOf(app.document, judged).open.filter(({ heading }) => heading >= 3 && heading <= 6)
  return [...app.entities.values()].flatMap(({ key, partOf }) => {
    if (partOf !== null) return []
    const rows = [...app.entities.values()].filter(one => one.partOf === key || one.key === key)
    const names = new Set(rows.map(({ name }) => name))
    const here = open.filter(({ subject }) => subject !== null && names.has(subject.replace(/ \(.*\)$/, '')))
    return here.length >= openAtLeast ? [key] : []
  })
}

/** Lists whose words for being empty nobody has met: once nothing is left. */
async function tryEmpty(site: Site): Promise<readonly Line[]> {
  const said = site.app.screens.filter(screen => {
    const text = saidOf({ site, screen }, 'empty text')
    return text !== null && (!site.judged.has(text) || site.app.product.translations.size > 0)
  })
  if (said.length === 0) return []
  await site.observatory.clear()
  const translated = site.app.product.translations.size === 0 ? [] : await tryLanguages(site)
  return [...(await tryScreens(site, () => undefined, said)), ...translated]
}

/** Those below whose headings stands something that nothing was held against; and groups, which take many records to be told apart. */
function openScreens({ app, judged }: Site, screens: readonly Screen[]): readonly Screen[] {
  const open = reachOf(app.document, judged).open.filter(({ heading }) => heading === 2)
  return screens.filter(({ name, part }) => 'parameters' in part || open.some(({ subject }) => subject === name.text))
}

/** One of the records of each kind that is archived: what no screen shows unless it asks for it. */
async function putAside({ app, observatory }: Site): Promise<void> {
  for (const { key, archives } of app.entities.values()) {
    const there =
      archives === null ? [] : (await observatory.world(visitor)).records(key).filter(one => !isArchived(one))
    if (there.length > 1) await observatory.aside(key, String(there[0]!.id), true)
  }
}
