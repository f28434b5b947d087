/**
 * Fields that are required under a condition, on a record that was made while it did not hold: a change of what it reads alone is refused
 * while the field has nothing, and so is a change that takes the field's value away.
 */
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { ask, isOk, type Player, type Reply, type Site, verdictOf } from './client.ts'
import { anyValue, CannotArrange, isAsked, type Values } from './drafts.ts'
import { distinct } from './edges.ts'
import { worth } from './judge.ts'
import { candidates } from './near.ts'
import * as oracle from './oracle/rights.ts'
import { rowAs } from './rows.ts'
import type { Accepted } from './subjects.ts'
import { caseOf, type Tally, type Trial, tallyOf } from './trial.ts'

export async function tryRequired(trial: Trial, accepted: Accepted): Promise<void> {
  const { entity } = trial
  if (entity.appendOnly !== null || entity.key === 'person') return
  for (const field of entity.fields) {
    const { required, readOnly } = field
    if (required?.when == null || !isAsked(field) || field.default !== null || readOnly !== null) continue
    if (field.type.kind === 'list' || field.onlyWhen !== null || fieldKind(field.kind).sealed === true) continue
    const turning = await turningOf(trial, accepted, field)
    if (turning !== null) await tryField(trial, accepted, field, turning)
  }
}

/** Two values of a field that the condition reads. */
interface Turning {
  readonly by: Field
  readonly free: unknown
  readonly bound: unknown
}

async function turningOf(
  { site, entity }: Trial,
  { player, values }: Accepted,
  { key, required }: Field,
): Promise<Turning | null> {
  const world = await site.observatory.world(player)
  const read = oracle.readsOf({ world, entity: entity.key }, required!.when!.cell.text)
  for (const by of entity.fields) {
    if (!read.has(by.key) || by.key === key || !isAsked(by) || by.readOnly !== null || by.type.kind === 'list') continue
    const json = (wire: Wire) => fieldKind(by.kind).toJson(wire, by.parameters)
    const asks = (value: unknown) =>
      worth(
        required!.when!,
        world.environment(entity.key, rowAs(site, world, entity, { ...values, [by.key]: value, [key]: null })),
      )
    const all = [values[by.key], ...candidates(world, by).map(json)].filter(value => value !== undefined)
    const free = all.find(value => asks(value) === false)
    const bound = all.find(value => asks(value) === true)
    if (free !== undefined && bound !== undefined) return { by, free, bound }
  }
  return null
}

async function tryField(trial: Trial, { player, values }: Accepted, field: Field, turning: Turning): Promise<void> {
  const { site, entity } = trial
  const { by, free, bound } = turning
  const { cell, when } = field.required!
  const tally = tallyOf(
    trial,
    `edge ${entity.key} ${field.key}`,
    field.cell,
    `${entity.name}, ${field.key}: what it takes, and what not`,
  )
  const made = async (own: Values) => {
    const reply = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, own, ''))
    return isOk(reply) ? String(reply.body.id) : null
  }
  const refused = async (own: Values, sent: Values, what: string) => {
    const id = await made(own)
    if (id === null) return
    const known = await caseOf(trial, { id }, player)
    const isOpen = known !== null && oracle.changes(known) && [by, field].every(one => oracle.setsField(known, one))
    if (isOpen) isRefused(tally, what, await ask(site, player, 'PATCH', `${entity.key}/${id}`, sent), field)
    if (isOpen) site.judged.add(cell, when?.cell)
    await site.observatory.remove(entity.key, id)
  }
  const value = values[field.key] ?? (await someValue(site, player, field))
  await refused(
    { ...values, [by.key]: free, [field.key]: null },
    { [by.key]: bound },
    `${player.name}, change, ${by.key} ${String(bound)} without ${field.key}`,
  )
  if (value !== null)
    await refused(
      { ...values, [by.key]: bound, [field.key]: value },
      { [field.key]: null },
      `${player.name}, change, ${field.key} left out`,
    )
}

/** Null: none can be made up. */
async function someValue(site: Site, player: Player, field: Field): Promise<unknown> {
  try {
    return await anyValue(site, player, field)
  } catch (error) {
    if (error instanceof CannotArrange) return null
    throw error
  }
}

function isRefused(tally: Tally, what: string, reply: Reply, field: Field) {
  tally.tried++
  if (isOk(reply)) {
    tally.through++
    tally.wrong.push(`${what}: the application takes it, the document refuses it`)
    return
  }
  const code = field.refusals.get('NF-REQUIRED')?.code ?? 'NF-REQUIRED'
  const errors = (reply.body.errors ?? []) as readonly { readonly code?: string; readonly pointer?: string }[]
  const isSaid = errors.some(one => one.code === code && one.pointer === `/${field.key}`)
  if (reply.status === 422 && !isSaid && errors.every(one => one.code?.startsWith('NF-') === true))
    tally.wrong.push(`${what}: the application says ${verdictOf(reply)} and not ${code}`)
}
