/** Values that are told of a record besides its fields: of records that it names, and in texts. What their reader may not see of it is not there. */
import type { Expression, Template } from '../../expression/expression.ts'
import { sql } from '../../expression/sql.ts'
import type { App } from '../../headings/app.ts'
import type { ValuesByExpression } from '../../kinds/screens/read-data.ts'
import { valueSql } from '../names.ts'
import { render } from '../problems/raise.ts'
import { readable } from '../read/readable.ts'
import { type Part, type Raw, referenceLabel } from '../read/select.ts'
import type { Request } from '../request.ts'
import { environmentOf, relatedNothing } from '../write/environment.ts'
import type { Policy } from './policy.ts'
import { seenReference } from './seen-reference.ts'

interface Telling {
  /** Columns of the statement that reads the record. */
  readonly parts: readonly Part[]
  readonly read: (found: Raw) => ValuesByExpression
}

/** Over the row that `alias` names. */
export function tellingOf(app: App, policy: Policy, expressions: readonly Expression[], alias: string): Telling {
  const columns = expressions.flatMap((expression, index) => {
    const { type, root } = expression
    const seen = readable(app, policy, root, alias)
    if (seen === false || type.kind === 'list') return []
    const own = valueSql(expression, alias)
    const label = type.kind === 'reference' ? referenceLabel(app, policy, type.entity, own, `${alias}x`) : null
    const value = type.kind === 'reference' ? seenReference(policy, type.entity, own) : own
    return [{ expression, names: namesAt(index), value, seen, label }]
  })
  return {
    parts: columns.flatMap(({ expression, names, value, seen, label }): Part[] => [
      { name: names.value, sql: sql`(${value})`, type: expression.type.kind },
      ...(seen === true ? [] : [{ name: names.seen, sql: sql`(${seen}) is true`, type: 'yes/no' as const }]),
      ...(label === null ? [] : [{ name: names.label, sql: label, type: 'text' as const }]),
    ]),
    read: found =>
      new Map(
        columns.flatMap(({ expression, names, seen, label }) => {
          if (seen !== true && found[names.seen] !== true) return []
          const title = label === null ? null : found[names.label]
          return [
            [
              expression,
              { value: found[names.value] ?? null, label: typeof title === 'string' ? title : null },
            ] as const,
          ]
        }),
      ),
  }
}

/** Names that no field has. */
const namesAt = (index: number) => ({ value: ` x${index}`, seen: ` seen${index}`, label: ` label${index}` })

/** A text of which every value was asked. Null: it says something that its reader may not see, so it is not there at all. */
export function toldText(template: Template, told: ValuesByExpression, request: Request): string | null {
  if (template.parts.some(part => part.kind !== 'text' && !told.has(part.expression))) return null
  const labels = [...told.values()].flatMap(({ value, label }) =>
    typeof value === 'string' && label !== null ? [[value, label] as const] : [],
  )
  return render(template, {
    environment: environmentOf(request, relatedNothing, {}, null),
    locale: request.locale,
    zone: request.zone,
    labels: new Map(labels),
    found: new Map([...told].map(([expression, { value }]) => [expression, value])),
  })
}
