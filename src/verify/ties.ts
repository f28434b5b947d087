/** Lists with several sort keys: two records are led to where the first key does not tell them apart, and stand as the next one says. */
import type { Wire } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { fieldIn } from '../web/routes.ts'
import type { Player, Site } from './client.ts'
import { isStored } from './levers.ts'
import { letThrough, looksOf, tryLook } from './lists.ts'
import { isTold } from './trial.ts'
import { visitor } from './world.ts'

/** Pairs that are tried before it is left. */
const pairsAtMost = 6

/** What is not in order then, for the first of these who is shown such a pair; empty: nothing. */
export async function otherTies(site: Site, screen: Screen, people: readonly Player[]): Promise<readonly string[]> {
  const route = specified(screen.route)
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  if (route === null || fieldIn(route) !== null || entity === undefined || !isTold(site.app, entity.key)) return []
  if (!kindOf(screen)?.isListing) return []
  const wrong: string[] = []
  for (const look of looksOf(screen, route)) {
    const [first, second] = look.sort.map(({ field }) => entity.fields.find(({ key }) => key === field))
    if (first === undefined || second === undefined || !isStored(first) || first.unique !== null) continue
    for (const player of people) {
      if (player === visitor) continue
      const world = await site.observatory.world(player)
      const { wanted } = letThrough({ site, entity, world }, look.conditions)
      const there = [...wanted].map(id => world.record(entity.key, id)!)
      const pairs = there.flatMap((one, at) =>
        there.slice(at + 1).flatMap(other => (one[second.key] === other[second.key] ? [] : [[one, other] as const])),
      )
      let isTied = false
      for (const [one, other] of pairs.slice(0, pairsAtMost)) {
        const was = { [first.key]: (one[first.key] ?? null) as Wire }
        const same = { [first.key]: (other[first.key] ?? null) as Wire }
        if (was[first.key] === same[first.key]) isTied = true
        else if (await site.observatory.set(entity.key, String(one.id), same)) {
          wrong.push(...(await tryLook(site, screen, entity, look, player)).map(text => `${look.says}${text}`))
          await site.observatory.set(entity.key, String(one.id), was)
          isTied = true
        }
        if (isTied) break
      }
      if (isTied) break
    }
  }
  return wrong
}
