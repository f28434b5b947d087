/** What a form knows beforehand of the rules of its record. */
import { evaluate } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import { specified } from '../../headings/specified.ts'
import type { FormView } from '../../kinds/screens/form/view-model.ts'
import { readingOf } from '../../run/access/reading.ts'
import { render } from '../../run/problems/raise.ts'
import type { Request } from '../../run/request.ts'
import type { Building } from './common.ts'

/** Expressions of a form that read no record: limits, today, me. */
const environmentOf = (request: Request) => ({
  row: {},
  old: null,
  me: request.actor.id,
  my: null,
  today: request.today,
  now: request.now.toISOString(),
  limits: request.limits,
  closed: request.closed,
  related: () => undefined,
})

/** What a bound comes to; null: there is none, or it goes by the record. */
export function limitOf(expression: Expression | null, request: Request): number | null {
  if (expression === null) return null
  const value = evaluate(expression, environmentOf(request))
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null
}

/** Rules that apply, in the words of the catalogue; those whose words need the record itself are told when they are broken. */
export function rulesOf({ site, context }: Building, entity: string, verb: 'create' | 'change'): FormView['rules'] {
  const { request } = context
  return site.app.rules.flatMap(rule => {
    const code = specified(rule.error)
    if (rule.entity !== entity || code === null || specified(rule.mustHold) === null) return []
    if (rule.on !== null && !rule.on.includes(verb)) return []
    const template = site.app.errors.get(code)?.templates.get(entity)?.message
    if (template === undefined) return []
    const isPlain = template.parts.every(
      part => part.kind === 'text' || part.expression.reads.every(path => path.startsWith('limits.')),
    )
    if (!isPlain) return []
    const message = render(template, readingOf(site.app, request, environmentOf(request)))
    return [{ name: rule.name, message, mark: site.mark(rule.cell) }]
  })
}
