/** What happens with a step or a timer (column Then): fields are set in memory, what leaves is put into the outbox. */
import type { Wire } from '../../expression/type.ts'
import { isOwn, leaves } from '../../headings/4-states/all-acts.ts'
import type { Act } from '../../headings/4-states/model.ts'
import { enqueueCall, enqueueMail, reportLater } from '../later/outbox.ts'
import { declared } from '../names.ts'
import { isId } from '../values.ts'
import { assign } from './assign.ts'
import { type ChangedRecord, deferEffects, type Seen } from './domain-events.ts'
import type { Draft } from './draft-record.ts'
import type { Scope } from './scope.ts'
import { type Named, workedOut, workedOutAsHeld } from './worked-out.ts'

/** What the own acts of a cell have made of a record. */
export interface Done extends Pick<ChangedRecord, 'names' | 'locals'> {
  /** Keys. */
  readonly fields: ReadonlySet<string>
  /** Where it goes to; null: it stays. */
  readonly state: string | null
  /** What the other acts see, whose turn comes when all of the own ones are done. */
  readonly seen: ReadonlyMap<Act, Seen>
}

/** Sets fields in the order of the cell; later ones see what earlier ones set. */
export async function setFields(
  scope: Scope,
  given: Named & { readonly record: Draft },
  acts: readonly Act[],
): Promise<Done> {
  const { tx, app, request, related } = scope
  const { entity, record } = given
  related.put(entity, record)
  const fields = new Set<string>()
  const written: { readonly at: number; readonly key: string }[] = []
  const passed: { readonly at: number; readonly act: Act; readonly record: Draft; readonly named: Named }[] = []
  let named: Named = given
  let state: string | null = null
  for (const [at, act] of acts.entries()) {
    if (act.kind === 'let') named = withLocal(named, act, await workedOut(tx, app, request, related, act.value, named))
    else if (act.kind === 'go to') {
      state = act.state
      written.push({ at, key: 'state' })
    } else if (act.kind === 'assign') {
      await assign(scope, entity, record, act.field)
      fields.add(act.field)
      written.push({ at, key: act.field })
    } else if (!isOwn(act)) passed.push({ at, act, record: { ...record }, named })
    if (act.kind !== 'set' || act.of !== null) continue
    const values: Record<string, Wire> = {}
    for (const { field, value } of act.values)
      values[field] = await workedOutAsHeld(declared(app, entity, field), tx, app, request, related, value, named)
    Object.assign(record, values)
    for (const { field: key } of act.values) {
      fields.add(key)
      written.push({ at, key })
    }
  }
  const seen = passed.map(({ at, act, record, named: { names = {}, locals = {} } }) => {
    const later = written.filter(one => one.at > at).map(({ key }) => [key, record[key] ?? null])
    return [act, { fields: Object.fromEntries(later), names, locals }] as const
  })
  return { fields, state, names: named.names ?? {}, locals: named.locals ?? {}, seen: new Map(seen) }
}

/** A record among the values is known by its id. */
function withLocal(
  named: Named,
  { name, value: { type } }: Extract<Act, { kind: 'let' }>,
  value: Wire | readonly Wire[],
): Named {
  if (type.kind === 'reference') return { ...named, names: { ...named.names, [name]: isId(value) ? value : null } }
  return { ...named, locals: { ...named.locals, [`let.${name}`]: value as Wire } }
}

/**
 * What follows from the acts of a step or timer once the record is written. What only leaves is put into the outbox at once;
 * where other records are concerned, all of it waits for its turn, in the order of the cell.
 */
export async function follow(
  scope: Scope,
  about: ChangedRecord,
  acts: readonly Act[],
  { seen, names, locals }: Done,
): Promise<void> {
  const { tx } = scope
  const rest = acts.filter(act => !isOwn(act))
  if (rest.every(leaves)) await leave(scope, { ...about, names, locals }, rest)
  else deferEffects(tx, { about, effects: [{ when: null, acts: rest, seen, isStep: false }] })
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
