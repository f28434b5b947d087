/** Who asks: the person behind a session, with the roles and constants of the moment, in one statement. And who may be what. */
import { raw, type Sql, type Statement, slot, sql } from '../../expression/sql.ts'
import { exceptOf, isOfEverybody } from '../../headings/6-permissions/held.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Bindings, Reader } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import { conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { nameable } from '../access/unnamed.ts'
import { dateIn } from '../clock.ts'
import { type HeldConstant, limitsByTenant, limitsOf } from '../limits.ts'
import { collated, columnSql, fromSql } from '../names.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { functionsOf } from '../write/code.ts'
import { mayActAs, previewable } from './acting.ts'
import { closedOf } from './closed.ts'
import { isOpenTo } from './present.ts'
import { ofToday, rolesByCondition } from './roles.ts'
import type { Told } from './told.ts'

/** What a person chose for themselves; null: as the application, or the browser, has it. */
export interface Preferences {
  /** Tag of a language. */
  readonly language: string | null
  /** IANA name. */
  readonly timeZone: string | null
  readonly density: 'compact' | null
  readonly theme: 'light' | 'dark' | null
  /** How they are told of what. */
  readonly told: Told
  /** `off`: no single letter or sign does anything; null: they do what `/-/shortcuts` lists. */
  readonly shortcuts: 'off' | null
}

/** A view of a list that somebody saved. */
export interface SavedView {
  readonly id: string
  readonly name: string
  /** Filters, order and columns, as in the address. */
  readonly query: string
  /** Everybody with this role has it; null: only who saved it. */
  readonly role: string | null
  readonly own: boolean
}

/** That there is a draft of the form at this address, and since when. */
export interface KeptDraft {
  readonly form: string
  readonly at: string
}

/** What `personOf` gives: always exactly one row, so that a visitor has the constants too. */
export interface PersonRow {
  /** Null: nobody is signed in with this token. */
  readonly id: string | null
  readonly name: string | null
  /** Whose records they see; null: of nobody, or the document keeps nobody apart. */
  readonly tenant: string | null
  readonly appointments: readonly string[] | null
  /** Roles that they have by what stands in their record. */
  readonly by_condition: readonly string[] | null
  /** Everybody's, and those of their tenant. */
  readonly constants: readonly HeldConstant[] | null
  /** Null: nothing was chosen. */
  readonly preferences: Preferences | null
  readonly closed: readonly string[] | null
  /** Views that were saved for the list in question: their own, and those shared with a role, whoever has it. */
  readonly views?: readonly SavedView[] | null
  /** The view that the list in question opens with. */
  readonly first_view?: string | null
  /** They were told of something that they have not read, or work on many records ended that they have not looked at. */
  readonly has_unread?: boolean
  /** Forms of which they have a draft, the latest first. */
  readonly drafts?: readonly KeptDraft[] | null
  readonly session_created_at: string | null
  /** When they last confirmed in it that it is them; null: when they signed in. */
  readonly session_confirmed_at?: string | null
  readonly session_seen_at: string | null
  /** A second factor was shown in it. */
  readonly session_strong?: boolean | null
  /** What its forms are bound to; null: its token. */
  readonly session_forms?: string | null
  /** How far the log of the database was when somebody last wrote in this session, or with this key (`pg_lsn`). */
  readonly written?: string | null
  /** Who really asks, where they act as the person. */
  readonly by?:
    | (Pick<PersonRow, 'appointments' | 'by_condition'> & { readonly id: string; readonly name: string })
    | null
  /** The role that they look through. */
  readonly preview?: string | null
  /** Until when either holds. */
  readonly acting_until?: string | null
  /** Either was begun, and whoever asks has not ended it: whether it still holds is another matter. */
  readonly acted?: boolean
  /** Where an API key asks: which one, and the one role in which it acts. Null: no such key, or an ended one. */
  readonly key?: {
    readonly id: string
    readonly name: string
    readonly role: string
    readonly seen_at: string | null
    /** It was made for changing how people sign in, too. */
    readonly sign_in: boolean
  } | null
}

const constantsOf = (app: App): Sql =>
  sql`(select jsonb_agg(jsonb_build_object('key', c.key, 'tenant', nullif(c.tenant, ${nobody}::uuid), 'since', c.since, 'value', c.value))
    from ninefold.constant as c where c.tenant in (${nobody}::uuid, ${tenantOf(app)}))`
const appointments = sql`(select array_agg(a.role order by a.role) from ninefold.appointment as a where a.person = p.id and ${ofToday('a')})`
const preferences = sql`(select jsonb_build_object('language', f.language, 'timeZone', f.time_zone, 'density', f.density, 'theme', f.theme,
    'told', f.told, 'shortcuts', f.shortcuts)
  from ninefold.preference as f where f.person = p.id)`

