/**
 * Random expressions that fit, as text: what is tried has gone through parser and checker like any cell. A generator of a type
 * knows the record that bare names belong to; negative statements over optional fields are cured with one of their own fixes.
 */

import type { Expression } from '../expression.ts'
import { readExpression } from '../read.ts'
import { cellOf } from '../testing.ts'
import type { EntityShape, Type } from '../type.ts'
import type { Chance } from './chance.ts'
import { limits, limitValues, schema, scope, workingScope } from './world.ts'

type Kind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'yes/no'
  | 'date'
  | 'moment'
  | 'time'
  | 'clock'
  | 'reference'
  | 'choice'

const kinds: readonly Kind[] = ['text', 'integer', 'decimal', 'money', 'yes/no', 'date', 'moment', 'time', 'clock']

interface Place {
  readonly dice: Chance
  readonly own: EntityShape
  /** Inside of a `where`. */
  readonly inside: boolean
  /** The application has working hours. */
  readonly working: boolean
}

interface Found {
  readonly text: string
  readonly type: Type
}

/** An expression of any type, half of them conditions. Null where the dice gave one that the checker refuses. */
export function generate(dice: Chance): Expression | null {
  const kind = dice.percent(55) ? 'yes/no' : dice.one(kinds)
  const working = dice.percent(25)
  const place = { dice, own: schema.get('loan')!, inside: false, working }
  let text = make(kind, place, 2 + dice.below(4))
  for (let attempt = 0; attempt < 12; attempt++) {
    const { expression, found } = readExpression(cellOf(text), working ? workingScope : scope)
    if (expression !== null) return expression
    const fixable = found.find(one => mended.has(one.code) && one.fixes.length > 0)
    const strange = found.find(one => !mended.has(one.code))
    if (fixable === undefined || strange !== undefined) return refused(text, (strange ?? found[0]!).code)
    const [edit] = dice.one(fixable.fixes).edits
    text = text.slice(0, edit!.span.start) + edit!.text + text.slice(edit!.span.end)
  }
  return null
}

/** What a generator may get wrong by chance; anything else is a mistake of its own or of the checker. */
const pardoned: ReadonlySet<string> = new Set(['N0107', 'N0108', 'N0224', 'N0226', 'N0227'])

/** Written as the checker proposes. */
const mended: ReadonlySet<string> = new Set(['N0234', 'N0251'])

function refused(text: string, code: string): null {
  if (!pardoned.has(code)) throw new Error(`The generator wrote what does not check (${code}): ${text}`)
  return null
}

