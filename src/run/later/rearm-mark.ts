/**
 * What armed timers go by may change without their records: a constant, a closed day, the document, other records. Then a mark is left
 * in the transaction of the change, and the worker goes through the records, a few at a time, however many there are and whoever dies
 * meanwhile. The mark stands for all records of the entity, or for those that name a record that was changed.
 */
import { type Elsewhere, elsewhereOf } from '../../expression/elsewhere.ts'
import { memoize } from '../../expression/memoize.ts'
import { slot, sql } from '../../expression/sql.ts'
import { needsDatabase } from '../../expression/summary.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Timer } from '../../headings/4-states/model.ts'
import { momentsOf } from '../../headings/4-states/timers.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { nobody, rearmMark } from '../../store/system.ts'
import type { Request, Runtime } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { deepLists, rowsAt, storedFields } from '../write/draft-record.ts'

/** Entities whose timers a constant decides about, those that look for their records among them. */
export function timersReading(app: App, constant: string): readonly string[] {
  const timed = [
    ...app.timers,
    ...app.sweeps.map(({ entity, at }) => ({ entity, at: { ...at, kind: 'every', whose: null } as const })),
  ]
  const moved = timed.filter(({ at }) => momentsOf(at).some(({ reads }) => reads.includes(`limits.${constant}`)))
  return [...new Set(moved.map(({ entity }) => entity))]
}

/** The timers of the records, or rows, of an entity. */
export const timersOf = (app: App, entity: string): readonly Timer[] =>
  cachedStatement(app, ['timers', entity], () => app.timers.filter(timer => timer.entity === entity))

/** What a timer reads of other records. */
export const elsewhereIn = (timer: Timer): readonly Elsewhere[] =>
  momentsOf(timer.at).flatMap(({ root, schema }) => elsewhereOf(root, schema))

/** What says on whose working days a timer comes back, of the record itself: it is not armed anew with each change. */
const ownDays = ({ entity, at }: Timer): readonly Elsewhere[] =>
  at.kind !== 'every' || at.whose === null
    ? []
    : at.whose.reads.map(read => ({ entity, field: read.split('.')[0]!, via: [] }))

/** Whose timers read of records of an entity, and what. */
export const readersOf = (app: App, entity: string): readonly (Elsewhere & { readonly reader: string })[] =>
  cachedStatement(app, ['timers reading', entity], () =>
    app.timers.flatMap(timer =>
      [...elsewhereIn(timer), ...ownDays(timer)].flatMap(read =>
        read.entity === entity ? [{ ...read, reader: timer.entity }] : [],
      ),
    ),
  )

/** Whether a timer looks at all records of an entity, and so at what others are writing meanwhile. */
const looksAround = (app: App, entity: string): boolean =>
  cachedStatement(app, ['timers looking around', entity], () =>
    timersOf(app, entity).some(({ at }) => momentsOf(at).some(({ root, schema }) => needsDatabase(root, schema))),
  )

/** A record was written (`old` null: made; `record` null: gone): leaves the mark for those whose timers read what is different. */
export async function markReaders(
  tx: Tx,
  runtime: Runtime,
  request: Request,
  entity: string,
  record: RecordValue | null,
  old: RecordValue | null,
): Promise<void> {
  const { app } = runtime
  const marks = new Map<string, Set<string>>()
  const mark = (about: string, reader: string) => memoize(marks, about, () => new Set<string>()).add(reader)
  const compare = (of: string, now: RecordValue | null, before: RecordValue | null) => {
    const readers = readersOf(app, of)
    if (readers.length === 0) return
    const isNew = now === null || before === null
    const changed = new Set(storedFields(app, of).filter(key => (now?.[key] ?? null) !== (before?.[key] ?? null)))
    for (const { field, via, reader } of readers)
      if (field === null ? isNew : changed.has(field) && !(isNew && via?.length === 0))
        mark(via === null ? nobody : ((now ?? before)!.id as string), reader)
  }
  compare(entity, record, old)
  for (const list of deepLists(app, entity)) {
    const { entity: of } = list
    if (readersOf(app, of).length === 0) continue
    const [rows, before] = [record, old].map(holder => new Map(rowsAt(holder, list).map(row => [row.id, row])))
    for (const id of new Set([...rows!.keys(), ...before!.keys()]))
      compare(of, rows!.get(id) ?? null, before!.get(id) ?? null)
  }
  // Whoever writes beside us was not seen, and does not see this one: once both are there, it is looked at again, or its rows.
  const looking = [entity, ...deepLists(app, entity).map(list => list.entity)].filter(one => looksAround(app, one))
  if (record !== null) for (const one of looking) mark(record.id as string, one)
  for (const [about, readers] of marks) await markForRearming(tx, runtime, request, [...readers], about)
}

/** Leaves the mark for entities; `about`: a record that is changed, for those only whose timers read it, and for itself. */
export async function markForRearming(
  tx: Tx,
  { wake }: Runtime,
  request: Request,
  entities: readonly string[],
  about: string = nobody,
): Promise<void> {
  if (entities.length === 0) return
  if (wake !== undefined) tx.afterCommit(wake)
  await tx.write(mark, { entities, about, now: request.now.toISOString() })
}

const mark = built(sql`
  insert into ninefold.timer as t (entity, record, timer, due_at)
  select e, ${slot('about')}::uuid, ${rearmMark}, ${slot('now')}::timestamptz from unnest(${slot('entities')}::text[]) as e
  on conflict (entity, record, timer) do update
    set due_at = least(t.due_at, excluded.due_at), attempts = 0, claimed_until = null, claimed_by = null`)