/** Own ones, and those that somebody of the same tenant shows to a role. */
const viewsOf = ({
  product: { tenant },
}: App): Sql => sql`(select jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name, 'query', v.query, 'role', v.role, 'own', coalesce(v.person = p.id, false))
    order by ${collated(sql`v.name`)}, v.id)
  from ninefold.view as v where v.screen = ${slot('screen')}::text and (v.person = p.id or (v.role is not null and ${
    tenant === null
      ? raw('true')
      : sql`(select ${columnSql('q', tenant.field)} from ${fromSql('person', 'q')} where q.id = v.person) is not distinct from ${columnSql('p', tenant.field)}`
  })))`
const firstView = sql`(select o.view from ninefold.view_first as o where o.screen = ${slot('screen')}::text and o.person = p.id)`
const hasUnread = sql`(exists (select from ninefold.notice as n where n.person = p.id and n.read_at is null)
  or exists (select from ninefold.job as j where j.person = p.id and j.unseen_since is not null))`

const drafts = sql`(select jsonb_agg(jsonb_build_object('form', d.form, 'at', d.kept_at) order by d.kept_at desc)
  from ninefold.draft as d where d.person = p.id and d.ends_at > ${slot('now')}::timestamptz)`

const tenantOf = ({ product }: App): Sql =>
  product.tenant === null ? raw('null') : columnSql('p', product.tenant.field)

/** People that whoever asks may know of: those of their own tenant. Who belongs to none sees people only where these are everybody's. */
export function knownPeople(app: App, { actor }: Request, alias: string): Sql {
  const { tenant } = app.product
  if (tenant === null || (actor.system !== null && actor.tenant == null)) return raw('true')
  const isEverybodys = app.schema.get('person')!.tenant === undefined
  if (actor.tenant == null) return raw(isEverybodys ? 'true' : 'false')
  return sql`${columnSql(alias, tenant.field)} = ${actor.tenant}::uuid`
}

/** People to whom whoever asks may give roles and a way in: those of whom they are told. */
export const appointable = (app: App, request: Request, alias: string): Sql =>
  sql`${knownPeople(app, request, alias)} and ${conditionSql(nameable(policyFor(app, request.actor), 'person', alias))}`

/** What roles may be asked by: the moment, and the day. */
export const momentOf = (app: App, now: Date) => ({
  now: now.toISOString(),
  today: dateIn(now, app.product.timeZone.name),
})

/** As whom the session acts now; whoever cannot sign in is nobody's to act for. Null: the document lets nobody act as another. */
const actingAs = (app: App): Sql | null =>
  app.actAs.roles.length === 0
    ? null
    : sql`case when s.acting_until > ${slot('now')}::timestamptz
  and ${isOpenTo(app, sql`s.acting_as`)} then s.acting_as end`

/** As one column of JSON: the driver takes two dozen apart in many times the time of one. */
const personSql = (row: Sql): Statement => built(sql`select row_to_json(found) as person from (${row}) as found`)

/** What `personOf` and its likes give. */
export async function readPersonRow(reader: Reader, query: Statement, bindings: Bindings): Promise<PersonRow> {
  const [found] = await reader.run<{ readonly person: PersonRow }>(query, bindings)
  return found!.person
}

/**
 * Slots: `token_hash` (bytea, or null), `now`, `today`, `screen` (key of the list that is asked for, or null). Ended sessions, disabled accounts and whoever `Sign-in when` keeps out are nobody.
 * `api`: without what only pages show.
 */
export const personOf = (app: App, { api = false } = {}): Statement =>
  cachedStatement(app, ['person of a session', api], () => {
    const other = actingAs(app)
    const actsNow =
      other === null
        ? raw('null')
        : sql`case when ${other} is not null then (select jsonb_build_object('id', b.id, 'name', b.name,
      'appointments', (select array_agg(a.role) from ninefold.appointment as a where a.person = b.id and ${ofToday('a')}), 'by_condition', ${rolesByCondition(app, 'b')})
      from public.person as b where b.id = s.person) end`
    const shown = sql`, ${viewsOf(app)} as views, ${firstView} as first_view, ${hasUnread} as has_unread, ${drafts} as drafts`
    return personSql(sql`
  select p.id, p.name, ${tenantOf(app)} as tenant, ${appointments} as appointments, ${rolesByCondition(app, 'p')} as by_condition, ${constantsOf(app)} as constants, ${closedOf(app)} as closed,
    ${preferences} as preferences${api ? raw('') : shown}, s.created_at as session_created_at, s.confirmed_at as session_confirmed_at, s.seen_at as session_seen_at, s.strong as session_strong, s.forms as session_forms, s.written::text as written,
    ${actsNow} as by, case when s.acting_until > ${slot('now')}::timestamptz then s.preview_role end as preview, s.acting_until,
    s.acting is not null as acted
  from (select) as always
  left join ninefold.session as s on s.token_hash = ${slot('token_hash')}::bytea and s.ends_at > ${slot('now')}::timestamptz
    and ${isOpenTo(app, sql`s.person`)}
  left join public.person as p on p.id = ${other === null ? raw('s.person') : sql`coalesce(${other}, s.person)`}`)
  })

