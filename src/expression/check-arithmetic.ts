/** Reckoning: numbers, money, dates and moments, texts. */
import type { Ast } from './ast.ts'
import { adapts } from './check-compare.ts'
import type { Checked } from './checked.ts'
import { type Checking, FAILED, failed, operandRoom, type Room, sliceOf, wordsOf } from './checking.ts'
import { commonType, isAmount, isClock, isList, isNumber, isPercent } from './fit.ts'
import type { Type } from './type.ts'

type Arithmetic = Extract<Ast, { kind: 'arithmetic' }>

const INTEGER: Type = { kind: 'integer' }
const DECIMAL: Type = { kind: 'decimal' }
const CLOCK: Type = { kind: 'duration', of: 'clock' }

/** `+ - * /`: which types go together, and what comes out. */
export function checkArithmetic(checking: Checking, ast: Arithmetic, outer: Room, hint?: Type): Checked {
  const room = operandRoom(outer)
  const [left, right] = operands(checking, ast, room, hint)
  if (failed(left, right)) return FAILED
  for (const [part, checked] of [
    [ast.left, left],
    [ast.right, right],
  ] as const) {
    if (!isList(checked.type)) continue
    checking.report('N0219', part, { name: sliceOf(checking, part) })
    return FAILED
  }
  return reckoned(checking, ast, left, right) ?? FAILED
}

/** In sums a written number takes the currency of the other side, or is a percentage as that is; in products it stays a number. */
function operands(checking: Checking, ast: Arithmetic, room: Room, hint?: Type): readonly [Checked, Checked] {
  const isSum = ast.sign === '+' || ast.sign === '-'
  const [leftAdapts, rightAdapts] = [adapts(ast.left), adapts(ast.right)]
  if (!isSum) {
    const number = (adapting: boolean) => (adapting ? INTEGER : undefined)
    return [checking.check(ast.left, room, number(leftAdapts)), checking.check(ast.right, room, number(rightAdapts))]
  }
  const taken = (type: Type | undefined) =>
    type !== undefined && (type.kind === 'money' || type.kind === 'error' || isPercent(type)) ? type : undefined
  if (leftAdapts && !rightAdapts) {
    const right = checking.check(ast.right, room, hint)
    return [checking.check(ast.left, room, taken(right.type)), right]
  }
  const left = checking.check(ast.left, room, taken(hint))
  return [left, checking.check(ast.right, room, taken(left.type))]
}

function reckoned(checking: Checking, ast: Arithmetic, left: Checked, right: Checked): Checked | null {
  const { sign } = ast
  const optional = left.optional || right.optional
  const [from, by] = [left.type, right.type]
  if (isAmount(from) && isAmount(by)) return amounts(checking, ast, left, right)
  if (sign === '+' && from.kind === 'text' && by.kind === 'text')
    return { op: 'concat', left, right, type: from, optional }
  if (sign === '+' || sign === '-') {
    if (isShift(from, by)) return { op: 'shift', sign, left, right, type: from, optional: true }
    if (from.kind === 'moment' && by.kind === 'duration') {
      const unit = ast.right.kind === 'duration' ? `${ast.right.unit}s` : 'days, months or years'
      checking.report('N0221', ast.right, { unit })
      return null
    }
  }
  if (sign === '-' && from.kind === by.kind && (from.kind === 'date' || from.kind === 'moment'))
    return { op: 'difference', left, right, type: from.kind === 'date' ? INTEGER : CLOCK, optional }
  const length = sign === '*' ? times(left, right) : lengths(sign, left, right)
  if (length !== null) return length
  refused(checking, ast, from, by)
  return null
}

/** A day and whole days, months or years; a moment and a length of time. The sum may leave the years 1 to 9999, and is empty then. */
function isShift(from: Type, by: Type): boolean {
  if (from.kind === 'date') return by.kind === 'integer' || (by.kind === 'duration' && by.of === 'calendar')
  return from.kind === 'moment' && by.kind === 'duration' && by.of === 'clock'
}

/** `limits.lapse_hours * 1 hour`, either way round. Days and months are multiplied as they are written, by whole numbers. */
function times(left: Checked, right: Checked): Checked | null {
  const [by, of] = left.type.kind === 'duration' ? [right, left] : [left, right]
  if (!isNumber(by.type) || of.type.kind !== 'duration') return null
  if (of.type.of === 'calendar' && (of.op !== 'literal' || by.type.kind !== 'integer')) return null
  // It may be longer than 4,000 years, and is empty then.
  return { op: 'times', by, of, type: of.type, optional: true }
}

