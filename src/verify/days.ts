/** Screens of days: what somebody may see stands there on its first day and, where it has one, on its last. */
import type { RecordValue } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { dateIn } from '../run/clock.ts'
import { fieldIn } from '../web/routes.ts'
import type { Player, Site } from './client.ts'
import { nameOf } from './kept.ts'
import { letThrough } from './lists.ts'
import { seesField } from './oracle/rights.ts'
import { addressesOf, isOn } from './shown.ts'
import { isTold } from './trial.ts'

/** The youngest records are looked for: there is room for them. */
const recordsOfEach = 3

/** What is not as the document says; empty: nothing. */
export async function tryDays(site: Site, screen: Screen, player: Player): Promise<readonly string[]> {
  const { app, observatory } = site
  const [route, shows] = [specified(screen.route), specified(screen.shows)]
  const entity = app.entities.get(shows?.entity ?? '')
  const showing = kindOf(screen)?.showing
  if (showing === undefined || route === null || shows === null || entity === undefined) return []
  if (fieldIn(route) !== null || !isTold(app, entity.key)) return []
  const world = await observatory.world(player)
  const { where } = usesOf(screen)
  const { wanted } = letThrough({ site, entity, world }, where === null ? [] : [where])
  const fields = [shows.by, shows.until, shows.lanes ?? null].flatMap(
    key => entity.fields.find(one => one.key === key) ?? [],
  )
  const daysOf = (record: RecordValue): readonly string[] => [
    ...new Set(
      fields.flatMap(({ key, type }) => {
        const value = record[key]
        if (typeof value !== 'string') return []
        // A moment at which it ends does not count any more.
        if (type.kind === 'moment') return key === shows.by ? [dateIn(new Date(value), app.product.timeZone.name)] : []
        return type.kind === 'date' ? [value] : []
      }),
    ),
  ]
  const wrong: string[] = []
  for (const id of [...wanted].slice(-recordsOfEach)) {
    const record = world.record(entity.key, id)!
    if (!fields.every(field => seesField({ world, entity: entity.key, record }, field))) continue
    const hrefs = await addressesOf(site, entity, id)
    if (hrefs.length === 0) continue
    for (const day of daysOf(record)) {
      const path = `${route.pattern}?${new URLSearchParams(showing(day))}`
      if ((await isOn(site, player, path, { id, hrefs })) === false)
        wrong.push(`${nameOf(entity, record)} is not shown on ${day}`)
    }
    site.judged.add(shows.cell)
  }
  return wrong
}
