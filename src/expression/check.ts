/** What was written → what it means: names resolved, types fitted, emptiness known. One mistake gives one message. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import { type Ast, calendarUnits, clockUnits } from './ast.ts'
import { checkArithmetic, checkNegation } from './check-arithmetic.ts'
import { checkCall } from './check-call.ts'
import {
  checkAlike,
  checkBetween,
  checkChoice,
  checkComparison,
  checkEmpty,
  checkIn,
  checkIs,
  checkMember,
  checkText,
  checkWithin,
} from './check-compare.ts'
import { currencyOf } from './check-currency.ts'
import { checkDated, checkPath } from './check-name.ts'
import type { Checked } from './checked.ts'
import { type Checking, FAILED, failed, type Room, sliceOf, wordsOf, YES_NO } from './checking.ts'
import { isFixed, isVaried, placesIn } from './currency.ts'
import { formatClock, LONGEST_CLOCK, LONGEST_DAYS, LONGEST_MONTHS } from './dates.ts'
import { compare, formatDecimal, multiply, parseDecimal, whole } from './decimal.ts'
import type { Expression } from './expression.ts'
import { isList, isPercent, needsRounding, suits } from './fit.ts'
import { knownFrom, union } from './known.ts'
import { mindEmpties } from './negative.ts'
import { reports, writeInstead } from './reports.ts'
import type { Scope } from './scope.ts'
import { functionsIn, MOST_WEIGHT, needsDatabase, readsOf, tierOf, weightOf } from './summary.ts'
import type { Money, Type } from './type.ts'

/** Null after a report. `expected`: what must come out; without it anything may, a list too. */
export function check(
  ast: Ast,
  cell: Cell,
  scope: Scope,
  found: Diagnostic[],
  expected?: Type | 'yes/no',
): Expression | null {
  const open = new Map<string, Type>()
  const reports = found.length
  const expression = checkOnce(ast, cell, scope, found, open, expected)
  if (open.size === 0 || found.length > reports) return expression
  return checkOpen(ast, cell, scope, [...open.keys()], expected)
}

/**
 * With constants that are left open and say nothing of their type: as the first types that fit where they stand, so that what does
 * not need them is worked out. Where none fits, all of it is unknown.
 */
function checkOpen(
  ast: Ast,
  cell: Cell,
  scope: Scope,
  names: readonly string[],
  expected?: Type | 'yes/no',
): Expression {
  const types = openTypes(scope)
  const tries = names.length > MOST_OPEN ? [] : combined(names, types)
  for (const open of tries) {
    const found: Diagnostic[] = []
    const expression = checkOnce(ast, cell, scope, found, new Map(open), expected)
    if (expression !== null && found.length === 0) return expression
  }
  const type: Type = expected === 'yes/no' ? YES_NO : (expected ?? { kind: 'text' })
  const root: Checked = { op: 'limit', name: names[0]!, type, optional: true }
  const reads = names.map(name => `limits.${name}`)
  return { cell, type, optional: true, tier: 1, reads, schema: scope.schema, root }
}

/** Constants without a type in one expression, of which each is tried as each type. */
const MOST_OPEN = 2

function* combined(
  [name, ...rest]: readonly string[],
  types: readonly Type[],
): Generator<readonly (readonly [string, Type])[]> {
  if (name === undefined) yield []
  else for (const type of types) for (const others of combined(rest, types)) yield [[name, type], ...others]
}

/** What a constant can be; amounts in the currencies that the document has. */
function openTypes({ schema }: Scope): readonly Type[] {
  const fields = [...schema.values()].flatMap(entity => [...entity.fields.values()])
  const currencies = new Set(fields.flatMap(({ type }) => (isFixed(type) ? [type.currency] : [])))
  return [
    YES_NO,
    { kind: 'integer' },
    { kind: 'decimal' },
    ...[...currencies].map(currency => ({ kind: 'money', currency }) as const),
    { kind: 'date' },
    { kind: 'time' },
    { kind: 'duration', of: 'clock' },
    { kind: 'duration', of: 'calendar' },
    { kind: 'text' },
  ]
}

