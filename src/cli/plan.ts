/** `ninefold plan` and `ninefold apply`: what a document does to the database, in words; and doing it. */
import type { Diagnostic } from '../document/diagnostic.ts'
import { printFrames } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import { applyMigration, planMigration } from '../store/migrate.ts'
import { explainPlan } from '../store/plan/explain.ts'
import { type Command, type Options, onlyFile } from './command.ts'
import { type Database, openDatabase } from './database.ts'
import { loadApp } from './load.ts'
import { reportFailure } from './process.ts'

const drop = {
  type: 'string',
  multiple: true,
  meaning: 'a field or entity to drop with its data: loan.purpose, or fine; may be repeated',
} as const

const adopt = {
  type: 'string',
  multiple: true,
  meaning: 'a table of another application to take over with its records: customers, or all; may be repeated',
} as const

export const plan: Command = {
  name: 'plan',
  options: { drop, adopt },
  run: (files, options) =>
    onDatabase(onlyFile(files, 'plan'), async (app, { store }) => {
      const planned = await planMigration(store, app, { ...asked(options), records: true })
      tell(planned.found)
      process.stdout.write(explainPlan(planned))
      return planned.possible ? 0 : 1
    }),
}

export const apply: Command = {
  name: 'apply',
  options: { drop, adopt },
  run: (files, options) =>
    onDatabase(onlyFile(files, 'apply'), async (app, { store }) => {
      const applied = await applyMigration(store, app, null, {
        ...asked(options),
        now: new Date(),
        onStep: (step, number, of) => console.log(`${String(number).padStart(3)} of ${of}: ${step.what}`),
      })
      tell(applied.plan.found)
      if (applied.kind === 'applied') {
        console.log(applied.plan.steps.length === 0 ? 'The database matches the document.' : 'Applied.')
        return 0
      }
      console.error('Nothing was changed.')
      return 1
    }),
}

const asked = (options: Options) => ({ drop: namedIn(options.drop), adopt: namedIn(options.adopt) })
const namedIn = (option: unknown): readonly string[] => (option as readonly string[] | undefined) ?? []

const tell = (found: readonly Diagnostic[]) => process.stdout.write(printFrames(found))

const onDatabase: typeof withDatabase = (file, act) => reportFailure(() => withDatabase(file, act))

async function withDatabase(file: string, act: (app: App, database: Database) => Promise<number>): Promise<number> {
  const { app, errors } = loadApp(file)
  if (app === null || errors.length > 0) {
    tell(errors)
    return 1
  }
  const database = await openDatabase(file, console.log, { share: true })
  try {
    return await act(app, database)
  } finally {
    await database.close()
  }
}
