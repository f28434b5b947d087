/**
 * Taking back what one has just done, as a write of its own: through the write path, with the rights and rules of now, and the history tells
 * both. Only a write of one record from which nothing followed; what it sent is withdrawn, where it has waited for that. What others did since is not touched.
 */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { archiving } from '../access/archived.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Outcome } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { type Changes, takingBack } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { isId } from '../values.ts'
import { accompanied, type Companion } from './accompanied.ts'
import { branchOf, type Stepped } from './held.ts'
import { steppingBack } from './undo-step.ts'
import { type Before, inputBefore, type Values, valuesOfStep } from './undo-values.ts'
import { changing, notFound, refused } from './write.ts'
import { begin, restore } from './writes.ts'
import { writing } from './writing.ts'

/** Seconds, of what is no step. */
export const undoWithin = 600

/** A write, by the version that it made. */
export interface Done {
  readonly entity: string
  readonly id: string
  readonly version: number
}

/** What is said of it while it can be taken back. */
export interface Undoable extends Done {
  /** How long what it sends waits; null: it sends nothing. */
  readonly holds: number | null
}

interface Entry extends Stepped {
  readonly record: string
  readonly version: string
  readonly changes: Changes
}

/** Of what was written with a request behind an entry: how much is to leave, and how much of it cannot be kept from that any more. */
const leavingSql = (request: Sql, after: Sql): Sql => {
  const own = sql`ninefold.outbox as o where o.id > ${after} and o.request = ${request}`
  return sql`(select count(*) from ${own}) as sent,
    (select count(*) from ${own} and o.state <> 'unaddressed' and (o.state <> 'waiting' or o.last_at is not null)) as gone`
}

interface Leaving {
  readonly sent: string
  readonly gone: string
}

const written = built(sql`
  select entity, record, version, kind, what, from_state, to_state, changes,
    ${leavingSql(slot('request'), sql`${slot('after')}::uuid`)} from ninefold.history
  where id > ${slot('after')}::uuid and request = ${slot('request')} limit 3`)

/** Beside a write: tells what it did, where it can be taken back. */
export const noting = ({ app }: Pick<Runtime, 'app'>, request: Request, tell: (done: Undoable) => void): Companion => ({
  async around(tx, write) {
    const after = request.newId()
    const outcome = await write(tx)
    if (outcome.kind !== 'done' || request.actor.id === null) return outcome
    const found = await tx.run<Entry & Leaving>(written, { after, request: request.id })
    // The last decision about a step, and the step.
    const [entry, ...others] = found.length > 1 ? found.filter(({ kind }) => kind !== 'decision') : found
    const way = entry === undefined || others.length > 0 ? null : wayBack(app, entry)
    if (entry === undefined || way === null || !canBeKept(way, entry)) return outcome
    const holds = entry.sent === '0' ? null : way.seconds
    tell({ entity: entry.entity, id: entry.record, version: Number(entry.version), holds })
    return outcome
  },
})

/** What a change sends leaves at once. */
const canBeKept = ({ kind }: WayBack, { sent, gone }: Leaving): boolean =>
  gone === '0' && (kind === 'step' || sent === '0')

/** How something is taken back, and for how long. */
type WayBack = { readonly seconds: number } & (
  | { readonly kind: 'restore' }
  | { readonly kind: 'change'; readonly before: Before }
  | { readonly kind: 'step' | 'decision'; readonly transition: Transition; readonly values: Values }
)

/** Null: it cannot be. */
function wayBack(app: App, entry: Entry): WayBack | null {
  const { entity, kind, what, changes } = entry
  if (kind === 'change' && what === archiving) return { kind: 'restore', seconds: undoWithin }
  if (kind === 'change' && what === 'change') {
    const before = inputBefore(app, entity, changes)
    return before && { kind: 'change', seconds: undoWithin, before }
  }
  const transition = branchOf(app, entry)
  if (transition?.undo == null) return null
  const { seconds } = transition.undo
  const values = kind === 'step' || kind === 'decision' ? valuesOfStep(app, entity, changes) : null
  return values && { kind: kind as 'step' | 'decision', seconds, transition, values }
}

/** Refused where somebody did something with the record since, what it sent has left, or time is over. */
export async function undo(runtime: Runtime, request: Request, done: Done): Promise<Outcome> {
  const { app, store } = runtime
  const { entity, id, version } = done
  if (!app.entities.has(entity) || !isId(id) || request.actor.id === null) return notFound(app)
  const of = { entity, record: id, version, me: request.actor.id, now: request.now.toISOString() }
  const [entry] = await store.run<Asked>(asked, of)
  if (entry?.what === takingBack) return refused([raise(app, 'NF-UNDO', {})])
  const way = entry === undefined ? null : wayBack(app, entry)
  if (entry === undefined || way === null) return notFound(app)
  if (Number(entry.age) > way.seconds) return refused([raise(app, 'NF-UNDO-LATE', {})])
  if (!canBeKept(way, entry) || entry.others !== '0') return refused([raise(app, 'NF-UNDO-SENT', {})])
  if ('transition' in way)
    return writing(runtime, request, 'undo', entity, steppingBack(runtime, request, { ...done, ...way, entry }), id)
  const unmoved = accompanied(runtime, unlessMoved(app, done))
  if (way.kind === 'restore') return restore(unmoved, request, entity, id, null)
  const work = changing(unmoved, request, entity, id, null, way.before, { what: takingBack })
  return begin(unmoved, request, 'undo', entity, work, id)
}

interface Asked extends Entry, Leaving {
  readonly id: string
  readonly request: string
  /** Seconds. */
  readonly age: string
  /** Other entries that came of it. */
  readonly others: string
}

/** The newest thing that this person did which made this version, or was about it. */
const asked = built(sql`
  select h.*, extract(epoch from ${slot('now')}::timestamptz - h.at) as age, ${leavingSql(sql`h.request`, sql`h.id`)},
    (select count(*) from ninefold.history as x where x.id > h.id and x.request = h.request) as others
  from ninefold.history as h
  where h.entity = ${slot('entity')} and h.record = ${slot('record')}::uuid and h.version = ${slot('version')}::integer
    and h.actor = ${slot('me')}::uuid and h.kind in ('change', 'step', 'decision') order by h.id desc limit 1`)

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
