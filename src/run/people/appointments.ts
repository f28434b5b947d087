/** Roles that are given and taken: by whoever may appoint to them, with signing up, and when somebody leaves. */
import type { Cell } from '../../document/source.ts'
import { raw, type Sql, sql } from '../../expression/sql.ts'
import type { Role } from '../../headings/6-permissions/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import { isoText } from '../clock.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Outcome } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { absentFrom, credentialChanged } from './credentials.ts'
import { appointable } from './people.ts'
import { isOpenTo } from './present.ts'

/** May this person give and take the role? Holders of the roles that the document names may. */
function mayAppoint(app: App, request: Request, role: string): boolean {
  const who = app.roles.get(role)?.who
  if (who === undefined || isUnspecified(who) || who.kind !== 'appointed') return false
  return request.actor.system === 'seed' || who.by.some(by => request.actor.roles.includes(by))
}

/** Gives somebody a role, where whoever asks may appoint to it. */
export const appoint = (runtime: Runtime, request: Request, person: string, role: string): Promise<Outcome> =>
  setAppointment(runtime, request, person, role, true)

/** Takes a role from somebody. The last one who could appoint to it again keeps it. */
export const withdraw = (runtime: Runtime, request: Request, person: string, role: string): Promise<Outcome> =>
  setAppointment(runtime, request, person, role, false)

async function setAppointment(
  { app, store }: Runtime,
  request: Request,
  person: string,
  role: string,
  given: boolean,
): Promise<Outcome> {
  const model = app.roles.get(role)
  const who = model?.who
  if (model === undefined || who === undefined || !mayAppoint(app, request, role))
    return {
      kind: 'refused',
      problems: [raise(app, 'NF-APPOINT-DENIED', { role: wordFor(app, role) }, { because: who?.cell ?? null })],
    }
  const absent = absentFrom(app, request)
  if (absent !== null) return { kind: 'refused', problems: [absent] }
  return store.inTransaction(async tx => {
    await oneAtATime(tx)
    const known = isId(person)
      ? await tx.query(
          sql`select p.id from public.person as p where p.id = ${person}::uuid and ${appointable(app, request, 'p')} for share`,
          bindingsOf(request),
        )
      : []
    if (known.length === 0) return { kind: 'not found', problem: raise(app, 'NF-NOT-FOUND', {}) }
    const done: Outcome = { kind: 'done', id: person, version: 1 }
    const appointment = { person, role: model, because: who.cell }
    if (given) {
      await appointTo(tx, app, request, appointment)
      return done
    }
    const taken = await tx.write(
      sql`delete from ninefold.appointment where person = ${person}::uuid and role = ${role}`,
    )
    if (taken === 0) return done
    if (await nobodyAppoints(tx, app, request, role, person))
      return tx.abandon({
        kind: 'refused',
        problems: [raise(app, 'NF-LAST-HOLDER', { role: wordFor(app, role) }, { because: who.cell })],
      } satisfies Outcome)
    rememberAppointment(tx, app, request, appointment, [role, null])
    await credentialChanged(tx, app, request, { person, what: 'role taken', name: wordFor(app, role) })
    return done
  })
}

interface Appointment {
  readonly person: string
  readonly role: Role
  /** The line that lets it happen. */
  readonly because: Cell
}

/** Gives the role, which the caller may give; who has it already keeps it as it is. */
export async function appointTo(tx: Tx, app: App, request: Request, appointment: Appointment): Promise<void> {
  const { person, role } = appointment
  const written = await tx.write(sql`insert into ninefold.appointment (person, role, by, at)
    values (${person}::uuid, ${role.name}, ${request.actor.id}::uuid, ${isoText(request.now)}::timestamptz) on conflict do nothing`)
  if (written === 0) return
  rememberAppointment(tx, app, request, appointment, [null, role.name])
  await credentialChanged(tx, app, request, { person, what: 'role', name: wordFor(app, role.name) })
}

