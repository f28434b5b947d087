/**
 * Many records at once: an import, or a step or an edit for a selection. A job has rows; each row is one write through the one write
 * path, as the person who started it, and its outcome is kept in the same transaction. So nothing happens twice, whoever works on it
 * and wherever it breaks off; what is left is taken up again.
 */

import { sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { appIn, languageOf } from '../../headings/translate.ts'
import type { Tx } from '../../store/pool.ts'
import { Unavailable } from '../../store/unavailable.ts'
import { kept } from '../kept.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { type Door, momentOf, requestFor } from '../people/people.ts'
import { isOpenTo } from '../people/present.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { isId } from '../values.ts'
import { type Held, heldAlone, type Stretch } from '../write/conflicts.ts'
import { inside } from '../write/inside.ts'
import { isolationOf } from '../write/together.ts'
import { trying } from '../write/trying.ts'
import { editRow, stepRow } from './bulk.ts'
import { importRow, mayImport, takesWhole } from './import.ts'

type JobKind = 'import' | 'step' | 'edit'
type JobState = 'draft' | 'checking' | 'checked' | 'applying' | 'done' | 'stopped'
export type RowState = 'new' | 'right' | 'same' | 'wrong' | 'done' | 'refused'

/**
 * A cell of a file: text as somebody typed it, or (`v`) a number, date or yes/no in its canonical form, which no language reads otherwise.
 * `percent`: the file shows the number as a percentage; it is the fraction.
 */
export type FileCell = string | { readonly v: string; readonly percent?: true }

/** What is to be done with each row. */
export interface JobWhat {
  /** Import: headings of the file's columns, in order. */
  readonly columns?: readonly string[]
  /** Import: the field that each column goes into; null: none. */
  readonly mapping?: readonly (string | null)[]
  /** Import: the field whose value tells which record a row is about; null: every row is a new record. */
  readonly key?: string | null
  /** Import: BCP 47 tag of the language that figures and dates are written in. */
  readonly written?: string
  /** Import: name of the file. */
  readonly file?: string
  /** Import: what parts the cells of a row of the file; null: it is a workbook. */
  readonly delimiter?: string | null
  readonly step?: string
  /** Edit, or what a step asks for: wire values by field. */
  readonly values?: Readonly<Record<string, Wire>>
  /** Where the selection was made. */
  readonly back?: string
  /** Why it was stopped, where nobody stopped it: whoever started it was kept out, or may import no more. */
  readonly halted?: 'sender' | 'import'
}

export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly entity: string
  readonly what: JobWhat
  readonly state: JobState
  readonly counts: Readonly<Record<RowState, number>>
  readonly total: number
  /** All rows are written, or none. */
  readonly whole: boolean
}

/** Of a row, what its problems keep: where it is, and the catalogue's words. */
export type RowProblem = Pick<Problem, 'field' | 'code' | 'message' | 'whatToDo'>

export interface JobRow {
  readonly number: number
  readonly cells: readonly FileCell[] | null
  readonly record: string | null
  readonly title: string | null
  readonly state: RowState
  readonly did: string | null
  readonly problems: readonly RowProblem[]
}

/** What one row came to. `did`: `create`, `change`, `same` or a step. */
export interface RowDone {
  readonly did: string
  readonly title: string | null
  readonly outcome: Outcome
}

export interface NewRow {
  /** Its number, where it has one of its own: that of the row in the file. */
  readonly number?: number
  readonly cells?: readonly FileCell[]
  readonly record?: string
  readonly title?: string
}

/** Days that a job and what is left of its rows are kept. */
const keptDays = 30
/** Milliseconds after which another worker may take up what one has left behind. */
const claim = 60_000
/** Rows of which one statement is told. */
const rowsAtOnce = 5000

