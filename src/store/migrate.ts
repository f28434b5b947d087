/** From the model to the database: `planMigration` says what would happen, `applyMigration` does it. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Diagnostic } from '../document/diagnostic.ts'
import type { SourceFile } from '../document/source.ts'
import { raw, sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { codeOf, explainedFailure } from './failures.ts'
import { oneAtATime } from './locks.ts'
import { literal, quoted, schemaIn, tableName } from './names.ts'
import type { Physical } from './physical.ts'
import { diff } from './plan/diff.ts'
import { notKeptCode } from './plan/foreign.ts'
import { introspect } from './plan/introspect.ts'
import { lastApplied, otherMeanings } from './plan/meaning.ts'
import { judged } from './plan/probes.ts'
import { brokenRules, wronglyKept } from './plan/rules.ts'
import { statesBack } from './plan/states-back.ts'
import { locks, type Probe, type Step } from './plan/step.ts'
import type { Reader, Session, Store } from './pool.ts'
import { schemaOf } from './schema.ts'
import { refuseNewer } from './system/newer.ts'
import { nobody, rearmMark } from './system.ts'
import { Unavailable } from './unavailable.ts'
import { knowsZone } from './zones.ts'

/** A step with its counts filled in. */
export interface PlannedStep extends Step {
  /** What happens to the records, in words. Null: nothing. */
  readonly rows: string | null
  /** About how long it takes; null where it takes the same time whatever there is. */
  readonly seconds: number | null
}

export interface Plan {
  readonly steps: readonly PlannedStep[]
  /** Done ahead of the steps: what another document began to keep for the version that runs is kept by this one. */
  readonly takenOver: readonly string[]
  /** Errors stand in the way of the plan; warnings are what vanished from the document and is kept. */
  readonly found: readonly Diagnostic[]
  /** No error stands in the way. */
  readonly possible: boolean
  /** Of the document that was applied last; null on an empty database. */
  readonly from: string | null
}

interface PlanOptions {
  /** What may be lost with its data: `loan.purpose`, `fine`. */
  readonly drop?: readonly string[]
  /** Tables that somebody else made, to be taken over with their records: `customers`, or `all`. */
  readonly adopt?: readonly string[]
}

interface ApplyOptions extends PlanOptions {
  readonly now: Date
  /** Told before each step. */
  readonly onStep?: (step: PlannedStep, number: number, of: number) => void
  /** Milliseconds to wait for another migration to end. Default 120,000. */
  readonly patience?: number
}

export type Applied =
  | { readonly kind: 'applied'; readonly plan: Plan }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly plan: Plan }
  /** The database is not as it was when the plan was made, and more would be done than was shown. Nothing was changed. */
  | { readonly kind: 'outdated'; readonly plan: Plan }

/** What one document asks of the database: its tables, and what to remember it by. */
export interface Target {
  readonly tables: Physical
  readonly version: string
  readonly files: readonly SourceFile[]
  /** The document itself, where it is one. */
  readonly app?: App
  /** Entities to go through after the change (`timedOf`). Default: none. */
  readonly timed?: readonly string[]
}

/** Entities whose records have timers, or are looked through by some, or have a field that code works out. */
export const timedOf = (app: App): readonly string[] => [
  ...new Set([
    ...[...app.timers, ...app.sweeps].map(({ entity }) => entity),
    ...[...app.entities.values()].flatMap(({ key, fields }) => (fields.some(({ renewed }) => renewed) ? [key] : [])),
  ]),
]

export const targetOf = (app: App): Target => ({
  app,
  tables: schemaOf(app),
  version: app.version,
  files: app.document.files,
  timed: timedOf(app),
})

/** Reads the database, changes nothing. `records`: also asks which do not fulfil rules that no constraint holds, and whether what is kept of them is right. */
export async function planMigration(
  store: Store,
  app: App,
  options: PlanOptions & { readonly records?: boolean } = {},
): Promise<Plan> {
  const plan = await planFor(store, targetOf(app), options)
  // As long as the database is not as the document wants it, its rules cannot be asked.
  if (options.records !== true || !plan.possible || plan.steps.length > 0) return plan
  return { ...plan, found: [...plan.found, ...(await brokenRules(store, app)), ...(await wronglyKept(store, app))] }
}

/**
 * Carries a plan out; may be interrupted and begun again at any point. One migration runs at a time, whichever process asks.
 * `plan` is what was shown to somebody, or null to do whatever is needed (`dev`).
 */
export function applyMigration(store: Store, app: App, plan: Plan | null, options: ApplyOptions): Promise<Applied> {
  return applyFor(store, targetOf(app), plan, options)
}

