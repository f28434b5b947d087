/**
 * Patterns of fields, in the subset that means the same in JavaScript (flag `u`) and in PostgreSQL: literals, classes, groups,
 * alternation, `? * + {m,n}` with n at most 255. A repetition without bounds can be gone round in one way only, so that no text
 * takes a time that doubles with each character. Always anchored.
 * A text without any sign of a regular expression is a picture: `A` is a letter A–Z, `9` a digit, all else stands for itself.
 */

type ReadPattern =
  /** `source` is anchored and goes unchanged into `new RegExp(source, 'u')` and into PostgreSQL's `~`. */
  | { readonly source: string; readonly picture: boolean; readonly signs: Signs }
  /** What is wrong, and where in the text. */
  | { readonly wrong: string; readonly at: number; readonly length: number }

const signsOfExpressions = /[[\](){}|?*+^$\\]/
const special = new Set([...'^$\\.*+?()[]{}|/'])
const mostTimes = 255
/** PostgreSQL takes seconds to build an expression in which more may be left out, in each of its sessions. */
const mostLeftOut = 200

const tooMuchLeftOut = `more than ${mostLeftOut} parts may be left out, each counted as often as it is repeated; write one repetition such as [a-z]{0,${mostTimes}}`

/** Raised inside this file only, so that the recursive descent below stays readable; `readPattern` turns it into a value. */
class Wrong extends Error {
  readonly at: number
  readonly length: number
  constructor(message: string, at: number, length: number) {
    super(message)
    this.at = at
    this.length = length
  }
}

/** Reads what follows `pattern` in a Rules cell. */
export function readPattern(text: string): ReadPattern {
  if (!signsOfExpressions.test(text))
    return { source: `^(?:${[...text].map(inPicture).join('')})$`, picture: true, signs: [...text].map(shownInPicture) }
  const anchored = /^\^.*[^\\]\$$/su.test(text)
  const offset = anchored ? 1 : 0
  try {
    const { source, signs } = readExpression(anchored ? text.slice(1, -1) : text)
    return { source: `^(?:${source})$`, picture: false, signs }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return { wrong: error.message, at: error.at + offset, length: error.length }
  }
}

const place = /(\\d|\[0-9\]|\[A-Z\])(?:\{(\d{1,2})\})?/g

/** As people read it: as a picture, where nothing but so many letters, digits and other signs make it; else a text that fits. */
export function shownPattern(text: string, signs: Signs): string {
  if (!signsOfExpressions.test(text)) return text
  const rest = text.replace(place, '')
  return signsOfExpressions.test(rest) || /[A9]/.test(rest)
    ? fitting(signs)
    : text.replace(place, (_, one: string, times = '1') => (one === '[A-Z]' ? 'A' : '9').repeat(Number(times)))
}

const inPicture = (character: string): string =>
  character === 'A' ? '[A-Z]' : character === '9' ? '[0-9]' : literal(character)

const shownInPicture = (character: string): readonly Range[] =>
  character === 'A' ? [capitals] : character === '9' ? [digits] : [rangeOf(character)]

const literal = (character: string): string =>
  special.has(character) && character !== '/' ? `\\${character}` : character

type Range = readonly [low: number, high: number]

/** Of a short text that fits a pattern: what each of its characters may be. Of alternatives it has the first, and of what may be repeated one. */
export type Signs = readonly (readonly Range[])[]

