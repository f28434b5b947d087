/**
 * Words that are one letter off: one is changed, missing, too many, or swapped with its neighbour; and codes whose parts are written apart,
 * or not. As regular expressions of PostgreSQL over `ninefold.fold`, which the index of the search serves.
 */
import { folded } from './fold.ts'

/** Fewer letters than these are nearly the same as too many other words. */
const fewest = 4
/** From here on it is looked for inside of words, too; a shorter one is compared with whole words. */
const inside = 6
const longest = 24

/**
 * What stands between words: these few characters, for the index takes a class of many for anything at all. Hyphens are none of them, nor
 * do they say "from … to" in a class: `ninefold.fold` takes them out.
 */
const between = '[ \\n\\t,.;:!?/()"\'&+_]'

/** What the parts of a code are kept apart by, besides hyphens. */
const apart = ' ./:_'

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** Others than what it is itself are like it. Figures are never taken for one another: LN-0012 is not nearly LN-0013. */
export function isTolerant(word: string): boolean {
  const characters = [...folded(word)]
  return isLong(characters) || isCode(partsOf(characters))
}

const isLong = (characters: readonly string[]): boolean =>
  characters.length <= longest && characters.filter(isLetter).length >= fewest

const isCode = (parts: readonly string[]): boolean =>
  parts.length >= fewest && parts.length <= longest && parts.some(character => /\d/.test(character))

const partsOf = (characters: readonly string[]): readonly string[] =>
  characters.filter(character => !apart.includes(character))

/** What a text has that has the word in it, or, where that is tolerant, one that is like it. */
export function alike(word: string): string {
  // Folded before it is escaped, not by `ninefold.fold` alone: a wide bracket would become a plain one.
  const characters = [...folded(word)]
  const parts = partsOf(characters)
  const ways = [...(isLong(characters) ? [oneOff(characters)] : []), ...(isCode(parts) ? keptApart(parts) : [])]
  return ways.length === 0 ? characters.map(escaped).join('') : `(?:${ways.join('|')})`
}

/** Wherever letters and figures meet, or in one other place: for each place more at a time the index would look at nearly everything. */
function keptApart(parts: readonly string[]): readonly string[] {
  const characters = parts.map(escaped)
  const meet = (at: number) => at > 0 && isLetter(parts[at]!) !== isLetter(parts[at - 1]!)
  const met = characters.map((character, at) => (meet(at) ? `[${apart}]?${character}` : character)).join('')
  const once = characters.slice(1).map((_, at) => {
    const [first, second] = [characters.slice(0, at + 1), characters.slice(at + 1)]
    return `${first.join('')}[${apart}]${second.join('')}`
  })
  return [met, ...once]
}

function oneOff(characters: readonly string[]): string {
  const exact = (from: number, to = characters.length) => characters.slice(from, to).map(escaped).join('')
  const other = '[^0123456789]'
  const ways = characters.flatMap((character, at) => {
    if (!isLetter(character)) return []
    const next = characters[at + 1]
    const swapped =
      next === undefined || next === character || !isLetter(next) ? [] : [`${next}${character}${exact(at + 2)}`]
    const rest = [`${other}?${exact(at + 1)}`, `${other}${exact(at)}`, ...swapped]
    return [`${exact(0, at)}(?:${rest.join('|')})`]
  })
  if (characters.length >= inside) return ways.join('|')
  return `(?:^|${between})(?:${[...ways, `${exact(0)}${other}`].join('|')})(?:${between}|$)`
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
