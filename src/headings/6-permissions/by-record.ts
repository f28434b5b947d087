/** Roles that people have by what stands in their own record: `my.kind = Student`. */
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Entity } from '../3-entities/model.ts'

/** Whether a condition over people holds of somebody with this record, whatever other records, constants and the day are. */
export function holdsOf(condition: Expression, my: RecordValue): boolean {
  const moment = { today: '2000-01-01', now: '2000-01-01T00:00:00.000Z', limits: {} }
  const me = '00000000-0000-7000-8000-000000000000'
  return evaluate(condition, { ...moment, row: {}, old: null, me, my, related: () => undefined }) === true
}

/** What stands in the record of somebody new before anything was typed. */
export const newPerson = ({ fields }: Entity): RecordValue =>
  Object.fromEntries(
    fields.map(({ key, default: preset }) => [key, preset?.root.op === 'literal' ? preset.root.value : null]),
  )
