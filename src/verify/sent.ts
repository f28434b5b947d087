/** A row of a scenario in which another application sends a message. */
import type { ScenarioWhat } from '../headings/app.ts'
import { fits, toldBy } from './client.ts'
import { onceMore, send } from './messages.ts'
import { messagesIn } from './oracle/messages.ts'
import { known, type Stage } from './stage.ts'

type Sent = Extract<ScenarioWhat, { readonly kind: 'sent' }>

/** It is sent as whoever knows the key would. Null when it went as the row says. */
export async function sendMessage({ site, records }: Stage, what: Sent, wanted: string): Promise<string | null> {
  const told = messagesIn(site.app.document).find(({ key }) => key === what.message)!
  const entity = site.app.entities.get(told.entity)!
  const world = await site.observatory.world(site.players[0]!)
  const values: Record<string, unknown> = {}
  let once: string | null = null
  for (const one of what.body) {
    const taken = told.takes.find(({ name }) => name === one.name)
    const value = 'record' in one ? world.record(entity.key, known(records, one.record).id)?.[told.foundBy!] : one.value
    if (taken === undefined) once = String(value)
    else values[taken.field] = value
  }
  const reply = await send(
    { trial: { site, entity, tallies: new Map(), done: () => undefined }, told, wrong: [] },
    { values, once: once ?? onceMore() },
    site.partner.secret,
    false,
  )
  if (!fits(reply, wanted)) return `the application says ${toldBy(reply)}`
  site.judged.in(told.cell, 'About', 'Found by', 'Then')
  return null
}
