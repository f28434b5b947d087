/** Records that an entity is tried with, and who may make them. */

import type { Rule } from '../headings/5-validation/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { madeOf } from './came.ts'
import { ask, isOk, type Player, type Reply, type Site, toldBy, verdictOf } from './client.ts'
import { createSome, isAsked, type Values } from './drafts.ts'
import { around } from './edges.ts'
import { worth } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { rowAs } from './rows.ts'
import { caseOf, cellOf, type Subject, type Tally, type Trial, tallyOf } from './trial.ts'
import { visitor } from './world.ts'

/** Records by different people that each entity is tried with: one's own, and another's. */
const subjectsOfEach = 2

/** What somebody sent for a record that was accepted. */
export interface Accepted {
  readonly player: Player
  readonly values: Values
}

interface Subjects {
  readonly subjects: readonly Subject[]
  /** By the first who made one; null: nobody did. */
  readonly sent: Accepted | null
}

/** Up to two records by different people; where nobody may create one, records that are there already. */
export async function subjectsOf(trial: Trial): Promise<Subjects> {
  const { site, entity } = trial
  const tally = creating(trial)
  const made: Subject[] = []
  let first: Accepted | null = null
  const kinds = new Set<string>()
  let said = ''
  const makers = await fromFewestRoles(site)
  for (const { player, roles } of makers) {
    site.at?.(`${entity.name}, made by ${player.name}`)
    const again = async () => {
      const one = await createSome(site, player, entity)
      return one !== null && isOk(one.reply) ? String(one.reply.body.id) : null
    }
    const tried = await tryMaker(trial, tally, player)
    if (tried === null) continue
    if ('told' in tried) {
      said = `; ${player.name} is told ${tried.told}`
      continue
    }
    const { id, values } = tried
    first ??= { player, values }
    await tryElsewhere(trial, { player, values })
    if (made.length < subjectsOfEach && !kinds.has(roles))
      made.push({ id, by: `${entity.name} by ${player.name}`, again })
    kinds.add(roles)
  }
  // Those who act are met as they are; who was made only now has no account.
  if (entity.key === 'person')
    return {
      subjects: site.players.slice(0, subjectsOfEach).map(({ id, name }) => ({ id, by: name, again: null })),
      sent: first,
    }
  if (made.length > 0) return { subjects: made, sent: first }
  const there = (await site.observatory.world(visitor)).records(entity.key).slice(0, subjectsOfEach)
  if (there.length === 0)
    tally.note = `There is no ${entity.name} to try the rest with${said}. Add a scenario that makes one.`
  return { subjects: there.map(({ id }) => ({ id: String(id), by: `a ${entity.name}`, again: null })), sent: null }
}

/** What came of one record that somebody sent; null: nothing was sent, or refused as the document does. */
async function tryMaker(
  trial: Trial,
  tally: Tally,
  player: Player,
): Promise<{ readonly id: string; readonly values: Values } | { readonly told: string } | null> {
  const { site, entity } = trial
  const world = await site.observatory.world(player)
  const never = oracle.neverCreates({ world, entity: entity.key })
  const sent = await createSome(site, player, entity)
  if (sent === null) return null
  const { reply, values } = sent
  const decided = oracle.decidedBy({ world, entity: entity.key }, 'Create')
  tally.tried++
  if (!isOk(reply)) {
    const isDenied = [401, 403, 404].includes(reply.status)
    if (isDenied === never) site.judged.add(...decided)
    if (never) return null
    if (isDenied && player !== visitor && (await mayCreate(trial, player, values)))
      tally.wrong.push(`${player.name}: the application says ${toldBy(reply)}, the document lets them create it`)
    for (const code of await unexplained(trial, player, values, reply))
      tally.wrong.push(`${player.name}: it is refused with ${code}, and what that rule asks holds`)
    return { told: verdictOf(reply) }
  }
  tally.through++
  site.judged.add(...decided)
  const id = String(reply.body.id)
  const known = await caseOf(trial, { id }, player)
  if (never || known === null || !oracle.mayHaveCreated(known))
    tally.wrong.push(`${player.name}: the application creates it, the document refuses it`)
  const wanted = rowAs(site, await site.observatory.world(player), entity, values)
  for (const wrong of await madeOf(trial, id, wanted, player)) tally.wrong.push(`${player.name} makes it: ${wrong}`)
  return { id, values }
}

/** Whether a role of theirs may create what these values make. */
async function mayCreate({ site, entity }: Trial, player: Player, values: Values): Promise<boolean> {
  const world = await site.observatory.world(player)
  return oracle.mayHaveCreated({ world, entity: entity.key, record: rowAs(site, world, entity, values) })
}

/** Codes of rules of this entity that a draft was refused with, though each rule of this code holds of it. */
async function unexplained({ site, entity }: Trial, player: Player, values: Values, { body }: Reply) {
  const world = await site.observatory.world(player)
  const environment = world.environment(entity.key, rowAs(site, world, entity, values))
  const codes = ((body.errors ?? []) as readonly { readonly code?: string }[]).map(({ code }) => code)
  const isKept = ({ entity: of, mustHold }: Rule) =>
    of === entity.key && !isUnspecified(mustHold) && worth(mustHold, environment) === true
  return [...new Set(codes)].filter(code => {
    const rules = site.app.rules.filter(({ error }) => error === code)
    return rules.length > 0 && rules.every(isKept) && entity.fields.every(({ refusals }) => refusals.size === 0)
  })
}

/** The same record with each field that decides whether they may create it led to where they may not. */
async function tryElsewhere(trial: Trial, { player, values }: Accepted): Promise<void> {
  const { site, entity } = trial
  const world = await site.observatory.world(player)
  const read = oracle.readBy({ world, entity: entity.key }, 'Create')
  for (const field of entity.fields) {
    if (!read.has(field.key) || !isAsked(field)) continue
    for (const value of around(world, field, values[field.key])) {
      const other = { ...values, [field.key]: value }
      if (await mayCreate(trial, player, other)) continue
      const tally = creating(trial)
      const reply = await ask(site, player, 'POST', entity.key, other)
      tally.tried++
      if (isOk(reply)) {
        tally.wrong.push(
          `${player.name}, with another ${field.key}: the application creates it, the document refuses it`,
        )
        await site.observatory.remove(entity.key, String(reply.body.id))
      }
      break
    }
  }
}

/** Those who may least come first: what is theirs and what is not differs most. */
async function fromFewestRoles(site: Site): Promise<readonly { readonly player: Player; readonly roles: string }[]> {
  const all = [...site.players, visitor].map(async player => {
    const { actor } = await site.observatory.world(player)
    return { player, count: actor.roles.length, roles: [...actor.roles].sort().join(', ') }
  })
  return (await Promise.all(all)).sort((a, b) => a.count - b.count)
}

export const creating = (trial: Trial): Tally =>
  tallyOf(
    trial,
    'create',
    cellOf({ app: trial.site.app, entity: trial.entity.key }),
    `${trial.entity.name}: who may create it`,
  )
