/** `Sign-in when` of `Person`: who it does not hold of does not come in, asks nothing, is waited for nowhere and told nothing. */
import { raw, type Sql, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { App } from '../../headings/app.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { readingClosed } from './closed.ts'

/** ` and …`, of the person whose row `alias` is; unknown keeps them out. Slots: `today`, `now`. Nothing where the document says nothing. */
export function andPresent(app: App, alias: string): Sql {
  const when = app.entities.get('person')!.signInWhen
  return when === null ? raw('') : sql` and (${readingClosed(app, toSql(when, { alias, as: 'condition' }))})`
}

/** Whether the account of a person is neither disabled nor kept out. `id`: of the person; no table of its statement is called as those here are. */
export function isOpenTo(app: App, id: Sql): Sql {
  const open = sql`not exists (select from ninefold.account as open_account where open_account.person = ${id} and open_account.disabled_at is not null)`
  if (app.entities.get('person')!.signInWhen === null) return open
  return sql`${open} and exists (select from public.person as open_person where open_person.id = ${id}${andPresent(app, 'open_person')})`
}

/** Whether somebody who has shown who they are may come in. */
export async function isPresent({ app, store }: Runtime, request: Request, person: string): Promise<boolean> {
  if (app.entities.get('person')!.signInWhen === null) return true
  const there = sql`select from public.person as p where p.id = ${person}::uuid${andPresent(app, 'p')}`
  return (await store.query(there, bindingsOf(request))).length > 0
}