/** Keeps a job with its rows; gives its id. Older ones of the same person that nobody needs any more are swept away. */
export async function makeJob(
  { store }: Runtime,
  request: Request,
  job: Pick<Job, 'kind' | 'entity' | 'what' | 'state'>,
  rows: readonly NewRow[],
): Promise<string> {
  const id = request.newId()
  const state: RowState = 'new'
  await store.inTransaction(async tx => {
    const old = new Date(request.now.getTime() - keptDays * 86_400_000).toISOString()
    await tx.write(
      sql`delete from ninefold.job where person = ${request.actor.id}::uuid and made_at < ${old}::timestamptz`,
    )
    await tx.write(sql`insert into ninefold.job (id, kind, entity, person, what, state, locale, made_at)
      values (${id}::uuid, ${job.kind}, ${job.entity}, ${request.actor.id}::uuid, ${JSON.stringify(job.what)}::jsonb,
        ${job.state}, ${request.locale}, ${request.now.toISOString()}::timestamptz)`)
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const part = JSON.stringify(rows.slice(at, at + rowsAtOnce))
      await tx.write(sql`insert into ninefold.job_row (job, number, cells, record, title, state)
        select ${id}::uuid, coalesce((row.value ->> 'number')::integer, ${String(at)}::integer + row.number), row.value -> 'cells', (row.value ->> 'record')::uuid,
          row.value ->> 'title', ${state}
        from jsonb_array_elements(${part}::jsonb) with ordinality as row (value, number)`)
    }
  })
  return id
}

interface JobLine {
  readonly id: string
  readonly kind: JobKind
  readonly entity: string
  readonly what: JobWhat
  readonly state: JobState
  readonly counts: Readonly<Partial<Record<RowState, number>>> | null
}

const noCounts: Record<RowState, number> = { new: 0, right: 0, same: 0, wrong: 0, done: 0, refused: 0 }