/** Lengths of time that are added, subtracted, and divided by a number or by each other. */
function lengths(sign: '+' | '-' | '/', left: Checked, right: Checked): Checked | null {
  const isRatio = sign === '/' && isClock(right.type)
  if (!isClock(left.type) || !(isClock(right.type) || (sign === '/' && isNumber(right.type)))) return null
  // It may be longer than 4,000 years, or divided by nothing, and is empty then.
  return { op: 'arithmetic', sign, left, right, type: isRatio ? DECIMAL : CLOCK, optional: true }
}

function amounts(checking: Checking, ast: Arithmetic, left: Checked, right: Checked): Checked | null {
  const { sign } = ast
  const optional = left.optional || right.optional
  const common = commonType([left.type, right.type])
  if (sign === '+' || sign === '-') {
    if (common !== null) return { op: 'arithmetic', sign, left, right, type: common, optional }
    const words = { left: wordsOf(checking, left.type), right: wordsOf(checking, right.type) }
    checking.report('N0222', ast, words)
    return null
  }
  const [leftNumber, rightNumber] = [isNumber(left.type), isNumber(right.type)]
  if (sign === '*') {
    if (!leftNumber && !rightNumber) {
      refused(checking, ast, left.type, right.type)
      return null
    }
    const type = leftNumber ? (rightNumber ? common! : right.type) : left.type
    return { op: 'arithmetic', sign, left, right, type, optional }
  }
  if (!rightNumber && common === null) {
    refused(checking, ast, left.type, right.type)
    return null
  }
  const mayBeZero = right.op !== 'literal' || /^[0.]*$/.test(String(right.value))
  const type = rightNumber && !leftNumber ? left.type : DECIMAL
  return { op: 'arithmetic', sign, left, right, type, optional: optional || mayBeZero }
}

function refused(checking: Checking, ast: Arithmetic, left: Type, right: Type): void {
  const words = { left: wordsOf(checking, left), right: wordsOf(checking, right) }
  checking.report('N0211', ast, { sign: ast.sign, ...words, help: helpFor(ast.sign, left, right) })
}

function helpFor(sign: string, left: Type, right: Type): string {
  const isLength = [left.kind === 'duration', right.kind === 'duration']
  if (sign === '*' && isLength.includes(true))
    return 'A number is multiplied with a length of time: `limits.lapse_hours * 1 hour`; with days and longer only a whole number, and the length written out: `limits.loan_days * 1 day`.'
  if (isLength[0] && (right.kind === 'date' || right.kind === 'moment'))
    return 'Write the date first: `due_back + 2 days`, `now + 2 hours`.'
  if (left.kind === 'date' && isLength[1]) return 'A date has no hours; write whole days, weeks, months or years.'
  if (left.kind === 'moment') return 'To a moment seconds, minutes and hours are added: `now + 2 hours`.'
  if (isLength.every(is => is))
    return 'Days, weeks, months and years are not all of one length: only seconds, minutes and hours reckon with each other. Write `24 hours` for one day.'
  if (isLength.includes(true))
    return 'A length of time has its unit: `took + 2 hours`, `took + rounds * 1 minute`. It is divided by a number, or by another length of time.'
  if (isNumber(left) && right.kind === 'date') return 'Write the date first: `due_back + 2 days`.'
  if (left.kind === 'text' || right.kind === 'text')
    return '`+` joins texts, and `text` makes one of a value: `"Due " + text(due_back)`.'
  if (left.kind === 'money' && right.kind === 'money')
    return 'Amounts are added, subtracted and divided by each other; multiply by a number.'
  return 'Numbers reckon with numbers, dates with days, texts are joined with `+`.'
}

/** `-x` of a number, an amount or a duration. */
export function checkNegation(
  checking: Checking,
  ast: Extract<Ast, { kind: 'negate' }>,
  room: Room,
  hint?: Type,
): Checked {
  const of = checking.check(ast.of, operandRoom(room), hint)
  if (failed(of)) return FAILED
  if (isAmount(of.type) || isClock(of.type)) return { op: 'negate', of, type: of.type, optional: of.optional }
  const expected = 'a number, an amount of money or a length of time'
  checking.report('N0213', ast.of, { found: wordsOf(checking, of.type), expected })
  return FAILED
}
