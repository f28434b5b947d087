/** Amounts that cannot be converted: a record is not written where the rate is missing by which a field of it is computed. */
import type { Checked, CheckedNode } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Rule } from '../../headings/5-validation/model.ts'
import { ofEntity } from '../statements.ts'

const type = { kind: 'yes/no' } as const

const isEmpty = (of: Checked): Checked => ({ op: 'empty', of, type, optional: false })
const isThere = (of: Checked): Checked => ({ op: 'not', of: isEmpty(of), type, optional: false })
const either = (...parts: readonly Checked[]): Checked => ({ op: 'or', parts, type, optional: false })

const conversionsIn = (node: Checked): readonly CheckedNode<'call'>[] =>
  node.op === 'call' && node.name === 'convert' ? [node] : partsOf(node).flatMap(conversionsIn)

/** Of each field that is converted: it has a value, or nothing is to be converted on no day. */
export const ratesOf = ofEntity((app, entity): readonly Rule[] =>
  app.entities.get(entity)!.fields.flatMap(field => rateOf(entity, field) ?? []),
)

function rateOf(entity: string, { key, cell, computed }: Field): Rule | null {
  const conversions = computed === null ? [] : conversionsIn(computed.root)
  if (computed === null || conversions.length === 0) return null
  const known = conversions.map(conversion => {
    const [amount, , , , day] = conversion.arguments
    return either(isThere(conversion), isEmpty(amount!), isEmpty(day!))
  })
  const all: Checked = { op: 'and', parts: known, type, optional: false }
  const mustHold = { ...computed, type, optional: false, root: either(isThere(computed.root), all) }
  const [amount] = conversions[0]!.arguments
  const own =
    amount!.op === 'field' && amount!.path.steps.length === 1 && !amount!.path.steps[0]!.computed
      ? amount!.path.steps[0]!.field
      : null
  return {
    name: key,
    cell,
    entity,
    on: null,
    mustHold,
    field: own,
    error: 'NF-RATE',
    errorCell: cell,
    warns: false,
    examples: [],
  }
}
