/** Regular expressions of other languages (Java, PostgreSQL) into the portable ones of Ninefold, for texts of one line. */
import { readPattern } from '../headings/3-entities/pattern.ts'

/** How the rule is written; null where the language has nothing that means the same. The whole text must match, as in Java. */
export function patternRule(source: string): string | null {
  const portable = translated(unanchored(source))
  if (portable === null || portable === '') return null
  // Without a sign of a regular expression it would be a picture; blanks and backticks at the ends would be lost in the cell.
  const grouped = /^[\s`]|[\s`]$/.test(portable) || isPicture(portable) ? `(${portable})` : portable
  if ('wrong' in readPattern(grouped)) return null
  const longest = Math.max(0, ...[...grouped.matchAll(/`+/g)].map(run => run[0].length))
  const ticks = '`'.repeat(longest + 1)
  return `pattern ${ticks}${grouped}${ticks}`
}

function isPicture(pattern: string): boolean {
  const read = readPattern(pattern)
  return 'picture' in read && read.picture
}

function unanchored(source: string): string {
  const begun = source.replace(/^\^/, '')
  return /(?<!\\)(?:\\\\)*\$$/.test(begun) ? begun.slice(0, -1) : begun
}

/**
 * Classes by letter, spelled out. A text of one line has no control characters, so that of white space only the blank is left, and
 * `.` is any character.
 */
const classes: Readonly<Record<string, { readonly inside: string | null; readonly alone: string }>> = {
  s: { inside: ' ', alone: '[ ]' },
  S: { inside: null, alone: '[^ ]' },
  w: { inside: 'A-Za-z0-9_', alone: '[A-Za-z0-9_]' },
  W: { inside: null, alone: '[^A-Za-z0-9_]' },
  d: { inside: '0-9', alone: '[0-9]' },
  D: { inside: null, alone: '[^0-9]' },
}

function translated(source: string): string | null {
  let written = ''
  let inClass = false
  for (let at = 0; at < source.length; ) {
    const found: Translated = inClass ? insideClass(source, at) : outsideClass(source, at)
    if (found === null) return null
    written += found.text
    at += found.length
    inClass = found.inClass
  }
  return inClass ? null : written
}

/** How the next characters are written, how many they are, and whether a class is open behind them; null where nothing means the same. */
type Translated = { readonly text: string; readonly length: number; readonly inClass: boolean } | null

function outsideClass(source: string, at: number): Translated {
  const character = source[at]!
  if (character === '\\') return escaped(source[at + 1], false)
  if (character !== '[') return { text: character === '.' ? '(?:[^a]|a)' : character, length: 1, inClass: false }
  const text = source[at + 1] === '^' ? '[^' : '['
  return source[at + text.length] === ']' ? null : { text, length: text.length, inClass: true }
}

function insideClass(source: string, at: number): Translated {
  const character = source[at]!
  if (character === '\\') return escaped(source[at + 1], true)
  if (character === '[' || source.startsWith('&&', at)) return null
  return { text: character, length: 1, inClass: character !== ']' }
}

function escaped(letter: string | undefined, inClass: boolean): Translated {
  if (letter === undefined) return null
  const text = textOfEscaped(letter, inClass)
  return text === null ? null : { text, length: 2, inClass }
}

function textOfEscaped(letter: string, inClass: boolean): string | null {
  const known = classes[letter]
  if (known !== undefined) return inClass ? known.inside : known.alone
  if (/[A-Za-z0-9]/.test(letter)) return null
  if (letter === '/') return '/'
  if (letter === '|') return inClass ? '|' : '[|]'
  return `\\${letter}`
}
