/** From a cell to an expression in one go: the door that the headings use. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import { check } from './check.ts'
import { currencyPath, withCurrency } from './check-currency.ts'
import { isVaried } from './currency.ts'
import type { Expression, Template, Tier } from './expression.ts'
import { inOwnWords } from './habits.ts'
import { type Known, unknown } from './meant.ts'
import { parse } from './parse.ts'
import { parseTemplate } from './parse-template.ts'
import { reports, type TextFix } from './reports.ts'
import type { Scope } from './scope.ts'
import type { EntityShape, Type } from './type.ts'

export interface ReadExpression {
  /** Null when something was found. */
  readonly expression: Expression | null
  readonly found: readonly Diagnostic[]
}

/** `expected`: what must come out. Without it anything may, a list too (`lines.item.tag`). */
export function readExpression(cell: Cell, scope: Scope, expected?: Type | 'yes/no'): ReadExpression {
  const read = readAsWritten(cell, scope, expected)
  if (read.found.length === 0 || isCured(read.found, cell, scope, expected)) return read
  const instead = inOwnWords(cell.text, spellingsOf(scope)).find(text => isClean(text, cell, scope, expected))
  return instead === undefined ? read : { expression: null, found: [foreign(cell, instead, scope, read.found)] }
}

function readAsWritten(cell: Cell, scope: Scope, expected?: Type | 'yes/no'): ReadExpression {
  const found: Diagnostic[] = []
  const ast = parse(cell, found, scope.section, knownIn(scope))
  return { expression: ast === null ? null : check(ast, cell, scope, found, expected), found }
}

const isClean = (text: string, cell: Cell, scope: Scope, expected?: Type | 'yes/no'): boolean =>
  readAsWritten({ ...cell, text, gaps: [] }, scope, expected).found.length === 0

/** Whether nothing is wrong any more once the first fix of everything that was found is applied. */
function isCured(found: readonly Diagnostic[], cell: Cell, scope: Scope, expected?: Type | 'yes/no'): boolean {
  const edits = found.flatMap(({ fixes }) => fixes[0]?.edits ?? [])
  if (found.some(({ fixes }) => fixes.length === 0)) return false
  const source = edits
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce(
      (text, { span, text: instead }) =>
        `${text.slice(0, span.start - cell.start)}${instead}${text.slice(span.end - cell.start)}`,
      cell.file.text.slice(cell.start, cell.end),
    )
  return isClean(source.replaceAll('\\|', '|'), cell, scope, expected)
}

/** What was found, with what to write instead, where it says why; otherwise N0103 at the part that is written otherwise. */
function foreign(cell: Cell, instead: string, scope: Scope, [first, ...others]: readonly Diagnostic[]): Diagnostic {
  const { from, before, behind } = differing(cell.text, instead)
  const own = instead.slice(from, instead.length - behind)
  const place = { from, to: cell.text.length - behind }
  const found: Diagnostic[] = []
  const fix: TextFix = { title: `write \`${own.trim()}\``, kind: 'write', edits: [{ ...place, text: own }] }
  reports(cell, scope.section ?? 0, found).report('N0103', place, { word: before, instead: own.trim() }, [fix])
  return first !== undefined && others.length === 0 && saysWhy(first) ? { ...first, fixes: found[0]!.fixes } : found[0]!
}

/** A name in capitals is taken for a choice, and is none. */
const saysWhy = ({ code, fixes, span: { file, start, end } }: Diagnostic): boolean =>
  fixes.length === 0 && /^N02|^N0112$/.test(code) && !/^[A-Z]\w*$/.test(file.text.slice(start, end))

/** Where two texts differ, in whole words and brackets: from where, and how much is the same at their ends. */
function differing(
  text: string,
  other: string,
): { readonly from: number; readonly before: string; readonly behind: number } {
  const isInside = (at: number) => /[^\s()]{2}/.test(text.slice(Math.max(0, at - 1), at + 1))
  let from = 0
  while (from < text.length && text[from] === other[from]) from++
  let behind = 0
  const most = Math.min(text.length, other.length) - from
  while (behind < most && text.at(-1 - behind) === other.at(-1 - behind)) behind++
  const parts = () => [text, other].map(all => all.slice(from, all.length - behind))
  const isTorn = (part: string) => part.split('(').length !== part.split(')').length
  // What is only added or only left out is shown with the word before or behind it.
  const isBare = () => parts().some(part => part.trim() === '')
  while (from > 0 && (isBare() || isInside(from))) from--
  while (behind > 0 && (isBare() || isInside(text.length - behind) || parts().some(isTorn))) behind--
  while (parts().every(part => part.startsWith(' '))) from++
  while (parts().every(part => part.endsWith(' '))) behind++
  return { from, before: parts()[0]!.trim(), behind }
}

/** More names than an entity has fields: each is looked for in every expression that cannot be read. */
const mostSpelled = 500

const spellingsOf = ({ self, limits }: Scope) => ({
  fields: [...(self?.fields.keys() ?? [])].slice(0, mostSpelled),
  limits: [...limits.keys()].slice(0, mostSpelled),
  entity: self?.name ?? null,
})

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

/** An amount whose currency a field says is shown with it. */
function shownIn(expression: Expression, cell: Cell, scope: Scope): Expression {
  const { type, root, reads } = expression
  if (!isVaried(type)) return expression
  const currency = check(currencyPath({ from: 0, to: cell.text.length }, type), cell, scope, [])
  if (currency === null) return expression
  const all = [...new Set([...reads, ...currency.reads])]
  const tier = Math.max(expression.tier, currency.tier, 1) as Tier
  return { ...expression, root: withCurrency(root, currency.root), reads: all, tier }
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
    else parts.push({ kind: 'value', expression: shownIn(expression, cell, scope), format: part.format })
  }
  return { template: found.length > 0 ? null : { cell, parts }, found }
}
