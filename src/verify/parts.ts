/** What else heading 2 says of a screen: where it is home, the fields on its cards, and what waits in an inbox. */

import type { Cell } from '../document/source.ts'
import { isVaried } from '../expression/currency.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { isArchived } from '../run/access/archived.ts'
import { fieldIn } from '../web/routes.ts'
import type { Player, Site } from './client.ts'
import { isNone, pieces, stepKeyOf } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import { nextPage, openPage, plainText } from './page.ts'
import { addressesOf, addressesOn } from './shown.ts'
import { isTold } from './trial.ts'
import { visitor, type World } from './world.ts'

/** What is not as the document says; empty: nothing. */
export async function tryParts(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const world = await site.observatory.world(player)
  const about = { site, screen, player, world, html }
  return [
    ...(await otherHome(about)),
    ...otherCards(about),
    ...(await otherButtons(about)),
    ...(await otherWaiting(about)),
  ]
}

/** Beside each record the steps that its reader may take of it, of those that stand behind Buttons. */
async function otherButtons(about: About): Promise<readonly string[]> {
  const { site, screen, player, world, html } = about
  const said = saidOf(about, 'buttons')
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  const route = specified(screen.route)
  if (said === null || entity === undefined || route === null || fieldIn(route) !== null) return []
  if (!isTold(site.app, entity.key) || player === visitor) return []
  const names = isNone(said.text) ? [] : pieces(said.text, ',').map(stepKeyOf)
  const steps = new Set((site.app.workflows.get(entity.key)?.transitions ?? []).map(({ key }) => key))
  const wrong: string[] = []
  for (const [, id] of html.matchAll(/data-record="([^"]+)"/g)) {
    const record = world.record(entity.key, id!)
    const [address] = record === undefined ? [] : await addressesOf(site, entity, id!)
    if (record === undefined || address === undefined) continue
    for (const step of steps) {
      const isThere = html.includes(`"${address}/do/${step}"`)
      const takes = oracle.takes({ world, entity: entity.key, record }, step)
      if (takes === null || isThere === (takes && names.includes(step))) continue
      wrong.push(`${step} of ${address} is ${isThere ? '' : 'not '}a button there`)
    }
    site.judged.add(said)
  }
  return wrong
}

export interface About {
  readonly site: Site
  readonly screen: Screen
  readonly player: Player
  readonly world: World
  readonly html: string
}

/** What stands behind a bold key below the heading of a screen. */
export function saidOf({ site, screen }: Pick<About, 'site' | 'screen'>, key: string): Cell | null {
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

/** The fields on each card, by what is surely read of their values: texts, the names of people and records, digits. */
function otherCards(about: About): readonly string[] {
  const { site, screen, world, html } = about
  const said = saidOf(about, 'card')
  const entity = site.app.entities.get(specified(screen.shows)?.entity ?? '')
  if (said === null || entity === undefined || !isTold(site.app, entity.key)) return []
  return html.split('data-record="').flatMap((card, at) => {
    const record = at === 0 ? undefined : world.record(entity.key, card.split('"')[0]!)
    if (record === undefined) return []
    const one = { app: site.app, world, entity: entity.key, record }
    const text = plainText(card.replace(/^[^>]*>/, ''))
    return pieces(said.text, ',').flatMap(key => {
      const field = entity.fields.find(candidate => candidate.key === key)
      const isRead = field === undefined ? null : isReadIn(about, field, record[key], text)
      if (field === undefined || isRead === null || !oracle.seesField(one, field)) return []
      site.judged.add(said)
      return isRead ? [] : [`${key} is not on the card of ${entity.name} ${record.id}`]
    })
  })
}

/** Whether a value is read in a text; null: it cannot be told. */
export function isReadIn(
  { site, world }: About,
  { type }: Pick<Field, 'type'>,
  value: unknown,
  text: string,
): boolean | null {
  if (typeof value !== 'string') return null
  if (type.kind === 'text') return text.includes(value.replace(/\s+/g, ' ').trim())
  // The currency decides how many decimals it is written with.
  if (type.kind === 'money')
    return digitsIn(text).includes(digitsIn(isVaried(type) ? value.replace(/(\.\d*?)0+$/, '$1') : value))
  if (type.kind !== 'reference') return null
  const named = world.record(type.entity, value)
  const [title] = site.app.entities.get(type.entity)!.title.map(key => named?.[key])
  return typeof title === 'string' ? text.includes(title) : null
}

const digitsIn = (text: string): string => text.replace(/\D/g, '')

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
