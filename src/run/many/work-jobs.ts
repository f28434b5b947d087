/** How jobs are worked on: row by row, whoever does it, each row once; an import that is whole in one transaction. */

import { memoize } from '../../expression/memoize.ts'
import { slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { appFor } from '../../headings/translate.ts'
import { peopleTold } from '../../store/news.ts'
import type { Tx } from '../../store/pool.ts'
import { Unavailable } from '../../store/unavailable.ts'
import { claimEnd, renewing, unclaimed } from '../claim.ts'
import type { Problem } from '../outcome.ts'
import { type Door, momentOf, requestFor } from '../people/people.ts'
import { isOpenTo } from '../people/present.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { accompanied, alsoDone, type Companion } from '../write/accompanied.ts'
import { heldAlone, type Stretch, type UniqueValue } from '../write/conflicts.ts'
import { inside } from '../write/inside.ts'
import { isolationOf, reached } from '../write/together.ts'
import { trying } from '../write/trying.ts'
import { noting } from '../write/undo.ts'
import { editRow, stepRow, undoRow } from './bulk.ts'
import { importRow, mayImport, readRows } from './import.ts'
import { keyFields } from './import-fields.ts'
import { placeOf } from './import-rows.ts'
import {
  gathered,
  goingOnWith,
  isNumbered,
  isWhole,
  type JobLine,
  type JobRow,
  type JobState,
  type JobWhat,
  numbersOf,
  type RowDone,
  type RowProblem,
  type RowState,
  readJobRows,
  rowsAtOnce,
} from './jobs.ts'
import { entitiesNamed } from './meant.ts'

/** Times one after the other that nobody who began with a job came to the end of a round: the process died, or failed, each time. */
const lostRounds = 3

interface JobContext {
  readonly worker: string
  /** Rows at most. */
  readonly limit: number
  /** For whoever waits for it: only this job, for as long as they can be kept waiting. Absent: the oldest job, in the background. */
  readonly awaited?: Awaited
}

interface Awaited {
  readonly job: string
  readonly isLate: () => boolean
}

interface Claimed extends JobLine {
  readonly person: string
  readonly locale: string
  /** Rounds that were begun since one came to its end, this one among them. */
  readonly attempts: string
  /** Its person could sign in now. */
  readonly open: boolean
}

/** The application in the language of whoever started the job: what is said of its rows, they read. */
const heardBy = (runtime: Runtime, locale: string): Runtime => ({ ...runtime, app: appFor(runtime.app, locale) })

/** Works on some rows of one job; gives how many, or 1 where it only stopped it. Somebody else's claim is respected for as long as it holds. */
export async function workJobs(served: Runtime, door: Door, context: JobContext): Promise<number> {
  const { worker, awaited } = context
  const bindings = { worker, only: awaited?.job ?? null, ...momentOf(served.app, door.now) }
  const [job] = await served.store.run<Claimed>(claimJob(served.app), bindings)
  if (job === undefined) return 0
  const own = { id: job.id, worker }
  try {
    return await renewing(() => served.store.run(renewJob, own), workRound(served, door, context, job))
  } catch (error) {
    // The database takes nothing: that says nothing of the job.
    if (error instanceof Unavailable) await served.store.run(uncount, own).catch(() => {})
    throw error
  }
}

const claimJob = (app: App) =>
  cachedStatement(app, ['claim job'], () =>
    built(sql`
      update ninefold.job as j set claimed_until = ${claimEnd}, claimed_by = ${slot('worker')}, attempts = attempts + 1
      where id = (select o.id from ninefold.job as o where o.state in ('checking', 'applying') and ${unclaimed('o')}
        and (${slot('only')}::uuid is null or o.id = ${slot('only')}::uuid)
        order by o.id limit 1 for update skip locked)
      returning id, kind, entity, person, what, state, locale, attempts, null as counts, ${isOpenTo(app, sql`j.person`)} as open`),
  )

/** What is written whole is locked meanwhile: then nobody waits for it here. */
const renewJob = built(sql`
  update ninefold.job set claimed_until = ${claimEnd}
  where id = (select id from ninefold.job where id = ${slot('id')}::uuid and claimed_by = ${slot('worker')} for update skip locked)`)

const uncount = built(sql`
  update ninefold.job set attempts = 0 where id = ${slot('id')}::uuid and claimed_by = ${slot('worker')}`)

async function workRound(served: Runtime, door: Door, context: JobContext, job: Claimed): Promise<number> {
  const { worker, limit, awaited } = context
  const { store } = served
  const now = door.now.toISOString()
  const runtime = heardBy(served, job.locale)
  const { app } = runtime
  const from: RowState = job.state === 'checking' ? 'new' : 'right'
  const request = app.entities.has(job.entity)
    ? await requestFor(runtime, job.person, { ...door, locale: job.locale })
    : null
  const halted = whyHalted(runtime, request, job)
  if (halted !== null) {
    await haltJob(runtime, job, { worker, now, halted })
    if (halted === 'lost')
      throw new Error(`The ${job.kind} ${job.id} was begun ${lostRounds} times and never ended: it is stopped.`)
    return 1
  }
  const whole = request !== null && from === 'right' && isWhole(runtime, request, job)
  // One more than are worked on: so it is known whether these were the last.
  const rows = request === null ? [] : await readJobRows(runtime, job.id, [from], 0, limit + 1)
  const failures: unknown[] = []
  const fail = async (error: unknown, row: JobRow) => {
    // The database is away: nothing is known of the row, and it stays as it was.
    if (error instanceof Unavailable) throw error
    failures.push(error)
    // Of what is written whole, it is found wrong: nothing is done.
    await failRow(runtime, job, row, from === 'new' || whole ? 'wrong' : 'refused')
  }
  let state: JobState = job.state === 'checking' ? 'checked' : 'done'
  let finished = rows.length <= limit
  if (!whole) {
    const block = await gathered(runtime.store, job, rows.slice(0, limit))
    const work = request === null ? null : await rowWork(runtime, request, job, block)
    for (const [at, row] of block.entries()) {
      if (at > 0 && awaited?.isLate()) {
        finished = false
        break
      }
      await work!.row(row).catch(error => fail(error, row))
    }
    await work?.end()
  } else if (finished || awaited === undefined) {
    const outcome = await workWhole(runtime, request, job, fail, awaited)
    finished = outcome !== 'late'
    if (outcome === 'refused') state = 'checked'
  }
  if (!finished) state = job.state
  await store.inTransaction(async tx => {
    if (from === 'new' && finished) await refuseDoubles(runtime, tx, job)
    await tx.write(sql`update ninefold.job set claimed_until = null, claimed_by = null, attempts = 0,
      state = case when state = ${job.state} then ${state} else state end,
      finished_at = case when ${finished}::boolean then ${now}::timestamptz end,
      unseen_since = case when ${finished && awaited === undefined}::boolean and state = ${job.state} then ${now}::timestamptz end
      where id = ${job.id}::uuid and claimed_by = ${worker}`)
    if (finished && awaited === undefined) tx.tell(peopleTold, job.person, null)
  })
  // One row that we cannot do keeps nobody from the others; that it is our mistake is told all the same.
  if (failures.length > 0) throw failures[0]
  return Math.min(rows.length, limit)
}

function whyHalted(runtime: Runtime, request: Request | null, job: Claimed): NonNullable<JobWhat['halted']> | null {
  if (!job.open) return 'sender'
  if (request !== null && job.kind === 'import' && !mayImport(runtime, request, job.entity)) return 'import'
  return Number(job.attempts) > lostRounds ? 'lost' : null
}

/** Nothing more is done in the name of somebody who could not do it themselves, or takes one process after the other with it; what is left waits. */
const haltJob = (
  { store }: Runtime,
  { id, state, person }: Claimed,
  { worker, now, halted }: { readonly worker: string; readonly now: string; readonly halted: JobWhat['halted'] },
) =>
  store.inTransaction(async tx => {
    await tx.write(sql`update ninefold.job set claimed_until = null, claimed_by = null, attempts = 0, state = 'stopped', unseen_since = ${now}::timestamptz,
      what = what || ${JSON.stringify({ halted })}::jsonb where id = ${id}::uuid and claimed_by = ${worker} and state = ${state}`)
    tx.tell(peopleTold, person, null)
  })

/** All rows that were found right, in one transaction: one that is refused after all undoes the others, and so does somebody who waits for too long. */
async function workWhole(
  runtime: Runtime,
  request: Request,
  job: JobLine,
  fail: (error: unknown, row: JobRow) => Promise<void>,
  awaited: Awaited | undefined,
): Promise<'written' | 'refused' | 'late'> {
  let at: JobRow | null = null
  const work = async (tx: Tx): Promise<RowDone | 'written' | 'late'> => {
    // Whoever else would take it up waits, however long it takes.
    await tx.query(sql`select from ninefold.job where id = ${job.id}::uuid for update`)
    at = null
    for (;;) {
      const here = { ...runtime, store: { ...runtime.store, ...tx } }
      const rows: readonly JobRow[] = await readJobRows(here, job.id, ['right'], 0, rowsAtOnce)
      for (const row of await gathered(tx, job, rows)) {
        if (awaited?.isLate()) return tx.abandon('late')
        at = row
        const done = await inside(runtime, tx, within => importRow(within, request, job, row))
        if (done.outcome.kind !== 'done') return tx.abandon(done)
        await finishRow(tx, job, row, 'done', done)
      }
      if (rows.length < rowsAtOnce) return 'written'
    }
  }
  try {
    const outcome = await runtime.store.inTransaction(work, isolationOf(runtime.app, job.entity))
    if (typeof outcome === 'string') return outcome
    const row = at!
    await runtime.store.inTransaction(tx => refuseRow(runtime, tx, job, row, 'wrong', outcome))
  } catch (error) {
    if (at === null) throw error
    await fail(error, at)
  }
  return 'refused'
}

async function failRow({ app, store }: Runtime, job: JobLine, row: JobRow, as: RowState): Promise<void> {
  const { field, code, message, whatToDo } = raise(app, 'NF-ROW-FAILED', {})
  await store.inTransaction(tx =>
    tx.write(sql`update ninefold.job_row set state = ${as},
      problems = ${JSON.stringify([{ field, code, message, whatToDo }])}::jsonb
      where job = ${job.id}::uuid and ${isNumbered(numbersOf(row))} and state = ${row.state}`),
  )
}

/** How rows are worked on, one after another. `end`: keeps what is still to be kept of them. */
interface RowWork {
  readonly row: (row: JobRow) => Promise<void>
  readonly end: () => Promise<void>
}

async function rowWork(runtime: Runtime, request: Request, job: JobLine, rows: readonly JobRow[]): Promise<RowWork> {
  const isTrial = job.state === 'checking'
  const read = await readAhead(runtime, request, job, rows)
  const doRow: DoRow = (of, asking, row) =>
    job.kind === 'import'
      ? importRow(of, asking, job, row, read?.get(row.number))
      : doWith[job.kind](of, asking, job, row)
  return isTrial
    ? trials(runtime, request, job, rows, doRow)
    : { row: row => applyRow(runtime, request, job, row, doRow), end: async () => {} }
}

type DoRow = (runtime: Runtime, request: Request, row: JobRow) => Promise<RowDone>

const doWith = { step: stepRow, edit: editRow, undo: undoRow } as const

/** What many rows name is looked up at once, unless one of them may write what a later one names. Null: it is looked up for each. */
async function readAhead(runtime: Runtime, request: Request, job: JobLine, rows: readonly JobRow[]) {
  const { app } = runtime
  const isTrial = job.state === 'checking'
  try {
    const written = reached(app, job.entity)
    if (job.kind !== 'import' || (!isTrial && entitiesNamed(app, job).some(entity => written.has(entity)))) return null
    return await readRows(runtime, request, job, rows, isTrial)
  } catch (error) {
    if (error instanceof Unavailable) throw error
    // It fails once more for the row that it is about, where it is told.
    return null
  }
}

/** Nothing that is tried stays: the verdicts of all rows are kept together. */
async function trials(
  runtime: Runtime,
  request: Request,
  job: JobLine,
  rows: readonly JobRow[],
  doRow: DoRow,
): Promise<RowWork> {
  const first = await firstWithKeys(runtime, job, rows)
  const verdicts: Verdict[] = []
  return {
    async row(row) {
      const found: { held: readonly UniqueValue[] } = { held: [] }
      // What the record alone may have is looked at before the trial undoes it.
      const looked = alsoDone(async (tx, id) => {
        found.held = await heldAlone(tx, runtime.app, request, job.entity, id)
      })
      const done = await doRow(accompanied(trying(runtime), job.kind === 'import' ? looked : null), request, row)
      const twice = first.get(row.number)
      const problems =
        twice === undefined
          ? problemsOf(runtime, row, done)
          : new Map([[row.number, [twiceProblem(runtime, job, twice)]]])
      const state: RowState = problems.size > 0 ? 'wrong' : done.did === 'same' ? 'same' : 'right'
      const held = state === 'right' ? found.held.map(one => ({ ...one, problem: told(one.problem) })) : []
      for (const number of numbersOf(row))
        verdicts.push({
          number,
          state,
          did: done.did,
          title: done.title,
          problems: problems.get(number) ?? [],
          held: held.length === 0 || number !== row.number ? null : held,
        })
    },
    async end() {
      await runtime.store.inTransaction(tx => keepVerdicts(tx, job, verdicts))
    },
  }
}

interface Verdict extends Pick<JobRow, 'number' | 'state' | 'did' | 'title' | 'problems'> {
  readonly held: readonly HeldByRow[] | null
}

const keepVerdicts = (tx: Tx, { id }: JobLine, verdicts: readonly Verdict[]): Promise<number> =>
  tx.write(sql`update ninefold.job_row as row set state = tried.state, did = tried.did, title = coalesce(tried.title, row.title),
    problems = tried.problems, held = tried.held
    from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as tried (number integer, state text, did text, title text, problems jsonb, held jsonb)
    where row.job = ${id}::uuid and row.number = tried.number and row.state = 'new'`)

async function applyRow(runtime: Runtime, request: Request, job: JobLine, row: JobRow, doRow: DoRow): Promise<void> {
  const mine: Mine = { taken: false, version: null }
  // What came of one row is told from what came of the others.
  const own = { ...request, id: request.newId() }
  const isUndoable = job.kind === 'step' || job.kind === 'edit'
  const noted = noting(runtime, own, ({ version }) => {
    mine.version = version
  })
  const done = await doRow(accompanied(runtime, rowFinished(job, row, mine), isUndoable ? noted : null), own, row)
  // What is refused leaves nothing behind, so its outcome is kept afterwards.
  if (done.outcome.kind !== 'done')
    await runtime.store.inTransaction(tx => refuseRow(runtime, tx, job, row, 'refused', done))
  else if (!mine.taken) await runtime.store.inTransaction(tx => finishRow(tx, job, row, 'done', done))
}

/** What became of a row in the transaction that wrote it. */
interface Mine {
  taken: boolean
  version: number | null
}

/** The row is marked in the transaction that writes it: it is written once, or not at all. */
const rowFinished = (job: JobLine, row: JobRow, mine: Mine): Companion => ({
  async around(tx, write) {
    const outcome = await write(tx)
    if (outcome.kind !== 'done') return outcome
    const { version } = mine
    const found = await finishRow(tx, job, { ...row, version }, 'done', { did: '', title: null, outcome })
    mine.taken = true
    // Somebody else has written it meanwhile.
    return found === 0 ? tx.abandon(outcome) : outcome
  },
})

/** What a row alone may have, as it is stored while the others are tried. */
interface HeldByRow {
  readonly value: string
  readonly stretch?: Stretch
  readonly problem: RowProblem
}

const always: Stretch = [0, null]
const meet = ([from, until]: Stretch, [begin, end]: Stretch): boolean =>
  (end === null || from < end) && (until === null || begin < until)

/** Each row was tried alone: of those with a value that one record alone may have, the first keeps it, as when they are written. */
async function refuseDoubles(runtime: Runtime, tx: Tx, job: JobLine): Promise<void> {
  const rows = await tx.query<{ number: string; held: readonly HeldByRow[] }>(sql`
    select number, jsonb_agg(one order by at) as held
    from (select number, one, at, count(*) over (partition by one ->> 'value') as times
      from ninefold.job_row cross join jsonb_array_elements(held) with ordinality as of_it (one, at)
      where job = ${job.id}::uuid and state = 'right') as every
    where times > 1 group by number order by number`)
  const taken = new Map<string, Stretch[]>()
  const isTaken = ({ value, stretch = always }: HeldByRow) => taken.get(value)?.some(one => meet(one, stretch))
  const doubles = rows.flatMap(({ number, held }) => {
    const problems = held.filter(isTaken).map(({ problem }) => problem)
    if (problems.length === 0)
      for (const { value, stretch = always } of held) memoize(taken, value, () => []).push(stretch)
    return problems.length === 0 ? [] : [{ number, problems }]
  })
  const goingOn = await goingOnWith(
    tx,
    job,
    doubles.map(({ number }) => Number(number)),
  )
  const beside = [...goingOn].flatMap(([first, rows]) =>
    rows.map(({ number }) => ({ number, problems: [besideProblem(runtime, first)] })),
  )
  await tx.write(sql`update ninefold.job_row as row set state = 'wrong', problems = double.problems
    from jsonb_to_recordset(${JSON.stringify([...doubles, ...beside])}::jsonb) as double (number integer, problems jsonb)
    where row.job = ${job.id}::uuid and row.number = double.number`)
  await tx.write(sql`update ninefold.job_row set held = null where job = ${job.id}::uuid and held is not null`)
}

/** `did` is what the trial said, where there was one. Cells of a row that is done are not kept any longer. */
function finishRow(tx: Tx, job: JobLine, row: JobRow, state: RowState, done: RowDone): Promise<number> {
  const record = done.outcome.kind === 'done' && job.state === 'applying' ? done.outcome.id : row.record
  return tx.write(sql`update ninefold.job_row set state = ${state}, did = coalesce(nullif(${done.did}, ''), did),
    record = ${record}::uuid, version = ${row.version}::integer, title = coalesce(${done.title}, title), problems = '[]',
    cells = case when ${state} = 'done' then null else cells end
    where job = ${job.id}::uuid and ${isNumbered(numbersOf(row))} and state = ${row.state}`)
}

async function refuseRow(
  runtime: Runtime,
  tx: Tx,
  job: JobLine,
  row: JobRow,
  state: RowState,
  done: RowDone,
): Promise<void> {
  if ((await finishRow(tx, job, row, state, done)) > 0)
    await tellRows(tx, job, row, state, problemsOf(runtime, row, done))
}

/** Each row is told what is wrong with it. */
const tellRows = (
  tx: Tx,
  { id }: JobLine,
  row: JobRow,
  state: RowState,
  problems: ReadonlyMap<number, readonly RowProblem[]>,
): Promise<number> =>
  tx.write(sql`update ninefold.job_row as row set state = ${state}, problems = told.problems
    from jsonb_to_recordset(${JSON.stringify(numbersOf(row).map(number => ({ number, problems: problems.get(number) ?? [] })))}::jsonb) as told (number integer, problems jsonb)
    where row.job = ${id}::uuid and row.number = told.number`)

/** What is wrong, by the row of the file that it is about. */
function problemsOf(
  runtime: Runtime,
  row: JobRow,
  { outcome, places }: RowDone,
): ReadonlyMap<number, readonly RowProblem[]> {
  if (outcome.kind === 'done') return new Map()
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  if (places === undefined) return new Map([[row.number, problems.map(told)]])
  const placed = problems.map(problem => {
    const { row: at = row.number, column } = placeOf(problem.field, places)
    return { at, problem: { ...told(problem), field: column } }
  })
  const byRow = new Map(
    [...Map.groupBy(placed, ({ at }) => at)].map(([at, all]) => [at, all.map(({ problem }) => problem)]),
  )
  return besideOf(runtime, row, byRow)
}

/** Rows of a record of which another one is wrong say which. */
function besideOf(
  runtime: Runtime,
  row: JobRow,
  problems: ReadonlyMap<number, readonly RowProblem[]>,
): ReadonlyMap<number, readonly RowProblem[]> {
  const beside = besideProblem(runtime, Math.min(...problems.keys()))
  return new Map(numbersOf(row).map(number => [number, problems.get(number) ?? [beside]]))
}

const besideProblem = ({ app }: Runtime, first: number): RowProblem =>
  told(raise(app, 'NF-IMPORT-BESIDE', { row: first }))

const told = ({ field, code, message, whatToDo }: Problem): RowProblem => ({ field, code, message, whatToDo })

/** By the number of a row, that of the first one about the same record, where it stands before it. */
async function firstWithKeys(
  { store }: Runtime,
  job: JobLine,
  rows: readonly JobRow[],
): Promise<ReadonlyMap<number, number>> {
  if (job.what.key == null || job.what.rows === true || rows.length === 0) return new Map()
  const [from, to] = [rows[0]!, rows.at(-1)!].map(({ number }) => String(number))
  const found = await store.query<{ number: string; first: string }>(sql`
    with block as (select number, key from ninefold.job_row
      where job = ${job.id}::uuid and number between ${from}::integer and ${to}::integer and key is not null)
    select block.number, first.number as first from block
    join (select key, min(number) as number from ninefold.job_row where job = ${job.id}::uuid and key in (select key from block)
      group by key) as first on first.key = block.key and first.number < block.number`)
  return new Map(found.map(({ number, first }) => [Number(number), Number(first)]))
}

function twiceProblem({ app }: Runtime, { what }: JobLine, first: number): RowProblem {
  const field = keyFields(what)[0] ?? null
  const { code, message, whatToDo } = raise(app, 'NF-IMPORT-TWICE', { row: first }, { field })
  return { field, code, message, whatToDo }
}
