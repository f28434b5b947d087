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
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!
    if (character === '\\') {
      at += 1
      const next = source[at]
      if (next === undefined) return null
      const known = classes[next]
      if (known !== undefined) {
        const spelled = inClass ? known.inside : known.alone
        if (spelled === null) return null
        written += spelled
      } else if (/[A-Za-z0-9]/.test(next)) return null
      else if (next === '|' || next === '/') written += next === '/' || inClass ? next : '[|]'
      else written += `\\${next}`
    } else if (inClass) {
      if (character === '[' || source.startsWith('&&', at)) return null
      if (character === ']') inClass = false
      written += character
    } else if (character === '[') {
      inClass = true
      written += character
      if (source[at + 1] === '^') {
        written += '^'
        at += 1
      }
      if (source[at + 1] === ']') return null
    } else written += character === '.' ? '(?:[^a]|a)' : character
  }
  return inClass ? null : written
}
