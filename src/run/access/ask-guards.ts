/** Asks the code in conditions of steps and approvals about one record: before a step is taken, and where its page offers them. */
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Reader } from '../../store/pool.ts'
import type { Request } from '../request.ts'
import { cachedStatement } from '../statements.ts'
import { environmentOf, type Related, relatedRecords, withRelated } from '../write/environment.ts'
import { findRecord } from '../write/record.ts'
import { allOf, type Condition } from './condition.ts'
import { asksCode, guardKey, guardParts } from './guards.ts'
import { type Policy, policyFor } from './policy.ts'

/** A condition that asks code, with the step and the states in which it can be taken. */
interface Guard {
  readonly step: string
  readonly from: readonly string[]
  readonly when: Expression
}

const guardsOf = (app: App, entity: string): readonly Guard[] =>
  cachedStatement(app, ['guards', entity], () => {
    const workflow = app.workflows.get(entity)
    const transitions = workflow?.transitions ?? []
    const statesOf = (step: string) =>
      transitions.flatMap(({ key, from }) => (key !== step || isUnspecified(from) ? [] : from))
    const all = [
      ...transitions.map(({ key, from, when }) => ({ step: key, from: isUnspecified(from) ? [] : from, when })),
      ...(workflow?.approvals ?? []).map(({ step, when }) => ({ step, from: statesOf(step), when })),
    ]
    return all.flatMap(({ step, from, when }) =>
      when === null || isUnspecified(when) || !asksCode(when) ? [] : [{ step, from, when }],
    )
  })

/** The request, with what code says of a record. `steps`: those of which it is asked. What fails is unknown. */
export async function askGuards(
  app: App,
  request: Request,
  related: Related,
  { entity, record, steps }: { readonly entity: string; readonly record: RecordValue; readonly steps: 'all' | string },
): Promise<Request> {
  const asked = guardsOf(app, entity).filter(({ step }) => steps === 'all' || step === steps)
  if (asked.length === 0) return request
  const answers: Record<string, boolean | null> = {}
  for (const { when, from } of asked) {
    if (!from.includes(record.state as string)) continue
    const environment = environmentOf(request, related, record, null)
    const { stored, coded } = guardParts(when)
    const said = await withRelated(related, () =>
      // What is closed already need not be asked, nor fail.
      stored !== null && evaluate(stored, environment) === false ? false : evaluate(coded!, environment),
    )
    answers[guardKey(when)] = typeof said === 'boolean' ? said : null
  }
  return { ...request, guards: { [record.id as string]: answers } }
}

/** The request, with what code says of the one record that `named` (over `t`) leaves. None is asked where these people never take the step. */
export async function readGuards(
  reader: Reader,
  app: App,
  request: Request,
  entity: string,
  found: { readonly by: string; readonly named: Condition; readonly value: unknown },
): Promise<Request> {
  const policy = policyFor(app, request.actor)
  if (!guardsOf(app, entity).some(({ step }) => mayOffer(app, policy, entity, step))) return request
  const seen = allOf([policy.rows(entity, 'see', 't'), found.named])
  const record = await findRecord(reader, app, request, entity, {
    key: `${policy.key} ${found.by}`,
    condition: seen,
    address: found.value,
  })
  if (record === null) return request
  return askGuards(app, request, relatedRecords(reader, app, 'as it is'), { entity, record, steps: 'all' })
}

const mayOffer = (app: App, policy: Policy, entity: string, step: string): boolean =>
  app.workflows.get(entity)!.transitions.some(one => one.key === step && policy.offers(entity, one))
