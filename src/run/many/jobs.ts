/**
 * Many records at once: an import, a step or an edit for a selection, or such a step or edit taken back. A job has rows; each row is one write through the one write
 * path, as the person who started it, and its outcome is kept in the same transaction. So nothing happens twice, whoever works on it
 * and wherever it breaks off; what is left is taken up again.
 */

import type { FileCell } from '../../document/file-cells.ts'
import { type Sql, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { peopleTold } from '../../store/news.ts'
import type { Tx } from '../../store/pool.ts'
import { unclaimed } from '../claim.ts'
import type { Outcome, Problem } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { isId } from '../values.ts'
import { undoWithin } from '../write/undo.ts'
import { takesWhole } from './import.ts'
import { keyFields } from './import-fields.ts'
import { recordOfRows } from './import-rows.ts'

type JobKind = 'import' | 'step' | 'edit' | 'undo'
export type JobState = 'draft' | 'checking' | 'checked' | 'applying' | 'done' | 'stopped'
export type RowState = 'new' | 'right' | 'same' | 'wrong' | 'done' | 'refused'

/** Where in its file a table was found. */
export interface TablePlace {
  /** Null: it is no workbook. */
  readonly sheet: string | null
  /** All sheets of the workbook by name, in order. */
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[]
  /** Number of the row of headings. */
  readonly heading: number
  /** Rows above it that are not empty. */
  readonly above: number
  /** Rows of the table that the sheet hides. */
  readonly hidden: number
  /** Cells that have the value of the one above, with which they are merged. */
  readonly merged: number
}

/** What is to be done with each row. */
export interface JobWhat {
  /** Import: headings of the file's columns, in order. */
  readonly columns?: readonly string[]
  /** Import: the field that each column goes into; null: none. */
  readonly mapping?: readonly (string | null)[]
  /** Import: the fields whose values together tell which record a row is about, with a space between; null: every row is a new record. */
  readonly key?: string | null
  /** Import: some columns are of rows, so that several rows of the file may be about one record. */
  readonly rows?: boolean
  /** Import: BCP 47 tag of the language that figures and dates are written in. */
  readonly written?: string
  /** Import: name of the file. */
  readonly file?: string
  /** Import: what parts the cells of a row of the file; null: it is a workbook. */
  readonly delimiter?: string | null
  /** Import: where in its file the table was found. */
  readonly place?: TablePlace
  readonly step?: string
  /** Undo: the job that is taken back. */
  readonly of?: string
  /** Edit, or what a step asks for: wire values by field. */
  readonly values?: Readonly<Record<string, Wire>>
  /** Where the selection was made. */
  readonly back?: string
  /** Why it was stopped, where nobody stopped it: whoever started it was kept out, or may import no more; or nobody who began with it came to an end. */
  readonly halted?: 'sender' | 'import' | 'lost'
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
  /** It ended in the background, and whoever started it has not looked at it since. */
  readonly unseen: boolean
  /** It is under way, and one that began before is worked on. */
  readonly waits: boolean
  /** Its file can be read again. */
  readonly kept: boolean
  /** Null: it has not ended. */
  readonly finished: string | null
  /** It was taken back, as far as that was possible. */
  readonly undone: boolean
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
  /** Of the record, by which what was done with it is taken back; null: it cannot be. */
  readonly version: number | null
  readonly problems: readonly RowProblem[]
  /** Rows of the file that go on with the same record; absent: nobody looked for them. */
  readonly goingOn?: readonly JobRow[]
}

/** What one row came to. `did`: `create`, `change`, `same` or a step. */
export interface RowDone {
  readonly did: string
  readonly title: string | null
  readonly outcome: Outcome
  /** Of a record with its rows: by the path of a row, or of a value, the row of the file that says it. */
  readonly places?: ReadonlyMap<string, number>
}

export interface NewRow {
  /** Its number, where it has one of its own: that of the row in the file. */
  readonly number?: number
  readonly cells?: readonly FileCell[]
  readonly record?: string
  readonly title?: string
  readonly version?: number
}

/** Rows of which one statement is told. */
export const rowsAtOnce = 5000

/** Keeps a job with its rows; gives its id. */
export async function makeJob(
  { store }: Runtime,
  request: Request,
  job: Pick<Job, 'kind' | 'entity' | 'what' | 'state'> & { readonly file?: Buffer },
  rows: readonly NewRow[],
): Promise<string> {
  const id = request.newId()
  const state: RowState = job.state === 'applying' ? 'right' : 'new'
  await store.inTransaction(async tx => {
    await tx.write(sql`insert into ninefold.job (id, kind, entity, person, what, state, locale, made_at, file)
      values (${id}::uuid, ${job.kind}, ${job.entity}, ${request.actor.id}::uuid, ${JSON.stringify(job.what)}::jsonb,
        ${job.state}, ${request.locale}, ${request.now.toISOString()}::timestamptz, ${job.file ?? null})`)
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const part = JSON.stringify(rows.slice(at, at + rowsAtOnce))
      await tx.write(sql`insert into ninefold.job_row (job, number, cells, record, title, version, state)
        select ${id}::uuid, coalesce((row.value ->> 'number')::integer, ${String(at)}::integer + row.number), row.value -> 'cells', (row.value ->> 'record')::uuid,
          row.value ->> 'title', (row.value ->> 'version')::integer, ${state}
        from jsonb_array_elements(${part}::jsonb) with ordinality as row (value, number)`)
    }
  })
  return id
}

