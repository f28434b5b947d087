/** States that records cannot leave any more, or never come to any more: where nobody may take the steps that did it before. */

import { openWays } from '../../headings/4-states/takers.ts'
import { reachedFrom, startsOf } from '../../headings/4-states/ways.ts'
import { heldRoles } from '../../headings/6-permissions/held.ts'
import type { App } from '../../headings/app.ts'
import type { Renames } from './meaning.ts'
import type { Difference } from './thing.ts'

/** States that records can no longer leave or reach. */
export function stuckDifferences(before: App, after: App, renames: Renames): readonly Difference[] {
  return [...before.workflows].flatMap(([oldKey, { states }]) => {
    const key = renames.entity(oldKey)
    const workflow = after.workflows.get(key)
    const [was, is] = [lifeOf(before, oldKey), lifeOf(after, key)]
    if (workflow === undefined || was === null || is === null) return []
    const name = after.entities.get(key)!.name
    const both = states.flatMap(old => {
      const now = workflow.states.find(state => state.name === renames.state(oldKey, old.name))
      return now === undefined || (now.kind === 'end') !== (old.kind === 'end') ? [] : [{ old, now }]
    })
    const missed = both.filter(({ old, now }) => was.reached.has(old.name) && !is.reached.has(now.name))
    const stuck = both.filter(({ old, now }) => was.left.has(old.name) && !is.left.has(now.name))
    const places = (all: typeof both) => ({ section: 4, before: all[0]!.old.cell, after: all[0]!.now.cell })
    const names = (all: typeof both) => all.map(({ now }) => now.name).join(', ')
    return [
      ...(stuck.length === 0
        ? []
        : [
            {
              ...places(stuck),
              text: `${name} in ${names(stuck)} can go no further: nothing leads out of it any more`,
            },
          ]),
      ...(missed.length === 0 ? [] : [{ ...places(missed), text: `no ${name} reaches ${names(missed)} any more` }]),
    ]
  })
}

/** The states that records come to, and those that they can leave again; null where the document leaves that open. */
function lifeOf(app: App, entity: string) {
  const workflow = app.workflows.get(entity)
  if (workflow === undefined || app.access.get(entity)!.rows.length === 0) return null
  const ways = openWays(app, workflow, heldRoles(app.roles))
  if (ways === null) return null
  const left = ways.flatMap(({ from, to }) => from.filter(state => state !== to))
  return { reached: reachedFrom(startsOf(workflow), ways), left: new Set(left) }
}
