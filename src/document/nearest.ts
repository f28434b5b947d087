/** Did-you-mean: which known word was meant by an unknown one. */

/**
 * The candidate that is nearest to a word, or null where none is near enough to be meant: within one typing mistake for words
 * up to four characters, two up to eight, three beyond (Damerau-Levenshtein: insert, leave out, replace, swap neighbours).
 * Only the first of very many are looked at, so that thousands of unknown names cost no more than their number. Upper and lower case are alike, and so are spaces, hyphens and underscores (`Due back` finds `due_back`); bold type and a `the` before
 * it do not count. First of equals.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const wanted = plain(word)
  let best: string | null = null
  let limit = wanted.length <= 2 ? 0 : wanted.length <= 4 ? 1 : wanted.length <= 8 ? 2 : 3
  let compared = 0
  for (const candidate of candidates) {
    if (compared++ === mostCompared) break
    const distance = distanceWithin(wanted, plain(candidate), limit)
    if (distance > limit) continue
    if (best === null || distance < limit) best = candidate
    limit = distance
  }
  return best
}

/** More than a document has names of one kind; lists of sample data are longer. */
const mostCompared = 500

/** `; did you mean …?` for the end of a message, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates)
  return meant === null ? '' : `; did you mean \`${meant}\`?`
}

const plainWords = new Map<string, string>()

function plain(word: string): string {
  const known = plainWords.get(word)
  if (known !== undefined) return known
  const made = word
    .trim()
    .toLowerCase()
    .replace(/^(?:[*`]+|the\s)|[*`]+$/g, '')
    .replace(/[\s_-]+/g, ' ')
  if (plainWords.size === 2 * mostCompared) plainWords.clear()
  plainWords.set(word, made)
  return made
}

/** Optimal string alignment distance; some number above `limit` where it is more than that. */
function distanceWithin(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