/** A part of a pattern: its text, what it repeats, how much of it may be left out, a short text that fits, and which of its characters may begin, end and follow each other (Glushkov). */
interface Part {
  readonly source: string
  readonly times: number
  readonly leftOut: number
  readonly signs: Signs
  readonly nullable: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const nothing: Part = { source: '', times: 1, leftOut: 0, signs: [], nullable: true, first: [], last: [] }

function readExpression(text: string): Pick<Part, 'source' | 'signs'> {
  let at = 0
  const sets: (readonly Range[])[] = []
  const follow: Set<number>[] = []
  const whole = alternatives()
  if (at < text.length) throw new Wrong('this bracket was never opened', at, 1)
  if (whole.leftOut > mostLeftOut) throw new Wrong(tooMuchLeftOut, 0, text.length)
  return whole

  function alternatives(): Part {
    let part = sequence()
    while (text[at] === '|') {
      at += 1
      const other = sequence()
      part = {
        ...together(part, other, '|'),
        signs: part.signs.length > 0 ? part.signs : other.signs,
        nullable: part.nullable || other.nullable,
        first: [...part.first, ...other.first],
        last: [...part.last, ...other.last],
      }
    }
    return part
  }

  function sequence(): Part {
    let part = nothing
    while (at < text.length && text[at] !== '|' && text[at] !== ')') {
      const next = repeated()
      for (const end of part.last) for (const begin of next.first) follow[end]!.add(begin)
      part = {
        ...together(part, next, ''),
        signs: [...part.signs, ...next.signs],
        nullable: part.nullable && next.nullable,
        first: part.nullable ? [...part.first, ...next.first] : part.first,
        last: next.nullable ? [...part.last, ...next.last] : next.last,
      }
    }
    return part
  }

  function repeated(): Part {
    const begin = at
    const since = sets.length
    const part = atom()
    const count = repetition()
    if (count === null) return part
    const { source, least, times, unbounded } = count
    const wrong = (why: string) => new Wrong(why, begin, at - begin)
    if (part.times * times > 1000) throw wrong('these repetitions multiply to more than 1,000')
    const isTwofold = (unbounded || times > 1) && goRound(part)
    if (unbounded && (isTwofold || isAmbiguous(part, since)))
      throw wrong('a text can go round this repetition in several ways, which takes too long to try')
    const leftOut = part.leftOut * times + (least === 0 ? 1 : 0)
    if (leftOut > mostLeftOut) throw wrong(tooMuchLeftOut)
    return {
      ...part,
      source: part.source + source,
      times: part.times * times,
      leftOut,
      signs: Array.from({ length: Math.max(1, least) }, () => part.signs).flat(),
      nullable: part.nullable || least === 0,
    }
  }

  /** `?`, `*`, `+`, `{2}`, `{2,5}`, `{2,}`; null where nothing is repeated. `times`: at most, and 1 where there is no end. */
  function repetition() {
    const found = /^(?:[?*+]|\{(\d+)(?:(,)(\d*))?\})/.exec(text.slice(at))
    if (found === null) {
      if (text[at] === '{') throw new Wrong('write a repetition as {2} or {2,5}', at, 1)
      return null
    }
    const [source, from, comma, to] = found
    const unbounded = source === '*' || source === '+' || (comma === ',' && to === '')
    const times = unbounded || source === '?' ? 1 : Number(to || from)
    if (times > mostTimes) throw new Wrong(`a part may be repeated at most ${mostTimes} times`, at, source.length)
    if (to && Number(to) < Number(from)) throw new Wrong('the smaller number comes first', at, source.length)
    at += source.length
    if (/^[?*+{]/.test(text.slice(at))) throw new Wrong('a repetition cannot be repeated', at, 1)
    const least = source === '?' || source === '*' ? 0 : Number(from ?? 1)
    return { source, least, times, unbounded }
  }

  /** Joins the end of a repeated part to its beginning; true where they were joined before: then there are two ways round. */
  function goRound(part: Part): boolean {
    let twice = false
    for (const end of part.last) {
      for (const begin of part.first) {
        twice ||= follow[end]!.has(begin)
        follow[end]!.add(begin)
      }
    }
    return twice
  }

  /** Whether the next character could be read in two places of the part. */
  function isAmbiguous(part: Part, since: number): boolean {
    const inside = Array.from({ length: sets.length - since }, (_, index) => [...follow[since + index]!])
    return [[...part.first], ...inside].some(choices =>
      choices.some((one, index) =>
        choices.slice(index + 1).some(other => one !== other && overlap(sets[one]!, sets[other]!)),
      ),
    )
  }

  function single(source: string, ranges: readonly Range[]): Part {
    const position = sets.push(ranges) - 1
    follow.push(new Set())
    return { source, times: 1, leftOut: 0, signs: [ranges], nullable: false, first: [position], last: [position] }
  }

  function atom(): Part {
    const point = text.codePointAt(at)!
    const character = String.fromCodePoint(point)
    if (character === '(') return group()
    if (character === '[') return set()
    if (character === '\\') return escaped()
    if (character === '.')
      throw new Wrong('`.` means different things in different places; write a class such as [^,]', at, 1)
    if (character === '^' || character === '$')
      throw new Wrong('a pattern is always the whole text; leave out ^ and $', at, 1)
    if (/[?*+{]/.test(character)) throw new Wrong('there is nothing before this to repeat', at, 1)
    if (/[\]}]/.test(character)) throw new Wrong(`write \\${character} for the sign itself`, at, 1)
    at += character.length
    return single(literal(character), [[point, point]])
  }

  function group(): Part {
    const begin = at
    at += 1
    if (text[at] === '?') {
      if (text[at + 1] !== ':') throw new Wrong('looking ahead or behind is not portable', begin, 3)
      at += 2
    }
    const inside = alternatives()
    if (text[at] !== ')') throw new Wrong('this bracket is never closed', begin, 1)
    at += 1
    return { ...inside, source: `(?:${inside.source})` }
  }

  function escaped(): Part {
    const next = text[at + 1]
    if (next === undefined) throw new Wrong('nothing follows this backslash', at, 1)
    if (/[A-Za-z0-9]/.test(next) && next !== 'd')
      throw new Wrong(`\\${next} means different things in different places; write a class such as [A-Za-z0-9_]`, at, 2)
    const point = text.codePointAt(at + 1)!
    at += 1 + String.fromCodePoint(point).length
    return next === 'd' ? single('[0-9]', [digits]) : single(literal(String.fromCodePoint(point)), [[point, point]])
  }

  function set(): Part {
    const begin = at
    at += 1
    const isNegated = text[at] === '^'
    if (isNegated) at += 1
    const ranges: Range[] = []
    while (text[at] !== ']') {
      if (at >= text.length) throw new Wrong('this class is never closed', begin, 1)
      const from = at
      const low = member()
      if (low !== null && text[at] === '-' && text[at + 1] !== ']' && at + 1 < text.length) {
        at += 1
        const high = member()
        if (high === null || high < low) throw new Wrong('this range is the wrong way round', from, at - from)
        ranges.push([low, high])
      } else ranges.push(low === null ? digits : [low, low])
    }
    if (ranges.length === 0) throw new Wrong('this class is empty', begin, 2)
    at += 1
    const inside = ranges.map(([low, high]) => (low === high ? inSet(low) : `${inSet(low)}-${inSet(high)}`)).join('')
    return single(`[${isNegated ? '^' : ''}${inside}]`, isNegated ? complement(ranges) : ranges)
  }

  /** The code point of one member of a class; null for `\d`. */
  function member(): number | null {
    if (text[at] === '[') throw new Wrong('write \\[ for the sign itself', at, 1)
    if (text[at] === '\\') {
      const next = text[at + 1]
      if (next === 'd') {
        at += 2
        return null
      }
      if (next === undefined || /[A-Za-z0-9]/.test(next)) throw new Wrong(`\\${next ?? ''} is not portable`, at, 2)
      at += 1
    }
    const point = text.codePointAt(at)!
    at += point > 0xffff ? 2 : 1
    return point
  }
}

const rangeOf = (character: string): Range => [character.codePointAt(0)!, character.codePointAt(0)!]
const digits: Range = [48, 57]
const capitals: Range = [65, 90]
const small: Range = [97, 122]
const lastPoint = 0x10ffff

function together(left: Part, right: Part, between: string): Pick<Part, 'source' | 'times' | 'leftOut'> {
  return {
    source: left.source + between + right.source,
    times: Math.max(left.times, right.times),
    leftOut: left.leftOut + right.leftOut,
  }
}

const overlap = (left: readonly Range[], right: readonly Range[]): boolean =>
  left.some(([low, high]) => right.some(range => low <= range[1] && range[0] <= high))

function complement(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  let next = 0
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (low > next) result.push([next, low - 1])
    next = Math.max(next, high + 1)
  }
  if (next <= lastPoint) result.push([next, lastPoint])
  return result
}

