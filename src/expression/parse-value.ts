/** Values that are written: numbers with their units, texts, dates, moments, times, yes and no. */
import { nearest } from '../document/nearest.ts'
import { type Ast, calendarUnits, clockUnits, type TextRange, type Unit } from './ast.ts'
import { dayNumber, momentOf } from './dates.ts'
import type { Token } from './lexer.ts'
import type { Parser } from './parse.ts'
import { writeInstead } from './reports.ts'

const yes: ReadonlySet<string> = new Set(['true', 'yes'])
const no: ReadonlySet<string> = new Set(['false', 'no'])

/** Whether `readValue` reads what begins with this token. */
export function startsValue({ kind, text }: Token): boolean {
  if (kind === 'name') return yes.has(text) || no.has(text)
  return kind === 'number' || kind === 'text' || kind === 'date' || kind === 'moment' || kind === 'time'
}

/** The value that the next token begins; null after a report. */
export function readValue(parser: Parser): Ast | null {
  const token = parser.lexer.next()
  const { from, to } = token
  switch (token.kind) {
    case 'number':
      return isLocalDate(parser, token) ? null : readNumber(parser, token)
    case 'text':
      return readText(parser, token)
    case 'date':
      if (dayNumber(token.text) !== null) return { kind: 'date', value: token.text, from, to }
      return notA(parser, token, 'date', 'Dates are written year-month-day, and the day must exist: 2026-03-28.')
    case 'moment': {
      const moment = momentOf(token.text)
      if (moment !== null) return { kind: 'moment', value: new Date(moment).toISOString(), from, to }
      return notA(parser, token, 'moment', 'A moment has its offset: 2026-03-28T10:00Z, 2026-03-28T11:00+01:00.')
    }
    case 'time': {
      const [hour, minute] = token.text.split(':').map(Number) as [number, number]
      const value = token.text.padStart(5, '0')
      if (hour < 24 && minute < 60) return { kind: 'time', value, from, to }
      return notA(parser, token, 'time of day', 'Times reach from 00:00 to 23:59.')
    }
    default:
      return { kind: 'boolean', value: yes.has(token.text), from, to }
  }
}

/** `31.12.2026`: reported, with the date as it is written here. False for anything else, and where it is no day. */
function isLocalDate(parser: Parser, { from }: Token): boolean {
  const found = /(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/y
  found.lastIndex = from
  const [written, day = '', month = '', year = ''] = found.exec(parser.lexer.text) ?? []
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (written === undefined || dayNumber(date) === null) return false
  const place = { from, to: from + written.length }
  const help = 'Dates are written year-month-day: 2026-03-28.'
  parser.report.report('N0106', place, { word: written, kind: 'date', help }, [writeInstead(place, date)])
  return true
}

function notA(parser: Parser, token: Token, kind: string, help: string): null {
  parser.report.report('N0106', token, { word: token.text, kind, help })
  return null
}

function readNumber(parser: Parser, token: Token): Ast | null {
  const value = token.text.replaceAll('_', '').replace(/^0+(?=\d)/, '')
  const next = parser.lexer.peek()
  if (next.kind === 'sign' && next.text === '%') {
    parser.lexer.next()
    return { kind: 'number', value: hundredth(value), percent: true, from: token.from, to: next.to }
  }
  if (next.kind !== 'name' || keywordsAfterNumbers.has(next.text))
    return { kind: 'number', value, from: token.from, to: token.to }
  const unit = next.text.replace(/s$/, '')
  if (unit in clockUnits || unit in calendarUnits) {
    parser.lexer.next()
    return { kind: 'duration', amount: value, unit: unit as Unit, from: token.from, to: next.to }
  }
  const units = [...Object.keys(clockUnits), ...Object.keys(calendarUnits)].map(name => `${name}s`)
  const meant = workdays.test(next.text) ? 'working days' : nearest(next.text, units)
  parser.report.report(
    'N0109',
    next,
    { word: next.text, meant: meant === null ? '' : `; did you mean \`${meant}\`?` },
    meant === null ? [] : [writeInstead(next, meant)],
  )
  return null
}

/** Other words for working days, which are no unit: timers count them, and functions do. */
const workdays = /^(?:work|business)_?days?$/i

const keywordsAfterNumbers: ReadonlySet<string> = new Set(
  'or and not is in between contains starts within where then else order'.split(' '),
)

/** `15%` is 0.15. */
function hundredth(value: string): string {
  const [whole, fraction = ''] = value.split('.') as [string, string?]
  const digits = whole.padStart(3, '0')
  return `${digits.slice(0, -2).replace(/^0+(?=\d)/, '')}.${digits.slice(-2)}${fraction}`
}

/** Compared, it is meant as no value; put in the place of another text, as leaving that out. */
function reportEmpty(parser: Parser, { from, to }: TextRange): void {
  const { text } = parser.lexer
  const [before, behind] = [text.slice(0, from), text.slice(to)]
  const replaced = /\breplace\(([^()]*|[^()]*\([^()]*\)[^()]*),\s*("[^"]+")\s*,\s*$/.exec(before)
  if (replaced !== null && /^\s*\)/.test(behind)) {
    const [, of = '', what = ''] = replaced
    const whole = { from: replaced.index, to: to + behind.indexOf(')') + 1 }
    const instead = `without(${of.trim()}, ${what})`
    parser.report.report('N0112', { from, to }, { instead }, [writeInstead(whole, instead)])
    return
  }
  const isOther = /(?:!=|<>|\bis not) *$/.test(before)
  const isCompared = /(?:[=<>]|\bis) *$/.test(before) || /^ *(?:[=<>!]|is\b)/.test(behind)
  parser.report.report('N0112', { from, to }, { instead: isOther ? 'is not empty' : isCompared ? 'is empty' : 'empty' })
}

function readText(parser: Parser, { text, from, to }: Token): Ast | null {
  if (text === '') {
    reportEmpty(parser, { from, to })
    return null
  }
  const bad = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(text)
  if (bad !== null) {
    const at = from + 1 + bad.index
    const code = bad[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    parser.report.report('N0111', { from: at, to: at + 1 }, { character: `U+${code}` })
    return null
  }
  return { kind: 'text', value: text.normalize('NFC'), from, to }
}