function make(kind: Kind, place: Place, depth: number): string {
  const { dice } = place
  if (depth <= 0 || dice.percent(20)) return leaf(kind, place)
  if (dice.percent(8)) {
    return `(if ${make('yes/no', place, depth - 1)} then ${make(kind, place, depth - 1)} else ${dice.percent(15) ? 'empty' : make(kind, place, depth - 1)})`
  }
  if (dice.percent(8) && kind !== 'yes/no') {
    return `coalesce(${make(kind, place, depth - 1)}, ${make(kind, place, depth - 1)})`
  }
  const deeper = (of: Kind) => make(of, place, depth - 1)
  const dated = datedOf(kind)
  if (dated.length > 0 && dice.percent(6)) return `(limits.${dice.one(dated)} on ${deeper('date')})`
  switch (kind) {
    case 'yes/no':
      if (place.working && dice.percent(10)) return `is_open(${deeper('moment')}${whose(place)})`
      return condition(place, depth)
    case 'text':
      if (dice.percent(15)) return aggregate(kind, place, depth)
      // More than are said.
      if (dice.percent(5)) return `list(other Loan.${dice.one(['t', 't2'])})`
      if (dice.percent(20)) return `${dice.one(['text', 'weekday_name'])}(${deeper(dice.one(['date', 'moment']))})`
      if (dice.percent(8)) return `text(${deeper('clock')})`
      if (isLoan(place) && dice.percent(8)) return `text(${varied(place)})`
      if (dice.percent(20))
        return dice.one<() => string>([
          () => `${dice.one(['left', 'right'])}(${deeper('text')}, ${deeper('integer')})`,
          () => `part(${deeper('text')}, ${deeper('integer')}, ${deeper('integer')})`,
          () => `${dice.one(['upper', 'lower', 'plain'])}(${deeper('text')})`,
          () => `replace(${deeper('text')}, ${dice.one(['"a"', '"%"', '" "'])}, ${dice.one(['"aa"', '"é"'])})`,
          () => `without(${deeper('text')}, ${dice.one(['"a"', '"é"', '"_"'])})`,
        ])()
      return dice.percent(60) ? `(${deeper('text')} + ${deeper('text')})` : leaf(kind, place)
    case 'integer':
      return dice.one<() => string>([
        () => `(${deeper('integer')} ${dice.one(['+', '-', '*'])} ${deeper('integer')})`,
        () => `(-${deeper('integer')})`,
        () => `length(${deeper('text')})`,
        () => `${dice.one(['round', 'round_up', 'round_down'])}(${deeper('decimal')})`,
        () => `(${deeper('date')} - ${deeper('date')})`,
        () => `${dice.one(['year', 'month', 'day'])}(${deeper('date')})`,
        () => `working_days(${deeper('date')}, ${deeper('date')}${whose(place)})`,
        () => `days_between(${deeper('date')}, ${deeper('date')})`,
        () => `weekday(${deeper(dice.one(['date', 'moment']))})`,
        () => `${dice.one(['started_hours', 'started_days'])}(${deeper('moment')}, ${deeper('moment')})`,
        () => `${dice.one(['min', 'max'])}(${deeper('integer')}, ${deeper('integer')})`,
        () => aggregate(kind, place, depth),
      ])()
    case 'decimal':
      return dice.one<() => string>([
        () => `number(${dice.percent(50) ? deeper('text') : `text(${deeper('integer')})`})`,
        () => `(${deeper('decimal')} ${dice.one(['+', '-', '*'])} ${deeper(dice.one(['decimal', 'integer']))})`,
        () => `(${deeper(dice.one(['decimal', 'integer']))} / ${deeper(dice.one(['decimal', 'integer']))})`,
        () => (isLoan(place) ? `(${varied(place)} / ${varied(place)})` : leaf(kind, place)),
        () => `(${deeper('money')} / ${deeper('money')})`,
        () => `(${deeper('clock')} / ${deeper('clock')})`,
        () =>
          `${place.working ? 'working_hours' : 'hours_between'}(${deeper('moment')}, ${deeper('moment')}${whose(place)})`,
        () => `(-${deeper('decimal')})`,
        () => `${dice.one(['round', 'round_up', 'round_down'])}(${deeper('decimal')}, ${dice.below(5)})`,
        () => `${dice.one(['min', 'max'])}(${deeper('decimal')}, ${deeper('integer')}, ${deeper('decimal')})`,
        () => aggregate(kind, place, depth),
      ])()
    case 'money':
      return dice.one<() => string>([
        () => `(${deeper('money')} ${dice.one(['+', '-'])} ${deeper('money')})`,
        () => `(${deeper('money')} ${dice.one(['*', '/'])} ${deeper(dice.one(['decimal', 'integer']))})`,
        () => `round(${deeper('money')})`,
        () => `round_amount(${deeper('money')})`,
        () => `(${deeper('money')} + 1.5)`,
        () => `max(${deeper('money')}, 0)`,
        () => aggregate(kind, place, depth),
      ])()
    case 'date':
      return dice.one<() => string>([
        () =>
          `(${deeper('date')} ${dice.one(['+', '-'])} ${dice.one(['1 day', '30 days', '2 weeks', '1 month', '13 months', '4 years', '400 years', '9999 days'])})`,
        () => `(${deeper('date')} ${dice.one(['+', '-'])} ${deeper('integer')})`,
        () => `(${deeper('date')} + ${calendar(place)})`,
        () =>
          `(${deeper('date')} ${dice.one(['+', '-'])} ${deeper('integer')} * ${dice.one(['1 day', '2 weeks', '1 month', '4 years'])})`,
        () => `date(${deeper('moment')})`,
        () => `working_days_after(${deeper('date')}, ${deeper('integer')}${whose(place)})`,
        () => `${dice.one(['min', 'max'])}(${deeper('date')}, ${deeper('date')})`,
        () => aggregate(kind, place, depth),
      ])()
    case 'moment':
      return dice.one<() => string>([
        () => `(${deeper('moment')} ${dice.one(['+', '-'])} ${deeper('clock')})`,
        () => `max(${deeper('moment')}, ${deeper('moment')})`,
        () => `(${deeper('moment')} + ${leaf('clock', place)})`,
        () =>
          place.working && dice.percent(70)
            ? `working_hours_after(${deeper('moment')}, ${deeper(dice.one(['integer', 'decimal']))}${whose(place)})`
            : `at(${deeper('date')}, ${deeper('time')})`,
      ])()
    case 'clock':
      return dice.one<() => string>([
        () => `(${deeper('moment')} - ${deeper('moment')})`,
        () => `(${deeper(dice.one(['integer', 'decimal']))} * ${deeper('clock')})`,
        () => `(${deeper('clock')} ${dice.one(['+', '-'])} ${deeper('clock')})`,
        () => `(${deeper('clock')} / ${deeper(dice.one(['integer', 'decimal']))})`,
        () => `-(${deeper('clock')})`,
        () => `${dice.one(['min', 'max'])}(${deeper('clock')}, ${deeper('clock')})`,
        () => leaf(kind, place),
      ])()
    case 'time':
      return dice.percent(60) ? `time(${deeper('moment')})` : leaf(kind, place)
    default:
      return leaf(kind, place)
  }
}

