/** Comparisons: what compares with what, and which order there is. */
import { nearest } from '../document/nearest.ts'
import type { Ast } from './ast.ts'
import { choiceText } from './check-name.ts'
import type { Checked } from './checked.ts'
import { type Checking, FAILED, failed, operandRoom, type Room, sliceOf, wordsOf, YES_NO } from './checking.ts'
import { commonType, isAmount, isList, isOrdered } from './fit.ts'
import { mindEmpties } from './negative.ts'
import { type TextFix, writeInstead } from './reports.ts'
import type { Type } from './type.ts'

type Of<Kind extends Ast['kind']> = Extract<Ast, { kind: Kind }>

/** Whether a part takes its type from the other side: written numbers, choices, texts that may be choices. */
export function adapts(ast: Ast): boolean {
  if (ast.kind === 'number' || ast.kind === 'choice' || ast.kind === 'text' || ast.kind === 'nothing') return true
  if (ast.kind === 'negate') return adapts(ast.of)
  return ast.kind === 'if' && adapts(ast.then) && adapts(ast.otherwise)
}

/** Checks parts that must be of one type; those that adapt after the others. Null after a report. */
export function checkAlike(
  checking: Checking,
  asts: readonly Ast[],
  room: Room,
  hint?: Type,
): { readonly parts: readonly Checked[]; readonly type: Type } | null {
  const parts: Checked[] = []
  let type = hint
  const late = (index: number) => (asts[index]!.kind === 'nothing' ? 2 : Number(adapts(asts[index]!)))
  const order = [...asts.keys()].sort((left, right) => late(left) - late(right))
  for (const index of order) {
    // `empty` is of the type that the others have, whatever is needed in the end.
    const isNothing = asts[index]!.kind === 'nothing'
    const part = checking.check(asts[index]!, room, isNothing ? parts.find(one => one !== undefined)?.type : type)
    parts[index] = part
    // After a mistake on the other side a choice has nothing to be looked up in, and is not complained about.
    type ??= part.type
  }
  if (failed(...parts)) return null
  const list = parts.findIndex(part => isList(part.type))
  if (list >= 0) {
    checking.report('N0219', asts[list]!, { name: sliceOf(checking, asts[list]!) })
    return null
  }
  const common = commonType(parts.map(part => part.type))
  if (common === null) {
    reportUnlike(checking, asts, parts)
    return null
  }
  return { parts, type: common }
}

function reportUnlike(checking: Checking, asts: readonly Ast[], parts: readonly Checked[]): void {
  const other = parts.findIndex(part => commonType([parts[0]!.type, part.type]) === null)
  const [left, right] = [parts[0]!, parts[Math.max(other, 1)]!]
  const place = { from: asts[0]!.from, to: asts.at(-1)!.to }
  const words = { left: wordsOf(checking, left.type), right: wordsOf(checking, right.type) }
  if (isAmount(left.type) && isAmount(right.type)) {
    checking.report('N0222', place, words)
    return
  }
  checking.report('N0210', place, words, unlikeFixes(asts[0]!, left, asts[Math.max(other, 1)]!, right))
}

/** `days <= 14 days`: the days are counted, so the number is enough. */
function unlikeFixes(leftAst: Ast, left: Checked, rightAst: Ast, right: Checked): readonly TextFix[] {
  for (const [duration, number] of [
    [rightAst, left],
    [leftAst, right],
  ] as const) {
    if (duration.kind !== 'duration' || number.type.kind !== 'integer') continue
    if (duration.unit === 'day') return [writeInstead(duration, duration.amount)]
    if (duration.unit === 'week' && /^\d+$/.test(duration.amount)) {
      return [writeInstead(duration, String(BigInt(duration.amount) * 7n))]
    }
  }
  return []
}

