/** `ninefold verify`: starts the application on an empty database of its own and tries the document's examples and scenarios on it. */
import { placeOf } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import type { Store } from '../store/pool.ts'
import { place } from '../trace/words.ts'
import { unreadIn } from '../verify/judge.ts'
import { type Only, onlyOf, sumsOf } from '../verify/only.ts'
import { type Line, verify as verifySite, type What } from '../verify/verify.ts'
import { CannotRead, type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'
import { untilStopped } from './process.ts'
import { emptyDatabase, rehearse } from './rehearsal.ts'

export const verify: Command = {
  name: 'verify',
  options: {
    strict: { type: 'boolean', meaning: 'also fail where something could not be tried' },
    only: { type: 'string', meaning: 'only what a heading (its number) or an entity (its name) says' },
    scenarios: { type: 'boolean', meaning: 'only the Examples and Scenarios, not what each person may do and see' },
  },
  run: (files, { strict, scenarios, only }, output) =>
    verifyFile(
      onlyFile(files, 'verify'),
      { strict: strict === true, what: scenarios === true ? 'written' : 'all', only: (only as string) ?? null },
      output,
    ),
}

/** The exit code of what somebody ended. */
const stopped = 130

interface Wanted {
  readonly strict: boolean
  readonly what: What
  /** The number of a heading, or the name of an entity; null: all. */
  readonly only: string | null
}

async function verifyFile(file: string, { strict, what, only }: Wanted, output: Output): Promise<number> {
  const { app, found } = loadApp(file)
  const errors = found.filter(({ severity }) => severity === 'error')
  if (app === null || errors.length > 0) return refuse(output, errors)
  const part = only === null ? null : onlyOf(app, only)
  if (only !== null && part === null)
    throw new CannotRead(`${file} has no heading and no entity '${only}'. Write --only 6, or --only 'Loan line'.`)
  const stop = untilStopped()
  let isStopped = false
  const database = await emptyDatabase()
  try {
    const tell = (line: Line) => {
      if (!isStopped) output.say(sayLine(line))
    }
    const lines = await Promise.race([stop, verifyOn(app, database.store, tell, app, what, part)])
    if (lines === 'stop') {
      isStopped = true
      return stopped
    }
    const failed = lines.filter(({ passed }) => !passed).length
    const untried = lines.filter(line => line.untried === true).length
    output.result({
      passed: lines.length - failed - untried,
      failed,
      untried,
      lines: lines.map(({ cell, title, passed, untried = false, detail }) => ({
        ...placeOf(cell),
        title,
        outcome: untried ? 'untried' : passed ? 'passed' : 'failed',
        detail,
      })),
    })
    output.say('')
    for (const [text, why] of unreadIn(app))
      output.say(`Taken as the application reads it, for want of a judge: ${text} (${why})`)
    for (const one of sumsOf(app, lines))
      output.say(
        `Heading ${one.heading}: ${one.passed} passed, ${one.failed} failed${one.untried === 0 ? '' : `, ${one.untried} could not be tried`}`,
      )
    output.say(
      `\n${lines.length - failed - untried} passed, ${failed} failed${untried === 0 ? '' : `, ${untried} could not be tried`}`,
    )
    if (lines.length === 0)
      output.say(
        `There is nothing to try: the document has no Examples${what === 'written' ? ' and no Scenario' : ', no Scenario, no permissions and no screens'}.`,
      )
    return failed === 0 && !(strict && untried > 0) ? 0 : 1
  } finally {
    await database.drop()
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
  only: Only | null = null,
): Promise<readonly Line[]> {
  const { site, close } = await rehearse(app, store, { told })
  try {
    return await verifySite({ ...site, at: howFar() }, tell, what, only)
  } finally {
    await close()
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