/** `open`: types of constants that are left open without one; those that are asked for and not among them are added, as mistakes. */
function checkOnce(
  ast: Ast,
  cell: Cell,
  scope: Scope,
  found: Diagnostic[],
  open: Map<string, Type>,
  expected?: Type | 'yes/no',
): Expression | null {
  const before = found.length
  const { report } = reports(cell, scope.section ?? 0, found)
  const checking: Checking = {
    scope,
    text: cell.text,
    open,
    report,
    check: (part, room, hint) => checkPart(checking, part, room, hint),
    condition: (part, room) => checkCondition(checking, part, room),
  }
  const room: Room = {
    own: scope.self,
    about: scope.this ?? scope.self,
    same: scope.this === undefined,
    known: new Set(),
    negated: scope.negated ?? false,
    around: null,
    not: null,
  }
  const needed = expected === 'yes/no' ? YES_NO : expected
  const bare = needed?.kind === 'yes/no' ? checking.condition(ast, room) : checking.check(ast, room, needed)
  const root = needed !== undefined && isVaried(needed) ? inItsDecimals(checking, ast, room, bare) : bare
  if (failed(root) || found.length > before) return null
  if (needed !== undefined && !suits(root.type, needed)) {
    if (isList(root.type)) report('N0219', ast, { name: sliceOf(checking, ast) })
    else if (needsRounding(root.type, needed)) reportDecimals(checking, ast, root.type, needed)
    else report('N0213', ast, { found: wordsOf(checking, root.type), expected: wordsOf(checking, needed) })
    return null
  }
  const weight = weightOf(root, scope.schema)
  if (weight > MOST_WEIGHT) {
    report('N0227', ast, { count: weight, most: MOST_WEIGHT })
    return null
  }
  for (const part of scope.code === 'by parts' && root.op === 'and' ? root.parts : [root]) {
    const [coded] = functionsIn(part)
    if (coded === undefined || !needsDatabase(part, scope.schema)) continue
    report('N0242', ast, { name: coded })
    return null
  }
  return {
    cell,
    type: root.type,
    optional: root.optional,
    tier: tierOf(root, scope.schema),
    reads: readsOf(root, scope.schema, scope.this === undefined),
    schema: scope.schema,
    root,
  }
}

/** What is reckoned has as many decimals as its currency, which the database cannot know of a column. */
function inItsDecimals(checking: Checking, ast: Ast, room: Room, value: Checked): Checked {
  if (!isVaried(value.type) || value.op === 'field' || value.op === 'literal') return value
  const currency = currencyOf(checking, ast, value.type, room)
  const { type, optional } = value
  return {
    op: 'call',
    name: 'round_amount',
    arguments: [value, currency],
    type,
    optional: optional || currency.optional,
  }
}

/** A price per unit, or what is reckoned with it, where an amount with fewer decimals is needed. */
function reportDecimals(checking: Checking, ast: Ast, found: Type, needed: Type): void {
  const { places = placesIn(needed as Money) } = needed as Money
  const [begin, end] = ['round(', `, ${places})`]
  const edits = [
    { from: ast.from, to: ast.from, text: begin },
    { from: ast.to, to: ast.to, text: end },
  ]
  const words = { found: wordsOf(checking, found), expected: wordsOf(checking, needed), begin, end }
  checking.report('N0235', ast, words, [{ title: `write \`${begin}…${end}\``, edits }])
}

function checkPart(checking: Checking, ast: Ast, room: Room, hint?: Type): Checked {
  switch (ast.kind) {
    case 'number': {
      return { op: 'literal', value: ast.value, type: numberType(checking, ast, hint), optional: false }
    }
    case 'text':
    case 'choice':
      return checkChoice(checking, ast, hint)
    case 'date':
    case 'moment':
    case 'time':
      return { op: 'literal', value: ast.value, type: { kind: ast.kind }, optional: false }
    case 'boolean':
      return { op: 'literal', value: ast.value, type: YES_NO, optional: false }
    case 'nothing':
      return { op: 'literal', value: null, type: hint ?? { kind: 'error' }, optional: true }
    case 'duration':
      return checkDuration(checking, ast)
    case 'path':
      return checkPath(checking, ast, room, hint)
    case 'decisions': {
      const name = sliceOf(checking, ast)
      checking.report('N0256', ast, { name, why: 'they are many, and one value is needed' })
      return FAILED
    }
    case 'dated':
      return checkDated(checking, ast, room)
    case 'call':
      return checkCall(checking, ast, room, hint)
    case 'if':
      return checkIf(checking, ast, room, hint)
    case 'not': {
      const inner: Room = {
        ...room,
        negated: !room.negated,
        around: 'not',
        not: { ast, around: room.around },
      }
      const of = checking.condition(ast.of, inner)
      return failed(of) ? FAILED : { op: 'not', of, type: YES_NO, optional: of.optional }
    }
    case 'and':
    case 'or':
      return checkJunction(checking, ast, room)
    case 'compare':
      return checkComparison(checking, ast, room)
    case 'is':
      return checkIs(checking, ast, room)
    case 'empty':
      return checkEmpty(checking, ast, room)
    case 'in':
      return checkIn(checking, ast, room)
    case 'member':
      return checkMember(checking, ast, room)
    case 'within':
      return checkWithin(checking, ast, room)
    case 'between':
      return checkBetween(checking, ast, room)
    case 'contains':
    case 'starts':
      return checkText(checking, ast, room)
    case 'negate':
      return checkNegation(checking, ast, room, hint)
    case 'arithmetic':
      return checkArithmetic(checking, ast, room, hint)
  }
}

