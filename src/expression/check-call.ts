/** Calls: aggregates over lists and records, the closed list of functions, functions of the document. */
import { nearest } from '../document/nearest.ts'
import { aggregates } from './aggregate-functions.ts'
import { archivedPath, isArchivedOf } from './archived.ts'
import type { Argument, Ast, Ordering, TextRange } from './ast.ts'
import { type Closing, UTC } from './calendar.ts'
import { checkAlike } from './check-compare.ts'
import { checkGroups, isFigure, noGroups } from './check-groups.ts'
import { fixTo, follow, meantText, noSuchEntity, recordItself } from './check-name.ts'
import type { AggregateName, Checked, Ordered, Path, Source } from './checked.ts'
import {
  type Checking,
  FAILED,
  failed,
  operandRoom,
  type Room,
  sliceOf,
  wordedFor,
  wordsOf,
  YES_NO,
} from './checking.ts'
import { pathsOf } from './computed.ts'
import { decisionsArgument } from './decisions.ts'
import { isClock, isOrdered, isSummable, suits } from './fit.ts'
import { functionNames, type ScalarFunction, scalarFunction } from './functions.ts'
import { knownInside } from './known.ts'
import { fits, parameterWords } from './parameters.ts'
import type { EntityShape, Type } from './type.ts'
import { isShown } from './written-value.ts'

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

function wrongCount(checking: Checking, ast: Call, takes: string, written: string): void {
  const given =
    ast.arguments.length === 0 ? 'none is' : ast.arguments.length === 1 ? 'one is' : `${ast.arguments.length} are`
  checking.report('N0215', ast, { name: ast.name.text, takes, given, written })
}

function checkAggregate(
  checking: Checking,
  ast: Call,
  name: AggregateName,
  written: string,
  room: Room,
  isGrouped = false,
): Checked {
  const [given] = ast.arguments
  const grouped = ast.arguments.find(({ by }) => by !== null)?.by
  if (grouped != null)
    return isFigure(name)
      ? checkGroups(checking, ast, name, (of, part) => checkAggregate(checking, of, part, written, room, true))
      : noGroups(checking, grouped)
  if (given === undefined || ast.arguments.length > 1) {
    wrongCount(checking, ast, 'one list', written)
    return FAILED
  }
  const argument = decisionsArgument(checking, given, room)
  if (argument === null) return FAILED
  if (argument.order !== null && name !== 'first' && name !== 'list') return noOrder(checking, argument.order)
  const records = recordsOf(checking, argument, room, name, written)
  if (records === null) return FAILED
  const { value, itself, within } = records
  const inside = insideOf(checking, records.source, within === null ? room : insideOf(checking, within, room))
  const where = argument.where === null ? null : checking.condition(argument.where, inside)
  if (where !== null && failed(where)) return FAILED
  const source = liveOnly(checking, records.source, [value, ...(where === null ? [] : [where])])
  if (within !== null && (isGrouped || name === 'first' || name === 'list')) {
    checking.report('N0219', argument.value, { name: sliceOf(checking, argument.value) })
    return FAILED
  }
  if (name === 'first') return checkFirst(checking, ast, argument, records, where, inside)
  if (name === 'list') return checkList(checking, argument, records, where, inside, written)
  const refuse = (takes: string, found: string): Checked => {
    checking.report('N0216', argument.value, { name, takes, found, written })
    return FAILED
  }
  const aggregate = (type: Type, optional: boolean, of: Checked | null = value): Checked =>
    gathered({ op: 'aggregate', name, source, value: of, where, type, optional }, within)
  switch (name) {
    case 'count':
      return aggregate({ kind: 'integer' }, false, itself ? null : value)
    case 'sum':
      if (itself || !isSummable(value.type))
        return refuse(
          'numbers, amounts or lengths of time of a list',
          itself ? 'the records themselves' : wordsOf(checking, value.type),
        )
      // Lengths of time may be longer than 4,000 years together, and the sum is empty then.
      return aggregate(value.type, isClock(value.type))
    case 'days':
      return aggregate({ kind: 'text' }, false)
    case 'min':
    case 'max': {
      const isCalendar = value.type.kind === 'duration' && value.type.of === 'calendar'
      if (itself || !isOrdered(value.type) || isCalendar)
        return refuse(
          'values of a list that have an order',
          itself ? 'the records themselves' : wordsOf(checking, value.type),
        )
      return aggregate(value.type, true)
    }
    default: {
      const isYesNo = !itself && value.type.kind === 'yes/no'
      if (!itself && !isYesNo) return refuse('a list and a condition after `where`', wordsOf(checking, value.type))
      if ((isYesNo && where !== null) || (name === 'all' && itself && where === null)) {
        wrongCount(checking, ast, 'a list and one condition', written)
        return FAILED
      }
      return aggregate(YES_NO, false, isYesNo ? value : null)
    }
  }
}

