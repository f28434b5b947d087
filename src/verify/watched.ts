/** What came of a row of a scenario, held against the cells of what was done, as that of everything else that is tried. */
import type { Entity } from '../headings/3-entities/model.ts'
import { cameOf, type Deed, lookBefore, madeOf } from './came.ts'
import { isOk, type Player, type Reply, type Site } from './client.ts'
import type { Values } from './drafts.ts'
import { rowAs } from './rows.ts'
import { caseOf, type Trial } from './trial.ts'

/** Does something with a record, while no timer fires. What came of it otherwise than the document says goes into `wrong`. */
export async function watched(
  site: Site,
  { entity, id }: { readonly entity: Entity; readonly id: string },
  player: Player,
  deed: Deed,
  wrong: string[],
  act: () => Promise<Reply>,
): Promise<Reply> {
  if (!isWatched(player, entity)) return await act()
  const trial: Trial = { site, entity, tallies: new Map(), done: () => undefined }
  const goOn = await site.clock.pause()
  try {
    const known = await caseOf(trial, { id }, player)
    if (known === null) return await act()
    const before = await lookBefore(trial, known, player)
    const reply = await act()
    if (isOk(reply)) wrong.push(...(await cameOf(trial, deed, before)))
    return reply
  } finally {
    goOn()
  }
}

/** The same of a record that is made by it. */
export async function watchedNew(
  site: Site,
  entity: Entity,
  player: Player,
  sent: Values,
  wrong: string[],
  act: () => Promise<Reply>,
): Promise<Reply> {
  if (!isWatched(player, entity)) return await act()
  const goOn = await site.clock.pause()
  try {
    const stood = await site.observatory.world(player)
    const wanted = rowAs(site, stood, entity, sent)
    const reply = await act()
    const trial: Trial = { site, entity, tallies: new Map(), done: () => undefined }
    if (isOk(reply)) wrong.push(...(await madeOf(trial, String(reply.body.id), wanted, player, stood)))
    return reply
  } finally {
    goOn()
  }
}

/** People without an account, and rows, are looked at by other rows of the scenario. */
const isWatched = (player: Player, { partOf }: Entity): boolean => player.link === undefined && partOf === null
