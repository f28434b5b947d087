/** Everything that the application holds about one person, as JSON, with the files that it names. That it was given out is written down. */
import { sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { columnSql, declared, fromSql, isLinks, isSealed, linksSql } from '../names.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { loadRecord } from '../write/record.ts'
import { findPerson, recordsAbout } from './erasure.ts'

interface HeldFileAt {
  /** `patient.019….picture`. */
  readonly at: string
  readonly digest: string
  readonly name: string
  readonly type: string
  readonly size: number
}

interface GivenOut {
  readonly name: string
  readonly json: Readonly<Record<string, unknown>>
  readonly files: readonly HeldFileAt[]
}

/** Null: there is no such person, or none whose data whoever asks may have. */
export async function giveOut({ app, store }: Runtime, request: Request, person: string): Promise<GivenOut | null> {
  return store.inTransaction(async tx => {
    const name = await findPerson(tx, app, request, person)
    if (name === null) return null
    const files: HeldFileAt[] = []
    const about: Record<string, unknown[]> = {}
    for (const { entity, id } of await recordsAbout(tx, app, request, person)) {
      const record = await loadRecord(tx, app, entity, id)
      if (record !== null) about[entity] = [...(about[entity] ?? []), jsonOf(app, entity, record, files)]
    }
    const self = await loadRecord(tx, app, 'person', person)
    const json = {
      application: app.name,
      document: app.version,
      at: request.now.toISOString(),
      person: self === null ? null : jsonOf(app, 'person', self, files),
      records: about,
      named: await namedIn(tx, app, person, about),
      ...(await ownThings(tx, person, files)),
      files: files.map(({ digest: _, ...file }) => file),
    }
    const because = app.personalDataFor.cell
    const entry = {
      entity: 'person',
      record: person,
      version: 1,
      kind: 'give out',
      what: 'give out',
      changes: {},
      because,
    } as const
    remember(tx, app, request, entry)
    return { name, json, files }
  })
}

/** Hidden fields too: what is held is held. Of a secret only its hash is, which tells nothing. */
function jsonOf(app: App, entity: string, record: RecordValue, files: HeldFileAt[]): Record<string, unknown> {
  const id = String(record.id)
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const field = declared(app, entity, key)
      if (isSealed(app, entity, key)) return []
      if (Array.isArray(value)) {
        const child = field?.type.kind === 'list' ? field.type.entity : ''
        return [[key, (value as readonly RecordValue[]).map(row => jsonOf(app, child, row, files))]]
      }
      const wire = (value ?? null) as Wire
      if (field === undefined || wire === null) return [[key, wire]]
      const held = field.type.kind === 'file' && typeof wire === 'string' ? heldFile(wire) : null
      if (held !== null) files.push({ at: `${entity}.${id}.${key}`, ...held })
      return [[key, fieldKind(field.kind).toJson(wire, field.parameters)]]
    }),
  )
}

/** Records that name the person and are not about them: which, and in which field. */
async function namedIn(tx: Reader, app: App, person: string, about: Readonly<Record<string, unknown[]>>) {
  const named: { entity: string; id: string; field: string }[] = []
  for (const { key: entity, fields } of app.entities.values())
    for (const { key, type, computed } of fields) {
      const names = (type.kind === 'reference' || type.kind === 'list') && type.entity === 'person' && computed === null
      if (!names || (type.kind === 'list' && !isLinks(app, entity, key))) continue
      const found = isLinks(app, entity, key)
        ? await tx.query<{ id: string }>(
            sql`select owner as id from ${linksSql(entity, key)} where member = ${person}::uuid order by 1`,
          )
        : await tx.query<{ id: string }>(
            sql`select t.id from ${fromSql(entity, 't')} where ${columnSql('t', key)} = ${person}::uuid order by 1`,
          )
      const own = new Set((about[entity] ?? []).map(one => (one as { id: string }).id))
      for (const { id } of found) if (!own.has(id)) named.push({ entity, id, field: key })
    }
  return named
}

interface SaidThen {
  readonly id: string
  readonly files: readonly string[]
}

/** A comment, with what its files are; each of them once, whether it is there or can still come back. */
function saidWith({ id, files, ...comment }: SaidThen, held: HeldFileAt[]) {
  const all = [...new Set(files)].flatMap(wire => heldFile(wire) ?? [])
  held.push(...all.map((file, place) => ({ at: `comment.${id}.${place + 1}`, ...file })))
  return { ...comment, files: all.map(({ name }) => name) }
}

/** What belongs to them beside records: without what only proves who they are. */
async function ownThings(tx: Tx, person: string, held: HeldFileAt[]) {
  const is = sql`person = ${person}::uuid`
  const [roles, sessions, preferences, views, drafts, comments, did, reads, files, passkeys, elsewhere, acted, shared] =
    [
      await tx.query(sql`select role, at, from_on, until_on from ninefold.appointment where ${is} order by role`),
      await tx.query(sql`select created_at, seen_at, agent from ninefold.session where ${is} order by created_at`),
      await tx.query(
        sql`select language, time_zone, density, theme, told, shortcuts from ninefold.preference where ${is}`,
      ),
      await tx.query(sql`select screen, name, query, role from ninefold.view where ${is} order by id`),
      await tx.query(sql`select form, pairs, kept_at from ninefold.draft where ${is} order by form`),
      await tx.query<SaidThen>(
        sql`select id, at, entity, record, text, before ->> 'text' as before, to_jsonb(files) || coalesce(before -> 'files', '[]') as files from ninefold.comment
        where ${is} and coalesce(text, before ->> 'text') is not null order by id`,
      ),
      await tx.query(
        sql`select at, entity, record, kind, what from ninefold.history where actor = ${person}::uuid
        union all select at, entity, record, 'refused', what from ninefold.refused_attempt where ${is} order by at`,
      ),
      await tx.query(sql`select at, entity, record, way, reason from ninefold.read_log where ${is} order by id`),
      await tx.query(sql`select name, type, size, at from ninefold.file where ${is} order by at, name`),
      await tx.query(sql`select name, made_at, used_at from ninefold.passkey where ${is} order by made_at, id`),
      await tx.query(sql`select issuer, subject, made_at from ninefold.identity where ${is} order by issuer`),
      await tx.query(sql`select at, until_at, ended_at, reason from ninefold.acting where ${is} order by id`),
      await tx.query(
        sql`select at, role, entity, record, until_on from ninefold.share where with_record = ${person}::uuid order by id`,
      ),
    ]
  return {
    roles,
    sessions,
    preferences,
    views,
    drafts,
    comments: comments.map(comment => saidWith(comment, held)),
    did,
    reads,
    sent: files,
    passkeys,
    elsewhere,
    acted,
    shared,
  }
}
