/** A document, its database, the worker and the HTTP server as one running thing: what `dev`, `serve` and `verify` start. */

import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Diagnostic } from '../document/diagnostic.ts'
import type { SourceFile } from '../document/source.ts'
import { platformOffset } from '../expression/zone.ts'
import { home } from '../files.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { takeHour } from '../run/claim.ts'
import { standingIn } from '../run/later/egress.ts'
import { keepWorking, type WorkContext, type Working } from '../run/later/work.ts'
import { seed } from '../run/many/seed.ts'
import { keepTimes } from '../run/people/keep.ts'
import { tidyFiles } from '../run/read/files.ts'
import type { Runtime } from '../run/request.ts'
import { forgetPast } from '../run/retention.ts'
import { listenToCode } from '../run/write/code.ts'
import { isPassing } from '../store/failures.ts'
import type { FileStore } from '../store/files.ts'
import type { Store } from '../store/pool.ts'
import { followReplica } from '../store/replica.ts'
import { Unsure } from '../store/unavailable.ts'
import { agreeOnZone } from '../store/zones.ts'
import { place } from '../trace/words.ts'
import type { Editing } from '../web/editing.ts'
import { newId, randomBytes } from '../web/random.ts'
import type { LogEntry, Served } from '../web/request-context.ts'
import { wayIn } from '../web/routes/case.tsx'
import { recordAddress } from '../web/routes.ts'
import { type RunningWeb, startWeb } from '../web/server.ts'
import { providerFault } from '../web/sign-in/provider.ts'
import type { Seal } from '../web/sign-in/seal.ts'
import { tidyTraces } from '../web/sign-in/tidy.ts'
import { type StandIn, startStandIn } from '../web/stand-in.ts'
import { standardAssets } from '../web/standard-assets.ts'
import type { Metrics } from './metrics.ts'
import { entryOf } from './observed.ts'

/** What the log says of rows of sample data instead of a request. */
export const samplesRequest = 'sample data'

interface ServingOptions {
  readonly app: App
  readonly store: Store
  readonly files: FileStore
  readonly mode: 'dev' | 'serve'
  /** In `dev`: files of sample data count, too. */
  readonly sampleFiles?: boolean
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** See `WebOptions`. */
  readonly handedOver?: boolean
  readonly publicUrl: string | null
  /** See `WebOptions`. */
  readonly trustedProxies?: number
  readonly clock: () => Date
  readonly moveClock?: (to: Date) => void
  /** See `WorkContext`. */
  readonly timersWait?: () => boolean
  /** In `dev`: what needs a variable that is not set goes to a receiver of its own, and comes with a key that everybody knows. */
  readonly standIn?: boolean
  /** In `verify`, which calls nobody outside. */
  readonly redirect?: (url: string) => string | null
  /** The document's files, for the editor of `dev`. */
  readonly editing?: Editing
  readonly log: (entry: LogEntry) => void
  /** Those who count or trace. */
  readonly watching?: readonly Pick<Metrics, 'answered' | 'observed'>[]
  /** A standby to read from; absent or null: all is read from where it is written. */
  readonly replicaUrl?: string | null
  /** `smtp://…`; null: mails stay in the mailbox. */
  readonly smtp: string | null
  readonly from: string
  /** Absent: secrets of people are kept as they are. */
  readonly seal?: Seal
  /** What calls and settings may read: the environment. */
  readonly variable: (name: string) => string | undefined
}

export interface Serving {
  readonly url: string
  readonly runtime: () => Runtime
  readonly people: () => Served['people']
  /** Serves another version of the document, whose tables are there already. */
  readonly change: (app: App, found: readonly Diagnostic[]) => Promise<void>
  /** The newest text has mistakes: they are shown, the application stays as it was. */
  readonly keep: (found: readonly Diagnostic[], files: readonly SourceFile[]) => Promise<void>
  /** The clock was moved: what is due is looked for at once. */
  readonly wake: () => void
  /** Lets go what has been kept long enough, as is done every hour. */
  readonly tidy: () => Promise<void>
  /** For whoever hands connections over. */
  readonly web: Pick<RunningWeb, 'take' | 'room' | 'ready' | 'leave'>
  readonly close: () => Promise<void>
}

/** Milliseconds between two looks at what is due; a write wakes the worker at once. */
const pollEvery = 1000
/** Milliseconds between two looks whether it is time to tidy up, which one of all processes does once an hour. */
const lookForHour = 600_000

/** With Ninefold's own packages, wherever it is started from. */
const assetCache = join(home, 'node_modules', '.cache', 'ninefold')

