/** What happens without anybody asking: timers fire, jobs go on, mails and calls leave. One round, or round after round. */

import { workJobs } from '../many/work-jobs.ts'
import { type Door, systemRequest } from '../people/people.ts'
import type { Runtime } from '../request.ts'
import type { DeliveryContext } from './attempt.ts'
import { type Delivered, deliver } from './deliver.ts'
import { fireTimers } from './fire.ts'

/** What a worker finds around it; everything from outside comes in here. */
export interface WorkContext {
  readonly now: () => Date
  readonly newId: () => string
  /** From 0 up to 1. */
  readonly random: () => number
  /** Value of an environment variable. */
  readonly variable: (name: string) => string | undefined
  /** `smtp://…`; null: mails are kept in `ninefold.mailbox`. */
  readonly smtp: string | null
  /** Sender of mails. */
  readonly from: string
  readonly locale: string
  /** Name of this process among others. */
  readonly worker: string
  /** Ends attempts that are under way. */
  readonly signal: AbortSignal
  /** Address of the page of a record, for mails; null where there is none. Default: none. */
  readonly linkTo?: (entity: string, record: string) => string | null
  /** A new way in to a record without an account, for mails. Default: none. */
  readonly way?: DeliveryContext['way']
  /** Timers and deliveries of one round, each. Default 20. */
  readonly limit?: number
  /** The clock is moved by hand (`dev`, scenarios): no timer misses its time. */
  readonly clockMoves?: boolean
  /** Whether no timer fires now, whatever is due. Absent: each does. */
  readonly timersWait?: () => boolean
  /** Rows of a job in one round. Default 50. */
  readonly rows?: number
}

export interface Worked extends Delivered {
  readonly timers: number
  /** Rows of imports and of what is done with many records at once. */
  readonly rows: number
}

/** One round: fires what is due and delivers what is due. What a timer caused is delivered in the same round. */
export async function work(runtime: Runtime, context: WorkContext): Promise<Worked> {
  const door = (): Door => ({ now: context.now(), id: context.newId(), locale: context.locale, newId: context.newId })
  const limit = context.limit ?? 20
  const timers =
    context.timersWait?.() === true
      ? 0
      : await fireTimers(runtime, await systemRequest(runtime, 'timer', door()), {
          worker: context.worker,
          limit,
          moves: context.clockMoves === true,
        })
  const delivery: DeliveryContext = {
    worker: context.worker,
    random: context.random,
    environment: { variable: context.variable, smtp: context.smtp, from: context.from },
    now: context.now,
    signal: context.signal,
    limit,
    linkTo: context.linkTo ?? (() => null),
    ...(context.way === undefined ? {} : { way: context.way }),
  }
  const delivered = await deliver(runtime, await systemRequest(runtime, 'call', door()), delivery)
  const rows = await workJobs(runtime, door(), { worker: context.worker, limit: context.rows ?? 50 })
  return { timers, rows, ...delivered }
}

interface KeepWorkingOptions {
  /** Milliseconds between two looks. */
  readonly every: number
  readonly onWorked?: (worked: Worked) => void
  /** A round failed (the database is away): the next one tries again. */
  readonly onFailure?: (error: unknown) => void
}

export interface Working {
  /** Looks at once instead of at the next turn. */
  readonly wake: () => void
  /** Waits for the round that is under way. */
  readonly stop: () => Promise<void>
}

/** Works until stopped. `runtime` is asked for anew each round: in `dev` the document changes while we work. */
export function keepWorking(runtime: () => Runtime, context: WorkContext, options: KeepWorkingOptions): Working {
  let stopped = false
  let woken = false
  let rouse: (() => void) | null = null
  const pause = () =>
    new Promise<void>(resolve => {
      const timeout = setTimeout(resolve, options.every)
      rouse = () => {
        clearTimeout(timeout)
        resolve()
      }
    })
  const rounds = async () => {
    while (!stopped) {
      woken = false
      let busy = false
      try {
        const worked = await work(runtime(), context)
        busy = worked.timers + worked.rows + worked.delivered + worked.failed > 0
        if (busy || worked.waiting > 0) options.onWorked?.(worked)
      } catch (error) {
        options.onFailure?.(error)
      }
      // Something was there: more may be.
      if (!busy && !woken && !stopped) await pause()
      rouse = null
    }
  }
  const running = rounds()
  return {
    wake() {
      woken = true
      rouse?.()
    },
    async stop() {
      stopped = true
      rouse?.()
      await running
    },
  }
}
