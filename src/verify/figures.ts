/** Large figures on a page: how many records this person sees for which their condition holds. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { isArchived } from '../run/access/archived.ts'
import type { Player, Site } from './client.ts'
import { worth } from './judge.ts'
import { sees } from './oracle/rights.ts'
import { linesOn } from './shown.ts'
import { isTold } from './trial.ts'

/** What is not as the document says; empty: nothing. */
export async function tryFigures(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const { app, observatory } = site
  const world = await observatory.world(player)
  const shown = new Map(linesOn(html).flatMap(([title, text]) => (text === undefined ? [] : [[title!, text]])))
  return usesOf(screen).cards.flatMap(({ name, shows }) => {
    const content = specified(shows)
    // What has a day counts in the period of its page.
    const isWhole = content?.kind === 'number' && content.measures[0].whole === null && content.date === null
    const figure = isWhole ? content.measures[0].figure : null
    const text = shown.get(name.text)
    if (figure?.kind !== 'count' || text === undefined || !isTold(app, figure.entity)) return []
    const { entity, where } = figure
    const seen = world.records(entity).filter(record => !isArchived(record) && sees({ world, entity, record }))
    const held = seen.map(record => (where === null ? true : worth(where, world.environment(entity, record))))
    if (held.includes(NOT_LOADED)) return []
    site.judged.add(figure.cell)
    site.judged.in(screen.name, 'Shows')
    const count = held.filter(one => one === true).length
    return Number(text.replace(/\D/g, '')) === count ? [] : [`${name.text} is ${text}, and not ${count}`]
  })
}
