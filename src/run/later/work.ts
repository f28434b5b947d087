/** The scheduler, of what happens without anybody asking: timers fire, jobs go on, mails and calls leave. One round, or round after round. */

import { workJobs } from '../many/work-jobs.ts'
import { tellNews } from '../people/news-told.ts'
import type { Door } from '../people/people.ts'
import type { Runtime } from '../request.ts'
import type { DeliveryContext } from './attempt.ts'
import { claimAndDeliver, type Delivered, deliver, deliveredOf } from './deliver.ts'
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
  /** See `DeliveryContext`. Default: none. */
  readonly standIn?: string
  readonly redirect?: (url: string) => string | null
  /** A new way in to a record without an account, for mails. Default: none. */
  readonly way?: DeliveryContext['way']
  /** Timers of one round; deliveries that are on their way to one receiver stay below it, with five times as many in all. Default 20. */
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

/** One round: fires what is due, tells people of it, and delivers what is due. What a timer caused is delivered in the same round. */
export async function work(runtime: Runtime, context: WorkContext): Promise<Worked> {
  const timers = await fireDue(runtime, context)
  await tellNews(runtime, doorOf(context))
  const delivered = await deliver(runtime, doorOf(context), deliveryOf(context, limitOf(context)))
  return { timers, rows: await goOn(runtime, context), ...delivered }
}

const limitOf = ({ limit }: WorkContext): number => limit ?? 20

const doorOf = ({ now, newId, locale }: WorkContext): Door => ({ now: now(), id: newId(), locale, newId })

async function fireDue(runtime: Runtime, context: WorkContext): Promise<number> {
  if (context.timersWait?.() === true) return 0
  return fireTimers(runtime, doorOf(context), {
    worker: context.worker,
    limit: limitOf(context),
    moves: context.clockMoves === true,
  })
}

const goOn = (runtime: Runtime, context: WorkContext): Promise<number> =>
  workJobs(runtime, doorOf(context), { worker: context.worker, limit: context.rows ?? 50 })

const deliveryOf = (context: WorkContext, limit: number): DeliveryContext => ({
  worker: context.worker,
  random: context.random,
  environment: { variable: context.variable, smtp: context.smtp, from: context.from },
  now: context.now,
  signal: context.signal,
  limit,
  linkTo: context.linkTo ?? (() => null),
  ...(context.way === undefined ? {} : { way: context.way }),
  ...(context.standIn === undefined ? {} : { standIn: context.standIn }),
  ...(context.redirect === undefined ? {} : { redirect: context.redirect }),
})

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
  /** Waits for the round and the deliveries that are under way. */
  readonly stop: () => Promise<void>
}

/**
 * Works until stopped. `runtime` is asked for anew each round: in `dev` the document changes while we work. No round waits for what is on
 * its way: timers, jobs and other deliveries go on while a receiver is silent, as many deliveries at a time as the limit says.
 */
export function keepWorking(runtime: () => Runtime, context: WorkContext, options: KeepWorkingOptions): Working {
  let stopped = false
  let woken = false
  let rouse: (() => void) | null = null
  const wake = () => {
    woken = true
    rouse?.()
  }
  const pause = () =>
    new Promise<void>(resolve => {
      const timeout = setTimeout(resolve, options.every)
      rouse = () => {
        clearTimeout(timeout)
        resolve()
      }
    })
  const onTheirWay = new Map<Promise<void>, string>()
  /** Rows that are claimed at a time, and deliveries from which on a receiver is given no more: together they stay below the limit. */
  const share = Math.max(1, Math.floor(limitOf(context) / 2))
  const full = () => {
    const receivers = [...onTheirWay.values()]
    return [...new Set(receivers)].filter(one => receivers.filter(other => other === one).length >= share)
  }
  const send = async () => {
    const free = Math.min(share, 5 * limitOf(context) - onTheirWay.size)
    if (free <= 0) return
    const delivery = { ...deliveryOf(context, free), full: full() }
    const begun = await claimAndDeliver(runtime(), doorOf(context), delivery)
    for (const { receiver, state } of begun) {
      const way: Promise<void> = state
        .then(
          ended => options.onWorked?.({ timers: 0, rows: 0, ...deliveredOf([ended]) }),
          error => options.onFailure?.(error),
        )
        .finally(() => {
          onTheirWay.delete(way)
          // Its place is free, and others of its queue may follow.
          wake()
        })
      onTheirWay.set(way, receiver)
    }
    if (begun.length === free) await send()
  }
  const rounds = async () => {
    while (!stopped) {
      woken = false
      let busy = false
      try {
        const timers = await fireDue(runtime(), context)
        await send()
        const rows = await goOn(runtime(), context)
        const told = await tellNews(runtime(), doorOf(context))
        busy = timers + rows + told > 0
        if (timers + rows > 0) options.onWorked?.({ timers, rows, ...deliveredOf([]) })
      } catch (error) {
        options.onFailure?.(error)
      }
      // Something was there: more may be.
      if (!busy && !woken && !stopped) await pause()
      rouse = null
    }
    await Promise.all(onTheirWay.keys())
  }
  const running = rounds()
  return {
    wake,
    async stop() {
      stopped = true
      rouse?.()
      await running
    },
  }
}
