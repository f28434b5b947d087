/** `ninefold verify`: starts the application on an empty database of its own and tries the document's examples and scenarios on it. */
import { placeOf } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import type { Store } from '../store/pool.ts'
import { createTestDatabase } from '../store/testing.ts'
import { place } from '../trace/words.ts'
import { unreadIn } from '../verify/judge.ts'
import { type Claim, type Judged, type Reach, reachOf } from '../verify/judged.ts'
import { type Only, onlyOf, sumsOf } from '../verify/only.ts'
import { type Line, verifyFurnished, verify as verifySite, type What } from '../verify/verify.ts'
import { CannotRead, type Command, onlyFile } from './command.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'
import { isEnding, untilStopped } from './process.ts'
import { emptyDatabase, rehearse } from './rehearsal.ts'

export const verify: Command = {
  name: 'verify',
  options: {
    strict: { type: 'boolean', meaning: 'also fail where something could not be tried' },
    only: { type: 'string', meaning: 'only what a heading (its number) or an entity (its name) says' },
    seed: { type: 'string', meaning: 'a whole number: values are made up by it, the same for the same number (0)' },
    scenarios: { type: 'boolean', meaning: 'only the Examples and Scenarios, not what each person may do and see' },
  },
  run: (files, { strict, scenarios, only, seed }, output) =>
    verifyFile(
      onlyFile(files, 'verify'),
      {
        strict: strict === true,
        what: scenarios === true ? 'written' : 'all',
        only: (only as string) ?? null,
        seed: seedOf((seed as string) ?? '0'),
      },
      output,
    ),
}

function seedOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CannotRead(`'${text}' is no whole number. Write --seed 7.`)
  return Number(text)
}

/** The exit code of what somebody ended. */
const stopped = 130

interface Wanted {
  readonly strict: boolean
  readonly what: What
  /** The number of a heading, or the name of an entity; null: all. */
  readonly only: string | null
  readonly seed: number
}

async function verifyFile(file: string, { strict, what, only, seed }: Wanted, output: Output): Promise<number> {
  const { app, found } = loadApp(file)
  const errors = found.filter(({ severity }) => severity === 'error')
  if (app === null || errors.length > 0) return refuse(output, errors)
  const part = only === null ? null : onlyOf(app, only)
  if (only !== null && part === null)
    throw new CannotRead(`${file} has no heading and no entity '${only}'. Write --only 6, or --only 'Loan line'.`)
  const stop = untilStopped()
  let isStopped = false
  const database = await emptyDatabase().catch(async error => {
    if (await isEnding()) return null
    throw error
  })
  if (database === null) return stopped
  try {
    const tell = (line: Line) => {
      if (!isStopped) output.say(sayLine(line))
    }
    const tried = await Promise.race([stop, tryOn(app, database.store, tell, { told: app, what, only: part, seed })])
    if (tried === 'stop') {
      isStopped = true
      return stopped
    }
    const { lines, judged } = tried
    const failed = lines.filter(({ passed }) => !passed).length
    const untried = lines.filter(line => line.untried === true).length
    // Of a part, most cells are not meant to be looked at.
    const reach = what === 'all' && part === null ? reachOf(app.document, judged) : null
    output.result({
      passed: lines.length - failed - untried,
      failed,
      untried,
      seed,
      cells: reach === null ? null : { all: reach.claims, judged: reach.judged, open: reach.open.map(told) },
      lines: lines.map(({ cell, title, passed, untried = false, detail }) => ({
        ...placeOf(cell),
        title,
        outcome: untried ? 'untried' : passed ? 'passed' : 'failed',
        detail,
      })),
    })
    output.say(`\nValues were made up with --seed ${seed}`)
    for (const [text, why] of unreadIn(app))
      output.say(`Taken as the application reads it, for want of a judge: ${text} (${why})`)
    if (reach !== null) sayUnjudged(reach, output)
    for (const one of sumsOf(app, lines))
      output.say(`Heading ${one.heading}: ${sumIn(one)}${reach === null ? '' : cellsIn(reach, one.heading)}`)
    output.say(`\n${sumIn({ passed: lines.length - failed - untried, failed, untried })}`)
    if (reach !== null)
      output.say(
        `${reach.judged} of ${reach.claims} cells judged (${Math.floor((100 * reach.judged) / reach.claims)} %)`,
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
  return (await tryOn(app, store, tell, { told, what, only, seed: 0 })).lines
}

interface How {
  readonly told: App
  readonly what: What
  readonly only: Only | null
  readonly seed: number
}

/** The same, with which cells it was held against. */
async function tryOn(app: App, store: Store, tell: (line: Line) => void, how: How) {
  const { told, what, only, seed } = how
  const { site, close } = await rehearse(app, store, { told, seed })
  const { judged } = site
  let lines: readonly Line[]
  try {
    lines = await verifySite({ ...site, at: howFar() }, tell, what, only)
  } finally {
    await close()
  }
  return { lines: what === 'all' ? [...lines, ...(await furnished(app, store, tell, how, judged))] : lines, judged }
}

/** Once more with the files of sample data, where there are some: what no scenario and nobody makes, and screens that have much to show. */
async function furnished(
  app: App,
  { url }: Store,
  tell: (line: Line) => void,
  { told, only, seed }: How,
  judged: Judged,
): Promise<readonly Line[]> {
  if (![...told.entities.values()].some(({ samples }) => samples.some(({ isFile }) => isFile))) return []
  const { store, drop } = await createTestDatabase(url)
  try {
    const { site, close } = await rehearse(app, store, { told, judged, seed, sampleFiles: true })
    try {
      return await verifyFurnished({ ...site, at: howFar() }, tell, only)
    } finally {
      await close()
    }
  } finally {
    await drop()
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

/** Cells that are named, of all that nothing was held against. */
const openAtMost = 20

const told = ({ cell, column }: Claim) => ({ ...placeOf(cell), about: column, text: cell.text })

function sayUnjudged({ open }: Reach, output: Output): void {
  for (const { cell, column } of open.slice(0, openAtMost))
    output.say(`${place(cell)} nothing  ${column}: ${cell.text.replace(/\s+/g, ' ').slice(0, 100)}`)
  if (open.length > openAtMost) output.say(`… and ${open.length - openAtMost} more cells: --json names them all`)
  output.say('')
}

const sumIn = ({ passed, failed, untried }: { passed: number; failed: number; untried: number }): string =>
  `${passed} passed, ${failed} failed${untried === 0 ? '' : `, ${untried} could not be tried`}`

/** `, 29 of 30 cells judged`. */
function cellsIn({ of }: Reach, heading: number): string {
  const here = of.get(heading)
  return here === undefined ? '' : `, ${here.judged} of ${here.claims} cells judged`
}

function sayLine({ cell, title, passed, untried, detail }: Line): string {
  const verdict = untried === true ? 'untried' : passed ? 'ok     ' : 'FAILED '
  return `${place(cell)} ${verdict} ${title}${detail === null ? '' : `\n       ${detail}`}`
}