/** The plan to a target, with every probe asked of the data. Changes nothing. Throws `Unavailable` where a newer Ninefold was here. */
export async function planFor(reader: Reader, target: Target, { drop = [], adopt = [] }: PlanOptions): Promise<Plan> {
  await refuseNewer(reader)
  const named = [...target.tables.tables.values()].flatMap(({ beside }) => schemaIn(beside?.table ?? '') ?? [])
  const actual = await introspect(reader, named)
  const { name: zone = 'UTC', cell = null } = target.app?.product.timeZone ?? {}
  if (cell !== null && !(await knowsZone(reader, zone))) {
    // Nothing that is asked below could be answered.
    const found = [judged(1, ({ report }) => report('N0922', cell, { zone }))]
    return { steps: [], takenOver: [], found, possible: false, from: actual.version }
  }
  const { app } = target
  const last = app === undefined ? null : await lastApplied(reader, app, actual)
  const tables = app === undefined || last === null ? target.tables : statesBack(target.tables, app, last)
  const draft = diff(tables, actual, { drop, adopt, version: target.version })
  const found = [...draft.found]
  for (const probe of draft.probes) {
    type Answer = { count: string; examples: string[] | null; values: string[] | null }
    const [answer] = await reader.query<Answer>(raw(probe.query))
    const names = await namesOf(reader, probe, answer!.examples ?? [])
    const judged = probe.judge(Number(answer!.count), names, answer!.values ?? [])
    if (judged !== null) found.push(judged)
  }
  if (app !== undefined && last !== null) found.push(...(await otherMeanings(reader, app, last, actual)))
  const due: Step[] = []
  for (const step of draft.steps)
    if (step.onlyIf === null || (await reader.query(raw(step.onlyIf))).length > 0) due.push(step)
  if (due.length > 0) due.push(...draft.leftOver)
  const steps: PlannedStep[] = []
  const sizes = new Map<string, number>()
  for (const step of due.sort((left, right) => left.phase - right.phase)) {
    const [answer] = step.count === null ? [] : await reader.query<{ count: string }>(raw(step.count))
    const rows = step.rows?.replace('{count}', answer?.count ?? 'all') ?? null
    steps.push({ ...step, rows, seconds: await secondsOf(reader, step, sizes) })
  }
  const possible = !found.some(one => one.severity === 'error')
  return { steps, takenOver: draft.takenOver, found, possible, from: actual.version }
}

/** By the number of rows that the table is known to have, which is asked once: counting them would take as long as much of the work. */
async function secondsOf(reader: Reader, { through, lock }: Step, sizes: Map<string, number>): Promise<number | null> {
  const { pace } = locks[lock]
  if (through === null || pace === null) return null
  if (!sizes.has(through)) {
    const [size] = await reader.query<{ rows: string | null }>(
      sql`select greatest(reltuples, relpages)::bigint as rows from pg_class where oid = to_regclass(${through})`,
    )
    sizes.set(through, Number(size?.rows ?? 0))
  }
  return Math.ceil(sizes.get(through)! / pace)
}

/** What people call these records; the id where they have no name. */
async function namesOf(reader: Reader, { called }: Probe, ids: readonly string[]): Promise<readonly string[]> {
  if (called === undefined || called.columns.length === 0 || ids.length === 0) return ids
  const name = called.columns.map(column => `${quoted(column)}::text`).join(', ')
  const rows = await reader.query<{ id: string; name: string }>(
    raw(
      `select id::text as id, concat_ws(' ', ${name}) as name from ${tableName(called.table)} where id::text in (${ids.map(literal).join(', ')})`,
    ),
  )
  return ids.map(id => rows.find(row => row.id === id)?.name || id)
}

