/** Calls: the closed list of functions and the functions of the document; aggregates are in `check-aggregate.ts`. */
import { nearest } from '../document/nearest.ts'
import { aggregates } from './aggregate-functions.ts'
import type { Argument, Ast } from './ast.ts'
import { type Closing, UTC } from './calendar.ts'
import { checkAggregate, noOrder, wrongCount } from './check-aggregate.ts'
import { checkAlike } from './check-compare.ts'
import { checkConvert } from './check-convert.ts'
import { currencyOf } from './check-currency.ts'
import { noGroups } from './check-groups.ts'
import { fixTo, meantText } from './check-name.ts'
import type { Checked } from './checked.ts'
import { type Checking, FAILED, failed, operandRoom, type Room, sliceOf, wordedFor, wordsOf } from './checking.ts'
import { isVaried } from './currency.ts'
import { isClock, suits } from './fit.ts'
import { functionNames, type ScalarFunction, scalarFunction } from './functions.ts'
import { fits, parameterWords } from './parameters.ts'
import type { Money, Type } from './type.ts'

type Call = Extract<Ast, { kind: 'call' }>

/** An aggregate, a built-in function, or a function of the document, by its name and number of arguments. */
export function checkCall(checking: Checking, ast: Call, outer: Room, hint?: Type): Checked {
  const room = operandRoom(outer)
  const name = ast.name.text
  const aggregate = aggregates.find(entry => entry.name === name)
  const scalar = scalarFunction(name)
  // `min` and `max` are both: of one list, or of several values.
  const grouped = ast.arguments.find(({ by }) => by !== null)?.by ?? null
  if (aggregate !== undefined && (scalar === undefined || ast.arguments.length < 2 || grouped !== null)) {
    return checkAggregate(checking, ast, aggregate.name, aggregate.written, room)
  }
  const ordered = ast.arguments.find(argument => argument.order !== null)?.order
  if (ordered != null) return noOrder(checking, ordered)
  if (grouped !== null) return noGroups(checking, grouped)
  const misplaced = ast.arguments.find(argument => argument.where !== null || argument.other !== null)
  if (misplaced !== undefined) {
    checking.report('N0230', misplaced.where ?? misplaced.other!, {})
    return FAILED
  }
  if (name === 'convert') return checkConvert(checking, ast, scalar!, room)
  if (scalar !== undefined) return checkScalar(checking, ast, scalar, room, hint)
  const declared = checking.scope.functions?.get(name)
  if (declared !== undefined) {
    if (!checking.scope.code) {
      checking.report('N0241', ast.name, { name })
      return FAILED
    }
    const takes = declared.takes.map(({ type }) => wordsOf(checking, type)).join(', ')
    if (declared.takes.length !== ast.arguments.length) {
      wrongCount(checking, ast, takes, `${name}(${declared.takes.map(one => one.name).join(', ')})`)
      return FAILED
    }
    const given = ast.arguments.map((argument, index) =>
      checking.check(argument.value, room, declared.takes[index]!.type),
    )
    if (failed(...given)) return FAILED
    for (const [index, argument] of given.entries()) {
      if (suits(argument.type, declared.takes[index]!.type)) continue
      const words = {
        name,
        takes: wordsOf(checking, declared.takes[index]!.type),
        found: wordsOf(checking, argument.type),
      }
      checking.report('N0216', ast.arguments[index]!.value, { ...words, written: `${name}(${takes})` })
      return FAILED
    }
    return { op: 'function', name, arguments: given, type: declared.gives, optional: true }
  }
  const known = [...functionNames, ...(checking.scope.functions?.keys() ?? [])]
  const meant = nearest(name, known)
  checking.report('N0202', ast.name, { name, meant: meantText(meant), known: known.join(', ') }, fixTo(ast.name, meant))
  return FAILED
}

function checkScalar(checking: Checking, ast: Call, entry: ScalarFunction, room: Room, hint?: Type): Checked {
  const { takes } = entry
  return 'alike' in takes
    ? checkValuesAlike(checking, ast, { ...entry, takes }, room, hint)
    : checkParameters(checking, ast, { ...entry, takes }, room)
}

type FunctionOf<Takes> = ScalarFunction & { readonly takes: Extract<ScalarFunction['takes'], Takes> }

/** `coalesce`, `min`, `max`: two or more values of one type. */
function checkValuesAlike(
  checking: Checking,
  ast: Call,
  { name, takes, written }: FunctionOf<{ readonly alike: unknown }>,
  room: Room,
  hint?: Type,
): Checked {
  const asts = ast.arguments.map(argument => argument.value)
  if (asts.length < 2) {
    wrongCount(checking, ast, 'two or more values', written)
    return FAILED
  }
  const alike = checkAlike(checking, asts, room, hint?.kind === 'error' ? undefined : hint)
  if (alike === null) return FAILED
  const { type, parts } = alike
  const isCalendar = type.kind === 'duration' && !isClock(type)
  if (takes.alike !== 'any' && (isCalendar || !takes.alike.includes(type.kind))) {
    const taken = 'numbers, amounts, lengths of time, dates or moments'
    checking.report('N0216', asts[0]!, { name, takes: taken, found: wordsOf(checking, type), written })
    return FAILED
  }
  const optional = name === 'coalesce' ? parts.every(part => part.optional) : parts.some(part => part.optional)
  return { op: 'call', name, arguments: parts, type, optional }
}

