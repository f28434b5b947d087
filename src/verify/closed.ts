/** Fields that nobody writes by hand, sent with a new record all the same: whatever the application answers, they do not hold that value. */
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { ask, isOk } from './client.ts'
import type { Accepted } from './subjects.ts'
import { type Trial, tallyOf } from './trial.ts'
import { visitor } from './world.ts'

export async function tryClosed(trial: Trial, { player, values }: Accepted): Promise<void> {
  const { site, entity } = trial
  for (const field of closedIn(entity)) {
    const world = await site.observatory.world(player)
    const other = field.type.kind === 'reference' ? world.records(field.type.entity).at(-1)?.id : sampleOf(field)
    if (other == null) continue
    const tally = tallyOf(
      trial,
      `field ${field.key}`,
      field.cell,
      `${entity.name}, ${field.key}: whoever may not write it cannot`,
    )
    tally.tried++
    const reply = await ask(site, player, 'POST', entity.key, { ...values, [field.key]: other })
    site.judged.add(field.readOnly?.cell, field.setBy?.cell, field.hidden, field.assignedFrom?.cell)
    if (!isOk(reply)) continue
    const id = String(reply.body.id)
    const record = (await site.observatory.world(visitor)).record(entity.key, id)
    if (record?.[field.key] === other)
      tally.wrong.push(`${player.name}: a new record takes ${field.key}, against the document`)
    if (entity.appendOnly === null) await site.observatory.remove(entity.key, id)
  }
}

const closedIn = ({ fields }: Entity): readonly Field[] =>
  fields.filter(
    ({ readOnly, setBy, hidden, assignedFrom, type, kind }) =>
      (readOnly?.after === 'always' || setBy !== null || hidden !== null || assignedFrom !== null) &&
      type.kind !== 'list' &&
      type.kind !== 'file' &&
      fieldKind(kind).sealed !== true,
  )

/** The last value of its type that stands as an example. */
const sampleOf = ({ kind, parameters }: Field): unknown => {
  const wires = fieldKind(kind).examples.flatMap(({ good }) => good.map(({ wire }) => wire))
  const wire = parameters.choices?.at(-1) ?? wires.findLast(one => one !== null)
  return wire === undefined ? undefined : fieldKind(kind).toJson(wire, parameters)
}
