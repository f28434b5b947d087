/** `ninefold dev`: serves a document while it is being written. */

import type { Diagnostic } from '../document/diagnostic.ts'
import { printFrames, printSummary } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import { count } from '../headings/gaps/list.ts'
import { notSet } from '../run/later/egress.ts'
import { applyMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { Unavailable } from '../store/unavailable.ts'
import { place } from '../trace/words.ts'
import { receivedPath } from '../web/paths.ts'
import { changesOf } from './changes.ts'
import { type Command, onlyFile, typed } from './command.ts'
import { type Database, openDatabase } from './database.ts'
import { editingOf } from './editing.ts'
import { variable } from './environment.ts'
import { openFiles } from './files.ts'
import { type Loaded, loadApp } from './load.ts'
import type { Output } from './output.ts'
import { isEnding, mailFromByDefault, mailFromOf, mustBeFree, portOf, smtpUrlOf, untilStopped } from './process.ts'
import { noteRunning, runningElsewhere } from './running.ts'
import { openSeal } from './secrets.ts'
import { type Serving, startServing } from './serving.ts'
import { checkSettings } from './settings.ts'

export const dev: Command = {
  name: 'dev',
  options: {},
  run: (files, _, output) => serveWhileWriting(onlyFile(files, 'dev'), output),
}

async function serveWhileWriting(file: string, output: Output): Promise<number> {
  const port = portOf(variable('PORT'))
  const stop = untilStopped()
  const changes = changesOf()
  /** The document as soon as it has no mistakes and `against` says nothing; null where somebody ends us first. */
  const firstGood = async (
    against: (app: App) => Promise<readonly Diagnostic[] | null>,
    data: string | null = null,
  ): Promise<Good | null> => {
    for (;;) {
      const loaded = loadApp(file)
      const refused = isGood(loaded) ? await against(loaded.app) : errorsOf(loaded)
      if (isGood(loaded) && refused === null) return loaded
      tell(output, refused ?? [])
      if (isGood(loaded)) tellHowToBeginAnew(data, output)
      output.say('Correct the document and save it: it is read again. Ctrl-C stops.')
      if ((await Promise.race([stop, changes.next(loaded)])) === 'stop') return null
    }
  }

  try {
    // Without the database first: a mistake is told at once.
    if ((await firstGood(async () => null)) === null) return 0
    refuseSecond(file, port)
    await mustBeFree(port, 'localhost')
    output.say('Starting …')
    const files = openFiles(file)
    const database = await openDatabase(file, output.say)
    try {
      const first = await firstGood(app => migrate(database.store, app, output), database.folder)
      if (first === null) return 0
      checkSettings(first.app, variable)
      let offset = 0
      const serving = await startServing({
        app: first.app,
        store: database.store,
        files,
        mode: 'dev',
        sampleFiles: true,
        standIn: true,
        host: 'localhost',
        port,
        publicUrl: null,
        clock: () => new Date(Date.now() + offset),
        editing: editingOf(file),
        moveClock: to => {
          offset = to.getTime() - Date.now()
        },
        log: ({ level, event, request, detail }) => {
          if (level !== 'info') console.error(`${level} ${event} ${request}`, detail)
        },
        smtp: smtpUrlOf(variable('SMTP_URL')),
        from: mailFromOf(variable('MAIL_FROM')) ?? mailFromByDefault,
        variable,
        seal: openSeal(file),
      })
      const ended = noteRunning(file, serving.url)
      try {
        const told = new Set<string>()
        greet(first.app, serving, database.described, file, told, output)
        let loaded: Loaded = first
        while ((await Promise.race([stop, changes.next(loaded)])) !== 'stop')
          loaded = await follow(file, serving, database, told, output)
      } finally {
        ended()
        await serving.close()
      }
    } finally {
      await database.close()
    }
    output.say('Stopped.')
    return 0
  } catch (error) {
    if (!(await isEnding())) throw error
    output.say('Stopped.')
    return 0
  } finally {
    changes.close()
  }
}

/** On the same port, or with the same embedded database, there is one `dev` of a document. */
function refuseSecond(file: string, port: number): void {
  const other = runningElsewhere(file)
  const hasOwnDatabase = (variable('DATABASE_URL') ?? '') === ''
  if (other === null || !(hasOwnDatabase || new URL(other.url).port === String(port))) return
  throw new Unavailable(
    `\`dev\` serves this document already, on ${other.url} (process ${other.pid})`,
    'It shows each change when you save it. To start it anew, end that one with Ctrl-C first.',
  )
}

function greet(app: App, serving: Serving, database: string, file: string, told: Set<string>, output: Output): void {
  output.result(servedNow(app, serving))
  output.say(`\n${app.name} is served on ${serving.url}  (${database})`)
  const people = serving.people()
  if (people.length > 0) output.say('Demo people (one click signs you in):')
  for (const { name, roles } of people) output.say(`  ${name}: ${roles.join(', ')}`)
  tellNotSet(app, serving, told, output)
  const open = app.gaps.length + app.assumptions.filter(({ accepted }) => accepted === null).length
  if (open > 0)
    output.say(
      `${count(app.gaps.length, 'gap')}, ${count(app.assumptions.length, 'assumption')}: ${serving.url}/-/document or ${typed('gaps', file)}`,
    )
  output.say('Save the document and the browser shows it. Ctrl-C stops.\n')
}

const servedNow = ({ name, version }: App, { url, people }: Serving) => ({
  serving: { name, version, url, people: people().map(({ name, roles }) => ({ name, roles })) },
})

/** What needs a variable that is not there goes to the stand-in. Each variable is told once. */
function tellNotSet(app: App, { url }: Serving, told: Set<string>, output: Output): void {
  const missing = [...notSet(app, variable)].filter(([name]) => !told.has(name))
  for (const [name, cell] of missing) {
    told.add(name)
    output.say(`${name} is not set (${place(cell)}).`)
  }
  if (missing.length > 0)
    output.say(
      `What needs it does not leave this machine: ${url}${receivedPath} shows it, and you choose what is answered.`,
    )
}

/** Reads the changed document; a mistake in it, or in what it would do to the data, leaves the application as it was. */
async function follow(
  file: string,
  serving: Serving,
  { store, folder }: Database,
  told: Set<string>,
  output: Output,
): Promise<Loaded> {
  const loaded = loadApp(file)
  const { version } = serving.runtime().app
  if (isGood(loaded) && loaded.app.version === version) {
    await serving.change(serving.runtime().app, loaded.found)
    output.say(`The document is back at version ${version}, which is being served.`)
    return loaded
  }
  const refused = isGood(loaded) ? await migrate(store, loaded.app, output) : loaded.found
  if (!isGood(loaded) || refused !== null) {
    tell(output, isGood(loaded) ? (refused ?? []) : errorsOf(loaded))
    if (refused !== null) tellHowToBeginAnew(folder, output)
    await serving.keep(refused ?? [], loaded.files)
    output.say(`Version ${version} is still served until you correct the document.`)
    return loaded
  }
  await serving.change(loaded.app, loaded.found)
  output.result(servedNow(loaded.app, serving))
  output.say(`Serving version ${loaded.app.version}. ${printSummary(loaded.found)}`)
  tellNotSet(loaded.app, serving, told, output)
  return loaded
}

/** What stands in the way are records: those of an embedded database are mostly there to be tried with. */
function tellHowToBeginAnew(folder: string | null, { say }: Output): void {
  if (folder !== null)
    say(
      `Its records are those of this \`dev\` alone. If you need none of them: Ctrl-C, remove the folder ${folder}, and start again with the sample data.`,
    )
}

/** Brings the tables to the document; what stands in the way, or null. */
async function migrate(store: Store, app: App, output: Output): Promise<readonly Diagnostic[] | null> {
  const applied = await applyMigration(store, app, null, {
    now: new Date(),
    onStep: ({ what }, number, of) => {
      if (of <= 12) output.say(`  ${what}`)
      else if (number === of)
        output.say(`  ${of} steps, from the first table to the last index (npx ninefold plan shows them)`)
    },
  })
  if (applied.kind !== 'applied') return applied.plan.found
  output.print(printFrames(applied.plan.found))
  return null
}

type Good = Loaded & { readonly app: App }

const isGood = (loaded: Loaded): loaded is Good => loaded.app !== null && errorsOf(loaded).length === 0

const errorsOf = ({ found }: Loaded): readonly Diagnostic[] => found.filter(({ severity }) => severity === 'error')

/** On the way; only what is served is a result. */
const tell = (output: Output, found: readonly Diagnostic[]): void => {
  if (found.length > 0) output.fail('The document cannot be served.', found)
}