/** Carries a plan out, one process at a time. `shown`: refused as outdated where the plan is not part of the one that was shown; null: whatever the plan is. */
export function applyFor(store: Store, target: Target, shown: Plan | null, options: ApplyOptions): Promise<Applied> {
  return store.inSession(async session => {
    await session.execute('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await oneAtATime(session, options.patience)
    await refuseOthers(session)
    const plan = await planFor(session, target, options)
    if (!plan.possible) return { kind: 'refused', plan }
    if (shown !== null && !isPartOf(plan, shown)) return { kind: 'outdated', plan }
    // Together: whoever is interrupted between the two could not tell any more which document was under way.
    if (plan.from !== null && plan.steps.length > 0)
      await inTransaction(session, [...plan.takenOver, onTheWayTo(target.version)])
    try {
      for (const [index, step] of plan.steps.entries()) {
        options.onStep?.(step, index + 1, plan.steps.length)
        await take(session, step, options.now)
      }
    } catch (error) {
      // Records that came after they were counted: the count, taken again, says which.
      if (!codeOf(error).startsWith('23') && codeOf(error) !== notKeptCode) throw explained(error)
      const after = await planFor(session, target, options)
      if (after.possible) throw error
      return { kind: 'refused', plan: after }
    }
    await remember(session, target, plan.from, options.now)
    await session.execute(onTheWayTo(null))
    await rearm(session, target.timed ?? [], options.now)
    if (plan.steps.length > 0) store.tablesChanged()
    return { kind: 'applied', plan }
  })
}

/** PostgreSQL lets only the owner of a table change it, whatever is granted. Throws `Unavailable` for another role that is no member of it. */
async function refuseOthers(reader: Reader): Promise<void> {
  const [other] = await reader.query<{ owner: string; me: string }>(sql`
    select pg_get_userbyid(nspowner) as owner, current_user::text as me
    from pg_namespace where nspname = 'ninefold' and not pg_has_role(nspowner, 'usage')`)
  if (other === undefined) return
  const { owner, me } = other
  throw new Unavailable(
    `The tables belong to ${owner}, and no grant lets ${me} change them`,
    `Apply as ${owner}: DATABASE_URL=postgres://${owner}:… Or make ${me} a member: grant ${owner} to ${me}.`,
  )
}

/** Whoever serves another version meanwhile, also after an interruption, can tell why it does not find something. */
const onTheWayTo = (version: string | null): string =>
  `comment on table ninefold.document is ${version === null ? 'null' : literal(version)}`

/** The version of the document that the tables are of, or on the way to. */
export const versionOfTables = raw(`
  select coalesce(obj_description('ninefold.document'::regclass), version) as version
  from ninefold.document order by number desc limit 1`)

/** Every statement to be done was shown; some may have been done meanwhile. */
function isPartOf(plan: Plan, shown: Plan): boolean {
  const statements = new Set(shown.steps.flatMap(step => step.statements))
  return plan.steps.every(step => step.statements.every(text => statements.has(text)))
}

/** Milliseconds that others may have to wait behind us for a lock; then we let them pass and try again. */
const lockTimeout = 100
const lockAttempts = 150

async function take(session: Session, step: Step, now: Date): Promise<void> {
  const statements = step.statements.map(text =>
    text.replace(/(?<!:):now\b/g, `${literal(now.toISOString())}::timestamptz`),
  )
  switch (step.mode) {
    case 'together':
      await inTransaction(session, statements)
      return
    case 'one by one':
      for (const statement of statements) await inTransaction(session, [statement])
      return
    case 'outside':
      await persistently(async () => {
        // `concurrently` waits for old transactions without keeping anybody else waiting.
        await session.execute('set lock_timeout = 0')
        for (const statement of statements) await session.execute(statement)
      })
  }
}

async function inTransaction(session: Session, statements: readonly string[]): Promise<void> {
  await persistently(async () => {
    try {
      // A migration fills and moves what nobody else may change.
      await session.execute(`begin; set local lock_timeout = ${lockTimeout}; set local ninefold.append_only = 'off'`)
      for (const statement of statements) await session.execute(statement)
      await session.execute('commit')
    } catch (error) {
      await session.execute('rollback')
      throw error
    }
  })
}

/** Again, where others had what it needs. */
async function persistently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      const passing = ['55P03', '40P01', '40001'].includes(codeOf(error))
      if (!passing || attempt >= lockAttempts) throw error
      await wait(Math.min(50 * attempt, 500))
    }
  }
}

async function remember(session: Session, target: Target, from: string | null, now: Date): Promise<void> {
  if (from === target.version) return
  const files = JSON.stringify(target.files.map(({ path, text }) => ({ path, text })))
  await session.query(
    sql`insert into ninefold.document (version, files, applied_at) values (${target.version}, ${files}, ${now.toISOString()})`,
  )
}

/** Timers follow the new document: those of records that are there already, and those that look for their records. */
async function rearm(session: Session, entities: readonly string[], now: Date): Promise<void> {
  await session.query(sql`
    insert into ninefold.timer (entity, record, timer, due_at)
    select e, ${nobody}::uuid, ${rearmMark}, ${now.toISOString()}::timestamptz from unnest(${entities}::text[]) as e
    on conflict (entity, record, timer) do update set due_at = excluded.due_at, attempts = 0, claimed_until = null, claimed_by = null`)
}

function explained(error: unknown): unknown {
  switch (codeOf(error)) {
    case '42501':
      return new Unavailable(
        `The database user may not make tables: ${(error as Error).message}`,
        'Give it the right to create in this database and its schema public (grant create on database …; grant create on schema public …).',
        error,
      )
    case '55P03':
      return new Unavailable(
        'A table stayed locked by somebody else for a minute, so nothing more was changed',
        'Look in pg_stat_activity for a transaction that does not end, and try again.',
        error,
      )
    default:
      return explainedFailure(error)
  }
}