/** As `personOf`, by the hash of an API key or of an assistant's token. An ended key, and one of a disabled account, is nobody's. */
export const personOfKey = (app: App): Statement =>
  cachedStatement(app, ['person of a key'], () =>
    personSql(sql`
  select p.id, p.name, ${tenantOf(app)} as tenant, ${appointments} as appointments, ${rolesByCondition(app, 'p')} as by_condition, ${constantsOf(app)} as constants, ${closedOf(app)} as closed,
    ${preferences} as preferences, null as session_created_at, null as session_seen_at, k.written::text as written,
    case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name, 'role', k.role, 'seen_at', k.seen_at, 'sign_in', k.sign_in) end as key
  from (select) as always
  left join ninefold.api_key as k on k.id = (select own.id from ninefold.api_key as own where own.token_hash = ${slot('token_hash')}::bytea
      union all select o.api_key from ninefold.oauth as o
        where o.kind = 'AccessToken' and o.hash = ${slot('token_hash')}::bytea and o.ends_at > ${slot('now')}::timestamptz)
    and k.ends_at > ${slot('now')}::timestamptz
    and ${isOpenTo(app, sql`k.person`)}
  left join public.person as p on p.id = k.person`),
  )

/** As `personOf`, of a person by id: for `verify`, for tests, for work that is done in somebody's name. Slots: `person`, `now`, `today`. */
export const personById = (app: App): Statement =>
  cachedStatement(app, ['person by id'], () =>
    personSql(sql`
  select p.id, p.name, ${tenantOf(app)} as tenant, ${appointments} as appointments, ${rolesByCondition(app, 'p')} as by_condition, ${constantsOf(app)} as constants, ${closedOf(app)} as closed,
    ${preferences} as preferences,
    null as session_created_at, null as session_seen_at
  from (select) as always left join public.person as p on p.id = ${slot('person')}::uuid`),
  )

/** Of somebody in `p`: what says who they are and which roles they have. */
export const actorColumns = (app: App): Sql =>
  sql`p.id, p.name, ${tenantOf(app)} as tenant, ${appointments} as appointments, ${rolesByCondition(app, 'p')} as by_condition`

/** `actorColumns` of somebody who is there. */
export type ActorRow = Pick<PersonRow, 'tenant' | 'appointments' | 'by_condition'> & {
  readonly id: string
  readonly name: string
}

const peopleByIds = (app: App): Statement =>
  cachedStatement(app, ['people by id'], () =>
    built(
      sql`select ${actorColumns(app)} from public.person as p where p.id = any(${slot('people')}::uuid[]) order by p.id`,
    ),
  )

/** The same moment as that of `request`, for somebody else: what they would see and may do. */
export function requestAs(app: App, request: Request, row: ActorRow): Request {
  const { id, name, tenant } = row
  return { ...request, actor: { id, name, tenant, roles: heldBy(app, row), system: null } }
}

/** The same for several, by their ids. One statement for all of them. */
export async function requestsOf(
  reader: Reader,
  app: App,
  people: readonly string[],
  request: Request,
): Promise<readonly Request[]> {
  if (people.length === 0) return []
  const bindings = { people, now: request.now.toISOString(), today: request.today }
  const rows = await reader.run<ActorRow>(peopleByIds(app), bindings)
  return rows.map(row => requestAs(app, request, row))
}

/** What comes in through the door with every request. */
export interface Door {
  readonly now: Date
  readonly id: string
  readonly locale: string
  /** Time zone of whoever reads; absent: the application's. */
  readonly zone?: string
  readonly newId: () => string
  /** See `Request`. */
  readonly trace?: string
}

