/** N0251: what a negative statement says of an empty field must be written (LANGUAGE law 5). */
import type { Ast } from './ast.ts'
import type { Checked } from './checked.ts'
import { type Checking, pathText, type Room, sliceOf } from './checking.ts'
import { partsOf } from './computed.ts'
import { scalarFunction } from './functions.ts'
import { namelessKey } from './known.ts'
import type { TextEdit, TextFix } from './reports.ts'

interface Operand {
  readonly ast: Ast
  readonly checked: Checked
}

/** A statement about operands. `same`: how it is written so that empty counts as a value, where there is such a way. */
export interface Statement {
  readonly ast: Ast
  readonly operands: readonly Operand[]
  readonly negative: boolean
  readonly same: string | null
}

/** Reports a statement that is negative, by itself or under `not`, while one of its operands may be empty. */
export function mindEmpties(checking: Checking, room: Room, { ast, operands, negative, same }: Statement): void {
  if (!negative && !room.negated) return
  const names = new Set(operands.flatMap(operand => emptyNames(checking, operand, room)))
  if (names.size === 0) return
  const name = [...names].map(one => `\`${one}\``).join(' or ')
  checking.report('N0251', ast, { name }, fixes(checking, room, ast, [...names], same))
}

/** What can make an operand empty: the fields in it, or the operand itself. */
function emptyNames(checking: Checking, { ast, checked }: Operand, room: Room): readonly string[] {
  if (!checked.optional || room.known.has(namelessKey(checked))) return []
  const leaves = emptyLeaves(checked)
  return leaves.includes(null) ? [sliceOf(checking, ast)] : (leaves as readonly string[])
}

/** Null: something that has no name, as a division by what may be zero. */
function emptyLeaves(node: Checked): readonly (string | null)[] {
  if (!node.optional) return []
  switch (node.op) {
    case 'field':
      return [pathText(node.path)]
    // A constant that is not decided yet is a gap: one says what follows from it, once for all records.
    case 'limit':
      return /^(asked|let)\./.test(node.name) ? [node.name.replace(/^let\./, '')] : []
    case 'limit on':
      return emptyLeaves(node.day)
    case 'answer':
      return [`answer.${node.name}`]
    case 'setting':
      return [`settings.${node.name}`]
    // A date beyond the year 9999 is nobody's case, nor are 4,000 years.
    case 'shift':
    case 'arithmetic': {
      const leaves = partsOf(node).flatMap(emptyLeaves)
      const isSure = partsOf(node).every(part => !part.optional)
      return isSure && node.op === 'arithmetic' && node.sign === '/' ? [null] : leaves
    }
    case 'call': {
      const leaves = partsOf(node).flatMap(emptyLeaves)
      return scalarFunction(node.name)?.leaves === true || leaves.length === 0 ? leaves : [null]
    }
    case 'negate':
    case 'concat':
    case 'difference':
    case 'times':
      return partsOf(node).flatMap(emptyLeaves)
    default:
      return [null]
  }
}

function fixes(checking: Checking, room: Room, ast: Ast, names: readonly string[], same: string | null): TextFix[] {
  const found: TextFix[] = []
  const add = (title: string, edit: TextEdit) => found.push({ title, edits: [edit] })
  if (same !== null) {
    const isBracketed = room.around === 'operand' || /^\(.*\)$/s.test(sliceOf(checking, ast))
    add('count empty as different', replace(ast, isBracketed ? `(${same})` : same))
  }
  const empty = names.map(name => `${name} is empty`).join(' or ')
  const filled = names.map(name => `${name} is not empty`).join(' and ')
  const whole = room.negated ? room.not?.ast : ast
  if (whole === undefined) {
    // Somewhere under a `not`: what is added there counts the other way round.
    const text = sliceOf(checking, ast)
    add('leave empties out', replace(ast, `(${empty} or ${text})`))
    add('include them', replace(ast, `(${filled} and ${text})`))
    return found
  }
  const around = room.negated ? room.not!.around : room.around
  const text = sliceOf(checking, whole)
  const bracket = (word: 'and' | 'or', inner: string) => (around === null || around === word ? inner : `(${inner})`)
  add('leave empties out', replace(whole, bracket('and', `${filled} and ${text}`)))
  add('include them', replace(whole, bracket('or', `${empty} or ${text}`)))
  return found
}

const replace = ({ from, to }: Ast, text: string): TextEdit => ({ from, to, text })
