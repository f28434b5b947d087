/**
 * Text of a cell → what was written. Recursive descent by hand, one function per rule of the grammar. The first mistake that
 * makes the rest guesswork ends the reading; a foreign word whose meaning is plain (`||`, `!=` in other spellings) is reported with
 * its cure and read as what it means.
 */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import type { Argument, Ast, Name, Ordering, Sign, TextRange } from './ast.ts'
import { instead, type Lexer, lexer, type Token } from './lexer.ts'
import { type Known, meantBy, otherQuotes, unknown } from './meant.ts'
import { readValue, startsValue } from './parse-value.ts'
import { type Reports, reports, writeInstead } from './reports.ts'

/** LANGUAGE law 8. */
const MOST_NODES = 400
const MOST_DEPTH = 40

/** The expression of a whole cell; null after a report. */
export function parse(cell: Cell, found: Diagnostic[], section = 0, known: Known = unknown): Ast | null {
  const before = found.length
  const parser = createParser(cell, reports(cell, section, found), 0, known)
  const ast = parser.expression()
  if (ast === null) return null
  const rest = parser.lexer.peek()
  if (rest.kind !== 'end') parser.unexpected(rest, 'the end')
  return found.length === before ? ast : null
}

export interface Parser {
  readonly lexer: Lexer
  readonly report: Reports
  /** Null after a report. */
  readonly expression: () => Ast | null
  /** A rule one level deeper; null after a report, when that is too deep. */
  readonly nested: (rule: (parser: Parser) => Ast | null) => Ast | null
  readonly unexpected: (token: Token, expected: string) => null
  /** Takes the token when it is this word or sign. */
  readonly take: (word: string) => Token | null
  /** Counts a node; false after a report, when there are too many. */
  readonly counted: (place: TextRange) => boolean
}

/** A parser that begins at an offset; templates read on after its expression. */
export function createParser(cell: Cell, report: Reports, start: number, known: Known = unknown): Parser {
  let nodes = 0
  let depth = 0
  const lex = lexer(cell.text, start)

  const parser: Parser = {
    lexer: lex,
    report,
    expression: () => parser.nested(or),
    nested(rule) {
      if (depth === MOST_DEPTH) {
        report.report('N0108', lex.peek(), { most: MOST_DEPTH })
        return null
      }
      depth++
      const ast = rule(parser)
      depth--
      return ast
    },
    unexpected(token, expected) {
      if (expected === '`then`' || expected === '`else`') report.report('N0115', token, { word: expected.slice(1, -1) })
      else if (token.text === '`')
        report.report('N0116', token, {}, [
          { title: 'take the backtick out', edits: [{ from: token.from, to: token.to, text: '' }] },
        ])
      else if (token.kind === 'end') report.report('N0101', token, { where: nodes === 0 ? 'here' : 'at the end' })
      else if (token.kind === 'unclosed') report.report('N0105', token, {})
      else if (token.text === "'")
        report.report('N0103', token, { word: "'", instead: '"' }, otherQuotes(cell.text, token))
      else report.report('N0102', token, { word: token.text, expected }, meantBy(cell.text, token, expected, known))
      return null
    },
    take(word) {
      const token = lex.peek()
      return token.text === word && token.kind !== 'text' ? lex.next() : null
    },
    counted(place) {
      nodes++
      if (nodes === MOST_NODES + 1) {
        report.report('N0107', { from: place.from, to: cell.text.length }, { most: MOST_NODES })
      }
      return nodes <= MOST_NODES
    },
  }
  return parser
}

function or(parser: Parser): Ast | null {
  return chain(parser, 'or', ['||', 'OR', '|'], and)
}

function and(parser: Parser): Ast | null {
  return chain(parser, 'and', ['&&', 'AND', '&'], not)
}

function chain(
  parser: Parser,
  word: 'and' | 'or',
  foreign: readonly string[],
  part: (parser: Parser) => Ast | null,
): Ast | null {
  const first = part(parser)
  if (first === null) return null
  const parts = [first]
  while (parser.take(word) !== null || takeForeign(parser, foreign)) {
    const next = part(parser)
    if (next === null) return null
    parts.push(next)
  }
  if (parts.length === 1) return first
  const node: Ast = { kind: word, parts, from: first.from, to: parts.at(-1)!.to }
  return parser.counted(node) ? node : null
}

/** Reads another language's spelling as ours, with a report and its cure. */
function takeForeign(parser: Parser, spellings: readonly string[]): boolean {
  const token = parser.lexer.peek()
  if (token.kind === 'text' || !spellings.includes(token.text)) return false
  // In a template a bar divides the plural forms.
  if (token.text === '|' && !parser.lexer.bars) return false
  parser.lexer.next()
  reportForeign(parser, token)
  return true
}

