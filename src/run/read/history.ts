/** What happened to records: written in the transaction of the change, read as far as the reader may see. */

import { position } from '../../document/cell.ts'
import type { Cell } from '../../document/source.ts'
import { identifier, join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import { joinedTitle, titleFields } from '../../headings/3-entities/titles.ts'
import { sharedBy, shareRoles } from '../../headings/6-permissions/shares.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { HistoryEntry, ReadRow } from '../../kinds/screens/read-data.ts'
import type { Tx } from '../../store/pool.ts'
import { momentFromSql } from '../../store/rows.ts'
import { archiving, bringingBack } from '../access/archived.ts'
import { conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { openingsSql, opensEver } from '../access/read-log.ts'
import { toldThen } from '../access/told-then.ts'
import { isUnnamed } from '../access/unnamed.ts'
import { me } from '../approvals/approvals.ts'
import { sampled } from '../many/sampled.ts'
import { columnSql, fromSql, isLinks, isSealed, typeOf } from '../names.ts'
import { commentsSql, mayComment } from '../people/comments.ts'
import { isNews } from '../people/news.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { deepLists } from '../write/draft-record.ts'
import { refusedMoreSql, refusedSql, seesRefused } from '../write/refused-attempts.ts'
import { commas } from './filter.ts'
import { isToldOf } from './readable.ts'
import { isHeld, labelSql, visibleLists } from './select.ts'

/** Of a list of rows: what came, what went, what was different afterwards, and what stood in another order. Wire values. */
export interface RowChanges {
  readonly added: readonly RowValues[]
  readonly removed: readonly RowValues[]
  readonly changed: readonly (NamedRow & { readonly fields: Changes })[]
  /** From the first to the last row that stood elsewhere: as they stood before, and the ids in their order since. Absent: none did. */
  readonly order?: { readonly before: readonly NamedRow[]; readonly after: readonly string[] }
}

interface NamedRow {
  readonly id: string
  /** From 1, and what names it: as it was then. Absent: it was not kept. */
  readonly place?: number
  readonly name?: Readonly<Record<string, Wire>>
}

/** In what is kept of a row that came: its id. Of one that went: where it stood, from 0. */
export const rowId = ' id'
export const rowPlace = ' at'

/** A row that came or went, with the rows that came or went in it. */
export type RowValues = Readonly<Record<string, Wire | RowChanges>>

/** By field key: before and after. */
export type FieldChanges = Readonly<Record<string, readonly [Wire, Wire]>>

export type Changes = Readonly<Record<string, readonly [Wire, Wire] | RowChanges>>

export interface NewHistoryEntry {
  /** Absent: a new one. */
  readonly id?: string
  readonly entity: string
  readonly record: string
  readonly version: number
  readonly kind:
    | 'create'
    | 'change'
    | 'delete'
    | 'step'
    | 'timer'
    | 'call'
    | 'constant'
    | 'appointment'
    | 'decision'
    | 'erase'
    | 'give out'
    | 'sign-in'
    | 'share'
  /** `create`, `change`, `delete`, the key of the step, timer, call, constant or role, the name of the role of a share, or what of signing in. */
  readonly what: string
  readonly fromState?: string | null
  readonly toState?: string | null
  readonly changes: Changes
  /** Codes of warnings. */
  readonly confirmed?: ReadonlySet<string>
  readonly because: Cell | null
}

/** `loan-desk.md:120`. */
export const lineOf = ({ file, start }: Cell): string => `${file.path}:${position(file, start).line}`

/** What is written of a change that takes one back. */
export const takingBack = ' take back'

/** Nobody was told of the step. */
const isStepTakenBack = ({ what, toState }: NewHistoryEntry): boolean => what === takingBack && toState != null

const gathered = new WeakMap<Tx, Record<string, unknown>[]>()

/** Writes an entry, at once or with the others of `gathering`. In the same transaction as what it tells of, or not at all. */
export function remember(tx: Tx, app: App, request: Request, entry: NewHistoryEntry): void {
  const bindings = entryBindings(app, request, entry)
  const others = gathered.get(tx)
  if (others === undefined) tx.writeAhead(bindings['h.news'] === true ? insertNews : insertEntry, bindings)
  else others.push({ ...bindings, 'h.changes': entry.changes })
}

/** Work that changes many records: what it remembers is written in one statement at its end. What it throws must undo the transaction. */
export async function gathering<Value>(tx: Tx, work: () => Promise<Value>): Promise<Value> {
  const entries: Record<string, unknown>[] = []
  gathered.set(tx, entries)
  try {
    const value = await work()
    if (entries.length > 0) tx.writeAhead(insertEntries, { entries: JSON.stringify(entries.map(columnsOf)) })
    return value
  } finally {
    gathered.delete(tx)
  }
}

/** `h.id` is the slot of the column `id`. */
const columnsOf = (bindings: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(bindings).map(([name, value]) => [name.slice('h.'.length), value]))

/** What the slots of `entrySql` are bound to. */
export function entryBindings(app: App, request: Request, entry: NewHistoryEntry): Record<string, unknown> {
  return {
    'h.id': entry.id ?? request.newId(),
    'h.at': request.now.toISOString(),
    'h.entity': entry.entity,
    'h.record': entry.record,
    'h.version': entry.version,
    'h.what': entry.what,
    'h.kind': entry.kind,
    'h.from_state': entry.fromState ?? null,
    'h.to_state': entry.toState ?? null,
    'h.changes': JSON.stringify(entry.changes),
    'h.confirmed': (entry.confirmed?.size ?? 0) === 0 ? null : [...entry.confirmed!],
    'h.actor': request.actor.id,
    'h.acted_by': request.by?.id ?? null,
    'h.api_key': request.key ?? null,
    'h.system': request.actor.system ?? (request.actor.link === undefined ? null : 'link'),
    'h.request': request.id,
    'h.document': app.version,
    'h.because': entry.because === null ? null : lineOf(entry.because),
    'h.news': !isStepTakenBack(entry) && isNews(app, request.actor, entry),
  }
}

const columns = raw(
  'id, at, entity, record, version, what, kind, from_state, to_state, changes, confirmed, actor, acted_by, api_key, system, request, document, because',
)

/** Writes one entry: by itself, or as a part of a statement that writes what it tells of. */
export const entrySql = sql`
  insert into ninefold.history (${columns})
  values (${slot('h.id')}, ${slot('h.at')}, ${slot('h.entity')}, ${slot('h.record')}, ${slot('h.version')}, ${slot('h.what')}, ${slot('h.kind')},
    ${slot('h.from_state')}, ${slot('h.to_state')}, ${slot('h.changes')}::jsonb, ${slot('h.confirmed')}::text[], ${slot('h.actor')}, ${slot('h.acted_by')}, ${slot('h.api_key')}, ${slot('h.system')}, ${slot('h.request')},
    ${slot('h.document')}, ${slot('h.because')})`

/** Marks an entry, in the statement that writes it, as one of which somebody may have to be told. */
export const untoldSql = sql`insert into ninefold.untold (entry) values (${slot('h.id')}::uuid)`

const insertEntry = built(entrySql)
const insertNews = built(sql`with untold as (${untoldSql}) ${entrySql}`)

const insertEntries = built(sql`with untold as (insert into ninefold.untold (entry)
    select (e ->> 'id')::uuid from jsonb_array_elements(${slot('entries')}::jsonb) as e where (e ->> 'news')::boolean)
  insert into ninefold.history (${columns})
  select ${columns} from jsonb_populate_recordset(null::ninefold.history, ${slot('entries')}::jsonb)`)

interface RawEntry {
  readonly id: string
  readonly at: string
  /** Of the record, after it; null where it is about no version. */
  readonly version: string | null
  readonly kind: HistoryEntry['what']
  readonly what: string
  readonly who: string | null
  readonly unnamed: boolean
  /** Who did it as them; empty where that is not for whoever reads. Null: they did it themselves. */
  readonly acted_by: string | null
  readonly api_key: string | null
  /** Somebody without an account did it, by the link of the record. */
  readonly by_link: boolean | null
  /** Codes of warnings; null: none. */
  readonly confirmed: readonly string[] | null
  readonly changes: Changes
  readonly from_state: string | null
  readonly to_state: string | null
  readonly document: string
  /** `settled`: it failed, and the document went on with a step. `unaddressed`: a mail had nobody to go to. `withdrawn`: a call was not to leave any more. */
  readonly delivery: 'waiting' | 'delivered' | 'settled' | 'failed' | 'unaddressed' | 'withdrawn' | null
  /** Of an opening: how often it was read. */
  readonly attempts: string | null
  /** Of a comment; null: taken back. Of an opening: its reason. */
  readonly text: string | null
  /** Of an opening: its end. */
  readonly changed_at: string | null
  readonly own: boolean | null
  /** Of a comment: when it was written, and the replies to it, oldest first. */
  readonly thread: {
    readonly at: string
    readonly files: readonly string[]
    readonly replies: readonly RawReply[]
  } | null
  readonly decision: HistoryEntry['decision']
  readonly [label: `l${number}`]: Readonly<Record<string, string | null>> | null
}

interface RawReply {
  readonly id: string
  readonly at: string
  readonly who: string | null
  readonly unnamed: boolean
  /** Null: taken back. */
  readonly text: string | null
  readonly changed_at: string | null
  readonly files: readonly string[]
  readonly own: boolean
}

const id = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ids = `^${id}( ${id})*$`

/** Whether they are told what happened before to those records of the entity that they see. */
export function seesHistory({ entities }: App, { roles, system }: Actor, entity: string): boolean {
  const { timeline } = entities.get(entity)!
  if (timeline === null || system !== null) return true
  return !isUnspecified(timeline) && timeline.roles.some(role => roles.includes(role))
}

/**
 * The history of a record that this person sees, newest first: changes, and the mails, calls and reports that came of them; comments
 * alone where it is closed to them. A field that is not to be seen on the row now, or was not then, is in no entry; an entry of which
 * nothing is left is not there.
 */
export async function readHistory(
  runtime: Runtime,
  request: Request,
  policy: Policy,
  entity: string,
  row: ReadRow,
  limit: number,
): Promise<readonly HistoryEntry[]> {
  const { app, store } = runtime
  const isOpen = seesHistory(app, request.actor, entity)
  const talks = mayComment(app, request.actor, entity)
  const tellsRefused = seesRefused(app, request.actor, entity)
  if (limit <= 0 || !(isOpen || talks)) return []
  const { targets, query } = cachedStatement(app, ['history', policy.key, entity], () => {
    const named = referencedEntities(app, entity)
    const labels = named.map((target, index) => sql`${labelsOf(app, policy, target)} as ${identifier(`l${index}`)}`)
    const happened = sql`select h.id, h.at, h.kind, h.what, h.actor, h.api_key, h.changes, h.from_state, h.to_state, h.document,
        null::text as delivery, null::integer as attempts, null::text as text, null::timestamptz as changed_at, null::boolean as own
      from ninefold.history as h where h.entity = ${entity} and h.record = ${slot('record')}::uuid${toldDecisions(app, policy, entity)}`
    const sent = sql`select o.id, o.created_at, o.kind, o.name, null, null, '{}'::jsonb, null, null, o.document, case when o.state = 'delivered' and o.last_error is not null then 'settled' else o.state end, o.attempts, null, null, null
      from ninefold.outbox as o where o.entity = ${entity} and o.record = ${slot('record')}::uuid`
    const newest = (entries: Sql, by: Sql) => sql`(${entries} order by ${by} desc limit ${slot('limit')}::bigint)`
    const entries = [
      ...(isOpen ? [newest(happened, raw('h.id')), newest(sent, raw('o.id'))] : []),
      ...(isOpen && opensEver(app, entity) ? [newest(openingsSql(entity), raw('r.id'))] : []),
      ...(isOpen && tellsRefused ? [newest(refusedSql(entity), raw('f.id'))] : []),
      ...(talks ? [newest(commentsSql(entity), raw('at'))] : []),
    ]
    const more = tellsRefused
      ? sql`(select id, acted_by, confirmed, version, system from ninefold.history where entity = ${entity} and record = ${slot('record')}::uuid union all ${refusedMoreSql})`
      : raw('ninefold.history')
    const unnamed = (person: Sql) => {
      const condition = isUnnamed(app, policy, entity, 't', person)
      const isIt = sql`${columnSql('t', 'id')} = ${slot('record')}::uuid`
      return condition === false
        ? raw('false')
        : sql`exists (select from ${fromSql(entity, 't')} where ${isIt} and ${conditionSql(condition)})`
    }
    const nameOf = (person: Sql) =>
      sql`(select p.name from ${fromSql('person', 'p')} where p.id = ${person} and ${conditionSql(policy.names('person', 'p'))})`
    const thread = talks ? threadSql(unnamed, nameOf) : raw('null::jsonb')
    const decides = (app.workflows.get(entity)?.approvals.length ?? 0) > 0
    const decided = decides
      ? sql`(select jsonb_build_object('reason', d.reason, 'represents', case when ${unnamed(sql`d.represents`)} then '' else (select p.name from ${fromSql('person', 'p')} where p.id = d.represents) end)
          from ninefold.decision as d where d.id = h.id)`
      : raw('null::jsonb')
    const actedSql = sql`(select coalesce((select p.name from ${fromSql('person', 'p')} where p.id = x.acted_by and ${conditionSql(policy.names('person', 'p'))} and not ${unnamed(sql`x.acted_by`)}), '')
      from ${more} as x where x.id = h.id and x.acted_by is not null)`
    return {
      targets: named,
      query:
        built(sql`select h.*, ${unnamed(sql`h.actor`)} as unnamed, ${nameOf(sql`h.actor`)} as who, ${actedSql} as acted_by, ${decided} as decision, ${thread} as thread,
        (select x.confirmed from ${more} as x where x.id = h.id) as confirmed,
        (select x.version from ${more} as x where x.id = h.id) as version,
        (select x.system = 'link' from ${more} as x where x.id = h.id) as by_link
        ${labels.length === 0 ? raw('') : sql`, ${commas(labels)}`}
        from (${join(entries, ' union all ')}) as h
        order by h.at desc, h.id desc limit ${slot('limit')}::bigint`),
    }
  })
  const found = await store.run<RawEntry>(query, bindingsOf(request, { record: row.id, limit }))
  const entries = found.map(
    (entry): RawEntry => ({
      ...entry,
      at: momentFromSql(entry.thread?.at ?? entry.at),
      changed_at: entry.changed_at === null ? null : momentFromSql(entry.changed_at),
    }),
  )
  const told = await toldThen(runtime, request, policy, entity, row.id, entries)
  return entries.flatMap(entry => {
    const labels = Object.assign({}, ...targets.map((_, index) => entry[`l${index}`] ?? {})) as Record<
      string,
      string | null
    >
    const changes = visibleChanges(app, policy, entity, row, entry, labels).filter(({ field }) => told(entry.id, field))
    const isChange = entry.kind === 'change' && isNameless(entry)
    if (changes.length === 0 && (isChange || (entry.kind === 'call' && entry.delivery === null))) return []
    return [
      {
        at: entry.at,
        who: entry.unnamed ? '' : entry.who,
        actedBy: entry.acted_by,
        byLink: entry.by_link === true,
        key: entry.unnamed ? null : entry.api_key,
        confirmed: entry.confirmed ?? [],
        what: entry.kind,
        name: isNameless(entry) ? null : entry.what,
        changes,
        delivery: deliveryOf(entry),
        comment: commentOf(entry),
        decision: entry.decision,
        emergency: emergencyOf(entry),
        share: entry.kind === 'share' ? shareOf(entry, labels) : null,
        documentVersion: entry.document,
      },
    ]
  })
}

const deliveryOf = ({ kind, delivery, attempts }: RawEntry): HistoryEntry['delivery'] =>
  delivery === null || kind === 'report'
    ? null
    : { state: delivery === 'delivered' ? 'done' : delivery, attempts: Number(attempts) }

const commentOf = ({ kind, id, text, changed_at, own, thread }: RawEntry): HistoryEntry['comment'] =>
  kind === 'comment'
    ? {
        id,
        text,
        changedAt: changed_at,
        own: own === true,
        files: thread?.files ?? [],
        replies: (thread?.replies ?? []).map(replyOf),
      }
    : null

const replyOf = ({ at, who, unnamed, changed_at, ...reply }: RawReply) => ({
  ...reply,
  at: momentFromSql(at),
  who: unnamed ? '' : who,
  changedAt: changed_at === null ? null : momentFromSql(changed_at),
})

const emergencyOf = ({ kind, text, changed_at, at, attempts }: RawEntry): HistoryEntry['emergency'] =>
  kind === 'emergency' ? { reason: text ?? '', until: changed_at ?? at, reads: Number(attempts) } : null

/** In what the history keeps of a share, under names that no field has: whom it is with, and until when. */
export const sharedWith = ' with'
export const sharedUntil = ' until'

function shareOf({ changes }: RawEntry, labels: Readonly<Record<string, string | null>>): HistoryEntry['share'] {
  const after = (name: string): Wire => {
    const change = changes[name]
    return change !== undefined && isPair(change) ? change[1] : null
  }
  const pair = changes[sharedWith]
  const [before, now] = pair !== undefined && isPair(pair) ? pair : [null, null]
  return {
    with: labels[String(now ?? before)] ?? null,
    until: after(sharedUntil) as string | null,
    isEnd: now === null,
  }
}

/** Of a comment, the entry `h`: when it was written, and the replies in its thread. */
const threadSql = (
  unnamed: (person: Sql) => Sql,
  nameOf: (person: Sql) => Sql,
): Sql => sql`case when h.kind = 'comment' then jsonb_build_object(
    'at', (select c.at from ninefold.comment as c where c.id = h.id),
    'files', (select to_jsonb(c.files) from ninefold.comment as c where c.id = h.id),
    'replies', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'at', r.at, 'text', r.text, 'changed_at', r.changed_at, 'files', to_jsonb(r.files), 'own', r.person = ${slot('me')}::uuid,
      'unnamed', ${unnamed(sql`r.person`)}, 'who', ${nameOf(sql`r.person`)}) order by r.at, r.id), '[]')
      from ninefold.comment as r where r.reply_to = h.id)) end`

/** Of decisions, those for approvals that the reader is told of now, and those that they made. */
function toldDecisions(app: App, policy: Policy, entity: string): Sql {
  const untold = (app.workflows.get(entity)?.approvals ?? []).flatMap(approval => {
    const told = isToldOf(app, policy, entity, approval, 't')
    return told === true ? [] : [sql`(d.approval = ${approval.key} and (${conditionSql(told)}) is not true)`]
  })
  if (untold.length === 0) return raw('')
  return sql` and (h.kind <> 'decision' or not exists (select from ninefold.decision as d, ${fromSql(entity, 't')}
    where d.id = h.id and ${columnSql('t', 'id')} = h.record and (${me} in (d.person, d.represents)) is not true and (${join(untold, ' or ')})))`
}

/** Entities whose records may be named in a change of this one. */
function referencedEntities(app: App, entity: string): readonly string[] {
  const of = (key: string) =>
    app.entities
      .get(key)!
      .fields.flatMap(({ key: field, type }) =>
        type.kind === 'reference' || (type.kind === 'list' && isLinks(app, key, field)) ? [type.entity] : [],
      )
  const inRows = deepLists(app, entity).flatMap(list => of(list.entity))
  const shared = shareRoles(app, entity).flatMap(role => sharedBy(app, role)!.with.map(one => one.entity))
  return [...new Set([...of(entity), ...inRows, ...shared])]
}

/** Titles of all records of one entity that an entry's changes name, by id. */
function labelsOf(app: App, policy: Policy, target: string): Sql {
  const label = labelSql(app, policy, target, 'r')
  if (label === null) return raw('null::jsonb')
  const seen = policy.names(target, 'r')
  return sql`(select jsonb_object_agg(r.id, ${label}) from ${fromSql(target, 'r')} where ${columnSql('r', 'id')} in (
    select regexp_split_to_table(found #>> '{}', ' ')::uuid
    from jsonb_path_query(h.changes, ${`strict $.** ? (@ like_regex "${ids}")`}::jsonpath) as found
  ) and ${conditionSql(seen)})`
}

function visibleChanges(
  app: App,
  policy: Policy,
  entity: string,
  row: ReadRow,
  entry: RawEntry,
  labels: Readonly<Record<string, string | null>>,
): HistoryEntry['changes'] {
  const found: HistoryEntry['changes'][number][] = []
  const shown = (of: string, field: string, value: Wire): string | null => {
    if (value === null) return null
    const type = typeOf(app, of, field)
    if (type?.kind === 'reference') {
      const label = labels[String(value)]
      return label === undefined && policy.names(type.entity, 'r') !== true ? unseen : (label ?? null)
    }
    if (type?.kind === 'list' && isLinks(app, of, field))
      return titlesOf(value, labels, policy.names(type.entity, 'r') !== true)
    return String(value)
  }
  if (entry.from_state !== entry.to_state && 'state' in row.values)
    found.push({ field: 'state', before: entry.from_state, after: entry.to_state })
  for (const { key } of app.entities.get(entity)!.fields) {
    const change = entry.changes[key]
    const isTold = key in row.values || (isSealed(app, entity, key) && policy.visible(entity, key, 't') === true)
    if (change === undefined || !isPair(change) || !isTold || !isHeld(app, entity, key)) continue
    found.push({ field: key, before: shown(entity, key, change[0]), after: shown(entity, key, change[1]) })
  }
  /** Of the lists of a record, or of a row: `at` is its path without numbers, `rows` what the rows on the way are called. */
  const tellRows = (of: string, changes: RowValues | Changes, at: string, rows: readonly string[]): void => {
    for (const list of visibleLists(app, policy, of)) {
      const change = changes[list.field]
      if (!isRows(change) || policy.field(of, list.field, 't') !== true) continue
      // Rows with rules of their own are told of only where all of them are seen: what a row was like is gone.
      if (app.access.get(list.entity)!.basis !== 'parent' && policy.rows(list.entity, 'see', 't') !== true) continue
      tellList(list.entity, change, `${at}${list.field}`, rows)
    }
  }
  const tellList = (
    row: string,
    { added, removed, changed, order }: RowChanges,
    at: string,
    rows: readonly string[],
  ): void => {
    const of = app.entities.get(row)!
    const inside = rows.length === 0 ? {} : { rows }
    const open = of.fields.filter(({ key }) => policy.field(row, key, 't') === true).map(({ key }) => key)
    const text = (values: RowValues, key: string) => {
      const value = values[key] ?? null
      return isRows(value) ? null : shown(row, key, value)
    }
    const name = (values: RowValues) =>
      joinedTitle(
        of,
        titleFields(of).flatMap(key => {
          const called = open.includes(key) ? text(values, key) : null
          return called === unseen ? [] : [[key, called]]
        }),
      )
    const tell = (
      values: RowValues,
      change: (value: string) => Pick<HistoryEntry['changes'][number], 'before' | 'after'>,
    ) => {
      const title = name(values)
      // A row that nothing names is told by what is in it.
      if (title !== '') found.push({ field: at, ...inside, ...change(title) })
      else
        for (const key of open) {
          const value = text(values, key)
          if (value !== null) found.push({ field: `${at}.${key}`, ...inside, ...change(value) })
        }
      tellRows(row, values, `${at}.`, [...rows, title])
    }
    for (const values of removed) tell(values, before => ({ before, after: null }))
    for (const values of added) tell(values, after => ({ before: null, after }))
    const called = ({ name: values = {}, place }: NamedRow) =>
      name(values) || (place === undefined ? '' : String(place))
    if (order !== undefined) {
      const names = new Map(order.before.map(one => [one.id, called(one)]))
      const after = order.after.map(id => names.get(id))
      found.push({ field: at, ...inside, before: [...names.values()].join(', '), after: after.join(', ') })
    }
    const tellsState = app.workflows.has(row) && policy.field(row, 'state', 't') === true
    for (const { fields, ...one } of changed) {
      const way = [...rows, called(one)]
      for (const key of tellsState ? [...open, 'state'] : open) {
        const pair = fields[key]
        if (pair === undefined || !isPair(pair)) continue
        const [before, after] = pair
        found.push({
          field: `${at}.${key}`,
          rows: way,
          before: shown(row, key, before),
          after: shown(row, key, after),
        })
      }
      tellRows(row, fields, `${at}.`, way)
    }
  }
  tellRows(entity, entry.changes, '', [])
  // From one record that may not be seen to another: nothing that is told.
  return found.filter(({ before, after }) => before !== after || !before?.includes(unseen))
}

/** As the database sorts for people. */
const inOrder = new Intl.Collator('en', { numeric: true }).compare

/** Of those that may be seen, and once for all others that one of them is not. */
const titlesOf = (value: Wire, labels: Readonly<Record<string, string | null>>, closes: boolean): string | null => {
  const ids = linked(value)
  const titles = ids.flatMap(one => labels[one] ?? []).sort(inOrder)
  const others = closes && ids.some(one => labels[one] === undefined) ? [unseen] : []
  return titles.length + others.length === 0 ? null : [...titles, ...others].join(', ')
}

const isPair = (change: Changes[string]): change is readonly [Wire, Wire] => Array.isArray(change)

export const isRows = (value: Changes[string] | Wire | undefined): value is RowChanges =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** It is said of sample data, of what was archived and brought back, and of what was taken back. */
const isNameless = ({ kind, what }: { readonly kind: string; readonly what: string }): boolean =>
  ['create', 'change', 'delete', 'emergency'].includes(kind) &&
  ![sampled, archiving, bringingBack, takingBack].includes(what)