/** Starts worker and server; `close` ends both and answers what has begun. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { store, mode } = options
  const ending = new AbortController()
  const context: WorkContext = {
    now: options.clock,
    newId,
    random: Math.random,
    variable: options.variable,
    smtp: options.smtp,
    from: options.from,
    locale: 'en',
    worker: newId(),
    signal: ending.signal,
    clockMoves: mode === 'dev',
    ...(options.timersWait === undefined ? {} : { timersWait: options.timersWait }),
  }
  const seeded = async (runtime: Runtime) => {
    const { people, problems } = await seed(
      runtime,
      { now: options.clock(), newId, id: 'seed', locale: 'en' },
      { files: options.sampleFiles === true },
    )
    for (const { code, message, because, row } of problems) {
      const line = because === null ? null : place(because)
      const at = row === undefined ? {} : { row: place(row) }
      options.log({ level: 'warn', event: 'refused', request: samplesRequest, detail: { code, message, line, ...at } })
    }
    return people
  }
  const observe: NonNullable<Runtime['observe']> = observation => {
    for (const one of options.watching ?? []) one.observed(observation)
    const entry = entryOf(observation)
    if (entry !== null) options.log(entry)
  }
  const prepared = async (app: App, found: readonly Diagnostic[]): Promise<Served> => {
    const runtime = { app, store, wake: () => worker?.wake(), observe }
    listenToCode(app, ({ of, why, at }) =>
      options.log({
        level: 'error',
        event: 'code failed',
        request: '',
        detail: { function: of.name, file: at ?? of.file?.path, line: place(of.cell), why },
      }),
    )
    const apart = await agreeOnZone(store, app.product.timeZone.name, platformOffset)
    if (apart !== null) options.log({ level: 'warn', event: 'time zone', request: '', detail: { ...apart } })
    const people = mode === 'dev' ? await seeded(runtime) : []
    return { runtime, found, files: app.document.files, outdated: false, people }
  }
  let worker: Working | null = null
  let served = await prepared(options.app, [])
  const fault = providerFault(options.variable)
  if (fault !== null && options.app.product.signIn.some(way => specified(way)?.way === 'single sign-on'))
    options.log({ level: 'warn', event: 'unavailable', request: '', detail: { what: 'single sign-on', why: fault } })
  const failed = (error: unknown) => {
    const event = isPassing(error) || error instanceof Unsure ? 'unavailable' : 'failure'
    options.log({ level: 'error', event, request: '', detail: { error } })
  }
  let tidying = Promise.resolve()
  const tidy = (isTime = () => Promise.resolve(true)): Promise<void> => {
    tidying = tidying
      .then(async () => {
        if (!(await isTime())) return
        const now = options.clock()
        const kept = await keepTimes(served.runtime, { now, id: newId(), locale: 'en', newId })
        for (const { problems, ...detail } of kept.failed)
          options.log({
            level: 'warn',
            event: 'failure',
            request: '',
            detail: { ...detail, why: problems[0]?.message },
          })
        await forgetPast(served.runtime, { now, id: newId(), locale: 'en', newId })
        await tidyTraces(store, now)
        await tidyFiles(served.runtime, options.files, now)
      })
      .catch(failed)
    return tidying
  }
  const { moveClock } = options
  const given = (name: string) =>
    standIn === null ? options.variable(name) : standingIn(served.runtime.app, options.variable)(name)
  const standIn: StandIn | null =
    options.standIn !== true
      ? null
      : await startStandIn({
          runtime: () => served.runtime,
          now: options.clock,
          newId,
          variable: options.variable,
          onReceived: () => web.mailArrived(),
        })
  const replica =
    options.replicaUrl == null
      ? null
      : followReplica(store, options.replicaUrl, {
          version: options.app.version,
          onChange: error => observe({ kind: 'standby', error }),
        })
  const web: RunningWeb = await startWeb({
    served,
    mode,
    host: options.host,
    port: options.port,
    ...(options.handedOver === undefined ? {} : { handedOver: options.handedOver }),
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies ?? 0,
    clock: options.clock,
    ...(moveClock === undefined
      ? {}
      : {
          moveClock: to => {
            moveClock(to)
            worker?.wake()
            void tidy()
          },
        }),
    ...(options.editing === undefined ? {} : { editing: options.editing }),
    newId,
    random: randomBytes,
    log: options.log,
    onAnswered(request) {
      for (const one of options.watching ?? []) one.answered(request)
    },
    files: options.files,
    mails: mode === 'dev' || options.smtp !== null,
    ...(replica === null ? {} : { replica }),
    ...(options.seal === undefined ? {} : { seal: options.seal }),
    assets: await standardAssets(assetCache, mode === 'dev'),
    wake: () => worker?.wake(),
    variable: name => given(name),
  })
  // Kept for the next start, however this process ends.
  flushCompileCache()
  const linkTo = (entity: string, record: string) => web.url + recordAddress(entity, record)
  worker = keepWorking(
    () => served.runtime,
    {
      ...context,
      linkTo,
      way: () => wayIn(web.url, randomBytes),
      ...(standIn === null ? {} : { standIn: standIn.url }),
      ...(options.redirect === undefined ? {} : { redirect: options.redirect }),
    },
    {
      every: pollEvery,
      onWorked: ({ timers }) => {
        web.mailArrived()
        // Where clocks are moved, an hour is nothing.
        if (mode === 'dev' && timers > 0) void tidy()
      },
      onFailure: failed,
    },
  )
  const tidyHourly = () => tidy(() => takeHour(store, 'tidy', options.clock()))
  if (mode === 'serve') void tidyHourly()
  const tidyTimer = setInterval(tidyHourly, lookForHour).unref()
  return {
    url: web.url,
    runtime: () => served.runtime,
    people: () => served.people,
    async change(app, found) {
      served = await prepared(app, found)
      await web.reload(served)
    },
    async keep(found, files) {
      served = { ...served, found, files, outdated: true }
      await web.reload(served)
    },
    wake: () => worker?.wake(),
    tidy: () => tidy(),
    web,
    async close() {
      clearInterval(tidyTimer)
      await web.close()
      await replica?.close()
      ending.abort()
      await worker?.stop()
      standIn?.close()
      await tidying
    },
  }
}