/** Of the rows of rows, `sum(parts.tasks.minutes)`: what each row gives for its own rows, taken together. */
function gathered(inner: Extract<Checked, { op: 'aggregate' }>, within: Source | null): Checked {
  if (within === null) return inner
  const name = inner.name === 'count' ? 'sum' : inner.name
  const value: Checked = inner.name === 'none' ? { ...inner, name: 'any' } : inner
  return { ...inner, name, source: within, value, where: null }
}

function noOrder(checking: Checking, [first]: readonly Ordering[]): Checked {
  checking.report('N0233', first!.field, { wrong: '`order by` goes with `first` and `list` alone' })
  return FAILED
}

/** `first(Reading where meter = this order by taken_at down).value`. */
function checkFirst(
  checking: Checking,
  { name, behind }: Call,
  argument: Argument,
  { source, value: record, itself }: Records,
  where: Checked | null,
  inside: Room,
): Checked {
  const refuse = (place: TextRange, wrong: string): Checked => {
    checking.report('N0233', place, { wrong })
    return FAILED
  }
  if (!itself)
    return refuse(argument.value, '`first` takes the records; the field that is meant stands behind its bracket')
  if (argument.order === null) return refuse(name, '`first` does not say in which order: `order by` is missing')
  const entity = checking.scope.schema.get(source.entity)!
  const order = checkOrder(checking, source, argument.order, inside)
  if (order === null) return FAILED
  const value = behind.length === 0 ? record : follow(checking, entity, 'own', behind, { ...inside, known: new Set() })
  if (failed(value)) return FAILED
  if (value.op === 'values') {
    checking.report('N0219', behind.at(-1)!, { name: behind.map(({ text }) => text).join('.') })
    return FAILED
  }
  const live = liveOnly(checking, source, [value, ...(where === null ? [] : [where]), ...order.map(({ of }) => of)])
  return { op: 'aggregate', name: 'first', source: live, value, where, order, type: value.type, optional: true }
}

/** `list(lines.product.name)` */
function checkList(
  checking: Checking,
  argument: Argument,
  { source, value, itself }: Records,
  where: Checked | null,
  inside: Room,
  written: string,
): Checked {
  if (itself || !isShown(value.type)) {
    const found = itself ? 'the records themselves' : wordsOf(checking, value.type)
    const takes = 'texts, dates, times, numbers, amounts, yes/no or choices of a list'
    checking.report('N0216', argument.value, { name: 'list', takes, found, written })
    return FAILED
  }
  const type = { kind: 'text' } as const
  const calendar = wordedFor(checking, value.type)
  const shown: Checked =
    value.type.kind === 'text'
      ? value
      : { op: 'call', name: 'text', arguments: [value], type, optional: value.optional, calendar }
  const order = checkOrder(checking, source, argument.order ?? [], inside)
  if (order === null) return FAILED
  const live = liveOnly(checking, source, [value, ...(where === null ? [] : [where]), ...order.map(({ of }) => of)])
  const { more } = calendar.wording!
  return { op: 'aggregate', name: 'list', source: live, value: shown, where, order, more, type, optional: true }
}

