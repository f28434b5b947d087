/** Records that are shared with people, one by one: which those are for a role, and for whom it holds. */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { SharedWho } from '../../headings/6-permissions/model.ts'
import type { App } from '../../headings/app.ts'
import { columnSql, fromSql, linksSql } from '../names.ts'
import { live } from './archived.ts'
import { allOf, anyOf, type Condition, conditionSql } from './condition.ts'

/** Records that are shared in this role with `person` today, by their ids. Slot: `today`. */
export const sharedRecords = (app: App, role: string, who: SharedWho, person: Sql): Sql =>
  sql`select s.record from ninefold.share as s where s.role = ${role} and ${notEnded} and ${conditionSql(reaches(app, who, person))}`

/** The share `s` is not over. Slot: `today`. */
export const notEnded = sql`coalesce(s.until_on, 'infinity') >= ${slot('today')}::date`

/** The share `s` is with this person, or with those among whom they are. */
export const reaches = (app: App, who: SharedWho, person: Sql): Condition =>
  anyOf(
    who.with.map(({ entity, field }) => {
      if (field === null) return sql`s.with_record = ${person}`
      const isMember = sql`exists (select from ${linksSql(entity, field)} as links where links.owner = s.with_record and links.member = ${person})`
      const isThere = live(app, entity, 'w')
      return isThere === true
        ? isMember
        : sql`${isMember} and exists (select from ${fromSql(entity, 'w')} where ${allOf([sql`${columnSql('w', 'id')} = s.with_record`, isThere])})`
    }),
  )
