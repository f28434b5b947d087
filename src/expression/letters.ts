/** Letters by tables that both back ends have, since a database goes by its locale: in small or capital ones, and without accents. */

import { raw, type Sql, sql } from './sql.ts'

/** The text with other letters, in JavaScript and in SQL. */
export interface Letters {
  readonly of: (text: string) => string
  readonly sql: (text: Sql) => Sql
}

/** What two texts may differ in and still be the same, where the document says `without`. */
export type Without = 'case' | 'case and accents'

/** Latin, Greek and Cyrillic. */
const scripts = [[0x41, 0x24f] as const, [0x386, 0x52f] as const, [0x1e00, 0x1fff] as const].flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).filter(one => /\p{L}/u.test(one)),
)

/** Letters that are one character in both cases, the small one first; of Greek without the old breathings. */
const pairs = scripts
  .filter(one => one < '\u1f00')
  .map(small => [small, small.toUpperCase()] as const)
  .filter(([small, large]) => small !== large && large.length === 1 && large.toLowerCase() === small)

const quoted = (characters: Iterable<string>): Sql => raw(`'${[...characters].join('')}'`)

function changing(letters: ReadonlyMap<string, string>): Letters {
  const [from, to] = [quoted(letters.keys()), quoted(letters.values())]
  return {
    of: text => Array.from(text, one => letters.get(one) ?? one).join(''),
    sql: text => sql`translate(${text}, ${from}, ${to})`,
  }
}

export const capital = changing(new Map(pairs))
export const small = changing(new Map(pairs.map(([one, large]) => [large, one])))

/** Letters that cannot be taken apart, and what they are compared as. */
export const indivisible: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
}

const accents = Array.from({ length: 0x70 }, (_, at) => String.fromCodePoint(0x300 + at))
/** What becomes two letters. */
const longer = Object.entries(indivisible).filter(([, two]) => two.length > 1)

/** The one letter that is left of it, small and without accents; of what becomes several, the letter itself. */
function bareLetter(letter: string): string {
  const bare = letter
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const plain = bare === 'ς' ? 'σ' : (indivisible[bare] ?? bare)
  return plain.length === 1 ? plain : bare.length === 1 ? bare : letter
}

const bare = changing(new Map(scripts.map(one => [one, bareLetter(one)] as const).filter(([one, to]) => to !== one)))

/** A text of nothing but accents stays. */
export const plain: Letters = {
  of(text) {
    const letters = bare.of(text).replace(/[\u0300-\u036f]/g, '')
    return longer.reduce((found, [one, two]) => found.replaceAll(one, two), letters) || text
  },
  sql(text) {
    const letters = sql`translate(${bare.sql(text)}, ${quoted(accents)}, '')`
    const whole = longer.reduce((found, [one, two]) => sql`replace(${found}, ${quoted(one)}, ${quoted(two)})`, letters)
    return sql`coalesce(nullif(${whole}, ''), ${text})`
  },
}

const compared: Readonly<Record<Without, Letters>> = { case: small, 'case and accents': plain }

/** Longest first: one begins with the other. */
export const withouts: readonly Without[] = ['case and accents', 'case']

/** What is compared in the place of a value. */
export const folded = <T>(without: Without | null, value: T): T =>
  without === null || typeof value !== 'string' ? value : (compared[without].of(value) as T & string)

export const foldedSql = (without: Without | null, value: Sql): Sql =>
  without === null ? value : compared[without].sql(value)
