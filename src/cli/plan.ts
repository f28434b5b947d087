/** `ninefold plan` and `ninefold apply`: what a document does to the database, in words; and doing it. */
import { findingOf, placeOf, printFrames } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import { applyMigration, type Plan, planMigration } from '../store/migrate.ts'
import { explainPlan } from '../store/plan/explain.ts'
import { type Command, type Options, onlyFile } from './command.ts'
import { type Database, openDatabase } from './database.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'

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
  run: (files, options, output) =>
    withDatabase(onlyFile(files, 'plan'), output, async (app, { store }) => {
      const planned = await planMigration(store, app, { ...asked(options), records: true })
      output.result(planValue(planned))
      output.print(printFrames(planned.found))
      output.print(explainPlan(planned))
      return planned.possible ? 0 : 1
    }),
}

export const apply: Command = {
  name: 'apply',
  options: { drop, adopt },
  run: (files, options, output) =>
    withDatabase(onlyFile(files, 'apply'), output, async (app, { store }) => {
      const applied = await applyMigration(store, app, null, {
        ...asked(options),
        now: new Date(),
        onStep: (step, number, of) => output.say(`${String(number).padStart(3)} of ${of}: ${step.what}`),
      })
      output.result({ applied: applied.kind === 'applied', ...planValue(applied.plan) })
      output.print(printFrames(applied.plan.found))
      if (applied.kind === 'applied') {
        output.say(applied.plan.steps.length === 0 ? 'The database matches the document.' : 'Applied.')
        return 0
      }
      output.warn('Nothing was changed.')
      return 1
    }),
}

const asked = (options: Options) => ({ drop: namedIn(options.drop), adopt: namedIn(options.adopt) })
const namedIn = (option: unknown): readonly string[] => (option as readonly string[] | undefined) ?? []

const planValue = ({ possible, from, found, steps }: Plan) => ({
  possible,
  from,
  findings: found.map(findingOf),
  steps: steps.map(({ what, statements, mode, lock, rows, seconds, ends, because, drops }) => ({
    what,
    statements,
    mode,
    lock,
    rows,
    seconds,
    ends,
    drops,
    because: because && placeOf(because),
  })),
})

async function withDatabase(
  file: string,
  output: Output,
  act: (app: App, database: Database) => Promise<number>,
): Promise<number> {
  const { app, errors } = loadApp(file)
  if (app === null || errors.length > 0) return refuse(output, errors)
  const database = await openDatabase(file, output.say, { share: true })
  try {
    return await act(app, database)
  } finally {
    await database.close()
  }
}