function reportForeign(parser: Parser, token: Token): void {
  const word = instead(token.text)!
  // `a||b` needs spaces around a word.
  const { text } = parser.lexer
  const [before, after] = [/\w$/.test(text.slice(0, token.from)), /^[\w"(]/.test(text.slice(token.to))]
  const spaced = /^\w/.test(word) ? `${before ? ' ' : ''}${word}${after ? ' ' : ''}` : word
  const { from, to } = token
  parser.report.report('N0103', token, { word: token.text, instead: word }, [
    { title: `write \`${word}\``, kind: 'write', edits: [{ from, to, text: spaced }] },
  ])
}

function not(parser: Parser): Ast | null {
  const start = parser.lexer.peek()
  const isNot = parser.take('not') !== null || takeForeign(parser, ['!', 'NOT'])
  if (!isNot) return comparison(parser)
  const of = parser.nested(not)
  if (of === null) return null
  const node: Ast = { kind: 'not', of, from: start.from, to: of.to }
  return parser.counted(node) ? node : null
}

const signs: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
/** How other languages compare with nothing. */
const nothings: ReadonlySet<string> = new Set(['null', 'NULL', 'nil', 'undefined', 'blank', 'empty'])
const foreignSigns: readonly string[] = ['==', '===', '!==', '<>', '≤', '≥', '≠', '=<', '=>']

function comparison(parser: Parser): Ast | null {
  const left = sum(parser)
  if (left === null) return null
  const node = comparisonAfter(parser, left)
  if (node === null || node === left) return node
  if (!parser.counted(node)) return null
  const next = parser.lexer.peek()
  if (next.kind !== 'text' && (signs.has(next.text) || next.text === 'is')) return chained(parser, node, next)
  return node
}

function chained(parser: Parser, node: Ast, next: Token): null {
  parser.lexer.next()
  const right = sum(parser)
  if (right === null) return null
  const text = parser.lexer.text
  const middle = node.kind === 'compare' || node.kind === 'is' ? node.right : null
  const first = text.slice(node.from, node.to)
  const written =
    middle === null
      ? `${first} and …`
      : `${first} and ${text.slice(middle.from, middle.to)} ${text.slice(next.from, right.to)}`
  const edits = middle === null ? [] : [{ from: node.from, to: right.to, text: written }]
  parser.report.report(
    'N0104',
    { from: node.from, to: right.to },
    { instead: written },
    middle === null ? [] : [{ title: `write \`${written}\``, kind: 'write', edits }],
  )
  return null
}

function comparisonAfter(parser: Parser, left: Ast): Ast | null {
  const token = parser.lexer.peek()
  if (token.kind === 'text') return left
  if (signs.has(token.text) || foreignSigns.includes(token.text)) return afterSign(parser, left, token)
  if (parser.take('is') !== null) return afterIs(parser, left)
  const negated = token.text === 'not' ? parser.lexer.next() : null
  const word = parser.lexer.peek()
  const not = negated !== null
  if (parser.take('in') !== null) return afterIn(parser, left, not)
  if (parser.take('between') !== null) return afterBetween(parser, left, not)
  if (parser.take('contains') !== null) {
    const right = sum(parser)
    return right === null ? null : { kind: 'contains', not, left, right, from: left.from, to: right.to }
  }
  if (parser.take('starts') !== null) {
    if (parser.take('with') === null) return parser.unexpected(parser.lexer.peek(), '`with`')
    const right = sum(parser)
    return right === null ? null : { kind: 'starts', not, left, right, from: left.from, to: right.to }
  }
  if (parser.take('within') !== null) {
    const tree = sum(parser)
    return tree === null ? null : { kind: 'within', not, of: left, tree, from: left.from, to: tree.to }
  }
  if (not) return parser.unexpected(word, '`in`, `between`, `contains`, `starts with` or `within`')
  return left
}

function afterSign(parser: Parser, left: Ast, token: Token): Ast | null {
  const at = { from: token.from, to: token.to }
  const sign = (signs.has(token.text) ? token.text : instead(token.text)) as Sign
  parser.lexer.next()
  const nothing = parser.lexer.peek()
  const isBare = nothing.kind === 'name' || nothing.kind === 'choice'
  if ((sign === '=' || sign === '!=') && isBare && nothings.has(nothing.text)) {
    parser.lexer.next()
    const written = sign === '=' ? 'is empty' : 'is not empty'
    parser.report.report('N0103', nothing, { word: nothing.text, instead: written }, [
      writeInstead({ from: at.from, to: nothing.to }, written),
    ])
    return { kind: 'empty', not: sign === '!=', of: left, from: left.from, to: nothing.to }
  }
  if (!signs.has(token.text)) reportForeign(parser, token)
  const right = sum(parser)
  return right === null ? null : { kind: 'compare', sign, at, left, right, from: left.from, to: right.to }
}

function afterBetween(parser: Parser, of: Ast, not: boolean): Ast | null {
  const low = sum(parser)
  if (low === null) return null
  if (parser.take('and') === null) return parser.unexpected(parser.lexer.peek(), '`and`')
  const high = sum(parser)
  return high === null ? null : { kind: 'between', not, of, low, high, from: of.from, to: high.to }
}

function afterIs(parser: Parser, left: Ast): Ast | null {
  const not = parser.take('not') !== null
  const empty = parser.lexer.peek()
  if (parser.take('empty') !== null || takeForeign(parser, ['null', 'NULL', 'nil', 'undefined', 'blank'])) {
    return { kind: 'empty', not, of: left, from: left.from, to: empty.to }
  }
  const right = sum(parser)
  return right === null ? null : { kind: 'is', not, left, right, from: left.from, to: right.to }
}

function afterIn(parser: Parser, of: Ast, not: boolean): Ast | null {
  const open = parser.take('(')
  if (open === null) {
    const list = sum(parser)
    return list === null ? null : { kind: 'member', not, of, list, from: of.from, to: list.to }
  }
  const list: Ast[] = []
  do {
    const member = parser.expression()
    if (member === null) return null
    list.push(member)
  } while (parser.take(',') !== null)
  const close = closing(parser, open)
  return close === null ? null : { kind: 'in', not, of, list, from: of.from, to: close.to }
}

/** The `)` of a `(`; null after a report. */
function closing(parser: Parser, open: TextRange): Token | null {
  const close = parser.take(')')
  if (close !== null) return close
  const token = parser.lexer.peek()
  if (token.kind === 'end') parser.report.report('N0110', open, {})
  else parser.unexpected(token, '`)`')
  return null
}

function sum(parser: Parser): Ast | null {
  return reckoned(parser, ['+', '-'], product)
}

function product(parser: Parser): Ast | null {
  return reckoned(parser, ['*', '/'], unary)
}

function reckoned(parser: Parser, known: readonly string[], part: (parser: Parser) => Ast | null): Ast | null {
  let left = part(parser)
  while (left !== null) {
    const token = parser.lexer.peek()
    if (token.kind !== 'sign' || !known.includes(token.text)) return left
    parser.lexer.next()
    const right = part(parser)
    if (right === null) return null
    const sign = token.text as '+' | '-' | '*' | '/'
    const at = { from: token.from, to: token.to }
    left = { kind: 'arithmetic', sign, at, left, right, from: left.from, to: right.to }
    if (!parser.counted(left)) return null
  }
  return null
}

function unary(parser: Parser): Ast | null {
  const minus = parser.take('-')
  if (minus === null) return primary(parser)
  const of = parser.nested(unary)
  if (of === null) return null
  const node: Ast = { kind: 'negate', of, from: minus.from, to: of.to }
  return parser.counted(node) ? node : null
}

function primary(parser: Parser): Ast | null {
  const token = parser.lexer.peek()
  if (startsValue(token)) {
    const value = readValue(parser)
    return value !== null && parser.counted(value) ? value : null
  }
  if (token.text === '(' && token.kind === 'sign') {
    const open = parser.lexer.next()
    const inner = parser.expression()
    if (inner === null) return null
    const close = closing(parser, open)
    return close === null ? null : { ...inner, from: open.from, to: close.to }
  }
  if (token.text === 'if' && token.kind === 'name') return conditional(parser)
  if (token.kind === 'name' && !keywords.has(token.text)) return named(parser)
  if (token.kind === 'choice') return named(parser)
  return parser.unexpected(token, 'a value, a field or a condition')
}

/** Words that cannot begin a value. */
const keywords: ReadonlySet<string> = new Set(
  'or and not is empty in between contains starts with within where then else'.split(' '),
)

/** What stands behind `then` or `else`: `empty` is a value there. */
function branch(parser: Parser): Ast | null {
  const { from, to } = parser.lexer.peek()
  return parser.take('empty') === null ? parser.expression() : { kind: 'nothing', from, to }
}

function conditional(parser: Parser): Ast | null {
  const start = parser.lexer.next()
  const condition = parser.expression()
  if (condition === null) return null
  if (parser.take('then') === null) return parser.unexpected(parser.lexer.peek(), '`then`')
  const then = branch(parser)
  if (then === null) return null
  if (parser.take('else') === null) return parser.unexpected(parser.lexer.peek(), '`else`')
  const last = parser.lexer.peek()
  const otherwise = branch(parser)
  if (otherwise === null) return null
  if (then.kind === 'nothing' && otherwise.kind === 'nothing') return parser.unexpected(last, 'a value')
  const node: Ast = { kind: 'if', condition, then, otherwise, from: start.from, to: otherwise.to }
  return parser.counted(node) ? node : null
}

/** A path, a choice, or a call. */
function named(parser: Parser): Ast | null {
  const first = parser.lexer.next()
  const open = first.kind === 'name' ? parser.take('(') : null
  if (open !== null) return call(parser, nameOf(first), open)
  if (first.text === 'decisions' && first.kind === 'name' && parser.take('of') !== null) return decisions(parser, first)
  const further = namesBehind(parser)
  if (further === null) return null
  const names: readonly Name[] = [nameOf(first), ...further]
  const to = names.at(-1)!.to
  const node: Ast =
    first.kind === 'choice' && names.length === 1
      ? { kind: 'choice', name: first.text, from: first.from, to }
      : { kind: 'path', names, from: first.from, to }
  if (!parser.counted(node)) return null
  return node.kind === 'path' && first.text === 'limits' && parser.take('on') !== null ? dated(parser, node) : node
}

/** What stands behind `decisions of`: a step or an approval, of one word or several, and a field of each decision. */
function decisions(parser: Parser, first: Token): Ast | null {
  const words: Token[] = []
  for (
    let token = parser.lexer.peek();
    (token.kind === 'name' || token.kind === 'choice') && !keywords.has(token.text) && token.text !== 'order';
    token = parser.lexer.peek()
  )
    words.push(parser.lexer.next())
  const [from, to] = [words[0], words.at(-1)]
  if (from === undefined) return parser.unexpected(parser.lexer.peek(), 'a step or an approval')
  const behind = namesBehind(parser)
  if (behind === null) return null
  const of = { text: words.map(({ text }) => text).join(' '), from: from.from, to: to!.to }
  const node: Ast = { kind: 'decisions', of, behind, from: first.from, to: (behind.at(-1) ?? to!).to }
  return parser.counted(node) ? node : null
}

/** `.category.keeper`; null after a report. */
function namesBehind(parser: Parser): readonly Name[] | null {
  const names: Name[] = []
  while (parser.take('.') !== null) {
    const token = parser.lexer.peek()
    if (token.kind !== 'name' && token.kind !== 'choice') return parser.unexpected(token, 'the name of a field')
    names.push(nameOf(parser.lexer.next()))
  }
  return names
}

/** What stands behind `limits.rate on`. */
function dated(parser: Parser, of: Extract<Ast, { kind: 'path' }>): Ast | null {
  const day = parser.nested(primary)
  if (day === null) return null
  const node: Ast = { kind: 'dated', of, day, from: of.from, to: day.to }
  return parser.counted(node) ? node : null
}

const nameOf = ({ text, from, to }: Token): Name => ({ text, from, to })

function call(parser: Parser, name: Name, open: Token): Ast | null {
  const given: Argument[] = []
  if (parser.lexer.peek().text !== ')') {
    do {
      const argument = argumentOf(parser)
      if (argument === null) return null
      given.push(argument)
    } while (parser.take(',') !== null)
  }
  const close = closing(parser, open)
  const behind = close === null || name.text !== 'first' ? [] : namesBehind(parser)
  if (close === null || behind === null) return null
  const { to } = behind.at(-1) ?? close
  const node: Ast = { kind: 'call', name, arguments: given, behind, from: name.from, to }
  return parser.counted(node) ? node : null
}

function argumentOf(parser: Parser): Argument | null {
  const word = parser.lexer.peek()
  let other: TextRange | null = null
  if (word.kind === 'name' && word.text === 'other') {
    parser.lexer.next()
    other = { from: word.from, to: word.to }
    const entity = parser.lexer.peek()
    if (entity.kind !== 'choice') return parser.unexpected(entity, 'the name of an entity')
  }
  const value = parser.expression()
  if (value === null) return null
  const where = parser.take('where') === null ? null : { condition: parser.expression() }
  if (where !== null && where.condition === null) return null
  const by = parser.take('by') === null ? null : { key: parser.expression() }
  if (by !== null && by.key === null) return null
  const order = orderOf(parser)
  return order === undefined ? null : { value, other, where: where?.condition ?? null, by: by?.key ?? null, order }
}

/** `order by taken_at down, number`; null: there is none; undefined after a report. */
function orderOf(parser: Parser): readonly Ordering[] | null | undefined {
  if (parser.take('order') === null) return null
  if (parser.take('by') === null) return parser.unexpected(parser.lexer.peek(), '`by`') ?? undefined
  const order: Ordering[] = []
  do {
    const token = parser.lexer.peek()
    if (token.kind !== 'name') return parser.unexpected(token, 'the name of a field') ?? undefined
    order.push({ field: nameOf(parser.lexer.next()), down: parser.take('down') !== null })
  } while (parser.take(',') !== null)
  return order
}
