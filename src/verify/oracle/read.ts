/**
 * Expressions from their text: a small reader that makes of each a function of the record it is asked about. It shares nothing with
 * the compiler of the application, and what it does not know it does not judge.
 */
import { aggregate, type Given } from './aggregates.ts'
import { functions } from './functions.ts'
import { type About, constantOn, follow, named, type Part } from './names.ts'
import { converted, currencyOf } from './rates.ts'
import * as values from './values.ts'
import { type Frame, inside, isA, NotJudged, order, roundedIn, type Value } from './values.ts'

const tokens =
  /\s*(\d{4}-\d\d-\d\dT[\d:.]*(?:Z|[+-]\d\d:\d\d)?|\d{4}-\d\d-\d\d(?![\d-])|\d{1,2}:\d\d(?!\d)|\d[\d_]*(?:\.\d[\d_]*)?|"[^"]*"|[A-Za-z_]\w*|!=|<=|>=|[-+*/=<>(),.%])/y

const read = new Map<string, Part>()

/** What an expression gives, by its text. */
export function partOf(text: string): Part {
  let part = read.get(text)
  if (part === undefined) {
    part = reader(text)
    read.set(text, part)
  }
  return part
}

/** The records that acts are about, in their order: `(Loan where late order by due_back)`, `first(Stock order by number)`. */
export function recordsIn(text: string, about: About): readonly Frame[] {
  const plain = text.replaceAll('`', '').trim()
  const first = /^first\b/.exec(plain)?.[0] ?? ''
  const inner = plain
    .slice(first.length)
    .replace(/^\s*\((.*)\)$/s, '$1')
    .trim()
  // In acts entities have their names as people write them.
  const named = inner.replace(/^(?:other\s+)?\p{Lu}.*?(?=\s+(?:where|order by)\b|$)/u, name =>
    name.replace(/^(other\s+)?(.*)$/, (_, other = '', entity: string) => `${other}${entity.replaceAll(' ', '_')}`),
  )
  const found = partOf(`each (${named})`)(about)
  return inside(found, 'rows').slice(0, first === '' ? undefined : 1)
}

const units: Readonly<Record<string, bigint>> = { second: 1000n, minute: 60_000n, hour: 3_600_000n }
const spans: Readonly<Record<string, readonly [months: number, days: number]>> = {
  day: [0, 1],
  week: [0, 7],
  month: [1, 0],
  year: [12, 0],
}
const aggregates = new Set(['count', 'sum', 'min', 'max', 'any', 'none', 'all', 'first', 'each'])
const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['empty', null],
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])
const isName = (token: string | undefined): token is string => token !== undefined && /^[A-Za-z_]/.test(token)

