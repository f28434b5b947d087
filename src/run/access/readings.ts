/** The log of who read which record, and why, for those whom heading 6 names. */
import { raw, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { Way } from '../../kinds/screens/screen-kind.ts'
import { columnSql, fromSql } from '../names.ts'
import { knownPeople } from '../people/people.ts'
import { labelSql } from '../read/select.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { conditionSql } from './condition.ts'
import { policyFor } from './policy.ts'
import { isLogged, opensEver } from './read-log.ts'

/** Those whom heading 6 names under `Read log for`, or who appoint people; nobody where nothing is ever written down. */
export const mayReadLog = (app: App, { id, roles }: Pick<Actor, 'id' | 'roles'>): boolean =>
  id !== null && app.readLog.roles.some(role => roles.includes(role)) && logs(app)

/** The document has something that is written down when it is read. */
const logs = (app: App): boolean =>
  [...app.entities.keys()].some(entity => opensEver(app, entity) || isLogged(app, entity))

export interface LogEntry {
  readonly id: string
  readonly at: string
  /** Null: nobody who is signed in, or who is there any more. */
  readonly who: string | null
  readonly person: string | null
  readonly api_key: string | null
  readonly entity: string
  readonly record: string
  /** What names the record; null where it is gone, or not for whoever asks. */
  readonly label: string | null
  readonly way: Way | 'emergency'
  /** Of what was read in an emergency, too. */
  readonly reason: string | null
  readonly ends_at: string | null
  readonly through: string | null
  readonly because: string | null
}

/** Which part of the log: of one record, of one person, only emergencies; before an entry. */
export interface Which {
  readonly entity: string | null
  readonly record: string | null
  readonly person: string | null
  readonly emergencies: boolean
  readonly before: string | null
}

/** Newest first. Null: it is not for whoever asks. What people of another tenant read is not in it. */
export async function readLog(
  { app, store }: Runtime,
  request: Request,
  which: Which,
  limit: number,
): Promise<readonly LogEntry[] | null> {
  if (!mayReadLog(app, request.actor)) return null
  for (const id of [which.record, which.person, which.before]) if (id !== null && !isId(id)) return []
  const policy = policyFor(app, request.actor)
  const labels = cachedStatement(app, ['labels of the read log', policy.key], () =>
    [...app.entities.keys()].map(entity => {
      const label = labelSql(app, policy, entity, 'r')
      return label === null
        ? raw('')
        : sql` when l.entity = ${entity} then (select ${label} from ${fromSql(entity, 'r')}
            where ${columnSql('r', 'id')} = l.record and ${conditionSql(policy.names(entity, 'r'))})`
    }),
  )
  const label = labels.reduce((before, one) => sql`${before}${one}`, raw(''))
  const only = [
    ...(which.entity === null ? [] : [sql` and l.entity = ${which.entity}`]),
    ...(which.record === null ? [] : [sql` and l.record = ${which.record}::uuid`]),
    ...(which.person === null ? [] : [sql` and l.person = ${which.person}::uuid`]),
    ...(which.before === null ? [] : [sql` and l.id < ${which.before}::uuid`]),
    ...(which.emergencies ? [raw(" and (l.way = 'emergency' or l.through is not null)")] : []),
  ].reduce((before, one) => sql`${before}${one}`, raw(''))
  // Who belongs to no tenant any more is known to those alone whose records are everybody's.
  const known =
    app.product.tenant === null ? raw('true') : sql`(p.id is not null and ${knownPeople(app, request, 'p')})`
  return store.query<LogEntry>(
    sql`select l.id, l.at, p.name as who, l.person, l.api_key, l.entity, l.record, (case when false then '' ${label} end) as label, l.way,
        coalesce(l.reason, o.reason) as reason, l.ends_at, l.through, l.because
      from ninefold.read_log as l left join public.person as p on p.id = l.person left join ninefold.read_log as o on o.id = l.through
      where ${known}${only} order by l.id desc limit ${limit}::bigint`,
    bindingsOf(request),
  )
}
