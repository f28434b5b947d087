/** What happens with a step or a timer (column Then): fields are set in memory, what leaves is put into the outbox. */
import type { Wire } from '../../expression/type.ts'
import type { Act } from '../../headings/4-states/model.ts'
import { enqueueCall, enqueueMail, reportLater } from '../later/outbox.ts'
import { declared } from '../names.ts'
import { assign } from './assign.ts'
import { type ChangedRecord, deferEffects } from './domain-events.ts'
import type { Draft } from './record.ts'
import type { Scope } from './scope.ts'
import { type Named, workedOutAsHeld } from './worked-out.ts'

/** An act that writes into the record that it is about. */
export const isOwn = (act: Act): boolean =>
  (act.kind === 'set' && act.of === null) || act.kind === 'go to' || act.kind === 'assign'

/** An act whose result leaves the application, after the commit. */
export const leaves = (act: Act): boolean => act.kind === 'send mail' || act.kind === 'call' || act.kind === 'report'

/** Sets fields in the order of the cell; later ones see what earlier ones set. Gives the keys, and the state that it goes to. */
export async function setFields(
  scope: Scope,
  named: Named & { readonly record: Draft },
  acts: readonly Act[],
): Promise<{ readonly fields: ReadonlySet<string>; readonly state: string | null }> {
  const { tx, app, request, related } = scope
  const { entity, record } = named
  related.put(entity, record)
  const fields = new Set<string>()
  let state: string | null = null
  for (const act of acts) {
    if (act.kind === 'go to') state = act.state
    if (act.kind === 'assign') {
      await assign(scope, entity, record, act.field)
      fields.add(act.field)
    }
    if (act.kind !== 'set' || act.of !== null) continue
    const values: Record<string, Wire> = {}
    for (const { field, value } of act.values)
      values[field] = await workedOutAsHeld(declared(app, entity, field), tx, app, request, related, value, named)
    Object.assign(record, values)
    for (const { field } of act.values) fields.add(field)
  }
  return { fields, state }
}

/**
 * What follows from the acts of a step or timer once the record is written. What only leaves is put into the outbox at once;
 * where other records are concerned, all of it waits for its turn, in the order of the cell.
 */
export async function follow(scope: Scope, about: ChangedRecord, acts: readonly Act[]): Promise<void> {
  const { tx } = scope
  const rest = acts.filter(act => !isOwn(act))
  if (rest.every(leaves)) await leave(scope, about, rest)
  else deferEffects(tx, { about, effects: [{ when: null, acts: rest, isStep: false }] })
}

/** Mails, calls and reports of the acts. A call leaves once, however often it was named. */
export async function leave(
  { tx, runtime, request, related }: Scope,
  about: ChangedRecord,
  acts: readonly Act[],
): Promise<void> {
  const called = new Set<string>()
  for (const act of acts) {
    if (act.kind === 'send mail') await enqueueMail(tx, runtime, request, related, about, act)
    if (act.kind === 'report') await reportLater(tx, runtime, request, about, act)
    if (act.kind === 'call' && !called.has(act.call)) {
      called.add(act.call)
      await enqueueCall(tx, runtime, request, related, about, act)
    }
  }
}
