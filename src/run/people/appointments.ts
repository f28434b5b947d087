/** Roles that are given and taken: by whoever may appoint to them, with signing up, and when somebody leaves. */
import type { Cell } from '../../document/source.ts'
import { sql } from '../../expression/sql.ts'
import type { Role } from '../../headings/6-permissions/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { Tx } from '../../store/pool.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { absentFrom, credentialChanged } from './credentials.ts'
import { guardLastHolder } from './last-holder.ts'
import { appointable } from './people.ts'
import { notOver } from './roles.ts'

/** May this person give and take the role? Holders of the roles that the document names may. */
function mayAppoint(app: App, request: Request, role: string): boolean {
  const who = app.roles.get(role)?.who
  if (who === undefined || isUnspecified(who) || who.kind !== 'appointed') return false
  return request.actor.system === 'seed' || who.by.some(by => request.actor.roles.includes(by))
}

/** The first and the last day on which a role is held, `YYYY-MM-DD`; null: at once, and for good. */
export interface Days {
  readonly from: string | null
  readonly until: string | null
}

const always: Days = { from: null, until: null }

/** Gives somebody a role, where whoever asks may appoint to it. Who has it already has it on these days from now on. */
export const appoint = (
  runtime: Runtime,
  request: Request,
  person: string,
  role: string,
  days: Days = always,
): Promise<Outcome> => setAppointment(runtime, request, person, role, days)

/** Takes a role from somebody. The last one who could appoint to it again keeps it (`last-holder.ts`). */
export const withdraw = (runtime: Runtime, request: Request, person: string, role: string): Promise<Outcome> =>
  setAppointment(runtime, request, person, role, null)

async function setAppointment(
  { app, store }: Runtime,
  request: Request,
  person: string,
  role: string,
  days: Days | null,
): Promise<Outcome> {
  const model = app.roles.get(role)
  const who = model?.who
  if (model === undefined || who === undefined || !mayAppoint(app, request, role))
    return {
      kind: 'refused',
      problems: [raise(app, 'NF-APPOINT-DENIED', { role: wordFor(app, role) }, { because: who?.cell ?? null })],
    }
  const given = days === null ? null : fromTodayOn(days, request.today)
  if (given === 'over') return { kind: 'refused', problems: [raise(app, 'NF-ROLE-DAYS', {}, { field: 'until' })] }
  const absent = absentFrom(app, request)
  if (absent !== null) return { kind: 'refused', problems: [absent] }
  return store.inTransaction(async tx => {
    const known = isId(person)
      ? await tx.query(
          sql`select p.id from public.person as p where p.id = ${person}::uuid and ${appointable(app, request, 'p')} for share`,
          bindingsOf(request),
        )
      : []
    if (known.length === 0) return { kind: 'not found', problem: raise(app, 'NF-NOT-FOUND', {}) }
    const done: Outcome = { kind: 'done', id: person, version: 1 }
    const appointment = { person, role: model, days: given ?? always, because: who.cell }
    const last = await guardLastHolder(tx, app, request, null)
    if (given !== null) {
      const refused = await appointTo(tx, app, request, appointment)
      if (refused !== null) return tx.abandon({ kind: 'refused', problems: [refused] } satisfies Outcome)
    } else {
      const taken = await tx.write(
        sql`delete from ninefold.appointment where person = ${person}::uuid and role = ${role}`,
      )
      if (taken === 0) return done
      rememberAppointment(tx, app, request, appointment, [role, null])
      await credentialChanged(tx, app, request, { person, what: 'role taken', name: wordFor(app, role) })
    }
    const problem = await last()
    return problem === null ? done : tx.abandon({ kind: 'refused', problems: [problem] } satisfies Outcome)
  })
}

/** What has begun needs no first day. `over`: there is no day left, or there never was one. */
function fromTodayOn({ from, until }: Days, today: string): Days | 'over' {
  const begins = from === null || from <= today ? null : from
  return until !== null && until < (begins ?? today) ? 'over' : { from: begins, until }
}

interface Appointment {
  readonly person: string
  readonly role: Role
  readonly days?: Days
  /** The line that lets it happen. */
  readonly because: Cell
}

/** Gives the role, which the caller may give. A problem: they hold one that it never goes with, or will. */
export async function appointTo(tx: Tx, app: App, request: Request, appointment: Appointment): Promise<Problem | null> {
  const { person, role, days: { from, until } = always } = appointment
  const { neverWith } = role
  if (neverWith !== null) {
    // Two who appoint the same person at once come one after the other.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('roles of ' || ${person}::text, 0))`)
    const [held] = await tx.query<{ role: string }>(
      sql`select role from ninefold.appointment where person = ${person}::uuid and role = any(${neverWith.roles}::text[]) and ${notOver('appointment')} limit 1`,
      bindingsOf(request),
    )
    const [name, other] = [wordFor(app, role.name), wordFor(app, held?.role ?? '')]
    if (held !== undefined) return raise(app, 'NF-ROLES-APART', { role: name, other }, { because: neverWith.cell })
  }
  const written = await tx.write(sql`insert into ninefold.appointment as old (person, role, by, at, from_on, until_on)
    values (${person}::uuid, ${role.name}, ${request.actor.id}::uuid, ${request.now.toISOString()}::timestamptz, ${from}::date, ${until}::date)
    on conflict (person, role) do update set by = excluded.by, at = excluded.at, from_on = excluded.from_on, until_on = excluded.until_on
    where (old.from_on, old.until_on) is distinct from (excluded.from_on, excluded.until_on)`)
  if (written === 0) return null
  const said = [role.name, ...(from === null && until === null ? [] : [`${from ?? ''}/${until ?? ''}`])].join(' ')
  rememberAppointment(tx, app, request, appointment, [null, said])
  await credentialChanged(tx, app, request, { person, what: 'role', name: wordFor(app, role.name) })
  return null
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
