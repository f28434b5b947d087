/** What happens with a step or a timer (column Then): fields are set in memory, what leaves is put into the outbox. */
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Wire } from '../expression/type.ts'
import type { Act } from '../headings/4-states/model.ts'
import { isUnspecified } from '../headings/said.ts'
import type { Tx } from '../store/pool.ts'
import { enqueueCall, enqueueMail, reportLater } from './outbox.ts'
import { type Draft, environmentOf, type Related, withRelated } from './record.ts'
import type { Request, Runtime } from './request.ts'

/** Sets fields in the order of the cell; later ones see what earlier ones set. Gives the keys, and the state that it goes to. */
export async function setFields(
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  acts: readonly Act[],
): Promise<{ readonly fields: ReadonlySet<string>; readonly state: string | null }> {
  related.put(entity, record)
  const before = { ...record }
  const fields = new Set<string>()
  let state: string | null = null
  for (const act of acts) {
    if (act.kind === 'go to') state = act.state
    if (act.kind !== 'set') continue
    const value = await withRelated(related, () => evaluate(act.value, environmentOf(request, related, record, before)))
    record[act.field] = value === NOT_LOADED || Array.isArray(value) ? null : (value as Wire)
    fields.add(act.field)
  }
  return { fields, state }
}

/** Mails, calls and reports of the acts, and calls that the step triggers. A call leaves once per step, however it was named. */
export async function leave(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  related: Related,
  entity: string,
  record: Draft,
  acts: readonly Act[],
  step: string | null,
): Promise<void> {
  const { app } = runtime
  const called = new Set<string>()
  for (const act of acts) {
    if (act.kind === 'send mail')
      await enqueueMail(tx, runtime, request, related, entity, record, act.mail, act.to, act.cell)
    if (act.kind === 'report') await reportLater(tx, runtime, request, entity, record, act.error, act.cell)
    if (act.kind === 'call' && !called.has(act.call)) {
      called.add(act.call)
      await enqueueCall(tx, runtime, request, related, entity, record, act.call, act.cell)
    }
  }
  if (step === null) return
  for (const { key, trigger } of app.calls.values()) {
    if (
      trigger === null ||
      isUnspecified(trigger) ||
      trigger.entity !== entity ||
      trigger.step !== step ||
      called.has(key)
    )
      continue
    await enqueueCall(tx, runtime, request, related, entity, record, key, trigger.cell)
  }
}