function checkParameters(checking: Checking, ast: Call, entry: FunctionOf<readonly unknown[]>, room: Room): Checked {
  const { takes } = entry
  const given = givenParameters(checking, ast, entry, room)
  if (given === null) return FAILED
  const asts = ast.arguments.map(argument => argument.value)
  const [, places] = asts
  const type = entry.gives(
    given.map(argument => argument.type),
    takes[1] === 'places?' && places?.kind === 'number' ? Number(places.value) : undefined,
  )
  const optional = entry.leaves === true || given.some(argument => argument.optional)
  const [first] = given
  if (entry.needs === 'currency' || (entry.name === 'text' && isVaried(first!.type))) {
    const currency = currencyOf(checking, asts[0]!, first!.type as Money, room)
    const calendar = entry.needs === 'wording' && { calendar: wordedFor(checking, first!.type) }
    return { op: 'call', name: entry.name, arguments: [first!, currency], type, optional, ...calendar }
  }
  const { wording: _, closing, ...calendar } = checking.scope.calendar ?? UTC
  const whose = takes[asts.length - 1] === 'whose?' ? asts.at(-1)! : null
  const closed = whose === null ? null : closedDaysOf(checking, ast, whose, closing, given.at(-1)!, room)
  if (closed !== null && failed(closed)) return FAILED
  const days = closed === null ? {} : { closed }
  const call = { op: 'call' as const, name: entry.name, arguments: given, type, optional, ...days }
  if (entry.needs === 'wording') return { ...call, calendar: wordedFor(checking, given[0]!.type) }
  if (entry.needs === 'hours' && (calendar.week?.hours ?? null) === null) {
    checking.report('N0231', ast.name, { name: entry.name })
    return FAILED
  }
  const looks = entry.needs === 'days' ? calendar.week !== undefined : entry.needs !== undefined
  return looks ? { ...call, calendar } : call
}

/** As many as the function takes, each of its type; null after a report. */
function givenParameters(
  checking: Checking,
  ast: Call,
  { name, takes, written }: FunctionOf<readonly unknown[]>,
  room: Room,
): readonly Checked[] | null {
  const asts = ast.arguments.map(argument => argument.value)
  const least = takes.filter(parameter => !parameter.endsWith('?')).length
  if (asts.length < least || asts.length > takes.length) {
    const count = least === takes.length ? counted(least) : `${counted(least)} or ${takes.length}`
    wrongCount(checking, ast, count, written)
    return null
  }
  const given: Checked[] = []
  for (const [index, argument] of asts.entries()) {
    const parameter = takes[index]!
    const checked = checking.check(argument, room, parameter === 'text' ? { kind: 'text' } : undefined)
    if (failed(checked)) return null
    if (!fits(parameter, argument, checked)) {
      const words = { name, takes: parameterWords[parameter], found: wordsOf(checking, checked.type), written }
      checking.report('N0216', argument, words)
      return null
    }
    given.push(checked)
  }
  return given
}

/** The closed days of one record, and everybody's: `days(Closing_day.day where (site = this.site or site is empty) and …)`. */
function closedDaysOf(
  checking: Checking,
  call: Call,
  whose: Ast,
  closing: Closing | undefined,
  { type }: Checked,
  room: Room,
): Checked {
  const { name } = call
  const of = closing === undefined ? undefined : checking.scope.schema.get(closing.entity)?.fields.get(closing.of)
  if (closing === undefined || of === undefined) {
    checking.report('N0252', whose, { name: name.text })
    return FAILED
  }
  if (type.kind !== 'reference' || of.type.kind !== 'reference' || type.entity !== of.type.entity) {
    const words = { name: name.text, takes: wordsOf(checking, of.type), found: wordsOf(checking, type) }
    checking.report('N0216', whose, { ...words, written: scalarFunction(name.text)!.written })
    return FAILED
  }
  if (whose.kind !== 'path' || !room.same) {
    checking.report('N0253', whose, { name: name.text, whose: sliceOf(checking, whose) })
    return FAILED
  }
  const place = { from: whose.from, to: whose.to }
  const path = (...names: readonly string[]) =>
    ({ ...place, kind: 'path', names: names.map(text => ({ ...place, text })) }) as const
  const asked = whose.names.map(({ text }) => text)
  const isAbout =
    ['this', 'my', 'old'].includes(asked[0]!) ||
    checking.scope.records?.has(asked[0]!) === true ||
    checking.scope.locals?.has(asked[0]!) === true
  const its: Ast = {
    ...place,
    kind: 'compare',
    sign: '=',
    at: place,
    left: path(closing.of),
    right: isAbout ? whose : path('this', ...asked),
  }
  const everybodys: Ast = { ...place, kind: 'empty', not: false, of: path(closing.of) }
  const bare = { other: null, where: null, by: null, order: null }
  const weekday: Argument = { ...bare, value: path(closing.day) }
  const working = (checking.scope.calendar?.week?.days ?? []).flatMap((works, index) =>
    works ? [{ ...place, kind: 'number', value: String(index + 1) } as const] : [],
  )
  const where: Ast = {
    ...place,
    kind: 'and',
    parts: [
      of.optional ? { ...place, kind: 'or', parts: [its, everybodys] } : its,
      {
        ...place,
        kind: 'in',
        not: false,
        of: { ...place, kind: 'call', name: { ...place, text: 'weekday' }, arguments: [weekday], behind: [] },
        list: working,
      },
    ],
  }
  const value = path(closing.entity.charAt(0).toUpperCase() + closing.entity.slice(1), closing.day)
  const days: Call = { ...call, arguments: [{ ...bare, value, where }], behind: [] }
  return checkAggregate(checking, days, 'days', 'days(…)', room)
}

const counted = (count: number): string => (count === 1 ? 'one value' : `${count} values`)
