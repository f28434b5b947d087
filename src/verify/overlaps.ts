/** Two records that are alike in what must not overlap: only one of them comes to where that counts. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { stepOf } from './arrange.ts'
import { ask, isOk, type Reply } from './client.ts'
import { worth } from './judge.ts'
import type { Accepted } from './subjects.ts'
import { type Trial, tallyOf } from './trial.ts'
import { visitor } from './world.ts'

export async function tryOverlaps(trial: Trial, accepted: Accepted): Promise<void> {
  for (const field of trial.entity.fields) if (field.noOverlap !== null) await tryOverlap(trial, accepted, field)
}

async function tryOverlap(trial: Trial, { player, values }: Accepted, field: Field): Promise<void> {
  const { site, entity } = trial
  const make = () => ask(site, player, 'POST', entity.key, values)
  const first = await make()
  if (!isOk(first)) return
  const id = String(first.body.id)
  const step = await stepInto(trial, field, id)
  const second = await make()
  const other = String(second.body.id ?? '')
  let reply: Reply | null = second
  if (step !== null) {
    if (!isOk(second) || !isOk((await takenBy(trial, id, step)) ?? second)) return
    reply = await takenBy(trial, other, step)
  }
  const known = (await site.observatory.world(visitor)).record(entity.key, id)
  const { begin, end, within, while: condition, cell } = field.noOverlap!
  // What is empty overlaps nothing, and what is tried counts only where its condition holds.
  const counts = (step !== null || condition === null) && [begin, end, ...within].every(key => known?.[key] != null)
  const wanted = field.refusals.get('NF-OVERLAP')?.code ?? 'NF-OVERLAP'
  if (counts && reply !== null && (isOk(reply) || reply.codes.includes(wanted))) {
    const tally = tallyOf(trial, `overlap ${field.key}`, cell, `${entity.name}, ${field.key}: no two overlap`)
    tally.tried++
    site.judged.add(cell)
    if (isOk(reply)) tally.wrong.push(`${player.name}: the application takes two that overlap, the document one`)
  }
  if (entity.appendOnly === null)
    for (const made of [id, other]) if (made !== '') await site.observatory.remove(entity.key, made)
}

/** A step from the first state to one in which it counts; null: it counts from the beginning, or no step leads there. */
async function stepInto({ site, entity }: Trial, { noOverlap }: Field, id: string): Promise<string | null> {
  const world = await site.observatory.world(visitor)
  const record = world.record(entity.key, id)
  const condition = noOverlap?.while ?? null
  if (condition === null || record === undefined) return null
  const counts = (state: string) => {
    const held = worth(condition, world.environment(entity.key, { ...record, state }))
    return held !== NOT_LOADED && held === true
  }
  const found = site.app.workflows
    .get(entity.key)
    ?.transitions.find(({ from, to }) => specified(from)?.includes(String(record.state)) && counts(specified(to) ?? ''))
  return found?.key ?? null
}

/** By whoever is let; null: nobody is. */
async function takenBy({ site, entity }: Trial, id: string, step: string): Promise<Reply | null> {
  let last: Reply | null = null
  for (const player of site.players) {
    const reply = await stepOf(site, player, entity.key, id, step)
    if ([401, 403, 404].includes(reply.status)) continue
    last = reply
    if (isOk(reply)) break
  }
  return last
}
