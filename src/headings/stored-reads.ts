/** What a condition goes by in the record itself. */
import type { Expression } from '../expression/expression.ts'
import type { App } from './app.ts'

/** Fields of the record itself that an expression reads, and those that its computed fields read. */
export function storedReads(
  app: Pick<App, 'schema'>,
  entity: string,
  expression: Expression,
  seen = new Set<string>(),
): ReadonlySet<string> {
  const shape = app.schema.get(entity)!
  for (const read of expression.reads) {
    const key = read.replace(/^(?:old|this)\./, '').split('.')[0]!
    const field = shape.fields.get(key)
    if (field === undefined || seen.has(key)) continue
    seen.add(key)
    const computed = field.computed?.() ?? null
    if (computed !== null) storedReads(app, entity, computed, seen)
  }
  return seen
}