/** `=`, `!=`, `<` and the like. Unknown where a side is empty, so negative ones over optional values are reported (`N0251`). */
export function checkComparison(checking: Checking, ast: Of<'compare'>, room: Room): Checked {
  const alike = checkAlike(checking, [ast.left, ast.right], operandRoom(room))
  if (alike === null || !comparable(checking, ast, alike.type)) return FAILED
  const isOrder = ast.sign !== '=' && ast.sign !== '!='
  if (isOrder && !isOrdered(alike.type)) {
    checking.report('N0212', ast, { type: wordsOf(checking, alike.type), sign: ast.sign })
    return FAILED
  }
  const [left, right] = alike.parts as [Checked, Checked]
  const [leftText, rightText] = [sliceOf(checking, ast.left), sliceOf(checking, ast.right)]
  mindEmpties(checking, room, {
    ast,
    operands: [
      { ast: ast.left, checked: left },
      { ast: ast.right, checked: right },
    ],
    negative: ast.sign === '!=',
    same: isOrder ? null : `${leftText} is ${ast.sign === '!=' ? 'not ' : ''}${rightText}`,
  })
  return { op: 'compare', sign: ast.sign, left, right, type: YES_NO, optional: left.optional || right.optional }
}

/** Durations in months or days, files and JSON do not compare at all; false after a report. */
function comparable(checking: Checking, ast: Ast, type: Type): boolean {
  if (type.kind === 'duration' && type.of === 'calendar') checking.report('N0223', ast, {})
  else if (type.kind === 'file') checking.report('N0210', ast, { left: 'a file', right: 'a file' })
  else if (type.kind === 'json') checking.report('N0210', ast, { left: 'JSON', right: 'JSON' })
  else return true
  return false
}

/** Within a composed statement that is `not` when the word says so. */
const negatedIf = (not: boolean, statement: Checked): Checked =>
  not ? { op: 'not', of: statement, type: YES_NO, optional: statement.optional } : statement

/** `is` and `is not`: never unknown, empty is the same as empty. */
export function checkIs(checking: Checking, ast: Of<'is'>, room: Room): Checked {
  const alike = checkAlike(checking, [ast.left, ast.right], operandRoom(room))
  if (alike === null || !comparable(checking, ast, alike.type)) return FAILED
  const [left, right] = alike.parts as [Checked, Checked]
  return negatedIf(ast.not, { op: 'same', left, right, type: YES_NO, optional: false })
}

/** `is empty` and `is not empty`, of single values only. */
export function checkEmpty(checking: Checking, ast: Of<'empty'>, room: Room): Checked {
  const of = checking.check(ast.of, operandRoom(room))
  if (failed(of)) return FAILED
  if (isList(of.type)) {
    checking.report('N0219', ast.of, { name: sliceOf(checking, ast.of) }, [
      writeInstead(ast, `count(${sliceOf(checking, ast.of)}) ${ast.not ? '> 0' : '= 0'}`),
    ])
    return FAILED
  }
  return negatedIf(ast.not, { op: 'empty', of, type: YES_NO, optional: false })
}

/** `x in (A, B)`: a list that is written out, of values that are never empty. */
export function checkIn(checking: Checking, ast: Of<'in'>, room: Room): Checked {
  const alike = checkAlike(checking, [ast.of, ...ast.list], operandRoom(room))
  if (alike === null || !comparable(checking, ast, alike.type)) return FAILED
  const [of, ...list] = alike.parts as [Checked, ...Checked[]]
  const unsure = list.findIndex(member => member.optional && member.op !== 'limit')
  if (unsure >= 0) {
    checking.report('N0224', ast.list[unsure]!, { name: sliceOf(checking, ast.of) })
    return FAILED
  }
  mindEmpties(checking, room, { ast, operands: [{ ast: ast.of, checked: of }], negative: ast.not, same: null })
  return negatedIf(ast.not, { op: 'in', of, list, type: YES_NO, optional: of.optional })
}

/** `me in nurses.person`: of what rows name, it is asked row by row. */
function ofRows(checking: Checking, { of, list, not, from, to }: Of<'member'>): readonly TextFix[] {
  const me = sliceOf(checking, of)
  const names = list.kind === 'path' ? list.names.map(({ text }) => text) : []
  if (me !== 'me' || names.length < 2) return []
  const asked = `${not ? 'none' : 'any'}(${names.slice(0, -1).join('.')} where ${names.at(-1)} = me)`
  return [writeInstead({ from, to }, asked)]
}