function reader(text: string): Part {
  const all: string[] = []
  tokens.lastIndex = 0
  while (text.slice(tokens.lastIndex).trim() !== '') {
    const found = tokens.exec(text)
    if (found === null) throw new NotJudged(text)
    all.push(found[1]!)
  }
  let at = 0
  const take = (token: string): boolean => all[at] === token && ++at > 0
  const must = (token: string): void => {
    if (!take(token)) throw new NotJudged(`${text}: ${all[at] ?? 'its end'}`)
  }

  const or = (): Part => joined('or', true, and)
  const and = (): Part => joined('and', false, not)
  /** Unknown unless one decides. */
  function joined(word: string, decides: boolean, next: () => Part): Part {
    const parts = [next()]
    while (take(word)) parts.push(next())
    if (parts.length === 1) return parts[0]!
    return about => {
      const found: Value[] = []
      for (const part of parts) {
        found.push(part(about))
        if (found.at(-1) === decides) return decides
      }
      return found.includes(null) ? null : !decides
    }
  }
  function not(): Part {
    if (!take('not')) return comparison()
    return denied(not())
  }
  const denied =
    (part: Part): Part =>
    about => {
      const found = part(about)
      return found === null ? null : !found
    }

  function comparison(): Part {
    const left = sum()
    for (const sign of ['=', '!=', '<=', '>=', '<', '>'])
      if (take(sign)) {
        const right = sum()
        return about => holds(sign, order(left(about), right(about)))
      }
    if (take('is')) {
      const isNot = take('not')
      const right = take('empty') ? () => null : sum()
      return about => isSame(left(about), right(about)) !== isNot
    }
    const isNot = take('not')
    const found = membership(left)
    if (found === null && isNot) throw new NotJudged(text)
    return found === null ? left : isNot ? denied(found) : found
  }
  function membership(left: Part): Part | null {
    if (take('in')) {
      if (take('(')) {
        const list = [or()]
        while (take(',')) list.push(or())
        must(')')
        return about =>
          isAmong(
            left(about),
            list.map(part => part(about)),
          )
      }
      const list = sum()
      return about => {
        const found = list(about)
        return left(about) === null ? null : found === null ? false : isAmong(left(about), membersOf(found))
      }
    }
    if (take('between')) {
      const low = sum()
      must('and')
      const high = sum()
      return about => {
        const value = left(about)
        const ends = [holds('>=', order(value, low(about))), holds('<=', order(value, high(about)))]
        return ends.includes(false) ? false : ends.includes(null) ? null : true
      }
    }
    const isStart = take('starts')
    if (isStart) must('with')
    if (isStart || take('contains')) {
      const right = sum()
      return about => {
        const [whole, piece] = [textOf(left(about)), textOf(right(about))]
        if (whole === null || piece === null) return null
        return isStart ? whole.startsWith(piece) : whole.includes(piece)
      }
    }
    if (take('within')) {
      const tree = sum()
      return about => isWithin(left(about), tree(about), about)
    }
    return null
  }

  function sum(): Part {
    let left = product()
    for (;;) {
      const sign = take('+') ? 1 : take('-') ? -1 : 0
      if (sign === 0) return left
      const [first, second] = [left, product()]
      left = about => added(first(about), second(about), sign)
    }
  }
  function product(): Part {
    let left = unary()
    for (;;) {
      const isTimes = take('*')
      if (!isTimes && !take('/')) return left
      const [first, second] = [left, unary()]
      left = about => (isTimes ? times : divided)(first(about), second(about))
    }
  }
  function unary(): Part {
    if (!take('-')) return primary()
    const of = unary()
    return about => times(of(about), values.whole(-1))
  }

  function primary(): Part {
    const token = all[at++]
    if (token === undefined) throw new NotJudged(text)
    if (token === '(') {
      const inner = or()
      must(')')
      return inner
    }
    if (token === 'if') return choice()
    const word = words.get(token)
    if (word !== undefined) return () => word
    if (!isName(token)) return literal(token)
    return all[at] === '(' ? called(token) : path(token)
  }

  /** Behind `if`. */
  function choice(): Part {
    const when = or()
    must('then')
    const then = or()
    must('else')
    const otherwise = or()
    return about => (when(about) === true ? then(about) : otherwise(about))
  }

  /** A name and what stands behind its points: a field, a state, a limit. */
  function path(first: string): Part {
    const names = [first]
    while (take('.')) names.push(all[at++]!)
    if (first === 'limits') {
      const day = take('on') ? primary() : null
      return about => constantOn(names[1]!, day === null ? null : day(about), day !== null, about)
    }
    if (/^[A-Z]/.test(first) && names.length === 1) return () => values.text(first)
    return about => named(names, about)
  }

  function literal(token: string): Part {
    const value = written(token)
    return () => value
  }
  function written(token: string): Value {
    if (token.startsWith('"')) return values.text(token.slice(1, -1))
    if (token.includes('T')) return values.moment(Date.parse(token))
    if (/^\d{4}-\d\d-\d\d$/.test(token)) return values.date(values.dayOf(token))
    if (token.includes(':')) return { is: 'time', of: values.minutesOf(token) }
    const of = values.figure(token)
    if (of === null) throw new NotJudged(text)
    if (take('%')) return values.number(of / 100n)
    const unit = (all[at] ?? '').replace(/s$/, '')
    if (!(unit in units || unit in spans)) return values.number(of)
    at++
    return times(values.number(of), unitOf(unit))
  }

  function called(name: string): Part {
    const start = at
    must('(')
    if (aggregates.has(name)) {
      const given = gathered()
      if (given !== null) {
        const behind: string[] = []
        while (name === 'first' && take('.')) behind.push(all[at++]!)
        return about => follow(aggregate(name, given, about), behind, about)
      }
      at = start + 1
    }
    const inputs: Part[] = []
    if (!take(')')) {
      do inputs.push(or())
      while (take(','))
      must(')')
    }
    const amounts = all.slice(start + 1, at - 1)
    if (name === 'round_amount') return about => roundedIn(inputs[0]!(about), currencyOf(amounts, about))
    if (name === 'convert')
      return about => {
        const [amount, to, day] = inputs.map(input => input(about))
        return amount == null ? null : converted(amount, currencyOf(amounts, about), to!, day!, about)
      }
    const work = functions[name]
    if (work === undefined) throw new NotJudged(`${name}()`)
    return about =>
      work(
        inputs.map(input => input(about)),
        about,
      )
  }
  /** `lines.value where ok order by value down)`; null: it is something else. */
  function gathered(): Given | null {
    const isOther = take('other')
    const path: string[] = []
    do path.push(all[at++] ?? '')
    while (take('.'))
    if (!path.every(isName) || !(all[at] === ')' || all[at] === 'where' || all[at] === 'order')) return null
    const from = at
    const where = take('where') ? or() : null
    const namesArchived = all.slice(from, at).includes('archived_at')
    const by: { field: string; down: boolean }[] = []
    if (take('order')) {
      must('by')
      do by.push({ field: all[at++]!, down: take('down') })
      while (take(','))
    }
    must(')')
    return { path, isOther, where, by, namesArchived }
  }

  const part = or()
  if (at < all.length) throw new NotJudged(`${text}: ${all[at]}`)
  return part
}

