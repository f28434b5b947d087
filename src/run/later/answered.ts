/** What the answer of a call does: the first row of the document's answers that fits, and the acts that it names. */
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Wire } from '../../expression/type.ts'
import type { Answer, AnswerAct, Call } from '../../headings/7-calls/model.ts'
import type { Attempt } from '../../kinds/calls/call-kind.ts'
import { jsonText } from '../../kinds/fields/json/text.ts'
import { readingOf } from '../access/reading.ts'
import { asTenant } from '../limits.ts'
import { declared } from '../names.ts'
import type { Outcome } from '../outcome.ts'
import { raiseEntry } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { guardingPeople } from '../write/by-conditions.ts'
import { codeFailure, codeProblem, hearingIn } from '../write/code.ts'
import type { Draft } from '../write/draft-record.ts'
import { applyEffects } from '../write/effects.ts'
import { environmentOf, relatedRecords, withRelated } from '../write/environment.ts'
import { expectWrites, loadRecord } from '../write/record.ts'
import { setInside } from '../write/set.ts'
import { stepInside } from '../write/step.ts'
import { isolationOf, writtenAfter } from '../write/together.ts'
import { heldAs } from '../write/worked-out.ts'
import { refused } from '../write/write.ts'
import { heldOf, textAt, valueAt } from './answer-values.ts'
import {
  type DeliveryContext,
  ended,
  finish,
  finishBindings,
  nextTry,
  type OutboxRow,
  tryAgain,
  type Verdict,
} from './attempt.ts'
import { pulled } from './pulled.ts'

/** The first row of the document's answers that fits. No answer at all is what the document calls a time-out. */
function answerFor(call: Call, attempt: Attempt): Answer | null {
  const { answers } = call
  if (attempt.kind === 'answered') {
    const status = String(attempt.status)
    return answers.find(({ statuses }) => statuses.some(one => one === status || one === `${status[0]}xx`)) ?? null
  }
  return answers.find(({ timeout }) => timeout) ?? null
}

/** What becomes of an attempt: done, tried again, or given up. There are no secrets in it any more. */
export async function answered(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  call: Call,
  attempt: Attempt,
): Promise<Verdict> {
  const said = answerText(attempt)
  const verdict = await judged(runtime, request, context, row, call, attempt, said)
  return { ...verdict, answer: said }
}

/** The beginning of what came back, for people. */
const answerText = (attempt: Attempt): string => {
  if (attempt.kind !== 'answered' || attempt.body === null) return ''
  const text = typeof attempt.body === 'string' ? attempt.body : JSON.stringify(attempt.body)
  return text.replaceAll('\0', '').toWellFormed().slice(0, 500)
}

async function judged(
  runtime: Runtime,
  request: Request,
  context: DeliveryContext,
  row: OutboxRow,
  call: Call,
  attempt: Attempt,
  said: string,
): Promise<Verdict> {
  const status = attempt.kind === 'answered' ? attempt.status : null
  const retryAfter = attempt.kind === 'answered' ? attempt.retryAfter : null
  const error = errorOf(attempt)
  const answer = attempt.kind === 'failed' && attempt.permanent ? null : answerFor(call, attempt)
  if (answer === null) {
    if (attempt.kind === 'failed' && attempt.permanent) return ended('failed', null, error)
    if (status !== null && status < 300) return ended('delivered', status)
    return tryAgain(context, row, status, error ?? `answered ${status}`, undefined, undefined, retryAfter)
  }
  const acts: AnswerAct[] = []
  for (const act of answer.then) {
    if (act.kind === 'repeat') {
      const next = nextTry(context, row, status, error ?? `answered ${status}`, act, retryAfter)
      if (next !== null) return next
    } else acts.push(act)
  }
  const bad =
    acts.some(act => act.kind === 'stop' || act.kind === 'report') ||
    (status !== null && status >= 400) ||
    error !== null
  const body = attempt.kind === 'answered' ? attempt.body : null
  // Where the document goes on with a step, nobody has to look after the call; its error stays with it.
  const settles = acts.some(act => act.kind === 'do') && !acts.some(act => act.kind === 'report')
  for (const act of acts) {
    const wrong = act.kind === 'receive' ? await pulled(runtime, request, act, body) : null
    if (wrong !== null) return ended('failed', status, wrong)
  }
  const verdict = { ...ended(bad && !settles ? 'failed' : 'delivered', status, error), answer: said }
  return actOn(runtime, request, context, { row, call, acts, body, verdict })
}

