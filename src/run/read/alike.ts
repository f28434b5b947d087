/**
 * Words that are one letter off: one is changed, missing, too many, or swapped with its neighbour. As regular expressions of PostgreSQL over
 * `ninefold.fold`, which the index of the search serves.
 */

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

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** Figures are never taken for one another: LN-0012 is not nearly LN-0013. */
export const isTolerant = (word: string): boolean => isLong([...word])

function isLong(characters: readonly string[]): boolean {
  return characters.length <= longest && characters.filter(isLetter).length >= fewest
}

/** What a text has that has the word in it, or, where that is tolerant, one that is like it. */
export function alike(word: string): string {
  // Taken apart before it is escaped, not by `ninefold.fold` afterwards: a wide bracket would become a plain one.
  const characters = [...word.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')]
  const exact = (from: number, to = characters.length) => characters.slice(from, to).map(escaped).join('')
  if (!isLong(characters)) return exact(0)
  const other = '[^0123456789]'
  const ways = characters.flatMap((character, at) => {
    if (!isLetter(character)) return []
    const next = characters[at + 1]
    const swapped =
      next === undefined || next === character || !isLetter(next) ? [] : [`${next}${character}${exact(at + 2)}`]
    const rest = [`${other}?${exact(at + 1)}`, `${other}${exact(at)}`, ...swapped]
    return [`${exact(0, at)}(?:${rest.join('|')})`]
  })
  if (characters.length >= inside) return `(?:${ways.join('|')})`
  return `(?:^|${between})(?:${[...ways, `${exact(0)}${other}`].join('|')})(?:${between}|$)`
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