/** Roles of everyone, of everyone signed in, and those that this person has, as far as the document has them. */
export function rolesOf(app: App, signedIn: boolean, has: readonly string[]): readonly string[] {
  return [...app.roles.values()].flatMap(({ name, who }) => {
    if (isUnspecified(who) || who.kind === 'link') return []
    if (isOfEverybody(who))
      return (signedIn || who.kind === 'everyone') && !who.except.some(role => has.includes(role)) ? [name] : []
    return signedIn && has.includes(name) ? [name] : []
  })
}

/** What whoever has the roles `own` has while they see the application as a role: none that their own keep them out of. */
export const previewedRoles = (app: App, own: readonly string[], role: string): readonly string[] =>
  rolesOf(app, true, [role]).filter(one => own.includes(one) || exceptOf(app.roles.get(one)!.who).length === 0)

/** What a key acts as: its role and those of everybody, as far as its person has them; nothing once they lose its role. */
const keyedRoles = (app: App, own: readonly string[], role: string): readonly string[] =>
  own.includes(role) ? rolesOf(app, true, [role]).filter(one => own.includes(one)) : []

/** Whoever comes, and is not signed in. */
export const visitorTo = (app: App): Request['actor'] => ({
  id: null,
  name: null,
  tenant: null,
  roles: rolesOf(app, false, []),
  system: null,
})

const heldBy = (
  app: App,
  { id, appointments, by_condition }: Pick<PersonRow, 'id' | 'appointments' | 'by_condition'>,
) => rolesOf(app, id !== null, [...(appointments ?? []), ...(by_condition ?? [])])

/**
 * Why a session that acts as another person, or sees the application as a role, does so no more: its time is over, whoever does it may
 * not any longer (a role was given or taken, or the document says it otherwise by now), or the other person is kept out or gone.
 * Null: it holds, or there is none.
 */
export function actingEnds(app: App, row: PersonRow, now: Date): ActingEnd | null {
  if (row.acted !== true) return null
  if (!(Date.parse(row.acting_until ?? '') > now.getTime())) return 'time'
  const own = heldBy(app, row)
  if (row.by != null) return mayActAs(app, heldBy(app, row.by), own) ? null : 'right'
  if (row.preview != null) return previewable(app, own).includes(row.preview) ? null : 'right'
  return app.actAs.roles.length === 0 ? 'right' : 'person'
}

export type ActingEnd = 'time' | 'right' | 'person'

/** The constants that hold for the person of a row. */
export const limitsFor = (app: App, row: PersonRow, now: Date): Request['limits'] =>
  limitsOf(app, row.constants ?? [], row.tenant, dateIn(now, app.product.timeZone.name))

/** The request of the person whose row `personOf` found. */
export function requestOf(app: App, row: PersonRow, door: Door): Request {
  const { key, by } = row
  const own = heldBy(app, row)
  const preview = row.preview != null && previewable(app, own).includes(row.preview) ? row.preview : null
  const roles = preview === null ? own : previewedRoles(app, own, preview)
  const actor: Actor = {
    id: row.id,
    name: row.name,
    ...(row.tenant === null ? {} : { tenant: row.tenant }),
    roles: key == null ? roles : keyedRoles(app, own, key.role),
    system: null,
  }
  return {
    ...door,
    ...(key == null ? {} : { key: key.name }),
    ...(by == null ? {} : { by: { id: by.id, name: by.name, until: row.acting_until! } }),
    ...(preview === null ? {} : { preview: { role: preview, until: row.acting_until! } }),
    zone: door.zone ?? app.product.timeZone.name,
    actor,
    today: dateIn(door.now, app.product.timeZone.name),
    limits: limitsFor(app, row, door.now),
    closed: row.closed ?? [],
    functions: functionsOf(app),
  }
}

/** The application itself, as timers and answers of calls act. One statement: the constants. */
export async function systemRequest(
  { app, store }: Runtime,
  system: 'timer' | 'call' | 'seed',
  door: Door,
): Promise<Request> {
  const row = await readPersonRow(store, personOf(app, { api: true }), {
    token_hash: null,
    screen: null,
    ...momentOf(app, door.now),
  })
  const request: Request = { ...requestOf(app, row, door), actor: { id: null, name: null, roles: [], system } }
  if (app.product.tenant === null) return request
  const own = await store.run<HeldConstant>(constantsOfTenants, {})
  return { ...request, tenants: limitsByTenant(app, [...(row.constants ?? []), ...own], request.today) }
}

const constantsOfTenants = built(sql`
  select key, tenant, since, value from ninefold.constant where tenant <> ${nobody}::uuid`)

/** The request of a person by id. */
export async function requestFor({ app, store }: Runtime, person: string, door: Door): Promise<Request> {
  const row = await readPersonRow(store, personById(app), { person, ...momentOf(app, door.now) })
  return requestOf(app, row, door)
}
