/**
 * Conditions of steps and approvals that ask TypeScript. What of them the database can decide it decides; of the rest it is told what
 * code said of one record, with the request (`Request.guards`). A record of which nothing was asked has no answer: unknown.
 */
import type { Checked } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import { type Sql, slot, sql } from '../../expression/sql.ts'
import { functionsIn } from '../../expression/summary.ts'
import { columnSql, valueSql, whereSql } from '../names.ts'
import { allOf, type Condition, conditionSql } from './condition.ts'

/** The place of a condition, as answers name it. */
export const guardKey = ({ cell }: Expression): string => `${cell.file.path}:${cell.start}`

/** The parts of a condition that must all hold: those that the database decides, and those that ask code. Null: there is none. */
export function guardParts(when: Expression): {
  readonly stored: Expression | null
  readonly coded: Expression | null
} {
  const { root } = when
  const parts = root.op === 'and' ? root.parts : [root]
  const of = (some: readonly Checked[]): Expression | null => {
    if (some.length === 0) return null
    return { ...when, root: some.length === 1 ? some[0]! : { ...root, op: 'and', parts: some } }
  }
  return {
    stored: of(parts.filter(part => functionsIn(part).length === 0)),
    coded: of(parts.filter(part => functionsIn(part).length > 0)),
  }
}

export const asksCode = (when: Expression): boolean => functionsIn(when.root).length > 0

/**
 * A guard over the row that `alias` names, three-valued. `unasked`: what code counts as saying of records of which it was not asked;
 * `agrees` where a step is only offered, for it is asked before it is taken.
 */
export function guardSql(when: Expression, alias: string, unasked: 'unknown' | 'agrees' = 'unknown'): Sql {
  if (!asksCode(when)) return valueSql(when, alias)
  return conditionSql(allOf([...storedSql(when, alias, valueSql), answerSql(when, alias, unasked)]))
}

/** The same where unknown means no. */
export function openSql(when: Expression, alias: string, unasked: 'unknown' | 'agrees' = 'unknown'): Condition {
  if (!asksCode(when)) return whereSql(when, alias)
  return allOf([...storedSql(when, alias, whereSql), answerSql(when, alias, unasked)])
}

function storedSql(when: Expression, alias: string, make: typeof valueSql): readonly Sql[] {
  const { stored } = guardParts(when)
  return stored === null ? [] : [sql`(${make(stored, alias)})`]
}

function answerSql(when: Expression, alias: string, unasked: 'unknown' | 'agrees'): Sql {
  const answers = sql`(${slot('guards')}::jsonb -> ${columnSql(alias, 'id')}::text)`
  const answer = sql`(${answers} ->> ${guardKey(when)})::boolean`
  return unasked === 'unknown' ? answer : sql`(case when ${answers} is null then true else ${answer} end)`
}