function errorOf(attempt: Attempt): string | null {
  switch (attempt.kind) {
    case 'answered':
      return attempt.status < 400 ? null : `answered ${attempt.status}`
    case 'timeout':
      return 'no answer in time'
    case 'failed':
      return attempt.error
    case 'kept':
      return null
  }
}

/** An answer, and what the document says of it. */
interface Said {
  readonly row: OutboxRow
  readonly call: Call
  readonly acts: readonly AnswerAct[]
  readonly body: unknown
  readonly verdict: Verdict
}

/** Does what an answer says and ends the row, in one transaction: both or neither. */
async function actOn(
  runtime: Runtime,
  everybodys: Request,
  context: DeliveryContext,
  { row, call, acts, body, verdict }: Said,
): Promise<Verdict> {
  const request = await asTenant(runtime, everybodys, row.entity, row.record!)
  const done = await runtime.store.inTransaction(
    async (tx): Promise<Verdict & { readonly ended: true }> => {
      const id = row.record!
      expectWrites(tx, new Set([row.entity, ...writtenAfter(runtime.app, row.entity)]))
      const related = relatedRecords(tx, runtime.app)
      const record: Draft = (await loadRecord(tx, runtime.app, row.entity, id)) ?? { id }
      related.put(row.entity, record)
      const environment = {
        ...environmentOf(hearingIn(tx, runtime.app, request), related, record, null),
        answer: (name: string) => textAt(body, name),
        answered: (name: string) => jsonText(valueAt(body, name)),
      }
      const values: Record<string, Wire> = {}
      let reported: string | null = null
      let message = verdict.error
      for (const act of acts) {
        for (const given of act.kind === 'set' ? act.values : []) {
          const field = declared(runtime.app, row.entity, given.field)!
          const held = heldOf(runtime.app, body, field, given) ?? {
            value: await withRelated(related, () => evaluate(given.value, environment)),
          }
          if ('problem' in held) return tx.abandon({ refusal: held.problem.message })
          const failed = codeFailure(tx)
          if (failed !== null)
            return tx.abandon({ refusal: `${codeProblem(runtime.app, failed, field.label).message} ${failed.why}` })
          values[given.field] = held.value === NOT_LOADED ? null : heldAs(held.value, field)
        }
        if (act.kind === 'report') {
          const reading = {
            ...readingOf(runtime.app, request, environment),
            locale: runtime.app.language,
          }
          const problem = await withRelated(related, () =>
            raiseEntry(runtime.app, act.error, row.entity, reading, { field: null, because: act.cell }),
          )
          reported = act.error
          message = problem.message
        }
      }
      const last = { ...verdict, reported, error: message }
      if ((await tx.write(finish, finishBindings(context, row, last))) === 0)
        return tx.abandon({ ...verdict, error: 'another worker has it', ended: true })
      const what = { kind: 'call' as const, name: call.key, because: acts[0]?.cell ?? call.cell }
      const write = async (): Promise<Outcome> => {
        if (Object.keys(values).length > 0)
          insist(tx.abandon, await setInside(tx, runtime, request, row.entity, id, { values, state: null, ...what }))
        for (const act of acts)
          if (act.kind === 'do')
            insist(
              tx.abandon,
              await stepInside(tx, runtime, request, { entity: row.entity, id, step: act.step, version: null }),
            )
        const { problems } = await applyEffects(tx, runtime, request, { entity: row.entity, id })
        if (problems.length > 0) return refused(problems)
        const failed = codeFailure(tx)
        if (failed === null) return { kind: 'done', id, version: 1 }
        return refused([codeProblem(runtime.app, failed, runtime.app.entities.get(row.entity)!.name)])
      }
      insist(tx.abandon, await guardingPeople(tx, runtime.app, request, row.entity, write))
      return { ...last, ended: true }
    },
    isolationOf(runtime.app, row.entity),
  )
  // The record's own rules refuse what the answer says: undone, and kept where somebody sees it.
  if ('refusal' in done) return ended('failed', verdict.status, String(done.refusal))
  return done
}

function insist(abandon: (value: unknown) => never, outcome: Outcome): void {
  if (outcome.kind === 'done') return
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  abandon({ refusal: problems.map(({ message }) => message).join(' ') })
}
