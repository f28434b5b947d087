/**
 * An application that is tried: on an empty database, with demo people, a clock that stands, and nothing that leaves. What `verify` plays on,
 * and tests of an application.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { App } from '../headings/app.ts'
import type { Runtime } from '../run/request.ts'
import { folderFiles } from '../store/files.ts'
import { applyMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { createTestDatabase, startTestServer, type TestDatabase } from '../store/testing.ts'
import type { Player, Site } from '../verify/client.ts'
import { Judged } from '../verify/judged.ts'
import { givenBy, outsideOf } from '../verify/outside.ts'
import { partnerOf } from '../verify/partner.ts'
import { observatoryOf, visitor } from '../verify/world.ts'
import { randomBytes } from '../web/random.ts'
import type { LogEntry } from '../web/request-context.ts'
import { cookieJar } from '../web/sign-in/cookies.ts'
import { openSession } from '../web/sign-in/session.ts'
import { variable } from './environment.ts'
import { type Serving, samplesRequest, startServing } from './serving.ts'

/** Milliseconds between two looks whether all that is due has happened, and how many. */
const lookEvery = 5
const looksAtMost = 4000
/** Moments at which the clock stops on its way; beyond, it goes on to the end at once. */
const stopsAtMost = 2000

/** On the server that DATABASE_URL names (around a pooler, which knows only its own databases), else on one of its own. */
export async function emptyDatabase(): Promise<Pick<TestDatabase, 'store' | 'drop'>> {
  const url = variable('DATABASE_DIRECT_URL') ?? variable('DATABASE_URL')
  const own = url === undefined ? await startTestServer({ fsync: 'off' }) : null
  try {
    const { store, drop } = await createTestDatabase(own?.url ?? url!)
    return { store, drop: () => drop().finally(() => own?.stop()) }
  } catch (error) {
    await own?.stop()
    throw error
  }
}

interface Rehearsal {
  readonly site: Site
  readonly close: () => Promise<void>
}

interface RehearsalOptions {
  /** The document that it is measured by, where it is another one. */
  readonly told?: App
  /** Files of sample data count, too. */
  readonly sampleFiles?: boolean
  /** What values are made up by: the same makes the same ones. */
  readonly seed?: number
  /** The cells that it was held against before. */
  readonly judged?: Judged
  /** Hears of rows of sample data that are left out. */
  readonly leftOut?: (row: LogEntry['detail']) => void
}

/** Serves the application on an empty database. */
export async function rehearse(
  app: App,
  store: Store,
  { told = app, sampleFiles = false, judged = new Judged(told.document), seed = 0, leftOut }: RehearsalOptions = {},
): Promise<Rehearsal> {
  await applyMigration(store, app, null, { now: new Date() })
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-verify-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Where somebody ends it, nothing below is reached.
  process.once('exit', remove)
  let stands = Date.now()
  let troubles: string[] = []
  // However long it takes, nothing comes due by itself.
  const now = () => new Date(stands)
  let timersWait = false
  const setClock = (to: Date) => {
    stands = to.getTime()
  }
  const secrets = new Set([
    ...[...app.calls.values()].flatMap(({ secret }) => secret?.name ?? []),
    ...[...app.receives.values()].flatMap(({ proof }) => proof?.variable ?? []),
  ])
  const partner = partnerOf(
    () => serving.wake(),
    name => secrets.has(name),
  )
  const serving: Serving = await startServing({
    app,
    store,
    files: folderFiles(folder),
    mode: 'dev',
    sampleFiles,
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: now,
    timersWait: () => timersWait,
    log: ({ level, event, request, detail }) => {
      if (request === samplesRequest) leftOut?.(detail)
      if (level === 'error') troubles.push(`${event}: ${inspect(detail, { breakLength: Number.POSITIVE_INFINITY })}`)
    },
    smtp: null,
    from: 'verify@localhost',
    // Nothing leaves before it is listened for: a call has no address without its setting.
    variable: partner.variable,
    redirect: partner.redirect,
  })
  const hold = (held: boolean) => {
    timersWait = held
  }
  const clock = { now, set: setClock, isHeld: () => timersWait, hold }
  const site = siteOf({ app: told, store }, serving, judged, clock, seed)
  return {
    site: {
      ...site,
      partner,
      clock: {
        ...site.clock,
        async hold() {
          await site.clock.set(now())
          timersWait = true
        },
        release() {
          timersWait = false
        },
      },
      troubles() {
        const told = troubles
        troubles = []
        return told
      },
    },
    async close() {
      await serving.close()
      process.off('exit', remove)
      remove()
    },
  }
}

interface Clock {
  readonly now: () => Date
  readonly set: (to: Date) => void
  /** No timer fires. */
  readonly isHeld: () => boolean
  readonly hold: (held: boolean) => void
}

function siteOf(
  runtime: Runtime,
  serving: Serving,
  judged: Judged,
  { now, set: setClock, isHeld, hold }: Clock,
  seed: number,
): Omit<Site, 'troubles' | 'clock' | 'partner'> & {
  readonly clock: Omit<Site['clock'], 'hold' | 'release'>
} {
  const { app, store } = runtime
  const sessions = new Map<Player, string>()
  const observatory = observatoryOf(runtime, now, seed, serving.people())
  const { session } = cookieJar(false)
  const settle = async () => {
    observatory.forget()
    for (let looks = 0; looks < looksAtMost && !isHeld() && (await observatory.isDue()); looks++) {
      serving.wake()
      await setTimeout(lookEvery)
    }
  }
  const set = async (to: Date) => {
    setClock(to)
    // Sessions end with time.
    sessions.clear()
    await settle()
    await serving.tidy()
    observatory.forget()
  }
  return {
    app,
    url: serving.url,
    players: serving.people(),
    observatory,
    judged,
    told: new Map(),
    outside: outsideOf(
      runtime,
      now,
      serving.people().map(({ id }) => id),
    ),
    given: givenBy(runtime, now),
    clock: {
      now,
      set,
      async pass(to) {
        for (let stops = 0; stops < stopsAtMost; stops++) {
          const next = await observatory.nextDue(to)
          if (next === null) break
          setClock(next)
          await settle()
        }
        await set(to)
      },
      async pause() {
        await settle()
        const before = isHeld()
        hold(true)
        return () => hold(before)
      },
    },
    async headersFor(player) {
      // As the document is written.
      const spoken = { 'accept-language': app.language }
      if (player.id === visitor.id) return spoken
      let token = sessions.get(player)
      if (token === undefined) {
        // As somebody who has the second factor that a role may need.
        const opened = { now: now(), random: randomBytes, agent: 'ninefold verify', strong: true }
        token = await openSession(store, player.id, opened)
        sessions.set(player, token)
      }
      return { ...spoken, cookie: `${session}=${token}` }
    },
  }
}
