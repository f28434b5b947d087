/** Aggregates: what is said of the rows of a list, or of records. */
import { archivedPath, isArchivedOf } from './archived.ts'
import type { Argument, Ast, Ordering, TextRange } from './ast.ts'
import { currencyOf } from './check-currency.ts'
import { checkGroups, isFigure, noGroups } from './check-groups.ts'
import { follow, noSuchEntity, recordItself } from './check-name.ts'
import type { AggregateName, Checked, Figure, Ordered, Path, Source } from './checked.ts'
import { type Checking, FAILED, failed, pathText, type Room, sliceOf, wordedFor, wordsOf, YES_NO } from './checking.ts'
import { pathsOf } from './computed.ts'
import { isVaried } from './currency.ts'
import { decisionsArgument } from './decisions.ts'
import { isClock, isOrdered, isSummable } from './fit.ts'
import { knownInside } from './known.ts'
import type { CurrencyOf, EntityShape, Money, Type } from './type.ts'
import { isShown } from './written-value.ts'

type Call = Extract<Ast, { kind: 'call' }>

/** `sum(lines.net where …)`, `first(…).value`, `sum(lines.net by lines.rate)`. `isGrouped`: one figure of groups. */
export function checkAggregate(
  checking: Checking,
  ast: Call,
  name: Exclude<AggregateName, 'groups'>,
  written: string,
  room: Room,
  isGrouped = false,
): Checked {
  const grouped = ast.arguments.find(({ by }) => by !== null)?.by
  if (grouped != null)
    return isFigure(name)
      ? checkGroups(checking, ast, name, (of, part) => checkAggregate(checking, of, part, written, room, true))
      : noGroups(checking, grouped)
  const [given] = ast.arguments
  if (given === undefined || ast.arguments.length > 1) {
    wrongCount(checking, ast, 'one list', written)
    return FAILED
  }
  const argument = decisionsArgument(checking, given, room)
  if (argument === null) return FAILED
  const isRecord = name === 'first' || name === 'list'
  if (argument.order !== null && !isRecord) return noOrder(checking, argument.order)
  const records = recordsOf(checking, argument, room, name, written)
  if (records === null) return FAILED
  const { within } = records
  const inside = [...within, records.source].reduce((outer, source) => insideOf(checking, source, outer), room)
  const where = argument.where === null ? null : checking.condition(argument.where, inside)
  if (where !== null && failed(where)) return FAILED
  if (within.length > 0 && (isGrouped || isRecord)) {
    checking.report('N0219', argument.value, { name: sliceOf(checking, argument.value) })
    return FAILED
  }
  if (name === 'first') return checkFirst(checking, ast, argument, records, where, inside)
  if ((name === 'sum' || name === 'min' || name === 'max') && isVaried(records.value.type)) {
    const { source, value } = records
    const type = isGrouped ? null : [...within, source].reduceRight<Type | null>(seenOutside, value.type)
    if (type === null) return mixed(checking, argument.value)
    const live = liveOnly(checking, source, [value, ...(where === null ? [] : [where])])
    return gathered({ op: 'aggregate', name, source: live, where, type, optional: name !== 'sum', value }, within)
  }
  if (name === 'list') return checkList(checking, argument, records, where, inside, written)
  const taken =
    name === 'any' || name === 'all' || name === 'none' ? answersOf(name, records, where) : figuresOf(name, records)
  if (typeof taken === 'string') {
    const found = foundWords(checking, records)
    checking.report('N0216', argument.value, { name, takes: taken, found, written })
    return FAILED
  }
  if (taken === null) {
    wrongCount(checking, ast, 'a list and one condition', written)
    return FAILED
  }
  const source = liveOnly(checking, records.source, [records.value, ...(where === null ? [] : [where])])
  return gathered({ op: 'aggregate', name, source, where, ...taken }, within)
}

function mixed(checking: Checking, place: TextRange): Checked {
  checking.report('N0258', place, { name: sliceOf(checking, place) })
  return FAILED
}

/** Amounts of rows in the currency of the record that they are rows of are in one currency; null: in as many as there are rows. */
function seenOutside(type: Type | null, source: Source): Type | null {
  if (type === null || !isVaried(type)) return null
  const { of } = type.currency
  if (source.kind !== 'list' || source.parent === null || !of.startsWith(`${source.parent}.`)) return null
  const { steps, ...from } = source.path
  const way = pathText({ ...from, steps: steps.slice(0, -1) })
  return { ...type, currency: { of: `${way}${steps.length > 1 ? '.' : ''}${of.slice(source.parent.length + 1)}` } }
}

