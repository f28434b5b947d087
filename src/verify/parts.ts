/** What else heading 2 says of a screen: where it is home, its words when it is empty, the fields on its cards, and what waits in an inbox. */
import type { Cell } from '../document/source.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { isArchived } from '../run/access/archived.ts'
import type { Player, Site } from './client.ts'
import { pieces } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import { nextPage, openPage, plainText } from './page.ts'
import { addressesOf, addressesOn } from './shown.ts'
import { isTold } from './trial.ts'
import { visitor, type World } from './world.ts'

/** What is not as the document says; empty: nothing. */
export async function tryParts(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const world = await site.observatory.world(player)
  const about = { site, screen, player, world, html, text: plainText(html) }
  return [...(await otherHome(about)), ...otherWords(about), ...otherCards(about), ...(await otherWaiting(about))]
}

interface About {
  readonly site: Site
  readonly screen: Screen
  readonly player: Player
  readonly world: World
  readonly html: string
  /** All words on the page. */
  readonly text: string
}

/** What stands behind a bold key below the heading of a screen. */
function saidOf({ site, screen }: About, key: string): Cell | null {
  const [subject] = site.app.document.sections.flatMap(({ number, subjects }) =>
    number === 2 ? subjects.filter(({ title }) => title.text === screen.name.text) : [],
  )
  return subject?.properties.find(one => one.key.text.toLowerCase() === key)?.value ?? null
}

/** Whoever has the role comes here first. */
async function otherHome(about: About): Promise<readonly string[]> {
  const { site, screen, player, world } = about
  const route = specified(screen.route)
  const said = saidOf(about, 'home for')
  if (said === null || route === null || player === visitor) return []
  if (!pieces(said.text, ',').some(role => world.actor.roles.includes(role))) return []
  const others = site.app.screens.filter(
    one => one !== screen && one.homeFor?.roles.some(role => world.actor.roles.includes(role)),
  )
  if (others.length > 0) return []
  site.judged.add(said)
  const home = await openPage(site, player, '/')
  const heading = home.kind === 'shown' ? home.heading : home.why
  return heading.includes(screen.name.text.replace(/\s+/g, ' ')) ? [] : [`the home of ${player.name} is ${heading}`]
}

/** Its words for being empty stand there where this person sees no record, and only there. */
function otherWords(about: About): readonly string[] {
  const { site, screen, world, text } = about
  const said = saidOf(about, 'empty text')
  const entity = specified(screen.shows)?.entity ?? null
  if (said === null || entity === null || !isTold(site.app, entity)) return []
  const isThere = text.includes(said.text)
  const isSeen = world.records(entity).some(record => !isArchived(record) && oracle.sees({ world, entity, record }))
  if (isThere || !isSeen) site.judged.add(said)
  return isThere || isSeen ? [] : [`it does not say '${said.text}', and has nothing to show`]
}

/** Texts of the fields on cards. */
function otherCards(about: About): readonly string[] {
  const { site, screen, world, html, text } = about
  const said = saidOf(about, 'card')
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  if (said === null || entity === undefined || !isTold(site.app, entity.key)) return []
  const ids = [...html.matchAll(/data-record="([^"]+)"/g)].map(([, id]) => id!)
  const shown = ids.map(id => world.record(entity.key, id)).filter(record => record !== undefined)
  return shown.flatMap(record =>
    pieces(said.text, ',').flatMap(key => {
      const field = entity.fields.find(one => one.key === key)
      const value = record[key]
      if (field?.type.kind !== 'text' || typeof value !== 'string') return []
      const one = { app: site.app, world, entity: entity.key, record }
      const sees = oracle.seesField(one, field)
      site.judged.add(said)
      return text.includes(value.replace(/\s+/g, ' ').trim()) === sees
        ? []
        : [`${key} is ${sees ? 'not ' : ''}on the card of ${value}`]
    }),
  )
}

/** An inbox has each record of which this person may take one of its steps, and no other. */
async function otherWaiting(about: About): Promise<readonly string[]> {
  const { site, screen, player, world, html } = about
  const awaited = kindOf(screen)?.awaits?.(screen, site.app) ?? []
  if (awaited.length === 0 || nextPage(html) !== undefined) return []
  const there = new Set(addressesOn(html).map(plainText))
  const wrong: string[] = []
  for (const [entity, steps] of Map.groupBy(awaited, one => one.entity)) {
    if (!isTold(site.app, entity)) continue
    for (const record of world.records(entity)) {
      const one = { app: site.app, world, entity, record }
      const takes = steps.map(({ step }) => oracle.takes(one, step))
      const addresses = await addressesOf(site, site.app.entities.get(entity)!, String(record.id))
      if (addresses.length === 0 || (takes.includes(null) && !takes.includes(true))) continue
      const waits = takes.includes(true) && !isArchived(record) && oracle.sees(one)
      site.judged.add(saidOf(about, 'steps'))
      site.judged.in(screen.name, 'Shows')
      if (addresses.some(address => there.has(address)) && !waits)
        wrong.push(`${addresses[0]} waits for ${player.name}, against the document`)
    }
  }
  return wrong
}