function jobOf({ counts: found, ...line }: JobLine, whole: boolean): Job {
  const counts = { ...noCounts, ...found }
  return { ...line, whole, counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

/** Jobs on one page. */
const shown = 10

/** One's own jobs of late, the newest first. */
export async function readJobs(
  { app, store }: Runtime,
  { actor }: Request,
): Promise<readonly (Pick<Job, 'id' | 'kind' | 'entity' | 'what' | 'state'> & { readonly at: string })[]> {
  const jobs = await store.query<JobLine & { at: string }>(sql`
    select id, kind, entity, what, state, made_at as at from ninefold.job
    where person = ${actor.id}::uuid order by id desc limit ${String(shown)}::integer`)
  return jobs.filter(({ entity }) => app.entities.has(entity))
}

/** How the same person brought in a file with these columns the last time; null: they never did. */
export async function lastImport(
  { store }: Runtime,
  { actor }: Request,
  entity: string,
  columns: readonly string[],
): Promise<Pick<JobWhat, 'mapping' | 'key' | 'written'> | null> {
  const [last] = await store.query<Pick<JobLine, 'what'>>(sql`
    select what from ninefold.job where person = ${actor.id}::uuid and kind = 'import' and entity = ${entity} and state <> 'draft'
      and what -> 'columns' = ${JSON.stringify(columns)}::jsonb
    order by id desc limit 1`)
  return last?.what ?? null
}

/** One's own job. Null: not there, or somebody else's. */
export async function readJob(runtime: Runtime, request: Request, id: string): Promise<Job | null> {
  const { app, store } = runtime
  if (!isId(id) || request.actor.id === null) return null
  const [line] = await store.query<JobLine>(sql`
    select job.id, job.kind, job.entity, job.what, job.state,
      (select jsonb_object_agg(state, n) from (
        select state, count(*) as n from ninefold.job_row where job = job.id group by state) as counted) as counts
    from ninefold.job as job where job.id = ${id}::uuid and job.person = ${request.actor.id}::uuid`)
  return line === undefined || !app.entities.has(line.entity) ? null : jobOf(line, isWhole(runtime, request, line))
}

/** Rows in these states after a number. Callers have read the job itself, which says whether it is theirs. */
export function readJobRows(
  { store }: Runtime,
  job: string,
  states: readonly RowState[],
  after: number,
  limit: number,
): Promise<readonly JobRow[]> {
  return store
    .query<Omit<JobRow, 'number'> & { number: string }>(sql`
      select number, cells, record, title, state, did, problems from ninefold.job_row
      where job = ${job}::uuid and state = any(${states as unknown as string}::text[]) and number > ${String(after)}::integer
      order by number limit ${String(limit)}::integer`)
    .then(rows => rows.map(row => ({ ...row, number: Number(row.number) })))
}

/** Sets a new import on its way: with its columns told apart, each row is tried and nothing is written. */
export async function checkImport({ store }: Runtime, job: Job, what: JobWhat): Promise<void> {
  const key = what.key == null ? -1 : (what.mapping ?? []).indexOf(what.key)
  await store.inTransaction(async tx => {
    const found = await tx.write(sql`update ninefold.job set state = 'checking', what = ${JSON.stringify(what)}::jsonb
      where id = ${job.id}::uuid and state in ('draft', 'checked')`)
    if (found === 0) return
    await tx.write(sql`update ninefold.job_row set state = 'new', did = null, problems = '[]', record = null, held = null,
      key = nullif(trim(coalesce(cells -> ${String(key)}::integer ->> 'v', cells ->> ${String(key)}::integer)), '')
      where job = ${job.id}::uuid`)
  })
}

/** Whether a job in this state may be told to go on with what is left. */
export const mayApply = ({ state, counts, whole }: Job): boolean =>
  !(whole && counts.wrong > 0) &&
  ((state === 'checked' && counts.right > 0) ||
    (state === 'stopped' && counts.right + counts.new > 0) ||
    (state === 'done' && counts.refused > 0))

const isWhole = (runtime: Runtime, request: Request, { kind, entity }: Pick<Job, 'kind' | 'entity'>): boolean =>
  kind === 'import' && takesWhole(runtime, request, entity)

/** Lets it write: what was found right, what was left over when it was stopped, or what was refused before. */
export async function applyJob({ store }: Runtime, job: Job): Promise<void> {
  if (!mayApply(job)) return
  const next: JobState = job.counts.new > 0 ? 'checking' : 'applying'
  await store.inTransaction(async tx => {
    const found = await tx.write(sql`update ninefold.job set state = ${next}, what = what - 'halted', finished_at = null
      where id = ${job.id}::uuid and state = ${job.state}`)
    if (found > 0 && job.state === 'done')
      await tx.write(sql`update ninefold.job_row set state = 'right', problems = '[]'
        where job = ${job.id}::uuid and state = 'refused'`)
  })
}

/** What is written whole is written to its end. */
export const mayStop = ({ state, whole }: Job): boolean => state === 'checking' || (state === 'applying' && !whole)

/** Stops what is under way; the row that is being written is written to its end. */
export async function stopJob({ store }: Runtime, job: Job): Promise<void> {
  if (!mayStop(job)) return
  await store.inTransaction(tx =>
    tx.write(
      sql`update ninefold.job set state = 'stopped' where id = ${job.id}::uuid and state in ('checking', 'applying')`,
    ),
  )
}

interface JobContext {
  readonly worker: string
  /** Rows at most. */
  readonly limit: number
  /** Only this job; absent: the oldest that waits. */
  readonly only?: string
}

interface Claimed extends JobLine {
  readonly person: string
  readonly locale: string
  /** Its person could sign in now. */
  readonly open: boolean
}

/** The application in the language of whoever started the job: what is said of its rows, they read. */
function heardBy(runtime: Runtime, locale: string): Runtime {
  const { app } = runtime
  const spoken = app.product.languages.find(({ tag }) => languageOf(tag) === languageOf(locale))
  return spoken === undefined ? runtime : { ...runtime, app: appIn(app, spoken.tag) }
}

/** Works on some rows of one job; gives how many, or 1 where it only stopped it. Somebody else's claim is respected for as long as it holds. */
export async function workJobs(served: Runtime, door: Door, { worker, limit, only }: JobContext): Promise<number> {
  const { store } = served
  const now = door.now.toISOString()
  const until = new Date(door.now.getTime() + claim).toISOString()
  const [job] = await store.inTransaction(tx =>
    tx.query<Claimed>(
      sql`update ninefold.job as j set claimed_until = ${until}::timestamptz, claimed_by = ${worker}
      where id = (select id from ninefold.job where state in ('checking', 'applying')
        and (claimed_until is null or claimed_until < ${now}::timestamptz) and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid)
        order by id limit 1 for update skip locked)
      returning id, kind, entity, person, what, state, locale, null as counts, ${isOpenTo(served.app, sql`j.person`)} as open`,
      momentOf(served.app, door.now),
    ),
  )
  if (job === undefined) return 0
  const runtime = heardBy(served, job.locale)
  const { app } = runtime
  const from: RowState = job.state === 'checking' ? 'new' : 'right'
  const request = app.entities.has(job.entity)
    ? await requestFor(runtime, job.person, { ...door, locale: job.locale })
    : null
  const halted = !job.open
    ? 'sender'
    : request !== null && job.kind === 'import' && !mayImport(runtime, request, job.entity)
      ? 'import'
      : null
  if (halted !== null) {
    await haltJob(runtime, job, worker, halted)
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
    for (const row of rows.slice(0, limit)) await workRow(runtime, request!, job, row).catch(error => fail(error, row))
    if (!finished) state = job.state
  } else if (finished || only === undefined) {
    finished = true
    if (!(await workWhole(runtime, request, job, fail))) state = 'checked'
  } else state = job.state
  await store.inTransaction(async tx => {
    if (from === 'new' && finished) await refuseDoubles(tx, job)
    await tx.write(sql`update ninefold.job set claimed_until = null, claimed_by = null,
      state = case when state = ${job.state} then ${state} else state end,
      finished_at = case when ${finished}::boolean then ${now}::timestamptz end
      where id = ${job.id}::uuid and claimed_by = ${worker}`)
  })
  // One row that we cannot do keeps nobody from the others; that it is our mistake is told all the same.
  if (failures.length > 0) throw failures[0]
  return Math.min(rows.length, limit)
}

/** Nothing more is done in the name of somebody who could not do it themselves; what is left waits for them. */
const haltJob = ({ store }: Runtime, { id, state }: JobLine, worker: string, halted: JobWhat['halted']) =>
  store.inTransaction(tx =>
    tx.write(sql`update ninefold.job set claimed_until = null, claimed_by = null, state = 'stopped',
      what = what || ${JSON.stringify({ halted })}::jsonb where id = ${id}::uuid and claimed_by = ${worker} and state = ${state}`),
  )

/** All rows that were found right, in one transaction. Whether they were written: one that is refused after all undoes the others. */
async function workWhole(
  runtime: Runtime,
  request: Request,
  job: JobLine,
  fail: (error: unknown, row: JobRow) => Promise<void>,
): Promise<boolean> {
  let at: JobRow | null = null
  const work = async (tx: Tx): Promise<RowDone | null> => {
    // Whoever else would take it up waits, however long it takes.
    await tx.query(sql`select from ninefold.job where id = ${job.id}::uuid for update`)
    at = null
    for (;;) {
      const rows: readonly JobRow[] = await readJobRows(
        { ...runtime, store: { ...runtime.store, ...tx } },
        job.id,
        ['right'],
        0,
        rowsAtOnce,
      )
      for (const row of rows) {
        at = row
        const done = await inside(runtime, tx, within => importRow(within, request, job, row))
        if (done.outcome.kind !== 'done') return tx.abandon(done)
        await settle(tx, job, row, 'done', done, [])
      }
      if (rows.length < rowsAtOnce) return null
    }
  }
  try {
    const refused = await runtime.store.inTransaction(work, isolationOf(runtime.app, job.entity))
    if (refused === null) return true
    const row = at!
    await runtime.store.inTransaction(tx => settle(tx, job, row, 'wrong', refused, problemsOf(refused.outcome)))
  } catch (error) {
    if (at === null) throw error
    await fail(error, at)
  }
  return false
}

async function failRow({ app, store }: Runtime, job: JobLine, row: JobRow, as: RowState): Promise<void> {
  const { field, code, message, whatToDo } = raise(app, 'NF-ROW-FAILED', {})
  await store.inTransaction(tx =>
    tx.write(sql`update ninefold.job_row set state = ${as},
      problems = ${JSON.stringify([{ field, code, message, whatToDo }])}::jsonb
      where job = ${job.id}::uuid and number = ${String(row.number)}::integer and state = ${row.state}`),
  )
}

async function workRow(runtime: Runtime, request: Request, job: JobLine, row: JobRow): Promise<void> {
  const isTrial = job.state === 'checking'
  const doRow = (of: Runtime): Promise<RowDone> =>
    job.kind === 'import'
      ? importRow(of, request, job, row)
      : job.kind === 'step'
        ? stepRow(of, request, job, row)
        : editRow(of, request, job, row)
  if (isTrial) {
    const found: { held: readonly Held[] } = { held: [] }
    const done = await doRow(job.kind === 'import' ? looking(trying(runtime), request, job, found) : trying(runtime))
    const twice = await firstWithKey(runtime, job, row)
    const refused = twice === null ? problemsOf(done.outcome) : [twiceProblem(runtime, job, twice)]
    const state: RowState = refused.length > 0 ? 'wrong' : done.did === 'same' ? 'same' : 'right'
    const held = state === 'right' ? found.held.map(one => ({ ...one, problem: told(one.problem) })) : []
    await runtime.store.inTransaction(tx => settle(tx, job, row, state, done, refused, held))
    return
  }
  const mine = { taken: false }
  const done = await doRow(settling(runtime, job, row, mine))
  // What is refused leaves nothing behind, so its outcome is kept afterwards.
  if (done.outcome.kind !== 'done')
    await runtime.store.inTransaction(tx => settle(tx, job, row, 'refused', done, problemsOf(done.outcome)))
  else if (!mine.taken) await runtime.store.inTransaction(tx => settle(tx, job, row, 'done', done, []))
}

/** The row is marked in the transaction that writes it: it is written once, or not at all. */
function settling(runtime: Runtime, job: JobLine, row: JobRow, mine: { taken: boolean }): Runtime {
  const { store } = runtime
  const inTransaction: typeof store.inTransaction = (work, options) =>
    store.inTransaction(async tx => {
      const value = await work(tx)
      const outcome = value as Outcome
      if (outcome.kind === 'done') {
        const found = await settle(tx, job, row, 'done', { did: '', title: null, outcome }, [])
        mine.taken = true
        // Somebody else has written it meanwhile.
        if (found === 0) return tx.abandon(value)
      }
      return value
    }, options)
  return { ...runtime, store: { ...store, inTransaction } }
}

/** What the record alone may have is looked at before the trial undoes it. */
function looking(runtime: Runtime, request: Request, job: JobLine, found: { held: readonly Held[] }): Runtime {
  const { app, store } = runtime
  const inTransaction: typeof store.inTransaction = (work, options) =>
    store.inTransaction(async tx => {
      const value = await work(tx)
      const outcome = value as Outcome
      if (outcome.kind === 'done') found.held = await heldAlone(tx, app, request, job.entity, outcome.id)
      return value
    }, options)
  return { ...runtime, store: { ...store, inTransaction } }
}

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
async function refuseDoubles(tx: Tx, job: JobLine): Promise<void> {
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
      for (const { value, stretch = always } of held) kept(taken, value, () => []).push(stretch)
    return problems.length === 0 ? [] : [{ number, problems }]
  })
  await tx.write(sql`update ninefold.job_row as row set state = 'wrong', problems = double.problems
    from jsonb_to_recordset(${JSON.stringify(doubles)}::jsonb) as double (number integer, problems jsonb)
    where row.job = ${job.id}::uuid and row.number = double.number`)
  await tx.write(sql`update ninefold.job_row set held = null where job = ${job.id}::uuid and held is not null`)
}

