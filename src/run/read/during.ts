/** Rows that lie between two moments, as SQL. */
import { slot, sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { During } from '../../kinds/screens/screen-kind.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { fieldSql, typeOf } from '../names.ts'
import { fits, sqlType } from '../values.ts'
import type { Filtered } from './filter.ts'
import { isSingle } from './select.ts'

const never: Filtered = { shape: 'never', condition: () => false, bindings: {} }

/**
 * Who does not see the field that a row lies at sees no row; who does not see where it ends sees its first day. A day that is
 * the last one counts whole, a moment at which a row ends does not count any more.
 */
export function duringOf(
  app: App,
  policy: Policy,
  entity: string,
  alias: string,
  during: During | undefined,
): Filtered {
  if (during === undefined) return { shape: '', condition: () => true, bindings: {} }
  const { from, to, start, end } = during
  const type = typeOf(app, entity, from)
  const seen = type !== undefined && isSingle(app, entity, from) && policy.field(entity, from, alias)
  if (type === undefined || seen === false || !fits(type, start) || !fits(type, end)) return never
  const upTo = to !== null && typeOf(app, entity, to)?.kind === type.kind ? to : null
  const seenTo = upTo !== null && policy.field(entity, upTo, alias)
  const condition = () => {
    const value = fieldSql(app, entity, from, alias)
    const [first, last] = ['start', 'end'].map(name => sql`${slot(`during.${name}`)}::${sqlType(type)}`)
    const begins = sql`${value} >= ${first!}`
    const before = sql`${value} < ${last!}`
    if (upTo === null || seenTo === false) return allOf([seen, begins, before])
    const ending = fieldSql(app, entity, upTo, alias)
    const ends = type.kind === 'date' ? sql`${ending} >= ${first!}` : sql`${ending} > ${first!}`
    return allOf([seen, before, sql`(${begins} or ${conditionSql(allOf([seenTo, ends]))})`])
  }
  return { shape: `during ${from} ${upTo ?? ''}`, condition, bindings: { 'during.start': start, 'during.end': end } }
}