/** `me in members`: one value in a list of records or values. */
export function checkMember(checking: Checking, ast: Of<'member'>, room: Room): Checked {
  const list = checking.check(ast.list, operandRoom(room))
  if (failed(list)) return FAILED
  if (list.type.kind === 'choices') return checkChosen(checking, ast, room, list, list.type)
  if (list.op !== 'values' || list.type.kind !== 'list') {
    const isOne = ast.list.kind === 'choice' || !isList(list.type)
    checking.report(
      'N0213',
      ast.list,
      { found: wordsOf(checking, list.type), expected: 'a list of records, or values in brackets,' },
      isOne ? [writeInstead(ast.list, `(${sliceOf(checking, ast.list)})`)] : ofRows(checking, ast),
    )
    return FAILED
  }
  const of = checking.check(ast.of, operandRoom(room))
  if (failed(of)) return FAILED
  if (of.type.kind !== 'reference' || of.type.entity !== list.source.entity) {
    const words = { left: wordsOf(checking, of.type), right: wordsOf(checking, list.type) }
    checking.report('N0210', ast, words)
    return FAILED
  }
  mindEmpties(checking, room, { ast, operands: [{ ast: ast.of, checked: of }], negative: ast.not, same: null })
  return negatedIf(ast.not, { op: 'member', of, source: list.source, type: YES_NO, optional: of.optional })
}

/** `Pool in offers`: whether a choice is among those that a field holds; of none, it is not. */
function checkChosen(
  checking: Checking,
  ast: Of<'member'>,
  room: Room,
  list: Checked,
  { of: owner, options }: Extract<Type, { kind: 'choices' }>,
): Checked {
  const of = checking.check(ast.of, operandRoom(room), { kind: 'choice', of: owner, options })
  if (failed(of)) return FAILED
  if (of.type.kind !== 'choice' || !of.type.options.some(option => options.includes(option))) {
    checking.report('N0210', ast, { left: wordsOf(checking, of.type), right: wordsOf(checking, list.type) })
    return FAILED
  }
  mindEmpties(checking, room, { ast, operands: [{ ast: ast.of, checked: of }], negative: ast.not, same: null })
  const isThere: Checked = { op: 'not', of: { op: 'empty', of: list, ...sure }, ...sure }
  const { optional } = of
  const holds: Checked = { op: 'contains', left: fenced(list), right: fenced(of), type: YES_NO, optional }
  return negatedIf(ast.not, { op: 'and', parts: [isThere, holds], type: YES_NO, optional })
}

const sure = { type: YES_NO, optional: false } as const

/** No name has a comma in it: between two of them it is found as a whole. */
function fenced(of: Checked): Checked {
  const text: Type = { kind: 'text' }
  const comma: Checked = { op: 'literal', value: ', ', type: text, optional: false }
  const { optional } = of
  return {
    op: 'concat',
    left: { op: 'concat', left: comma, right: of, type: text, optional },
    right: comma,
    type: text,
    optional,
  }
}

/** `department within my.department`: itself or below it, in the tree that an entity makes by referring to itself. */
export function checkWithin(checking: Checking, ast: Of<'within'>, room: Room): Checked {
  const alike = checkAlike(checking, [ast.of, ast.tree], operandRoom(room))
  if (alike === null) return FAILED
  const [of, tree] = alike.parts as [Checked, Checked]
  const { type } = alike
  const entity = type.kind === 'reference' ? checking.scope.schema.get(type.entity) : undefined
  if (entity === undefined) {
    checking.report('N0213', ast.of, { found: wordsOf(checking, type), expected: 'a reference to a record of a tree' })
    return FAILED
  }
  const upward = [...entity.fields.values()].filter(
    field => field.type.kind === 'reference' && field.type.entity === entity.key && field.key !== 'id',
  )
  const parent = upward.length === 1 ? upward[0] : upward.find(field => field.key === 'parent')
  if (parent === undefined || parent.computed !== undefined) {
    checking.report('N0229', ast, { name: entity.name })
    return FAILED
  }
  const operands = [
    { ast: ast.of, checked: of },
    { ast: ast.tree, checked: tree },
  ]
  mindEmpties(checking, room, { ast, operands, negative: ast.not, same: null })
  const optional = of.optional || tree.optional
  return negatedIf(ast.not, { op: 'within', of, tree, entity: entity.key, parent: parent.key, type: YES_NO, optional })
}

