/** From a cell to an expression in one go: the door that the headings use. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import { check } from './check.ts'
import type { Expression, Template } from './expression.ts'
import { type Known, unknown } from './meant.ts'
import { parse } from './parse.ts'
import { parseTemplate } from './parse-template.ts'
import type { Scope } from './scope.ts'
import type { EntityShape, Type } from './type.ts'

export interface ReadExpression {
  /** Null when something was found. */
  readonly expression: Expression | null
  readonly found: readonly Diagnostic[]
}

/** `expected`: what must come out. Without it anything may, a list too (`lines.item.tag`). */
export function readExpression(cell: Cell, scope: Scope, expected?: Type | 'yes/no'): ReadExpression {
  const found: Diagnostic[] = []
  const ast = parse(cell, found, scope.section, knownIn(scope))
  return { expression: ast === null ? null : check(ast, cell, scope, found, expected), found }
}

const knownNames = new WeakMap<EntityShape, Known>()

/** Names of fields and choices that somebody may have meant. */
function knownIn({ self }: Scope): Known {
  if (self === null) return unknown
  const before = knownNames.get(self)
  if (before !== undefined) return before
  const fields = [...self.fields.values()]
  const known = new Set(fields.flatMap(({ key, type }) => [key, ...(type.kind === 'choice' ? type.options : [])]))
  knownNames.set(self, known)
  return known
}

interface ReadTemplate {
  /** Null when something was found. */
  readonly template: Template | null
  readonly found: readonly Diagnostic[]
}

/** A text with `{expression}` holes: `{due_back:long}`, `{count(lines)|item|items}`, `{{` for a brace itself. */
export function readTemplate(cell: Cell, scope: Scope): ReadTemplate {
  const found: Diagnostic[] = []
  const written = parseTemplate(cell, found, scope.section)
  if (written === null) return { template: null, found }
  const parts: Template['parts'][number][] = []
  for (const part of written) {
    if (part.kind === 'text') {
      parts.push(part)
      continue
    }
    const expected: Type | undefined = part.kind === 'plural' ? { kind: 'decimal' } : undefined
    const expression = check(part.ast, cell, scope, found, expected)
    if (expression === null) continue
    if (part.kind === 'plural') parts.push({ kind: 'plural', expression, forms: part.forms })
    else parts.push({ kind: 'value', expression, format: part.format })
  }
  return { template: found.length > 0 ? null : { cell, parts }, found }
}
