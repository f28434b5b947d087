/** An attempt to deliver a row of the outbox, and what becomes of the row after it: done, failed, or an outbox retry with exponential backoff. */
import { slot, sql } from '../../expression/sql.ts'
import type { CallEnvironment } from '../../kinds/calls/call-kind.ts'
import { built } from '../statements.ts'

/** Attempts where the document names no number, and seconds in which they are made: mail servers are known to be away for days. */
export const plainly = {
  call: { attempts: 8, within: 6 * 3600 },
  mail: { attempts: 13, within: 72 * 3600 },
} as const

export interface DeliveryContext {
  /** Unique per process; fences off a worker that was thought dead. */
  readonly worker: string
  /** From 0 up to 1: spreads repetitions. */
  readonly random: () => number
  readonly environment: Omit<CallEnvironment, 'now' | 'signal'>
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Rows at once. */
  readonly limit: number
  /** Receivers that are sent nothing more for now. Default: none. */
  readonly full?: readonly string[]
  /** Address of the page of a record; null where there is none. */
  readonly linkTo: (entity: string, record: string) => string | null
  /** Where calls go whose settings are not there, followed by a slash and the id of the row. Absent: they wait. */
  readonly standIn?: string
  /** Where a call goes in place of its address; null: it waits. Absent: to its address. */
  readonly redirect?: (url: string) => string | null
  /** A new way in to a record without an account: an address, and the hash of what it holds. Absent: mails leave without. */
  readonly way?: () => { readonly hash: Buffer; readonly href: string }
}

export interface OutboxRow {
  readonly id: string
  readonly kind: 'mail' | 'call'
  readonly name: string
  readonly entity: string
  readonly record: string | null
  readonly payload: unknown
  readonly repeat_key: string
  readonly attempts: string
  readonly first_at: string
  readonly receiver: string
  /** Its receiver pauses, and was not there again. */
  readonly probe: boolean
}

/** What becomes of a row after an attempt. */
export interface Verdict {
  readonly state: 'delivered' | 'failed' | 'waiting'
  readonly status: number | null
  readonly error: string | null
  /** What the other side said, as text. */
  readonly answer?: string
  readonly dueAt: string | null
  readonly reported: string | null
}

// A worker that was taken for dead has lost the row: its late result counts for nothing.
export const finish = built(sql`
  update ninefold.outbox set state = ${slot('state')}, due_at = coalesce(${slot('due')}::timestamptz, due_at),
    last_status = ${slot('status')}::integer, last_error = ${slot('error')},
    last_answer = ${slot('answer')}, reported = ${slot('reported')},
    finished_at = case when ${slot('state')} = 'waiting' then null else ${slot('now')}::timestamptz end,
    claimed_until = null, claimed_by = null, attempts = attempts - ${slot('spared')}::integer
  where id = ${slot('id')}::uuid and state = 'waiting' and claimed_by = ${slot('worker')}
    and attempts = ${slot('attempts')}::integer`)

export const finishBindings = (context: DeliveryContext, row: OutboxRow, verdict: Verdict) => ({
  id: row.id,
  worker: context.worker,
  attempts: row.attempts,
  spared: row.probe && verdict.state === 'waiting' ? 1 : 0,
  state: verdict.state,
  due: verdict.dueAt,
  status: verdict.status,
  error: verdict.error?.slice(0, 2000) ?? null,
  answer: verdict.answer?.slice(0, 2000) ?? null,
  reported: verdict.reported,
  now: context.now().toISOString(),
})

export const ended = (state: 'delivered' | 'failed', status: number | null, error: string | null = null): Verdict => ({
  state,
  status,
  error,
  dueAt: null,
  reported: null,
})

/** Another attempt, at growing distances; after the last one the row has failed. */
export const tryAgain = (
  context: DeliveryContext,
  row: OutboxRow,
  status: number | null,
  error: string,
  times = plainly[row.kind].attempts - 1,
  within: number = plainly[row.kind].within,
  retryAfter: number | null = null,
): Verdict => nextTry(context, row, status, error, { times, within }, retryAfter) ?? ended('failed', status, error)

/**
 * Another attempt; null: that was the last one. A probe that failed counts for none: it is the last one where the time that the document
 * gives is over.
 */
export function nextTry(
  context: DeliveryContext,
  row: OutboxRow,
  status: number | null,
  error: string,
  { times, within }: { readonly times: number; readonly within: number },
  retryAfter: number | null,
): Verdict | null {
  const isLast = row.probe ? context.now().getTime() > endOf(row, within) : Number(row.attempts) > times
  if (isLast) return null
  const counted = row.probe ? { ...row, attempts: String(Math.max(1, Number(row.attempts) - 1)) } : row
  return {
    state: 'waiting',
    status,
    error,
    dueAt: nextAttempt(context, counted, times, within, retryAfter),
    reported: null,
  }
}

const endOf = ({ first_at }: Pick<OutboxRow, 'first_at'>, within: number): number =>
  Date.parse(first_at) + within * 1000

/**
 * When attempt `n + 1` is due (exponential backoff with jitter): pauses double, so that `times` of them fill the time that the document gives.
 * Each is shortened by up to a quarter by chance, so that many rows do not come back at once; the last one is not, and ends with that time.
 * The other side may ask for more patience.
 */
export function nextAttempt(
  context: Pick<DeliveryContext, 'now' | 'random'>,
  row: Pick<OutboxRow, 'attempts' | 'first_at'>,
  times: number,
  within: number,
  retryAfter: number | null,
): string {
  const number = Number(row.attempts)
  const now = context.now()
  const end = endOf(row, within)
  const pause = (within / (2 ** times - 1)) * 2 ** (number - 1) * (1 - context.random() / 4)
  const wanted = number >= times ? end : now.getTime() + Math.max(pause, retryAfter ?? 0) * 1000
  return new Date(Math.max(now.getTime() + 1000, Math.min(wanted, end))).toISOString()
}