/** What records go by; null after a report. */
function checkOrder(
  checking: Checking,
  source: Source,
  by: readonly Ordering[],
  inside: Room,
): readonly Ordered[] | null {
  const entity = checking.scope.schema.get(source.entity)!
  const order: Ordered[] = []
  for (const { field, down } of by) {
    const of = follow(checking, entity, 'own', [field], inside)
    if (failed(of)) return null
    if (!isOrdered(of.type) || (of.type.kind === 'duration' && of.type.of === 'calendar')) {
      const wrong = `\`${field.text}\` holds ${wordsOf(checking, of.type)}: only numbers, amounts, dates, times and moments order records here`
      checking.report('N0233', field, { wrong })
      return null
    }
    order.push({ of, down })
  }
  return order
}

interface Records {
  readonly source: Source
  /** They are the rows of rows: the list that has those. */
  readonly within: Source | null
  readonly value: Checked
  /** The records are meant, not a value of each. */
  readonly itself: boolean
}

function recordsOf(checking: Checking, argument: Argument, room: Room, name: string, written: string): Records | null {
  const { value: ast, other } = argument
  const first = ast.kind === 'choice' ? { ...ast, text: ast.name } : ast.kind === 'path' ? ast.names[0]! : null
  if (first !== null && /^[A-Z]/.test(first.text)) {
    const entity = checking.scope.schema.get(first.text.toLowerCase())
    if (entity === undefined) {
      noSuchEntity(checking, first)
      return null
    }
    if (other !== null && room.about?.key !== entity.key) {
      checking.report(
        'N0220',
        { from: other.from, to: first.to },
        { name: `other ${first.text}`, why: `: this rule is not about ${entity.name}` },
      )
      return null
    }
    const source: Source = { kind: 'records', entity: entity.key, other: other !== null, ...tenantOf(entity, room) }
    const names = ast.kind === 'path' ? ast.names.slice(1) : []
    if (names.length === 0) return { source, within: null, value: recordItself(entity), itself: true }
    const value = follow(checking, entity, 'own', names, insideOf(checking, source, room))
    if (failed(value)) return null
    if (value.op !== 'values') return { source, within: null, value, itself: false }
    checking.report('N0219', ast, { name: sliceOf(checking, ast) })
    return null
  }
  const checked = checking.check(ast, ast.kind === 'path' ? { ...room, rowsOfRows: true } : room)
  if (failed(checked)) return null
  if (checked.op === 'values') {
    const { source, value, type } = checked
    const itself = type.kind === 'list'
    if (value.op !== 'values') return { source, within: null, value, itself }
    return { source: value.source, within: source, value: value.value, itself }
  }
  if (argument.where !== null) checking.report('N0230', argument.where, {})
  else checking.report('N0216', ast, { name, takes: 'a list', found: wordsOf(checking, checked.type), written })
  return null
}

/** Records of other tenants are never counted: what a rule says, it says of the tenant of the record that it is about. */
function tenantOf({ key, tenant }: EntityShape, { about }: Room): { tenant?: { own: Checked; of: Checked } } {
  if (tenant === undefined) return {}
  const field = (base: Path['base'], entity: string, of: string): Checked => ({
    op: 'field',
    path: { base, steps: [{ entity, field: of, to: null, parent: false, computed: false }] },
    type: { kind: 'reference', entity: tenant.entity },
    optional: false,
  })
  const of =
    about?.tenant === undefined ? field('me', 'person', tenant.person) : field('this', about.key, about.tenant.field)
  return { tenant: { own: field('own', key, tenant.field), of } }
}

/** Archived records are counted only by what speaks of `archived_at`. */
function liveOnly({ scope: { schema } }: Checking, source: Source, said: readonly Checked[]): Source {
  if (source.kind !== 'records') return source
  const archived = archivedPath(schema, source.entity)
  if (archived === null) return source
  const isNamed = said.some(node => pathsOf(node).some(path => isArchivedOf(path, archived)))
  if (isNamed) return source
  const of: Checked = { op: 'field', path: archived, type: { kind: 'moment' }, optional: true }
  return { ...source, live: { op: 'empty', of, type: YES_NO, optional: false } }
}

/** The room of what is said of each record. */
function insideOf(checking: Checking, source: Source, room: Room): Room {
  return {
    own: checking.scope.schema.get(source.entity) ?? null,
    about: room.about,
    same: false,
    known: knownInside(room.known, room.same),
    negated: false,
    around: null,
    not: null,
  }
}
