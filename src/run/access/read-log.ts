/** Who was shown which record, and why: written before it is shown. `readings.ts` reads it. */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Way } from '../../kinds/screens/screen-kind.ts'
import type { Tx } from '../../store/pool.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import { policyFor } from './policy.ts'

/** Some role may open records of the entity in an emergency. */
export const opensEver = (app: App, entity: string): boolean =>
  app.access.get(topOf(app, entity))!.rows.some(({ emergency }) => !isUnspecified(emergency) && emergency.kind !== 'no')

/** Whoever asks may open records of the entity in an emergency: some, at least. */
export const opensIn = (app: App, actor: Actor, entity: string): boolean =>
  actor.system === null &&
  actor.emergency === undefined &&
  policyFor(app, actor).rows(entity, 'emergency', 't') !== false

/** Child rows that follow their parent are opened with it. */
function topOf(app: App, entity: string): string {
  const { partOf } = app.entities.get(entity)!
  return partOf !== null && app.access.get(entity)!.basis === 'parent' ? topOf(app, partOf) : entity
}

/** The newest opening of the row, or of what it is part of, that holds for whoever asks: `{id, until}`. */
export function openingSql(app: App, entity: string, alias: string): Sql {
  let of = entity
  let record = columnSql(alias, 'id')
  for (const top = topOf(app, entity); of !== top; ) {
    const parent = app.entities.get(of)!.partOf!
    record = sql`(select ${columnSql('up', app.schema.get(of)!.parent!)} from ${fromSql(of, 'up')} where ${columnSql('up', 'id')} = ${record})`
    of = parent
  }
  return sql`(select jsonb_build_object('id', o.id, 'until', o.ends_at) from ninefold.read_log as o
    where o.way = 'emergency' and o.person = ${slot('me')}::uuid and o.entity = ${of} and o.record = ${record}
      and o.ends_at > ${slot('now')}::timestamptz order by o.id desc limit 1)`
}

/** The openings of the record in the slot `record`: columns as entries of the history have them. */
export const openingsSql = (entity: string): Sql => sql`
  select r.id, r.at, 'emergency' as kind, 'emergency' as what, r.person as actor, r.api_key, '{}'::jsonb as changes, null as from_state,
    null as to_state, r.document, null as delivery, (select count(*) from ninefold.read_log as s where s.through = r.id)::integer as attempts,
    r.reason, r.ends_at, null::boolean as own
  from ninefold.read_log as r where r.way = 'emergency' and r.entity = ${entity} and r.record = ${slot('record')}::uuid`

export interface Reading {
  readonly entity: string
  readonly records: readonly string[]
  readonly way: Way
  /** What was opened in an emergency; null: their role sees it. */
  readonly opening: { readonly id: string } | null
}

/** The entity says `Read log: yes`, or the one that its rows are part of. */
export function isLogged(app: App, entity: string): boolean {
  const { readLog, partOf } = app.entities.get(entity)!
  return readLog !== null || (partOf !== null && isLogged(app, partOf))
}

/** Writes down what is about to be shown, where the document wants it or it was opened in an emergency. It is shown only once that is written. */
export async function logRead({ app, store }: Runtime, request: Request, reading: Reading): Promise<void> {
  if (reading.records.length === 0 || request.actor.system !== null) return
  if (reading.opening === null && !isLogged(app, reading.entity)) return
  await store.inTransaction(tx =>
    writeReading(tx, app, request, {
      ...reading,
      through: reading.opening?.id ?? null,
      reason: null,
      until: null,
      because: null,
    }),
  )
}

export interface Written {
  readonly entity: string
  readonly records: readonly string[]
  readonly way: Way | 'emergency'
  readonly through: string | null
  readonly reason: string | null
  readonly until: string | null
  readonly because: string | null
}

/** An entry for each of the records. */
export async function writeReading(tx: Tx, app: App, request: Request, written: Written): Promise<void> {
  await tx.write(insertReadings, {
    ids: written.records.map(() => request.newId()),
    records: written.records,
    at: request.now.toISOString(),
    // Who really reads it, whoever they act as.
    person: request.by?.id ?? request.actor.id,
    api_key: request.key ?? null,
    entity: written.entity,
    way: written.way,
    through: written.through,
    reason: written.reason,
    ends_at: written.until,
    request: request.id,
    document: app.version,
    because: written.because,
  })
}

const insertReadings = built(sql`
  insert into ninefold.read_log (id, at, person, api_key, entity, record, way, through, reason, ends_at, request, document, because)
  select one.id, ${slot('at')}::timestamptz, ${slot('person')}::uuid, ${slot('api_key')}::text, ${slot('entity')}::text, one.record,
    ${slot('way')}::text, ${slot('through')}::uuid, ${slot('reason')}::text, ${slot('ends_at')}::timestamptz, ${slot('request')}::text,
    ${slot('document')}::text, ${slot('because')}::text
  from unnest(${slot('ids')}::uuid[], ${slot('records')}::uuid[]) as one (id, record)`)
