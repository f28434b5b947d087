/**
 * Taking back what one has just done, as a change of its own: through the write path, with the rights and rules of now, and both stand in
 * the history. Only a change of one record from which nothing followed and of which nothing was sent; what others did since is not touched.
 */
import { slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { archiving } from '../access/archived.ts'
import { isoText } from '../clock.ts'
import { columnSql, fromSql, isSealed } from '../names.ts'
import type { Input, Outcome } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Changes } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { isId } from '../values.ts'
import { accompanied, type Companion } from './accompanied.ts'
import { notFound, refused } from './write.ts'
import { change, restore } from './writes.ts'

/** Minutes. */
const undoWithin = 10

/** A change, by the version that it made. */
export interface Done {
  readonly entity: string
  readonly id: string
  readonly version: number
}

interface Entry {
  readonly entity: string
  readonly record: string
  readonly version: string
  readonly kind: string
  readonly what: string
  readonly changes: Changes
}

const written = built(sql`
  select entity, record, version, kind, what, changes from ninefold.history
    where id > ${slot('after')}::uuid and request = ${slot('request')}
  union all
  select entity, record, null, 'sent', name, '{}' from ninefold.outbox
    where id > ${slot('after')}::uuid and request = ${slot('request')} limit 2`)

/** Beside a write: tells what it did, where it can be taken back. */
export const noting = ({ app }: Pick<Runtime, 'app'>, request: Request, tell: (done: Done) => void): Companion => ({
  async around(tx, write) {
    const after = request.newId()
    const outcome = await write(tx)
    if (outcome.kind !== 'done' || outcome.waits === true || request.actor.id === null) return outcome
    const [entry, more] = await tx.run<Entry>(written, { after, request: request.id })
    if (entry !== undefined && more === undefined && backOf(app, entry) !== null)
      tell({ entity: entry.entity, id: entry.record, version: Number(entry.version) })
    return outcome
  },
})

/** What to write instead: the values that were there before, or that it is not archived. Null: that cannot be said. */
function backOf(app: App, { entity, kind, what, changes }: Entry): Input | 'restore' | null {
  if (kind !== 'change') return null
  if (what === archiving) return 'restore'
  const fields = app.entities.get(entity)?.fields ?? []
  const values = Object.entries(changes).flatMap(([key, change]) => {
    const field = fields.find(one => one.key === key)
    // What follows from other fields follows from them again.
    if (field === undefined || field.computed !== null || field.renewed) return []
    const isPlain = Array.isArray(change) && field.type.kind !== 'file' && !isSealed(app, entity, key)
    return [isPlain && field.setBy === null ? ([key, change[0]] as const) : null]
  })
  if (what !== 'change' || values.length === 0 || values.includes(null)) return null
  return { values: Object.fromEntries(values.filter(one => one !== null)), children: {}, invalidValues: [] }
}

/** Refused where somebody did something with the record since, or time is over. */
export async function undo(runtime: Runtime, request: Request, { entity, id, version }: Done): Promise<Outcome> {
  const { app, store } = runtime
  if (!app.entities.has(entity) || !isId(id) || request.actor.id === null) return notFound(app)
  const since = isoText(new Date(request.now.getTime() - undoWithin * 60_000))
  const [entry] = await store.query<Entry & { readonly late: boolean }>(sql`
    select entity, record, version, kind, what, changes, at < ${since}::timestamptz as late from ninefold.history
    where entity = ${entity} and record = ${id}::uuid and version = ${version}::integer and actor = ${request.actor.id}::uuid
      and kind = 'change' order by id desc limit 1`)
  const back = entry === undefined ? null : backOf(app, entry)
  if (entry === undefined || back === null) return notFound(app)
  if (entry.late) return refused([raise(app, 'NF-UNDO-LATE', {})])
  const whole = accompanied(runtime, unlessMoved(app, { entity, id, version }))
  return back === 'restore' ? restore(whole, request, entity, id, null) : change(whole, request, entity, id, null, back)
}

const unlessMoved = (app: App, { entity, id, version }: Done): Companion => ({
  async around(tx, write) {
    const [row] = await tx.query<{ version: string }>(sql`
      select ${columnSql('t', 'version')} as version from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${id}::uuid for no key update of t`)
    const outcome = await write(tx)
    // Not before: that others did something is told to whoever may still change it.
    const hasMoved = outcome.kind === 'done' && row !== undefined && Number(row.version) !== version
    return hasMoved ? tx.abandon(refused([raise(app, 'NF-UNDO', {})])) : outcome
  },
})
