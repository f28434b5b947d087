/** Every expression of a document, wherever it stands. */
import type { Expression } from '../expression/expression.ts'
import type { App } from './app.ts'

/** What the model is made from, and what it says of itself: no part of it is an expression that the application asks. */
const beside: ReadonlySet<string> = new Set(['document', 'schema', 'shape', 'cell', 'gaps', 'assumptions', 'scenarios'])

/** Each once, in the document's order. The model is looked through as it is, so that a new place for expressions cannot be missed. */
export function expressionsOf(app: App): readonly Expression[] {
  const found: Expression[] = []
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (isExpression(value)) found.push(value)
    else if (value instanceof Map || Array.isArray(value)) for (const one of value.values()) visit(one)
    else for (const [name, one] of Object.entries(value)) if (!beside.has(name)) visit(one)
  }
  visit(app)
  return found
}

const isExpression = (value: object): value is Expression => 'root' in value && 'reads' in value && 'tier' in value
