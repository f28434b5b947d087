/**
 * `ninefold verify`: the document's own examples and scenarios, tried on the running application over HTTP, as the people they name;
 * what heading 4 and heading 6 say of everybody, in every state; and every screen, as everybody.
 */
import type { Cell } from '../document/source.ts'
import { isArchived } from '../run/access/archived.ts'
import { tryBeginning } from './beginning.ts'
import { tryCalls } from './calls.ts'
import type { Site } from './client.ts'
import { tryConstants } from './constants.ts'
import { tryExample } from './examples.ts'
import { tryKept } from './kept.ts'
import { tryLanguages } from './languages.ts'
import { tryMatrix } from './matrix.ts'
import { headingOf, type Only, wants } from './only.ts'
import { toldLines } from './refused.ts'
import { playScenario } from './scenarios.ts'
import { tryScreens } from './screens.ts'
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

/**
 * Written rows in the document's order, each told as soon as it was tried; then the matrix, cell by cell, the screens, which then
 * have records of every kind to show, and the constants. What is kept of all these records and what the log of the application told meanwhile come last.
 */
export async function verify(
  site: Site,
  say: (line: Line) => void,
  what: What = 'all',
  only: Only | null = null,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  const isWanted = ({ cell }: Line) =>
    only === null || !('heading' in only) || headingOf(site.app, cell) === only.heading
  const tell = (line: Line) => {
    if (isWanted(line)) say(line)
  }
  const add = (line: Line) => {
    lines.push(line)
    tell(line)
  }
  if (wants(only, [3])) for (const line of await tryBeginning(site)) add(line)
  for (const rule of site.app.rules)
    if (wants(only, [5], rule.entity)) for (const example of rule.examples) add(await tryExample(site, rule, example))
  const { scenarios } = site.app
  for (const [index, scenario] of scenarios.entries()) {
    if (!wants(only, [headingOf(site.app, scenario.title) ?? 0])) continue
    site.at?.(`${index + 1} of ${scenarios.length} scenarios: ${scenario.title.text}`)
    for (const line of await playScenario(site, scenario)) add(line)
  }
  const troubles: string[] = []
  if (what === 'all') {
    // Records of a scenario may be of another day: what is due of them would take them away.
    await site.clock.hold()
    const entity = only !== null && 'entity' in only ? only.entity : null
    if (entity !== null || wants(only, [3, 4, 5, 6, 8])) lines.push(...(await tryMatrix(site, tell, entity)))
    troubles.push(...site.troubles())
    await putAside(site)
    if (wants(only, [2])) lines.push(...(await tryScreens(site, tell)))
    if (wants(only, [1])) for (const line of await tryLanguages(site)) add(line)
    if (wants(only, [9])) lines.push(...(await tryConstants(site, tell)))
    if (wants(only, [4])) await tryTimers(site, add)
    if (wants(only, [7])) await tryCalls(site, add)
  }
  if (wants(only, [3])) for (const line of await tryKept(site)) add(line)
  for (const line of toldLines(site.app, site.told)) add(line)
  for (const detail of [...troubles, ...site.troubles()])
    add({ cell: site.app.title, title: 'an error in the log', passed: false, detail })
  return lines.filter(isWanted)
}

/** One of the records of each kind that is archived: what no screen shows unless it asks for it. */
async function putAside({ app, observatory }: Site): Promise<void> {
  for (const { key, archives } of app.entities.values()) {
    const there =
      archives === null ? [] : (await observatory.world(visitor)).records(key).filter(one => !isArchived(one))
    if (there.length > 1) await observatory.aside(key, String(there[0]!.id), true)
  }
}