function condition(place: Place, depth: number): string {
  const { dice } = place
  const deeper = (of: Kind) => make(of, place, depth - 1)
  const ordered = () => dice.one<Kind>(['integer', 'decimal', 'money', 'date', 'moment', 'time', 'clock'])
  return dice.one<() => string>([
    () => `(${deeper('yes/no')} and ${deeper('yes/no')})`,
    () => `(${deeper('yes/no')} or ${deeper('yes/no')})`,
    () => `(not ${deeper('yes/no')})`,
    () => compared(ordered(), dice.one(['<', '<=', '>', '>=', '=', '!=']), place, depth),
    () => compared(dice.one(['text', 'yes/no', 'integer']), dice.one(['=', '!=', 'is', 'is not']), place, depth),
    () => compared(dice.one(kinds), dice.one(['is', 'is not']), place, depth),
    () => `(${deeper(dice.one(kinds))} is ${dice.one(['', 'not '])}empty)`,
    () => references(place),
    () => choices(place),
    () =>
      `(${deeper('text')} ${dice.one(['contains', 'starts with', 'not contains', 'not starts with'])} ${deeper('text')})`,
    () => {
      const kind = ordered()
      return `(${deeper(kind)} ${dice.one(['', 'not '])}between ${deeper(kind)} and ${deeper(kind)})`
    },
    () => {
      const kind = dice.one<Kind>(['text', 'integer', 'decimal', 'date'])
      return `(${deeper(kind)} ${dice.one(['', 'not '])}in (${literal(kind, dice)}, ${literal(kind, dice)}, ${literal(kind, dice)}))`
    },
    () => aggregate('yes/no', place, depth),
    () => aggregate('yes/no', place, depth),
  ])()
}

/** Sometimes whose closed days are meant. */
function whose(place: Place): string {
  const { dice, working, inside } = place
  if (!working || inside || dice.percent(50)) return ''
  const regions = pathsOf(place).filter(({ type }) => type.kind === 'reference' && type.entity === 'region')
  return `, ${dice.one(regions).text}`
}

const compared = (kind: Kind, sign: string, place: Place, depth: number): string =>
  `(${make(kind, place, depth - 1)} ${sign} ${make(kind, place, depth - 1)})`

function references(place: Place): string {
  const { dice } = place
  const all = pathsOf(place).filter(({ type }) => type.kind === 'reference')
  const left = dice.one(all)
  const entity = (left.type as Extract<Type, { kind: 'reference' }>).entity
  const same = all.filter(({ type }) => type.kind === 'reference' && type.entity === entity)
  if (entity === 'person' && dice.percent(30)) {
    return `(${dice.percent(30) ? 'me' : left.text} ${dice.one(['', 'not '])}in ${place.inside ? 'this.' : ''}helpers)`
  }
  if ((entity === 'person' || entity === 'region') && dice.percent(20)) {
    return `(${left.text} ${dice.one(['', 'not '])}within ${entity === 'region' && dice.percent(50) ? 'my.region' : dice.one(same).text})`
  }
  const right = entity === 'person' && dice.percent(40) ? 'me' : dice.one(same).text
  return `(${left.text} ${dice.one(['=', '!=', 'is', 'is not'])} ${right})`
}

