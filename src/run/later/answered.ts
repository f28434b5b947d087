/** What the answer of a call does: the first row of the document's answers that fits, and the acts that it names. */
import type { Environment } from '../../expression/environment.ts'
import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Wire } from '../../expression/type.ts'
import type { Answer, AnswerAct, Call } from '../../headings/7-calls/model.ts'
import type { App } from '../../headings/app.ts'
import type { Attempt } from '../../kinds/calls/call-kind.ts'
import { jsonText } from '../../kinds/fields/json/text.ts'
import type { Tx } from '../../store/pool.ts'
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
import { environmentOf, type Related, relatedRecords, withRelated } from '../write/environment.ts'
import { expectWrites, loadRecord } from '../write/record.ts'
import { setInside } from '../write/set.ts'
import { stepInside } from '../write/step.ts'
import { isolationOf, writtenAfter } from '../write/together.ts'
import { heldAs } from '../write/worked-out.ts'
import { refused } from '../write/write.ts'
import { brokenFor, heldOf, textAt, valueAt } from './answer-values.ts'
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
  const error = errorOf(attempt)
  if (attempt.kind === 'failed' && attempt.permanent) return ended('failed', null, error)
  const { status, body, retryAfter } = attempt.kind === 'answered' ? attempt : noReply
  const why = error ?? `answered ${status}`
  const answer = answerFor(call, attempt)
  if (answer === null)
    return isSuccess(status)
      ? ended('delivered', status)
      : tryAgain(context, row, status, why, undefined, undefined, retryAfter)
  for (const act of answer.then) {
    const next = act.kind === 'repeat' ? nextTry(context, row, status, why, act, retryAfter) : null
    if (next !== null) return next
  }
  const acts = answer.then.filter(({ kind }) => kind !== 'repeat')
  const broken = error === null ? brokenFor(acts, body) : null
  if (broken !== null) return ended('failed', status, broken)
  for (const act of acts) {
    const wrong = act.kind === 'receive' ? await pulled(runtime, request, act, body) : null
    if (wrong !== null) return ended('failed', status, wrong)
  }
  const verdict = {
    ...ended(error !== null || isRefused(acts, status) ? 'failed' : 'delivered', status, error),
    answer: said,
  }
  return actOn(runtime, request, context, { row, call, acts, body, verdict: settledBy(acts, verdict) })
}

const noReply = { status: null, body: null, retryAfter: null }

/** The document reports it; or it stops there, and it is no success. */
const isRefused = (acts: readonly AnswerAct[], status: number | null): boolean =>
  acts.some(({ kind }) => kind === 'report' || (kind === 'stop' && !isSuccess(status)))

const isSuccess = (status: number | null): boolean => status !== null && status < 300

/** Where the document goes on with a step, nobody has to look after the call; its error stays with it. */
const settledBy = (acts: readonly AnswerAct[], verdict: Verdict): Verdict =>
  acts.some(({ kind }) => kind === 'do') && !acts.some(({ kind }) => kind === 'report')
    ? { ...verdict, state: 'delivered' }
    : verdict

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
interface Answered {
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
  given: Answered,
): Promise<Verdict> {
  const { row, verdict } = given
  const request = await asTenant(runtime, everybodys, row.entity, row.record!)
  const done = await runtime.store.inTransaction(
    async (tx): Promise<Verdict & { readonly ended: true }> => {
      expectWrites(tx, new Set([row.entity, ...writtenAfter(runtime.app, row.entity)]))
      const related = relatedRecords(tx, runtime.app)
      const record: Draft = (await loadRecord(tx, runtime.app, row.entity, row.record!)) ?? { id: row.record! }
      related.put(row.entity, record)
      const environment = {
        ...environmentOf(hearingIn(tx, runtime.app, request), related, record, null),
        answer: (name: string) => textAt(given.body, name),
        answered: (name: string) => jsonText(valueAt(given.body, name)),
      }
      const evaluating = { tx, related, environment }
      const values = await valuesSet(runtime.app, given, evaluating)
      const last = { ...verdict, ...(await problemReported(runtime.app, request, given, evaluating)) }
      if ((await tx.write(finish, finishBindings(context, row, last))) === 0)
        return tx.abandon({ ...verdict, error: 'another worker has it', ended: true })
      insist(
        tx.abandon,
        await guardingPeople(tx, runtime.app, request, row.entity, () =>
          writeAnswer(tx, runtime, request, given, values),
        ),
      )
      return { ...last, ended: true }
    },
    isolationOf(runtime.app, row.entity),
  )
  // The record's own rules refuse what the answer says: undone, and kept where somebody sees it.
  if ('refusal' in done) return ended('failed', verdict.status, String(done.refusal))
  return done
}

interface Evaluating {
  readonly tx: Tx
  readonly related: Related
  readonly environment: Environment
}

/** What the fields of the record get, by key. A value that cannot be held undoes all. */
async function valuesSet(
  app: App,
  { row, acts, body }: Answered,
  { tx, related, environment }: Evaluating,
): Promise<Readonly<Record<string, Wire>>> {
  const values: Record<string, Wire> = {}
  for (const given of acts.flatMap(act => (act.kind === 'set' ? act.values : []))) {
    const field = declared(app, row.entity, given.field)!
    const held = heldOf(app, body, field, given) ?? {
      value: await withRelated(related, () => evaluate(given.value, environment)),
    }
    if ('problem' in held) return tx.abandon({ refusal: held.problem.message })
    const failed = codeFailure(tx)
    if (failed !== null)
      return tx.abandon({ refusal: `${codeProblem(app, failed, field.label).message} ${failed.why}` })
    values[given.field] = held.value === NOT_LOADED ? null : heldAs(held.value, field)
  }
  return values
}

/** The last entry of the error catalogue that the answer reports, with its words and its way out. */
async function problemReported(
  app: App,
  request: Request,
  { row, acts }: Answered,
  { related, environment }: Evaluating,
): Promise<Partial<Pick<Verdict, 'reported' | 'error'>>> {
  const act = acts.findLast(({ kind }) => kind === 'report')
  if (act?.kind !== 'report') return {}
  const reading = { ...readingOf(app, request, environment), locale: app.language }
  const { message, whatToDo } = await withRelated(related, () =>
    raiseEntry(app, act.error, row.entity, reading, { field: null, because: act.cell }),
  )
  return { reported: act.error, error: whatToDo === null ? message : `${message} ${whatToDo}` }
}

/** The fields, then the steps, then what follows from both. */
async function writeAnswer(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  { row, call, acts }: Answered,
  values: Readonly<Record<string, Wire>>,
): Promise<Outcome> {
  const { app } = runtime
  const { entity } = row
  const id = row.record!
  const what = { kind: 'call' as const, name: call.key, because: acts[0]?.cell ?? call.cell }
  if (Object.keys(values).length > 0)
    insist(tx.abandon, await setInside(tx, runtime, request, entity, id, { values, state: null, ...what }))
  for (const act of acts) {
    if (act.kind !== 'do') continue
    insist(tx.abandon, await stepInside(tx, runtime, request, { entity, id, step: act.step, version: null }))
  }
  const { problems } = await applyEffects(tx, runtime, request, { entity, id })
  if (problems.length > 0) return refused(problems)
  const failed = codeFailure(tx)
  return failed === null
    ? { kind: 'done', id, version: 1 }
    : refused([codeProblem(app, failed, app.entities.get(entity)!.name)])
}

function insist(abandon: (value: unknown) => never, outcome: Outcome): void {
  if (outcome.kind === 'done') return
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  abandon({ refusal: problems.map(({ message }) => message).join(' ') })
}
