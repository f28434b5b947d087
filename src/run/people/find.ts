/** People by what somebody types of them: there may be more of them than a list can offer. */

import { type Sql, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import { isStorable } from '../../kinds/fields/texts.ts'
import type { Reader } from '../../store/pool.ts'
import { allOf, anyOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { collated, columnSql } from '../names.ts'
import type { Request } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { type ActorRow, actorColumns, appointable, knownPeople, requestAs } from './people.ts'
import { isOpenTo } from './present.ts'

export interface Somebody {
  readonly id: string
  readonly name: string
}

/** So many people are offered to be chosen from; of more, one is named. */
export const mostOffered = 200

/** The e-mail address that whoever appoints people is shown: where they may see it, and where heading 6 says nothing of people. */
export function addressToAppoint(app: App, request: Request, alias: string): Sql {
  const policy = policyFor(app, request.actor)
  const isOpen =
    app.access.get('person')!.basis === 'assumed' ||
    allOf([policy.rows('person', 'see', alias), policy.field('person', 'email', alias)])
  return sql`(case when ${conditionSql(isOpen)} then ${columnSql(alias, 'email')} end)`
}

/** Those whom whoever asks may appoint, with the text in their name or the address that is shown; of nothing: all of them. */
export const peopleToAppoint = (app: App, request: Request, text: string, alias: string): Sql =>
  text === ''
    ? appointable(app, request, alias)
    : sql`${appointable(app, request, alias)} and ${holds(text, columnSql(alias, 'name'), addressToAppoint(app, request, alias))}`

const holds = (text: string, name: Sql, address: Sql): Sql =>
  sql`(strpos(ninefold.fold(${name}), ninefold.fold(${text})) > 0 or strpos(lower(${address}), lower(${text})) > 0)`

/** Known to whoever asks, and with the text in their name or e-mail address, whatever its case and accents; of nothing: all of them. */
export const peopleFound = (app: App, request: Request, text: string, alias: string): Sql =>
  text === ''
    ? knownPeople(app, request, alias)
    : sql`${knownPeople(app, request, alias)} and ${holds(text, columnSql(alias, 'name'), columnSql(alias, 'email'))}`

/** Who may be named instead of whoever asks, of those who can sign in: one more than is offered, where there are more. By name. */
export const otherPeople = (reader: Reader, app: App, request: Request): Promise<readonly Somebody[]> =>
  reader.query<Somebody>(others(app, request, nameOnly), bindingsOf(request))

/** The same, each as who they would ask now. */
export async function otherRequests(reader: Reader, app: App, request: Request): Promise<readonly Request[]> {
  const rows = await reader.query<ActorRow>(others(app, request, actorColumns(app)), bindingsOf(request))
  return rows.map(row => requestAs(app, request, row))
}

const nameOnly = sql`p.id, p.name`

const others = (app: App, request: Request, columns: Sql): Sql =>
  sql`select ${columns} from public.person as p where p.id is distinct from ${request.actor.id}::uuid and ${isHere(app, request)}
    order by ${collated(sql`p.name`)}, p.id limit ${mostOffered + 1}::bigint`

/**
 * Whom an id or a whole name means, or an e-mail address that whoever asks sees; among those whom they know and who can sign in. Null:
 * nobody, or more than one.
 */
export const personMeant = (reader: Reader, app: App, request: Request, text: string): Promise<Somebody | null> =>
  meant<Somebody>(reader, app, request, text, nameOnly)

/** The same, as who they would ask now. */
export async function requestMeant(reader: Reader, app: App, request: Request, text: string): Promise<Request | null> {
  const row = await meant<ActorRow>(reader, app, request, text, actorColumns(app))
  return row && requestAs(app, request, row)
}

async function meant<Row extends object>(
  reader: Reader,
  app: App,
  request: Request,
  text: string,
  columns: Sql,
): Promise<Row | null> {
  const typed = text.trim()
  if (typed === '' || typed.length > 500 || !isStorable(typed)) return null
  const sees = policyFor(app, request.actor)
  const addressed = allOf([
    sees.rows('person', 'see', 'p'),
    sees.field('person', 'email', 'p'),
    sql`lower(p.email) = lower(${typed})`,
  ])
  const isIt = isId(typed)
    ? sql`p.id = ${typed}::uuid`
    : conditionSql(anyOf([sql`ninefold.fold(p.name) = ninefold.fold(${typed})`, addressed]))
  const found = await reader.query<Row>(
    sql`select ${columns} from public.person as p where ${isIt} and ${isHere(app, request)} limit 2`,
    bindingsOf(request),
  )
  return found.length === 1 ? found[0]! : null
}

const isHere = (app: App, request: Request): Sql =>
  sql`${knownPeople(app, request, 'p')} and ${conditionSql(policyFor(app, request.actor).tells('p'))} and ${isOpenTo(app, sql`p.id`)}`