function choices(place: Place): string {
  const { dice } = place
  const all = pathsOf(place).filter(({ type }) => type.kind === 'choice')
  const several = pathsOf(place).filter(({ type }) => type.kind === 'choices')
  if (several.length > 0 && dice.percent(30)) {
    const field = dice.one(several)
    const one = dice.percent(50)
      ? dice.one((field.type as Extract<Type, { kind: 'choices' }>).options)
      : dice.one(all).text
    return dice.percent(20)
      ? `(${field.text} is ${dice.one(several).text})`
      : `(${one} ${dice.one(['', 'not '])}in ${field.text})`
  }
  if (all.length === 0) return 'true'
  const left = dice.one(all)
  const { options, of } = left.type as Extract<Type, { kind: 'choice' }>
  const other = all.filter(({ type }) => type.kind === 'choice' && type.of === of)
  if (dice.percent(30))
    return `(${left.text} ${dice.one(['', 'not '])}in (${dice.one(options)}, "${dice.one(options)}"))`
  const right = dice.percent(60) ? dice.one(options) : dice.one(other).text
  return `(${left.text} ${dice.one(['=', '!=', 'is', 'is not'])} ${right})`
}

/** Lists and records that can be gone through, with the entity of their records. */
function sources(place: Place): readonly { readonly text: string; readonly entity: string }[] {
  const lists = place.own.key === 'loan' ? ['', 'above.'] : place.own.key === 'line' ? ['loan.'] : []
  return [
    ...lists.map(prefix => ({ text: `${prefix}lines`, entity: 'line' })),
    ...lists.map(prefix => ({ text: `${prefix}helpers`, entity: 'person' })),
    { text: 'Item', entity: 'item' },
    { text: 'other Loan', entity: 'loan' },
  ]
}

/** What `first` goes by. */
const sortable: ReadonlySet<Kind> = new Set<Kind>(['integer', 'decimal', 'money', 'date', 'moment', 'time', 'clock'])

function aggregate(kind: Kind, place: Place, depth: number): string {
  const { dice } = place
  const all = sources(place)
  // Own rows are what documents ask for; records of entities cost the most.
  const source = dice.percent(70) ? all[0]! : dice.percent(40) ? all.at(-1)! : dice.one(all)
  const inside: Place = { dice, own: schema.get(source.entity)!, inside: true, working: place.working }
  const where = () => ` where ${make('yes/no', inside, Math.min(depth - 1, 2))}`
  if (kind === 'yes/no') return `${dice.one(['any', 'all', 'none'])}(${source.text}${where()})`
  if (kind === 'integer' && dice.percent(50)) return `count(${source.text}${dice.percent(70) ? where() : ''})`
  const fields = [...inside.own.fields.values()].filter(field => kindOf(field.type) === kind)
  if (fields.length === 0) return leaf(kind, place)
  if (kind === 'text' || dice.percent(25)) {
    const ordering = [...inside.own.fields.values()].filter(({ type }) => sortable.has(kindOf(type)!))
    const by = [dice.one(ordering), dice.one(ordering)].map(({ key }) => `${key}${dice.percent(50) ? ' down' : ''}`)
    const which = dice.percent(40) ? where() : ''
    const order = ` order by ${by.slice(dice.below(2)).join(', ')}`
    const { key } = dice.one(fields)
    if (kind === 'text' && dice.percent(30)) return groups(source, which, inside)
    return kind === 'text' && dice.percent(50)
      ? `list(${source.text}.${key}${which}${dice.percent(40) ? order : ''})`
      : `first(${source.text}${which}${order}).${key}`
  }
  const names = kind === 'date' || kind === 'moment' ? ['min', 'max'] : ['sum', 'min', 'max']
  return `${dice.one(names)}(${source.text}.${dice.one(fields).key}${dice.percent(40) ? where() : ''})`
}

function groups({ text }: { readonly text: string }, which: string, { dice, own }: Place): string {
  const fields = [...own.fields.values()]
  const of = (kinds: ReadonlySet<Kind>) => fields.filter(({ type }) => kinds.has(kindOf(type)!))
  const name = dice.one(['sum', 'min', 'max', 'count'] as const)
  const figure = dice.one(name === 'count' ? fields : of(name === 'sum' ? summable : sortable)).key
  const key = dice.one(of(groupable)).key
  const from = text.replace('other ', '')
  return `${name}(${text}.${figure}${dice.percent(30) ? `, ${from}.${figure}` : ''}${which} by ${from}.${key})`
}

