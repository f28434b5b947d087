/** One process per core: each serves, and delivers what is to leave; they share the front, and know of each other by the database alone. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism, getPriority, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { heardFrom } from './channel.ts'
import { CannotRead } from './command.ts'
import type { Front } from './front.ts'
import { delayed, signalled } from './process.ts'

/** Each has up to twelve connections, and PostgreSQL a hundred unless it was told otherwise. */
const mostByDefault = 4
const most = 64
/** Milliseconds between the end of a process that served and the beginning of another in its place. */
const pause = 1000

/** `WEB_PROCESSES`; one per core where it is not set, at most four. */
export function processesOf(text: string | undefined): number {
  if (text === undefined || text === '') return Math.min(availableParallelism(), mostByDefault)
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new CannotRead(`WEB_PROCESSES is '${text}'; it must be a whole number from 1 to ${most}.`)
  return count
}

/** In one of the processes that `serveInProcesses` started. */
export const isOneOfMany = (): boolean => cluster.isWorker

/** The one that says what is to be said once: the only one, or the first of many. */
export const isFirst = (): boolean => (cluster.worker?.id ?? 1) === 1

/** Lets such a process end when it has nothing more to do. */
export const leaveTheOthers = (): void => void cluster.worker?.disconnect()

/**
 * Megabytes of each half of what a process keeps young objects in; 16 unless said. Requests leave much behind that is soon of no use: with
 * more room it is looked through less often, which spares a tenth of a list's processor time.
 */
const youngMegabytes = 64

/**
 * By how many per cent what a process keeps may grow until all of it is looked through. Left to itself, V8 does that every few hundred pages of
 * some 60 MB that hardly ever change, on the cores that requests need: a fifth of a list's processor time. Twice as much room spares no more of it.
 */
const growth = 100

/** How many places the C library gets memory from, where threads share it: each keeps what it has. As whoever starts it says, else the fewest. */
const places = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1' }

/** By how much the front goes before them where all cores are taken, in the system's own measure (nice): it has three times the share of one of them. */
const ahead = 5

/**
 * Whoever refuses must not wait for those who are too busy. Gives what the others go by; where the system lets nobody go before others (it
 * takes root, or `CAP_SYS_NICE`), all are alike.
 */
function goAhead(): number {
  const usual = getPriority()
  try {
    setPriority(usual - ahead)
  } catch {}
  return usual
}

/**
 * Starts the same command in several processes, hands them what comes at the front, and waits until it is to stop. Where the first cannot
 * even begin, that is the end, with its exit code; each that ends later is replaced, as often as it takes, while the others serve. On
 * SIGUSR2 all are, one by one.
 * `told` hears of each.
 */
export async function serveInProcesses(
  count: number,
  front: Front,
  delay: number,
  told: (code: string) => void,
): Promise<number> {
  const stopped = signalled()
  const memory = [`--max-semi-space-size=${youngMegabytes}`, `--heap-growing-percent=${growth}`]
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...memory] })
  const running = new Set<Worker>()
  const priority = goAhead()
  /** Those that nobody takes the place of when they end. */
  const goes = new Set<Worker>()
  let over = false
  let failed: (code: number) => void = () => {}
  const failure = new Promise<number>(resolve => {
    failed = resolve
  })
  let served = false
  const start = (): Worker => {
    // The port that it is, where any will do.
    const worker = cluster.fork({ PORT: String(front.port), ...places })
    setPriority(worker.process.pid!, priority)
    running.add(worker)
    front.add(worker)
    worker.on('exit', async (code, signal) => {
      running.delete(worker)
      if (over || goes.has(worker)) return
      if (!served) return failed(code || 1)
      told(signal ?? String(code))
      await wait(pause)
      if (!over) start()
    })
    return worker
  }
  /** Each gives way to one that begins anew, once that one serves. Where one does not come to it, it has said why, and the others stay. */
  const renew = async () => {
    for (const old of [...running].filter(one => !goes.has(one))) {
      const next = start()
      goes.add(next)
      const serves = await new Promise<boolean>(resolve => {
        next.once('exit', () => resolve(false))
        next.on(
          'message',
          heardFrom(({ ninefold }) => ninefold === 'serving' && resolve(true)),
        )
      })
      if (!serves || over) return
      goes.delete(next)
      goes.add(old)
      front.retire(old, delay)
    }
  }
  let renewed = Promise.resolve()
  process.on('SIGUSR2', () => {
    renewed = renewed.then(renew)
  })
  // What keeps one from serving keeps all from it, and is said once.
  const first = start()
  const begun = heardFrom(({ ninefold }) => {
    if (ninefold !== 'serving') return
    served = true
    first.off('message', begun)
    for (let begun = 1; begun < count && !over; begun++) start()
  })
  first.on('message', begun)
  const ended = await Promise.race([stopped, failure])
  if (typeof ended === 'string') {
    front.leave()
    await delayed(ended, delay)
  }
  over = true
  const last = [...running].map(worker => once(worker, 'exit'))
  // Whoever does not serve yet has nothing to answer, and hears nothing.
  for (const worker of running) if (!front.isServedBy(worker)) worker.process.kill('SIGKILL')
  await front.close()
  await Promise.all(last)
  return typeof ended === 'string' ? 0 : ended
}