/** `did` is what the trial said, where there was one. Cells of a row that is done are not kept any longer. */
function settle(
  tx: Tx,
  job: JobLine,
  row: JobRow,
  state: RowState,
  done: RowDone,
  problems: readonly RowProblem[],
  held: readonly HeldByRow[] = [],
): Promise<number> {
  const record = done.outcome.kind === 'done' && job.state === 'applying' ? done.outcome.id : row.record
  return tx.write(sql`update ninefold.job_row set state = ${state}, did = coalesce(nullif(${done.did}, ''), did),
    record = ${record}::uuid, title = coalesce(${done.title}, title), problems = ${JSON.stringify(problems)}::jsonb,
    held = ${held.length === 0 ? null : JSON.stringify(held)}::jsonb, cells = case when ${state} = 'done' then null else cells end
    where job = ${job.id}::uuid and number = ${String(row.number)}::integer and state = ${row.state}`)
}

function problemsOf(outcome: Outcome): readonly RowProblem[] {
  if (outcome.kind === 'done') return []
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  return problems.map(told)
}

const told = ({ field, code, message, whatToDo }: Problem): RowProblem => ({ field, code, message, whatToDo })

/** Number of an earlier row about the same record. */
async function firstWithKey({ store }: Runtime, job: JobLine, row: JobRow): Promise<number | null> {
  if (job.what.key == null) return null
  const [first] = await store.query<{ number: string }>(sql`
    select first.number from ninefold.job_row as row join ninefold.job_row as first on first.job = row.job and first.key = row.key
    where row.job = ${job.id}::uuid and row.number = ${String(row.number)}::integer and first.number < row.number
    order by first.number limit 1`)
  return first === undefined ? null : Number(first.number)
}

function twiceProblem({ app }: Runtime, { what }: JobLine, first: number): RowProblem {
  const field = what.key ?? null
  const { code, message, whatToDo } = raise(app, 'NF-IMPORT-TWICE', { row: first }, { field })
  return { field, code, message, whatToDo }
}
