/** Checks of heading 5 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { ruleCodes } from './codes.ts'

/** A message beside a field that is in no form. */
export function lintRules(context: Context, { rules, entities }: App): void {
  const { report } = reporter(ruleCodes, 5, context.found)
  for (const { name, entity, field: key, cell } of rules) {
    const field = entities.get(entity)?.fields.find(field => field.key === key)
    if (field !== undefined && (field.hidden !== null || field.computed !== null))
      report('N1504', cell, { rule: name, field: field.key })
  }
}