function rememberAppointment(
  tx: Tx,
  app: App,
  request: Request,
  { person, role, because }: Appointment,
  change: readonly [string | null, string | null],
): void {
  remember(tx, app, request, {
    entity: 'person',
    record: person,
    version: 1,
    kind: 'appointment',
    what: role.key,
    changes: { [role.key]: change },
    because,
  })
}

/** Takes all roles from somebody who leaves; the role that would be left without anybody who could appoint to it. */
export async function leaveRoles(
  tx: Tx,
  app: App,
  request: Request,
  person: string,
): Promise<{ readonly name: string; readonly who: { readonly cell: Cell } } | null> {
  await oneAtATime(tx)
  const held = await tx.query<{ role: string }>(
    sql`delete from ninefold.appointment where person = ${person}::uuid returning role`,
  )
  for (const { role } of held) {
    const model = app.roles.get(role)
    if (model !== undefined && (await nobodyAppoints(tx, app, request, role, person))) return model
  }
  return null
}

/** `pg_advisory_xact_lock` key: 'NFAP' in ASCII. */
const appointmentLock = 0x4e464150

/** Those who could appoint the person again. */
function ofSameTenant({ product: { tenant } }: App, person: string): Sql {
  if (tenant === null) return raw('true')
  const of = (alias: string) => columnSql(alias, tenant.field)
  return sql`exists (select from ${fromSql('person', 'p')} join ${fromSql('person', 'q')} on ${of('p')} is not distinct from ${of('q')}
    where p.id = a.person and q.id = ${person}::uuid)`
}

/** A role of this person that nobody else could appoint to who can sign in now; null: none. */
export async function heldAlone(tx: Tx, app: App, request: Request, person: string): Promise<string | null> {
  await oneAtATime(tx)
  const held = await tx.query<{ role: string; others: string }>(
    sql`select m.role, (select count(*) from ninefold.appointment as a
        where a.role = m.role and a.person <> m.person and ${ofSameTenant(app, person)} and ${isOpenTo(app, raw('a.person'))}) as others
      from ninefold.appointment as m where m.person = ${person}::uuid`,
    bindingsOf(request),
  )
  return held.find(({ role, others }) => others === '0' && isAppointing(app, role))?.role ?? null
}

/** A role that others depend on for appointments, where nobody holds it who can sign in now: in a tenant, if people belong to some. */
export interface Unheld {
  readonly role: string
  readonly tenant: string | null
}

export async function heldByNobody(tx: Reader, app: App, request: Request): Promise<readonly Unheld[]> {
  const { tenant } = app.product
  const held = await tx.query<Unheld>(
    sql`select a.role, ${tenant === null ? raw('null') : columnSql('p', tenant.field)}::text as tenant
      from ninefold.appointment as a join ${fromSql('person', 'p')} on p.id = a.person
      group by 1, 2 having not bool_or(${isOpenTo(app, raw('a.person'))}) order by 1, 2`,
    bindingsOf(request),
  )
  return held.filter(({ role }) => isAppointing(app, role))
}

/** One at a time from here on, so that two who keep people out at once cannot leave nobody. */
export const oneAtATime = (tx: Tx): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(${appointmentLock}::bigint)`)

const isAppointing = (app: App, role: string): boolean =>
  [...app.roles.values()].some(({ who }) => !isUnspecified(who) && who.kind === 'appointed' && who.by.includes(role))

/** Whether a role that others depend on for appointments, just taken from this person, has nobody left; where they can sign in, nobody who can. */
async function nobodyAppoints(tx: Reader, app: App, request: Request, role: string, person: string): Promise<boolean> {
  if (!isAppointing(app, role)) return false
  const [row] = await tx.query<{ left: string; open: string; was: boolean }>(
    sql`select count(*) as "left", count(*) filter (where ${isOpenTo(app, raw('a.person'))}) as open,
        ${isOpenTo(app, sql`${person}::uuid`)} as was
      from ninefold.appointment as a where a.role = ${role} and ${ofSameTenant(app, person)}`,
    bindingsOf(request),
  )
  return row!.left === '0' || (row!.was && row!.open === '0')
}
