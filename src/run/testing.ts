/** For tests: a document served on a fresh database, and people who ask. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sql } from '../expression/sql.ts'
import type { Wire } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { applyMigration } from '../store/migrate.ts'
import { createTestDatabase, preparedTemplate } from '../store/testing.ts'
import { seed } from './many/seed.ts'
import type { Input, Outcome } from './outcome.ts'
import { type Door, requestFor } from './people/people.ts'
import type { Request, Runtime } from './request.ts'
import { create } from './write/writes.ts'

export const loanDesk = join(import.meta.dirname, '../../examples/loan-desk/loan-desk.md')

/** Reads a document that must be sound. `edit` changes its text first, and that of its parts and its code. */
export function readSound(path: string, edit: (text: string) => string = text => text): App {
  const reading = readApp(
    basename(path),
    name => {
      const text = readFileSync(join(dirname(path), name), 'utf8')
      return name.endsWith('.csv') ? text : edit(text)
    },
    {
      version: files =>
        createHash('sha256')
          .update(files.map(({ text }) => text).join('\0'))
          .digest('hex')
          .slice(0, 12),
    },
  )
  const errors = reading.found.filter(({ severity }) => severity === 'error')
  if (errors.length > 0 || reading.app === null)
    throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return reading.app
}

let counter = 0

/** UUIDv7 in the order of their making, whatever the clock says. */
export function testId(): string {
  const n = (++counter).toString(16).padStart(12, '0')
  return `01940000-0000-7${'0'.repeat(3)}-8000-${n}`
}

export interface TestRun {
  readonly runtime: Runtime
  /** Ids of the demo people by name, and of sample records by title. */
  readonly people: Readonly<Record<string, string>>
  /** The clock. */
  now: Date
  readonly door: () => Door
  /** A request of this person, who has just signed in, with the roles and constants of the moment. Unknown names are visitors. */
  readonly as: (name: string) => Promise<Request>
  readonly drop: () => Promise<void>
}

/**
 * Serves a document with its sample data and demo people, on a database of its own. `there`: what the database has already.
 * `files`: with files of sample data, as `dev` does.
 */
export async function startTestRun(
  databaseUrl: string,
  app: App = readSound(loanDesk),
  there: string | null = null,
  { files = false, now = '2026-03-02T09:00:00.000Z' } = {},
): Promise<TestRun> {
  const template = there === null ? await preparedTemplate(databaseUrl) : undefined
  const { store, drop } = await createTestDatabase(databaseUrl, { connections: 12 }, template)
  if (there !== null) await store.inSession(session => session.execute(there))
  const run = { now: new Date(now) }
  await applyMigration(store, app, null, { now: run.now })
  const runtime: Runtime = { app, store }
  const door = (): Door => ({ now: run.now, id: `test-${++counter}`, locale: 'en', newId: testId })
  const { people, problems } = await seed(runtime, door(), { files })
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  const ids = Object.fromEntries(people.map(({ name, id }) => [name, id]))
  return Object.assign(run, {
    runtime,
    people: ids,
    door,
    as: async (name: string) => ({
      ...(await requestFor(runtime, ids[name] ?? '00000000-0000-0000-0000-000000000000', door())),
      present: name in ids,
    }),
    drop,
  })
}

/** What a form posts: values, and rows without ids. */
export const input = (
  values: Readonly<Record<string, Wire>>,
  rows: Readonly<Record<string, readonly Readonly<Record<string, Wire>>[]>> = {},
): Input => ({
  values,
  children: Object.fromEntries(
    Object.entries(rows).map(([list, all]) => [list, all.map(one => ({ id: null, values: one }))]),
  ),
  invalidValues: [],
})

/** The id, or the refusal as the failure of the test. */
export function done(outcome: Outcome): string {
  if (outcome.kind !== 'done')
    throw new Error(JSON.stringify(outcome, (key, value) => (key === 'because' ? undefined : value), 1))
  return outcome.id
}

/** Codes of a refusal, in order; empty for everything else. */
export const codes = (outcome: Outcome): readonly string[] =>
  outcome.kind === 'refused' ? outcome.problems.map(({ code }) => code) : []

/** Creates a record as somebody, or fails the test. */
export async function made(run: TestRun, name: string, entity: string, values: Input): Promise<string> {
  return done(await create(run.runtime, await run.as(name), entity, values))
}

/** The id of the item of the loan desk with this tag. */
export async function itemWith({ runtime }: TestRun, tag: string): Promise<string> {
  const [item] = await runtime.store.query<{ id: string }>(sql`select id from item where tag = ${tag}`)
  return item!.id
}