/** The file of an import as it was sent, until it is written; null: it is not kept any more. */
export async function readFile({ store }: Runtime, { id }: Pick<Job, 'id'>): Promise<Buffer | null> {
  const [found] = await store.query<{ readonly file: Buffer | null }>(
    sql`select file from ninefold.job where id = ${id}::uuid and state in ('draft', 'checked')`,
  )
  return found?.file ?? null
}

/** Forgets an import that nothing was written of. */
export const dropJob = ({ store }: Runtime, { id }: Pick<Job, 'id'>): Promise<unknown> =>
  store.inTransaction(tx =>
    tx.write(sql`delete from ninefold.job where id = ${id}::uuid and state in ('draft', 'checked')`),
  )

export interface JobLine {
  readonly id: string
  readonly kind: JobKind
  readonly entity: string
  readonly what: JobWhat
  readonly state: JobState
  readonly counts: Readonly<Partial<Record<RowState, number>>> | null
}

const noCounts: Record<RowState, number> = { new: 0, right: 0, same: 0, wrong: 0, done: 0, refused: 0 }

function jobOf(
  { counts: found, ...line }: JobLine & Pick<Job, 'unseen' | 'waits' | 'kept' | 'finished' | 'undone'>,
  whole: boolean,
): Job {
  const counts = { ...noCounts, ...found }
  return { ...line, whole, counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

/** Jobs on one page. */
const shown = 10

/** One's own jobs of late: those that one has not looked at since they ended, then the others, the newest first. */
export async function readJobs(
  { app, store }: Runtime,
  { actor }: Request,
): Promise<readonly (Pick<Job, 'id' | 'kind' | 'entity' | 'what' | 'state' | 'unseen'> & { readonly at: string })[]> {
  const jobs = await store.query<JobLine & Pick<Job, 'unseen'> & { at: string }>(sql`
    select id, kind, entity, what, state, unseen_since is not null as unseen, made_at as at from ninefold.job
    where person = ${actor.id}::uuid order by unseen_since is null, id desc limit ${String(shown)}::integer`)
  return jobs.filter(({ entity }) => app.entities.has(entity))
}

/** They have looked at how it ended; null: at all of their own. */
export const lookAtJobs = ({ store }: Runtime, { actor }: Request, id: string | null): Promise<void> =>
  store.inTransaction(async tx => {
    const seen = await tx.write(sql`update ninefold.job set unseen_since = null
      where person = ${actor.id}::uuid and unseen_since is not null and (${id}::uuid is null or id = ${id}::uuid)`)
    if (seen > 0) tx.tell(peopleTold, actor.id!, null)
  })

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
  const [line] = await store.query<JobLine & Pick<Job, 'unseen' | 'waits' | 'kept' | 'finished' | 'undone'>>(sql`
    select job.id, job.kind, job.entity, job.what, job.state, job.unseen_since is not null as unseen,
      job.file is not null as kept, job.finished_at as finished,
      exists (select from ninefold.job as other where other.person = job.person and other.kind = 'undo' and other.what ->> 'of' = job.id::text) as undone,
      job.state in ('checking', 'applying') and ${unclaimed('job')}
        and exists (select from ninefold.job as other where other.state in ('checking', 'applying') and other.id < job.id) as waits,
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
    .query<Omit<JobRow, 'number' | 'version'> & { number: string; version: string | null }>(sql`
      select number, cells, record, title, state, did, version, problems from ninefold.job_row
      where job = ${job}::uuid and state = any(${states as unknown as string}::text[]) and number > ${String(after)}::integer
      order by number limit ${String(limit)}::integer`)
    .then(rows =>
      rows.map(row => ({
        ...row,
        number: Number(row.number),
        version: row.version === null ? null : Number(row.version),
      })),
    )
}

/** Sets a new import on its way: with its columns told apart, each row is tried and nothing is written. */
export async function checkImport({ app, store }: Runtime, job: Job, what: JobWhat): Promise<void> {
  const places = keyFields(what).map(field => String((what.mapping ?? []).indexOf(field)))
  await store.inTransaction(async tx => {
    const found = await tx.write(sql`update ninefold.job set state = 'checking', what = ${JSON.stringify(what)}::jsonb
      where id = ${job.id}::uuid and state in ('draft', 'checked')`)
    if (found === 0) return
    await tx.write(sql`update ninefold.job_row set state = 'new', did = null, problems = '[]', record = null, held = null,
      key = (select case when bool_and(cell <> '') then string_agg(cell, chr(31) order by place) end
        from unnest(${places as unknown as string}::integer[]) with ordinality as of_key (at, place),
          trim(coalesce(cells -> at ->> 'shown', cells -> at ->> 'v', cells ->> at, '')) as cell)
      where job = ${job.id}::uuid`)
    if (what.rows === true) await gatherRows(tx, app, job, what)
  })
}

/** Rows of a file that are about one record get its key. */
async function gatherRows(tx: Tx, app: App, { id, entity }: Job, what: JobWhat): Promise<void> {
  const keyOf = recordOfRows(app, entity, what)
  for (let after = 0; ; ) {
    const rows = await tx.query<{ number: string; cells: readonly FileCell[] | null }>(sql`
      select number, cells from ninefold.job_row where job = ${id}::uuid and number > ${String(after)}::integer
      order by number limit ${String(rowsAtOnce)}::integer`)
    const keys = rows.map(({ number, cells }) => ({ number, key: keyOf({ number: Number(number), cells }) }))
    await tx.write(sql`update ninefold.job_row as row set key = told.key
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as told (number integer, key text)
      where row.job = ${id}::uuid and row.number = told.number`)
    if (rows.length < rowsAtOnce) return
    after = Number(rows.at(-1)!.number)
  }
}

/** Of these rows of a file the first of each record, with those that go on with it. */
export async function gathered(
  tx: Pick<Tx, 'query'>,
  job: JobLine,
  rows: readonly JobRow[],
): Promise<readonly JobRow[]> {
  if (job.what.rows !== true) return rows
  const found = await goingOnWith(
    tx,
    job,
    rows.map(({ number }) => number),
  )
  const others = new Set([...found.values()].flat().map(({ number }) => number))
  return rows
    .filter(({ number }) => !others.has(number))
    .map(row => ({ ...row, goingOn: (found.get(row.number) ?? []).map(more => ({ ...row, ...more })) }))
}

/** The rows of a file that go on with what others begin, by the number of the one that begins; of records that these rows are about. */
export async function goingOnWith(
  tx: Pick<Tx, 'query'>,
  { id, what }: JobLine,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly Pick<JobRow, 'number' | 'cells'>[]>> {
  if (what.rows !== true || numbers.length === 0) return new Map()
  const found = await tx.query<{ number: string; cells: readonly FileCell[] | null; first: string }>(sql`
    select number, cells, first from (
      select number, cells, min(number) over (partition by key) as first from ninefold.job_row
      where job = ${id}::uuid and key in (
        select key from ninefold.job_row where job = ${id}::uuid and ${isNumbered(numbers)})) as every
    where number <> first order by number`)
  const rows = found.map(({ number, cells, first }) => ({ number: Number(number), cells, first: Number(first) }))
  return Map.groupBy(rows, ({ first }) => first)
}

/** It is one of these. */
export const isNumbered = (numbers: readonly number[]): Sql =>
  sql`number in (select value::integer from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`

/** The numbers of a row and of those that go on with it. */
export const numbersOf = ({ number, goingOn = [] }: JobRow): readonly number[] => [
  number,
  ...goingOn.map(more => more.number),
]

/** Whether a job in this state may be told to go on with what is left. */
export const mayApply = ({ state, counts, whole }: Job): boolean =>
  !(whole && counts.wrong > 0) &&
  ((state === 'checked' && counts.right > 0) ||
    (state === 'stopped' && counts.right + counts.new > 0) ||
    (state === 'done' && counts.refused > 0))

export const isWhole = (runtime: Runtime, request: Request, { kind, entity }: Pick<Job, 'kind' | 'entity'>): boolean =>
  kind === 'import' && takesWhole(runtime, request, entity)

/** Lets it write: what was found right, what was left over when it was stopped, or what was refused before. */
export async function applyJob({ store }: Runtime, job: Job): Promise<void> {
  if (!mayApply(job)) return
  const next: JobState = job.counts.new > 0 ? 'checking' : 'applying'
  await store.inTransaction(async tx => {
    const found =
      await tx.write(sql`update ninefold.job set state = ${next}, what = what - 'halted', file = null, finished_at = null, attempts = 0
      where id = ${job.id}::uuid and state = ${job.state}`)
    if (found > 0 && job.state === 'done')
      await tx.write(sql`update ninefold.job_row set state = 'right', problems = '[]'
        where job = ${job.id}::uuid and state = 'refused'`)
  })
}

/** Whether what it did can be taken back: for as long as the change of one record, or the step, could be. */
export function mayUndo(app: App, { state, kind, entity, what, counts, finished, undone }: Job, now: Date): boolean {
  if (state !== 'done' || undone || finished === null || counts.done === 0) return false
  const steps = app.workflows.get(entity)?.transitions.filter(({ key }) => kind === 'step' && key === what.step) ?? []
  const longest = kind === 'edit' ? undoWithin : Math.max(0, ...steps.map(({ undo }) => undo?.seconds ?? 0))
  return now.getTime() < new Date(finished).getTime() + longest * 1000
}

/** Takes back what was done with each record, where that can still be; gives the job that does it. */
export async function undoJob(runtime: Runtime, request: Request, job: Job): Promise<string> {
  const done = await readJobRows(runtime, job.id, ['done'], 0, job.counts.done)
  const rows = done.flatMap(({ record, title, version }): NewRow[] =>
    record === null || version === null ? [] : [{ record, version, ...(title !== null && { title }) }],
  )
  const { step, back } = job.what
  const what = { of: job.id, ...(step !== undefined && { step }), ...(back !== undefined && { back }) }
  return makeJob(runtime, request, { kind: 'undo', entity: job.entity, what, state: 'applying' }, rows)
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
