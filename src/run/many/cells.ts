/** One cell of a file, read as the kind of the field that it goes into. */

import { type FileCell, shownOf } from '../../document/file-cells.ts'
import { isFixed } from '../../expression/currency.ts'
import type { Type } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import { readIsoDate } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { withoutCurrency } from '../../kinds/fields/money/field.ts'
import { namedIn } from '../../kinds/fields/several/links.ts'
import { composed } from '../../kinds/fields/texts.ts'
import { raise, raiseInvalidValue } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { cachedStatement } from '../statements.ts'
import { type Candidates, namedBy, type Read, recordsMeant } from './meant.ts'

/** What a cell says of a field: a value, or the record that it names. `written`: the language of its figures and dates. */
export const cellRead = (
  app: App,
  request: Request,
  { entity, field, cell }: { readonly entity: string; readonly field: Field; readonly cell: FileCell },
  written: string,
  meant: Candidates,
): Read =>
  noValue(app, field, cell) ??
  (namedBy(field) === null
    ? readCell(app, field, cell, written)
    : recordsMeant(app, request, entity, field, cell, meant))

/** An error of a spreadsheet, or a formula without its result. */
function noValue(app: App, { key, label }: Field, cell: FileCell): Read | null {
  if (typeof cell === 'string' || cell.wrong === undefined) return null
  const place = { field: key }
  return {
    problem:
      cell.wrong === 'error'
        ? raise(app, 'NF-IMPORT-ERROR', { label, text: cell.v }, place)
        : raise(app, 'NF-IMPORT-FORMULA', { label, text: cell.v }, place),
  }
}

/** Types that a spreadsheet has cells of: of them the whole value counts, of all others what the sheet shows. */
const typed: ReadonlySet<Type['kind']> = new Set([
  'integer',
  'decimal',
  'money',
  'yes/no',
  'date',
  'moment',
  'time',
  'duration',
])

/** Whether a spreadsheet has cells of what this field holds. */
export const isTyped = (field: Field | null | undefined): boolean => field != null && typed.has(field.type.kind)

/** As the first of what the cell may be read as that the field takes; else what is wrong with the very first. */
function readCell(app: App, field: Field, cell: FileCell, written: string): Read {
  if (typeof cell === 'string') return readText(app, field, cell, written)
  const { v, less = v } = cell
  const texts = new Set(isTyped(field) ? [v, less] : [shownOf(cell), v])
  const read = [...texts].map(
    text => (cell.percent ? fraction(field, text) : null) ?? readText(app, field, text, 'en', true),
  )
  return read.find(one => 'value' in one) ?? read[0]!
}

/** What is shown as a percentage is a fraction, whatever people would type for it. */
function fraction({ kind, parameters }: Field, text: string): Read | null {
  const read = fieldKind(kind).fromJson(text, parameters)
  return 'value' in read ? read : null
}

/** Text is read as people of the language write it. `known`: a workbook knew what it is. */
function readText(app: App, field: Field, text: string, locale: string, known = false): Read {
  const place = { field: field.key, because: null }
  const { parse, gathered: isSeveral } = fieldKind(field.kind)
  const { choices = [] } = field.parameters
  // The midnight of a workbook is its day alone.
  const isMidnight = field.type.kind === 'moment' && known && readIsoDate(text) !== null
  const currency = field.type.kind === 'decimal' ? onlyCurrency(app) : null
  const plain = currency === null ? text : withoutCurrency(text, currency, locale)
  const zone = app.product.timeZone.name
  const parsed = parse(isMidnight ? `${text}T00:00:00` : plain, field.parameters, locale, zone)
  if (!('invalid' in parsed)) return parsed
  if (choices.length === 0) return { problem: raiseInvalidValue(app, parsed.invalid, field.label, place) }
  // A choice is meant by its word in the reader's language, too, and is told in these words.
  const words = choices.map(choice => wordFor(app, choice))
  const meant = (name: string): string => {
    const folded = composed(name.trim()).toLowerCase()
    return choices[words.findIndex(word => word.toLowerCase() === folded)] ?? name
  }
  const names = isSeveral === undefined ? [text] : wordsIn(text, words)
  const said = parse(names.map(meant).join(', '), field.parameters, locale, zone)
  if (!('invalid' in said)) return said
  const told = parse(text, { ...field.parameters, choices: words }, locale, zone)
  const { invalid } = 'invalid' in told ? told : said
  return { problem: raiseInvalidValue(app, invalid, field.label, place) }
}

/** The currency of all amounts of an application: its sign may stand at numbers that are amounts in a file. Null: there are several, or none. */
const onlyCurrency = (app: App): string | null =>
  cachedStatement(app, ['only currency'], () => {
    const fields = [...app.entities.values()].flatMap(({ fields: own }) => own)
    const currencies = new Set(
      [...fields, ...app.limits.values()].flatMap(({ type }) => (isFixed(type) ? [type.currency] : [])),
    )
    return currencies.size === 1 ? [...currencies][0]! : null
  })

/** What stands between commas; words that have some in them are one, the longest first. */
function wordsIn(text: string, words: readonly string[]): readonly string[] {
  const known = new Set(words.map(word => word.toLowerCase()))
  const longest = Math.max(1, ...words.map(word => word.split(',').length))
  const pieces = namedIn(text).map(({ name }) => name)
  const found: string[] = []
  for (let from = 0; from < pieces.length; ) {
    let to = Math.min(pieces.length, from + longest)
    while (to > from + 1 && !known.has(composed(pieces.slice(from, to).join(', ')).toLowerCase())) to--
    found.push(pieces.slice(from, to).join(', '))
    from = to
  }
  return found
}
