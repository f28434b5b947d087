/** A row of a scenario in which another application answers a call. */
import type { ScenarioWhat } from '../headings/app.ts'
import { CannotArrange } from './drafts.ts'
import { known, type Stage } from './stage.ts'
import type { CallRow } from './world.ts'

type Answered = Extract<ScenarioWhat, { readonly kind: 'answered' }>

/** The first call of that name about the record that waits for one is answered so; what else waits goes on waiting. Null when it went as the row says. */
export async function answerCall(stage: Stage, what: Answered, wanted: string): Promise<string | null> {
  const { site, records, answers } = stage
  const { observatory, partner, clock } = site
  const { id: record } = known(records, what.record)
  const all = (await observatory.calls()).toReversed()
  const row = all.find(one => one.name === what.call && one.record === record && isOpen(one, answers))
  if (row === undefined) throw new CannotArrange(`no call ${what.call} of ${what.record} waits for an answer`)
  const attempts = answers.get(row.id) ?? 0
  answers.set(row.id, attempts + 1)
  let restore = async () => {}
  const way = what.status === null ? null : { status: what.status, body: bodyOf(what.body) }
  const stateOf = async () => (await observatory.calls()).find(({ id }) => id === row.id)!
  const heard = await partner.answering(
    way,
    async () => {
      restore = await observatory.sendAgain(new Map([[row.id, clock.now()]]), attempts)
    },
    async () => (await stateOf()).isTried,
  )
  await restore()
  observatory.forget()
  if (heard.length === 0) throw new CannotArrange(`the call ${what.call} does not leave`)
  const { reported, state, error } = await stateOf()
  const isTaken = way === null || way.status >= 300 || state === 'delivered'
  if (wanted === 'ok' ? reported === null && isTaken : reported === wanted) return null
  return reported === null ? `nothing is reported: ${error ?? state}` : `${reported} is reported (${error})`
}

/** It may still be answered: it waits, or was given up because nobody was there. */
const isOpen = ({ id, state }: CallRow, answers: Stage['answers']): boolean =>
  state === 'waiting' || (state === 'failed' && !answers.has(id))

/** `rates.GBP`, `items.0.code`: names in objects, numbers in lists. */
function bodyOf(values: Answered['body']): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const { name, value } of values) put(body, name.split('.'), value)
  return body
}

function put(into: Record<string, unknown> | unknown[], [name, ...rest]: readonly string[], value: unknown): void {
  const inner = into as Record<string, unknown>
  if (rest.length === 0) inner[name!] = value
  else {
    inner[name!] ??= /^\d+$/.test(rest[0]!) ? [] : {}
    put(inner[name!] as Record<string, unknown>, rest, value)
  }
}