const summable: ReadonlySet<Kind> = new Set<Kind>(['integer', 'decimal', 'money', 'clock'])
const groupable: ReadonlySet<Kind> = new Set<Kind>([...sortable, 'text', 'yes/no', 'choice'])

const isLoan = ({ own }: Place): boolean => own.key === 'loan'

/** An amount in the currency of a loan. */
function varied({ dice }: Place): string {
  const one = () => dice.one(['v', 'v2', 'part', 'back', 'billed', '-v'])
  return dice.one([one(), `(${one()} + ${one()})`, `round_amount(${one()} * d2)`, `coalesce(${one()}, v)`])
}

function calendar(place: Place): string {
  return place.own.key === 'loan' ? place.dice.one(['cal', 'limits.grace', '3 months']) : 'limits.grace'
}

function leaf(kind: Kind, place: Place): string {
  const { dice } = place
  const paths = pathsOf(place).filter(({ type }) => kindOf(type) === kind)
  if (paths.length > 0 && dice.percent(72)) {
    // Short paths as often as long ones.
    const short = paths.filter(({ text }) => !text.includes('.'))
    return dice.one(short.length > 0 && dice.percent(50) ? short : paths).text
  }
  return literal(kind, dice)
}

function literal(kind: Kind, dice: Chance): string {
  switch (kind) {
    case 'text':
      return `"${dice.one(['a', 'b', 'é', 'e\u0301', '😀', '%', '_', "it's", 'a\\b', 'ab'])}"`
    case 'integer':
      return dice.one(['0', '1', '2', '3', '7', '9007199254740993', '1_000', '100'])
    case 'decimal':
      return dice.one(['0.1', '0.2', '2.5', '1000000000000.000001', '15%', '0.5', '0.0', '3'])
    case 'money':
      return dice.one(['m', 'limits.cap', 'm2'].slice(1, 2))
    case 'yes/no':
      return dice.one(['true', 'false', 'yes', 'no'])
    case 'date':
      return dice.one(['2024-02-29', '2026-03-31', 'today', '0001-01-01', '9999-12-31', '2026-01-31', 'limits.first'])
    case 'moment':
      return dice.one(['now', '2026-03-29T01:00Z', '2026-03-29T03:30:00.123+02:00', '9999-12-31T23:59:59.999Z'])
    case 'time':
      return dice.one(['09:00', '23:59', '0:00'])
    default:
      return dice.one(['90 minutes', '1.5 hours', '30 seconds', '2 hours', '0.5 seconds', 'limits.wait'])
  }
}

function kindOf(type: Type): Kind | null {
  if (type.kind === 'duration') return type.of === 'clock' ? 'clock' : null
  if (type.kind === 'money' && type.currency !== 'EUR') return null
  return (kinds as readonly string[]).includes(type.kind) ? (type.kind as Kind) : null
}

/** Constants of a kind whose values on other days are known. */
const datedOf = (kind: Kind): readonly string[] =>
  [...limits].flatMap(([name, { type }]) => (`${name} on` in limitValues && kindOf(type) === kind ? [name] : []))

const cache = new Map<string, readonly Found[]>()

/** Everything with one value that can be written at a place: paths of up to three steps, `old`, `my`, `this`, constants. */
function pathsOf({ own, inside }: Place): readonly Found[] {
  const key = `${own.key} ${inside}`
  let found = cache.get(key)
  if (found === undefined) {
    const loan = schema.get('loan')!
    found = [
      ...walk(own, '', 3),
      ...walk(loan, 'old.', 1, true),
      ...walk(schema.get('person')!, 'my.', 1),
      ...walk(schema.get('person')!, 'mate.', 1),
      ...walk(loan, 'this.', inside ? 1 : 0),
      ...[...limits].map(([name, { type }]) => ({ text: `limits.${name}`, type })),
    ]
    cache.set(key, found)
  }
  return found
}

function walk(entity: EntityShape, prefix: string, steps: number, stored = false): readonly Found[] {
  const found: Found[] = []
  for (const field of entity.fields.values()) {
    const { type } = field
    // Computed fields over other records are not known of a record before its change.
    if (type.kind === 'list' || field.key === 'id' || (stored && field.computed !== undefined && field.key !== 'span'))
      continue
    found.push({ text: `${prefix}${field.key}`, type })
    if (type.kind === 'reference' && steps > 0) {
      found.push(...walk(schema.get(type.entity)!, `${prefix}${field.key}.`, steps - 1))
    }
  }
  return found
}