/** What an aggregate takes of each record, and what it gives. */
interface Taken {
  readonly type: Type
  readonly optional: boolean
  readonly value: Checked | null
}

/** A text: what it would take instead. */
function figuresOf(name: Figure['name'] | 'days', { value, itself }: Records): Taken | string {
  if (name === 'count') return { type: { kind: 'integer' }, optional: false, value: itself ? null : value }
  if (name === 'days') return { type: { kind: 'text' }, optional: false, value }
  if (name === 'sum')
    return itself || !isSummable(value.type)
      ? 'numbers, amounts or lengths of time of a list'
      : // Lengths of time may be longer than 4,000 years together, and the sum is empty then.
        { type: value.type, optional: isClock(value.type), value }
  return itself || !isOrdered(value.type) || isCalendar(value.type)
    ? 'values of a list that have an order'
    : { type: value.type, optional: true, value }
}

/** A text: what it would take instead; null: another number of conditions. */
function answersOf(
  name: 'any' | 'all' | 'none',
  { value, itself }: Records,
  where: Checked | null,
): Taken | string | null {
  const isYesNo = !itself && value.type.kind === 'yes/no'
  if (!itself && !isYesNo) return 'a list and a condition after `where`'
  if ((isYesNo && where !== null) || (name === 'all' && itself && where === null)) return null
  return { type: YES_NO, optional: false, value: isYesNo ? value : null }
}

const isCalendar = (type: Type): boolean => type.kind === 'duration' && type.of === 'calendar'

const foundWords = (checking: Checking, { value, itself }: Records): string =>
  itself ? 'the records themselves' : wordsOf(checking, value.type)

/** Of the rows of rows, `sum(parts.tasks.minutes)`: what each row gives for its own rows, taken together. */
const gathered = (inner: Extract<Checked, { op: 'aggregate' }>, within: readonly Source[]): Checked =>
  within.reduceRight((of, source) => {
    const name = of.name === 'count' ? 'sum' : of.name
    const value: Checked = of.name === 'none' ? { ...of, name: 'any' } : of
    return { ...of, name, source, value, where: null }
  }, inner)

export function noOrder(checking: Checking, [first]: readonly Ordering[]): Checked {
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
  const type = isVaried(value.type) ? seenOutside(value.type, source) : value.type
  if (type === null) return mixed(checking, behind.at(-1)!)
  const live = liveOnly(checking, source, [value, ...(where === null ? [] : [where]), ...order.map(({ of }) => of)])
  return { op: 'aggregate', name: 'first', source: live, value, where, order, type, optional: true }
}

/** `list(lines.product.name)` */
function checkList(
  checking: Checking,
  argument: Argument,
  records: Records,
  where: Checked | null,
  inside: Room,
  written: string,
): Checked {
  const { source, value, itself } = records
  if (itself || !isShown(value.type)) {
    const found = foundWords(checking, records)
    const takes = 'texts, dates, times, numbers, amounts, yes/no or choices of a list'
    checking.report('N0216', argument.value, { name: 'list', takes, found, written })
    return FAILED
  }
  const type = { kind: 'text' } as const
  const calendar = wordedFor(checking, value.type)
  const currency = isVaried(value.type) ? [currencyOf(checking, argument.value, value.type, inside)] : []
  const shown: Checked =
    value.type.kind === 'text'
      ? value
      : { op: 'call', name: 'text', arguments: [value, ...currency], type, optional: value.optional, calendar }
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
    if (!isOrdered(of.type) || isCalendar(of.type)) {
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
  /** Where they are the rows of rows: the lists that have those, the outermost first. */
  readonly within: readonly Source[]
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
    if (names.length === 0) return { source, within: [], value: recordItself(entity), itself: true }
    const value = follow(checking, entity, 'own', names, insideOf(checking, source, room))
    if (failed(value)) return null
    if (value.op !== 'values') return { source, within: [], value, itself: false }
    checking.report('N0219', ast, { name: sliceOf(checking, ast) })
    return null
  }
  const checked = checking.check(ast, ast.kind === 'path' ? { ...room, rowsOfRows: true } : room)
  if (failed(checked)) return null
  if (checked.op === 'values') {
    const within: Source[] = []
    let innermost = checked
    for (; innermost.value.op === 'values'; innermost = innermost.value) within.push(innermost.source)
    const { source, value } = innermost
    return { source, within, value, itself: checked.type.kind === 'list' }
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

export function wrongCount(checking: Checking, ast: Call, takes: string, written: string): void {
  const given =
    ast.arguments.length === 0 ? 'none is' : ast.arguments.length === 1 ? 'one is' : `${ast.arguments.length} are`
  checking.report('N0215', ast, { name: ast.name.text, takes, given, written })
}