function checkCondition(checking: Checking, ast: Ast, room: Room): Checked {
  const checked = checking.check(ast, room)
  if (failed(checked)) return FAILED
  if (checked.type.kind !== 'yes/no') {
    if (isList(checked.type)) checking.report('N0219', ast, { name: sliceOf(checking, ast) })
    else checking.report('N0214', ast, { found: wordsOf(checking, checked.type) })
    return FAILED
  }
  // A yes/no field that stands for itself; comparisons have minded their operands.
  if (ast.kind === 'path' || ast.kind === 'call') {
    const operands = [{ ast, checked }]
    mindEmpties(checking, room, { ast, operands, negative: false, same: `${sliceOf(checking, ast)} is true` })
  }
  return checked
}

/** What one part says about emptiness holds for the others: what `and` needs, `or` rules out. */
function checkJunction(checking: Checking, ast: Extract<Ast, { kind: 'and' | 'or' }>, room: Room): Checked {
  const inner: Room = { ...room, around: ast.kind, not: null }
  const outcome = ast.kind === 'and' ? 'true' : 'not true'
  const parts: Checked[] = []
  let known = room.known
  // Where a part is empty or not decides the whole wherever it stands, so those parts come first.
  const order = [...ast.parts.keys()].sort(
    (left, right) => Number(ast.parts[left]!.kind !== 'empty') - Number(ast.parts[right]!.kind !== 'empty'),
  )
  for (const index of order) {
    const part = checking.condition(ast.parts[index]!, { ...inner, known })
    parts[index] = part
    known = union([known, knownFrom(part, outcome)])
  }
  if (failed(...parts)) return FAILED
  return { op: ast.kind, parts, type: YES_NO, optional: parts.some(part => part.optional) }
}

function checkIf(checking: Checking, ast: Extract<Ast, { kind: 'if' }>, room: Room, hint?: Type): Checked {
  const condition = checking.condition(ast.condition, { ...room, negated: false, around: null, not: null })
  const inner: Room = { ...room, around: null, not: null }
  const alike = checkAlike(
    {
      ...checking,
      check: (part, place, type) =>
        checking.check(
          part,
          { ...place, known: union([place.known, knownFrom(condition, part === ast.then ? 'true' : 'not true')]) },
          type,
        ),
    },
    [ast.then, ast.otherwise],
    inner,
    hint?.kind === 'error' ? undefined : hint,
  )
  if (alike === null || failed(condition)) return FAILED
  const [then, otherwise] = alike.parts as [Checked, Checked]
  return { op: 'if', condition, then, otherwise, type: alike.type, optional: then.optional || otherwise.optional }
}

/** A bare number takes on the currency of the other side. Beside a percentage, what would be more than 100 % is written with its sign. */
function numberType(checking: Checking, ast: Extract<Ast, { kind: 'number' }>, hint?: Type): Type {
  if (hint?.kind === 'money') return hint
  if (ast.percent) return { kind: 'decimal', percent: true }
  if (hint === undefined || !isPercent(hint)) return { kind: ast.value.includes('.') ? 'decimal' : 'integer' }
  if (compare(parseDecimal(ast.value)!, whole(1)) > 0) {
    const shown = formatDecimal(multiply(parseDecimal(ast.value)!, whole(100)))
    checking.report('N0234', ast, { written: ast.value, shown }, [writeInstead(ast, `${ast.value}%`)])
  }
  return hint
}

function checkDuration(checking: Checking, ast: Extract<Ast, { kind: 'duration' }>): Checked {
  const [whole, fraction = ''] = ast.amount.split('.') as [string, string?]
  const tooLarge = (): Checked => {
    checking.report('N0228', ast, { type: `\`${sliceOf(checking, ast)}\`` })
    return FAILED
  }
  if (ast.unit in clockUnits) {
    const unit = BigInt(clockUnits[ast.unit as keyof typeof clockUnits])
    const scale = 10n ** BigInt(fraction.length)
    const scaled = BigInt(whole + fraction) * unit
    if (scaled % scale !== 0n || scaled / scale > BigInt(LONGEST_CLOCK)) return tooLarge()
    const value = formatClock(Number(scaled / scale))
    return { op: 'literal', value, type: { kind: 'duration', of: 'clock' }, optional: false }
  }
  const [months, days] = calendarUnits[ast.unit as keyof typeof calendarUnits]
  const amount = BigInt(whole)
  const tooMany = amount * BigInt(months) > BigInt(LONGEST_MONTHS) || amount * BigInt(days) > BigInt(LONGEST_DAYS)
  if (fraction !== '' || tooMany) return tooLarge()
  const value = `P${Number(amount) * months}M${Number(amount) * days}D`
  return { op: 'literal', value, type: { kind: 'duration', of: 'calendar' }, optional: false }
}
