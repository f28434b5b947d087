/** Messages that the answer of a call brings: each is taken by itself, as if somebody had sent it. */
import type { AnswerAct, Receive } from '../../headings/7-calls/model.ts'
import { invalidValue } from '../../kinds/fields/invalid-value.ts'
import { roundedNumber } from '../../kinds/fields/json/exact.ts'
import { jsonKind } from '../../kinds/fields/texts.ts'
import { raiseInvalidValue } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { valueAt } from './answer-values.ts'
import { messageInput, receive } from './receive.ts'
import { keepRefused, type Wrong, wrongOf } from './refused.ts'

/** The call is a worker's for as long as they take. */
const MOST_MESSAGES = 1000

/**
 * What is wrong with the answer as a whole; null: each message was taken, or is listed with what refused it, and holds up no other. They come
 * before the call is settled: what is repeated finds its records again.
 */
export async function pulled(
  runtime: Runtime,
  request: Request,
  act: Extract<AnswerAct, { kind: 'receive' }>,
  body: unknown,
): Promise<string | null> {
  const { app } = runtime
  const message = app.receives.get(act.message)!
  const given = valueAt(body, act.from)
  const place = act.from === '' ? 'answer' : `answer.${act.from}`
  const all = Array.isArray(given) ? given : isMessage(given) ? [given] : null
  if (all === null) {
    const { invalid } = invalidValue('NF-JSON', { expected: 'a list of records', found: jsonKind(given) })
    return raiseInvalidValue(app, invalid, place, { field: null, because: act.cell }).message
  }
  if (all.length > MOST_MESSAGES)
    return `${place}: ${all.length} messages, at most ${MOST_MESSAGES} are taken from one answer.`
  for (const [index, one] of all.entries()) {
    const wrong = await taken(runtime, request, message, one)
    if (wrong === null) continue
    const words = `${Array.isArray(given) ? `${place}.${index}` : place}: ${wrong.words}`
    await keepRefused(runtime, request, message, wrong.status, { codes: wrong.codes, words })
  }
  return null
}

/** An object; numbers with more digits than JavaScript has are objects too. */
const isMessage = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && roundedNumber(given) === null

async function taken(
  runtime: Runtime,
  request: Request,
  message: Receive,
  given: unknown,
): Promise<(Wrong & { readonly status: number }) | null> {
  if (!isMessage(given)) return { status: 422, codes: [], words: 'A message must be a JSON object.' }
  const outcome = await receive(runtime, request, message, messageInput(runtime.app, message, given))
  if (outcome.kind === 'done') return null
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  return { status: problems[0]!.status, ...wrongOf(runtime.app, problems) }
}
