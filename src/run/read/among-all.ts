/** The one way in which reads go over all records of an entity: aggregates are worked out for all of them together. */
import { overMany } from '../../expression/many.ts'
import type { Sql } from '../../expression/sql.ts'
import { type Condition, conditionSql } from '../access/condition.ts'
import { fromSql } from '../names.ts'

/** What `body` makes of the records `t` in its `from`, of which `where` is asked. */
export const amongAll = (entity: string, where: Condition, body: (from: Sql) => Sql): Sql =>
  overMany('t', fromSql(entity, 't'), where === true ? [] : [conditionSql(where)], body)