/** `x between low and high`, both ends included. */
export function checkBetween(checking: Checking, ast: Of<'between'>, room: Room): Checked {
  const alike = checkAlike(checking, [ast.of, ast.low, ast.high], operandRoom(room))
  if (alike === null || !comparable(checking, ast, alike.type)) return FAILED
  if (!isOrdered(alike.type)) {
    checking.report('N0212', ast, { type: wordsOf(checking, alike.type), sign: 'between' })
    return FAILED
  }
  const [of, low, high] = alike.parts as [Checked, Checked, Checked]
  const operands = [ast.of, ast.low, ast.high].map((part, index) => ({ ast: part, checked: alike.parts[index]! }))
  mindEmpties(checking, room, { ast, operands, negative: ast.not, same: null })
  const optional = alike.parts.some(part => part.optional)
  return negatedIf(ast.not, { op: 'between', of, low, high, type: YES_NO, optional })
}

/** `contains` and `starts with`, of texts only. */
export function checkText(checking: Checking, ast: Of<'contains' | 'starts'>, room: Room): Checked {
  const text: Type = { kind: 'text' }
  const inner = operandRoom(room)
  const [left, right] = [checking.check(ast.left, inner, text), checking.check(ast.right, inner, text)]
  if (failed(left, right)) return FAILED
  if (left.type.kind !== 'text' || right.type.kind !== 'text') {
    const sign = ast.kind === 'starts' ? 'starts with' : 'contains'
    const words = { left: wordsOf(checking, left.type), right: wordsOf(checking, right.type) }
    checking.report('N0211', ast, { sign, ...words, help: 'It looks for a text in a text.' })
    return FAILED
  }
  const operands = [
    { ast: ast.left, checked: left },
    { ast: ast.right, checked: right },
  ]
  mindEmpties(checking, room, { ast, operands, negative: ast.not, same: null })
  const optional = left.optional || right.optional
  return negatedIf(ast.not, { op: ast.kind, left, right, type: YES_NO, optional })
}

/** A capitalised word, or a text where a choice is needed, against the options of the other side. */
export function checkChoice(checking: Checking, ast: Of<'choice' | 'text'>, hint: Type | undefined): Checked {
  const name = ast.kind === 'choice' ? ast.name : ast.value
  if (hint?.kind === 'choice' || hint?.kind === 'choices') {
    const names = hint.kind === 'choice' || ast.kind === 'choice' ? [name] : name.split(',').map(one => one.trim())
    const strange = names.find(one => !hint.options.includes(one))
    if (strange === undefined) {
      const value = hint.options.filter(one => names.includes(one)).join(', ')
      return { op: 'literal', value, type: hint, optional: false }
    }
    const known = hint.options.join(', ')
    const meant = names.length > 1 ? null : nearest(strange, hint.options)
    const fixes = meant === null ? [] : [writeInstead(ast, choiceText(meant))]
    checking.report('N0207', ast, { name: strange, known }, fixes)
    return FAILED
  }
  if (ast.kind === 'text') return { op: 'literal', value: ast.value, type: { kind: 'text' }, optional: false }
  const entity = checking.scope.named?.get(name)
  if (entity !== undefined) return { op: 'literal', value: name, type: { kind: 'reference', entity }, optional: false }
  if (hint === undefined || hint.kind === 'error') {
    if (hint === undefined) checking.report('N0208', ast, { name })
    return FAILED
  }
  const quoted = hint.kind === 'text' ? [writeInstead(ast, `"${name}"`)] : []
  const words = { left: `the choice \`${name}\``, right: wordsOf(checking, hint) }
  checking.report('N0210', ast, words, quoted)
  return FAILED
}
