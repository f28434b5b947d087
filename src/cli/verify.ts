/** `ninefold verify`: starts the application on an empty database of its own and tries the document's examples and scenarios on it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { printFrames } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import type { Runtime } from '../run/request.ts'
import { folderFiles } from '../store/files.ts'
import { applyMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { createTestDatabase, startTestServer } from '../store/testing.ts'
import { place } from '../trace/words.ts'
import type { Player, Site } from '../verify/client.ts'
import { outsideOf } from '../verify/outside.ts'
import { type Line, verify as verifySite, type What } from '../verify/verify.ts'
import { observatoryOf, visitor } from '../verify/world.ts'
import { randomBytes } from '../web/random.ts'
import { cookieJar } from '../web/sign-in/cookies.ts'
import { openSession } from '../web/sign-in/session.ts'
import { type Command, onlyFile } from './command.ts'
import { variable } from './environment.ts'
import { loadApp } from './load.ts'
import { reportFailure, untilStopped } from './process.ts'
import { type Serving, startServing } from './serving.ts'

export const verify: Command = {
  name: 'verify',
  options: {
    strict: { type: 'boolean', meaning: 'also fail where something could not be tried' },
    scenarios: { type: 'boolean', meaning: 'only the Examples and Scenarios, not what each person may do and see' },
  },
  run: (files, { strict, scenarios }) =>
    reportFailure(() => verifyFile(onlyFile(files, 'verify'), strict === true, scenarios === true ? 'written' : 'all')),
}

/** Milliseconds between two looks whether all that is due has happened, and how many. */
const lookEvery = 5
const looksAtMost = 4000
/** Moments at which the clock stops on its way; beyond, it goes on to the end at once. */
const stopsAtMost = 2000
/** The exit code of what somebody ended. */
const stopped = 130

async function verifyFile(file: string, strict: boolean, what: What): Promise<number> {
  const { app, found } = loadApp(file)
  const errors = found.filter(({ severity }) => severity === 'error')
  if (app === null || errors.length > 0) {
    process.stdout.write(printFrames(errors))
    return 1
  }
  const stop = untilStopped()
  let isStopped = false
  const own = variable('DATABASE_URL') === undefined ? await startTestServer({ fsync: 'off' }) : null
  try {
    const database = await createTestDatabase(own?.url ?? variable('DATABASE_URL')!)
    try {
      const tell = (line: Line) => {
        if (!isStopped) console.log(sayLine(line))
      }
      const lines = await Promise.race([stop, verifyOn(app, database.store, tell, app, what)])
      if (lines === 'stop') {
        isStopped = true
        return stopped
      }
      const failed = lines.filter(({ passed }) => !passed).length
      const untried = lines.filter(line => line.untried === true).length
      console.log(
        `\n${lines.length - failed - untried} passed, ${failed} failed${untried === 0 ? '' : `, ${untried} could not be tried`}`,
      )
      if (lines.length === 0)
        console.log(
          `There is nothing to try: the document has no Examples${what === 'written' ? ' and no Scenario' : ', no Scenario, no permissions and no screens'}.`,
        )
      return failed === 0 && !(strict && untried > 0) ? 0 : 1
    } finally {
      await database.drop()
    }
  } finally {
    await own?.stop()
    // What is being tried waits for a database that is gone.
    if (isStopped) process.exit(stopped)
  }
}

/** Serves the application from an empty database and tries it on all that the document says, or on what another one says (`told`). */
export async function verifyOn(
  app: App,
  store: Store,
  tell: (line: Line) => void,
  told: App = app,
  what: What = 'all',
): Promise<readonly Line[]> {
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
  const serving = await startServing({
    app,
    store,
    files: folderFiles(folder),
    mode: 'dev',
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: now,
    timersWait: () => timersWait,
    log: ({ level, event, detail }) => {
      if (level === 'error') troubles.push(`${event}: ${inspect(detail, { breakLength: Number.POSITIVE_INFINITY })}`)
    },
    smtp: null,
    from: 'verify@localhost',
    // Nothing leaves: a call has no address without its setting.
    variable: () => undefined,
  })
  try {
    const site = siteOf({ app: told, store }, serving, now, setClock)
    return await verifySite(
      {
        ...site,
        clock: {
          ...site.clock,
          async hold() {
            await site.clock.set(now())
            timersWait = true
          },
        },
        troubles() {
          const told = troubles
          troubles = []
          return told
        },
      },
      tell,
      what,
    )
  } finally {
    await serving.close()
    process.off('exit', remove)
    remove()
  }
}

function siteOf(
  runtime: Runtime,
  serving: Serving,
  now: () => Date,
  setClock: (to: Date) => void,
): Omit<Site, 'troubles' | 'clock'> & { readonly clock: Omit<Site['clock'], 'hold'> } {
  const { app, store } = runtime
  const sessions = new Map<Player, string>()
  const observatory = observatoryOf(runtime, now)
  const { session } = cookieJar(false)
  const settle = async () => {
    observatory.forget()
    for (let looks = 0; looks < looksAtMost && (await observatory.isDue()); looks++) {
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
    outside: outsideOf(
      runtime,
      now,
      serving.people().map(({ id }) => id),
    ),
    at: howFar(),
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

/** Milliseconds after which it is said where it is, while there is nothing else to say. */
const sayEvery = 15_000

/** Beside the result, which may go into a file. */
function howFar(): (where: string) => void {
  let said = Date.now()
  return where => {
    if (Date.now() - said < sayEvery) return
    said = Date.now()
    process.stderr.write(`… ${where}\n`)
  }
}

function sayLine({ cell, title, passed, untried, detail }: Line): string {
  const verdict = untried === true ? 'untried' : passed ? 'ok     ' : 'FAILED '
  return `${place(cell)} ${verdict} ${title}${detail === null ? '' : `\n       ${detail}`}`
}
