/** Functions over texts. Characters are code points, in both back ends. */

import { type Decimal, parseDecimal } from './decimal.ts'
import type { ScalarFunction, SqlArgument } from './functions.ts'
import { capital, type Letters, plain, small } from './letters.ts'
import { raw, type Sql, sql } from './sql.ts'
import type { Type } from './type.ts'
import type { Value } from './values.ts'

const TEXT: Type = { kind: 'text' }
/** No text is longer; two of them are an `integer` of PostgreSQL still. */
const MOST = 1_000_000_000

const clamped = (value: Value | undefined, least: 0 | 1): number => {
  const { units, scale } = value as Decimal
  return Math.min(Math.max(Number(units / 10n ** BigInt(scale)), least), MOST)
}
/** `least` and `greatest` leave an empty out: what no number within the bounds is stands for it meanwhile. */
function clampedSql({ sql: value, optional }: SqlArgument, least: 0 | 1): Sql {
  const [low, high] = [raw(String(least)), raw(String(MOST))]
  if (!optional) return sql`least(greatest(trunc(${value}), ${low}), ${high})::integer`
  const above = sql`nullif(greatest(coalesce(trunc(${value}), 'Infinity'), ${low}), 'Infinity')`
  return sql`nullif(least(coalesce(${above}, -1), ${high}), -1)::integer`
}

const orEmpty = (characters: readonly string[]): Value => (characters.length === 0 ? null : characters.join(''))
const orEmptySql = (text: Sql): Sql => sql`nullif(${text}, '')`

function lettered(name: string, letters: Letters, meaning: string, repeats: number): ScalarFunction {
  return {
    name,
    written: `${name}(text)`,
    meaning,
    takes: ['text'],
    gives: () => TEXT,
    repeats,
    evaluate: ([text]) => letters.of(text as string),
    sql: ([text]) => letters.sql(text!.sql),
  }
}

const cased = (name: string, letters: Letters, words: string, example: string): ScalarFunction =>
  lettered(
    name,
    letters,
    `The text in ${words} letters, of Latin, Greek and Cyrillic script: ${example}. What has no such letter of one character, as \`ß\`, stays.`,
    1,
  )

export const textFunctions: readonly ScalarFunction[] = [
  {
    name: 'left',
    written: 'left(text, count)',
    meaning: 'So many characters from the beginning of a text: `left(iban, 2)`; of nothing: empty.',
    takes: ['text', 'whole'],
    gives: () => TEXT,
    repeats: 1,
    leaves: true,
    evaluate: ([text, count]) => orEmpty(Array.from(text as string).slice(0, clamped(count, 0))),
    sql: ([text, count]) => orEmptySql(sql`left(${text!.sql}, ${clampedSql(count!, 0)})`),
  },
  {
    name: 'right',
    written: 'right(text, count)',
    meaning: 'So many characters from the end of a text: `right(card, 4)`; of nothing: empty.',
    takes: ['text', 'whole'],
    gives: () => TEXT,
    repeats: 1,
    leaves: true,
    evaluate: ([text, count]) => {
      const characters = Array.from(text as string)
      return orEmpty(characters.slice(Math.max(characters.length - clamped(count, 0), 0)))
    },
    sql: ([text, count]) => orEmptySql(sql`right(${text!.sql}, ${clampedSql(count!, 0)})`),
  },
  {
    name: 'part',
    written: 'part(text, from, count)',
    meaning:
      'So many characters of a text from one of them on, the first being 1: `part(code, 4, 2)`; where there are none: empty.',
    takes: ['text', 'whole', 'whole'],
    gives: () => TEXT,
    repeats: 1,
    leaves: true,
    evaluate: ([text, from, count]) => {
      const begin = clamped(from, 1) - 1
      return orEmpty(Array.from(text as string).slice(begin, begin + clamped(count, 0)))
    },
    sql: ([text, from, count]) =>
      orEmptySql(sql`substr(${text!.sql}, ${clampedSql(from!, 1)}, ${clampedSql(count!, 0)})`),
  },
  {
    name: 'replace',
    written: 'replace(text, "what", "with")',
    meaning: 'The text with another one wherever it has the first: `replace(number, "/", "-")`.',
    takes: ['text', 'written', 'written'],
    gives: () => TEXT,
    repeats: 1,
    evaluate: ([text, what, put]) => (text as string).split(what as string).join(put as string),
    sql: ([text, what, put]) => sql`replace(${text!.sql}, ${what!.sql}, ${put!.sql})`,
  },
  {
    name: 'without',
    written: 'without(text, "what")',
    meaning: 'The text without it, wherever it has it: `without(iban, " ")`; where nothing is left: empty.',
    takes: ['text', 'written'],
    gives: () => TEXT,
    repeats: 1,
    leaves: true,
    evaluate: ([text, what]) => (text as string).split(what as string).join('') || null,
    sql: ([text, what]) => orEmptySql(sql`replace(${text!.sql}, ${what!.sql}, '')`),
  },
  cased('upper', capital, 'capital', '`upper("Köln")` is `"KÖLN"`'),
  cased('lower', small, 'small', '`lower("KÖLN")` is `"köln"`'),
  lettered(
    'plain',
    plain,
    'The text in small letters and without accents, of the same scripts, for comparing: `plain("Žofie Groß")` is `"zofie gross"`.',
    2,
  ),
  {
    name: 'number',
    written: 'number(text)',
    meaning:
      'The number that a text is, written as in expressions: `"12.50"`, `"-3"`; up to 15 digits before and 10 behind the point. Any other text: empty.',
    takes: ['text'],
    gives: () => ({ kind: 'decimal' }),
    repeats: 1,
    leaves: true,
    evaluate: ([text]) => {
      const number = /^ *(-?[0-9]{1,15}(?:[.][0-9]{1,10})?) *$/.exec(text as string)?.[1]
      return number === undefined ? null : parseDecimal(number)
    },
    sql: ([text]) => sql`substring(${text!.sql} from '^ *(-?[0-9]{1,15}(?:[.][0-9]{1,10})?) *$')::numeric`,
  },
]