const unitOf = (unit: string): Value =>
  unit in units ? values.length(units[unit]!) : { is: 'span', months: spans[unit]![0], days: spans[unit]![1] }

function holds(sign: string, compared: number | null): boolean | null {
  if (compared === null) return null
  if (sign === '=') return compared === 0
  if (sign === '!=') return compared !== 0
  return sign.startsWith('<')
    ? compared < 0 || (compared === 0 && sign === '<=')
    : compared > 0 || (compared === 0 && sign === '>=')
}

const isSame = (left: Value, right: Value): boolean =>
  left === null || right === null ? left === right : order(left, right) === 0

function isAmong(value: Value, list: readonly Value[]): boolean | null {
  if (value === null) return null
  if (list.some(each => each !== null && order(value, each) === 0)) return true
  return list.includes(null) ? null : false
}

const membersOf = (value: Value): readonly Value[] =>
  isA(value, 'rows')
    ? value.of.map(({ entity, record }) => ({ is: 'record', entity, of: String(record.id) }))
    : inside(value, 'several').filter(each => each !== null)

const textOf = (value: Value): string | null => (value === null ? null : inside(value, 'text'))

function isWithin(value: Value, tree: Value, about: Parameters<Part>[0]): Value {
  if (value === null || tree === null) return null
  if (!isA(value, 'record')) throw new NotJudged('a tree')
  const entity = about.told.entity(value.entity)
  const up = [...entity.fields.values()].filter(({ kind, entity: to }) => kind === 'record' && to === value.entity)
  const leads = up.find(({ key }) => key === 'parent') ?? (up.length === 1 ? up[0] : undefined)
  if (leads === undefined) throw new NotJudged('a tree')
  let place: Value = value
  for (let height = 0; place !== null && height < 1000; height++) {
    if (order(place, tree) === 0) return true
    place = follow(place, [leads.key], about)
  }
  return false
}

function added(left: Value, right: Value, sign: number): Value {
  if (left === null || right === null) return null
  if (typeof left === 'boolean' || typeof right === 'boolean') throw new NotJudged('a sum')
  if (left.is === 'date' && right.is === 'date') return values.whole(left.of - right.of)
  if (left.is === 'date' && right.is === 'number') return values.date(left.of + sign * Number(right.of / values.one))
  if (left.is === 'date' && right.is === 'span') return later(left.of, sign * right.months, sign * right.days)
  if (left.is === 'moment' && right.is === 'moment') return values.length(BigInt(left.of - right.of))
  if (left.is === 'moment' && right.is === 'length') return values.moment(left.of + sign * Number(right.of))
  if (left.is === 'text' && right.is === 'text') return values.text(left.of + right.of)
  if (left.is === 'number' && right.is === 'number') return values.number(left.of + BigInt(sign) * right.of)
  // The sum of no lengths is the number 0.
  const [a, b] = [left, right].map(one =>
    one.is === 'length' || (one.is === 'number' && one.of === 0n) ? one.of : null,
  )
  if (a == null || b == null) throw new NotJudged('a sum')
  return values.length(a + BigInt(sign) * b)
}

/** Months go to the last day where there is no such day. */
function later(day: number, months: number, days: number): Value {
  const [year, month, date] = values.wireDay(day).split('-').map(Number) as [number, number, number]
  const all = year * 12 + month - 1 + months
  const [y, m] = [Math.floor(all / 12), all - Math.floor(all / 12) * 12]
  if (y < 1 || y > 9999) return null
  const first = values.dayOf(`${String(y).padStart(4, '0')}-${String(m + 1).padStart(2, '0')}-01`)
  const last = new Date(Date.UTC(2000 + (y % 400), m + 1, 0)).getUTCDate()
  return values.date(first + Math.min(date, last) - 1 + days)
}

function times(left: Value, right: Value): Value {
  if (left === null || right === null) return null
  if (typeof left === 'boolean' || typeof right === 'boolean') throw new NotJudged('a product')
  if (left.is !== 'number') return right.is === 'number' ? times(right, left) : times(null, null)
  if (right.is === 'number') return values.number((left.of * right.of) / values.one)
  if (right.is === 'length') return values.length(values.rounded(left.of * right.of, values.one) / values.one)
  if (right.is !== 'span') throw new NotJudged('a product')
  const by = Number(left.of / values.one)
  return { is: 'span', months: by * right.months, days: by * right.days }
}

function divided(left: Value, right: Value): Value {
  if (left === null || right === null) return null
  if (typeof left === 'boolean' || typeof right === 'boolean') throw new NotJudged('a quotient')
  if (left.is !== 'number' && left.is !== 'length') throw new NotJudged('a quotient')
  if (right.is === left.is) {
    const of = values.quotient(left.of, right.of as bigint)
    return of === null ? null : values.number(of)
  }
  if (left.is !== 'length' || right.is !== 'number') throw new NotJudged('a quotient')
  if (right.of === 0n) return null
  return values.length(values.rounded((left.of * values.one * values.one) / right.of, values.one) / values.one)
}