const inSet = (point: number): string => {
  const character = String.fromCodePoint(point)
  return '^]\\-['.includes(character) ? `\\${character}` : character
}

/** A text of these signs, `AB-1234`; another one for each `n`, as long as there are any. */
export function fitting(signs: Signs, n = 0): string {
  const alphabets = signs.map(alphabetOf)
  let rest = n
  let [letters, figures] = [0, 0]
  const begins = alphabets.map(({ isFigures, size }) => (size === 1 ? 0 : isFigures ? ++figures : letters++))
  return alphabets.reduceRight((text, { low, size }, at) => {
    const sign = String.fromCodePoint(low + ((begins[at]! + rest) % size))
    rest = Math.floor(rest / size)
    return sign + text
  }, '')
}

/** Of what a character may be: capital letters, else small ones, else figures, else what comes first. */
function alphabetOf(ranges: readonly Range[]): { low: number; size: number; isFigures: boolean } {
  for (const wanted of [capitals, small, digits])
    for (const [low, high] of ranges) {
      const [from, to] = [Math.max(low, wanted[0]), Math.min(high, wanted[1])]
      if (from <= to) return { low: from, size: to - from + 1, isFigures: wanted === digits }
    }
  return { low: ranges[0]![0], size: 1, isFigures: false }
}
