/**
 * Whether the whole of a text is what a pattern says. All ways through the pattern are gone at once, one character after another, so that
 * no text takes longer than its length times the pattern's: `RegExp` tries one way after the other, and a pattern as plain as
 * `[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*1` would keep a process busy for hours with a text of two hundred letters.
 */

/** What one character may be. */
interface Characters {
  readonly ranges: readonly (readonly [low: number, high: number])[]
  readonly negated: boolean
}

type Node =
  | Characters
  | { readonly all: readonly Node[] }
  | { readonly any: readonly Node[] }
  | { readonly of: Node; readonly least: number; readonly most: number }

/** A character, or the places where it goes on without one. The end is behind the last. */
type Step = Characters | { readonly to: number[] }

const known = new Map<string, readonly Step[]>()

/** `source` as `readPattern` gives it: every sign that stands for itself has a backslash. */
export function matches(source: string, text: string): boolean {
  let steps = known.get(source)
  if (steps === undefined) {
    steps = stepsOf(read(source))
    known.set(source, steps)
  }
  const reached = new Int32Array(steps.length + 1)
  let round = 1
  let here = from(steps, [0], reached, round)
  for (const character of text) {
    const point = character.codePointAt(0)!
    const next = here.filter(at => takes(steps[at], point)).map(at => at + 1)
    if (next.length === 0) return false
    here = from(steps, next, reached, ++round)
  }
  return here.includes(steps.length)
}

function takes(step: Step | undefined, point: number): boolean {
  if (step === undefined || 'to' in step) return false
  return step.ranges.some(([low, high]) => low <= point && point <= high) !== step.negated
}

/** Every place that is reached from these without a character, each once. */
function from(
  steps: readonly Step[],
  places: readonly number[],
  reached: Int32Array,
  round: number,
): readonly number[] {
  const found: number[] = []
  for (const open = [...places]; open.length > 0; ) {
    const at = open.pop()!
    if (reached[at] === round) continue
    reached[at] = round
    const step = steps[at]
    if (step !== undefined && 'to' in step) open.push(...step.to)
    else found.push(at)
  }
  return found
}

function stepsOf(pattern: Node): readonly Step[] {
  const steps: Step[] = []
  const fork = (...to: number[]) => {
    steps.push({ to })
    return to
  }
  const add = (node: Node): void => {
    if ('ranges' in node) steps.push(node)
    else if ('all' in node) node.all.forEach(add)
    else if ('any' in node) {
      const begins = fork()
      const ends = node.any.map(one => {
        begins.push(steps.length)
        add(one)
        return fork()
      })
      for (const end of ends) end.push(steps.length)
    } else {
      const { of, least, most } = node
      for (let time = 0; time < least; time++) add(of)
      const leaves: number[][] = []
      for (let time = least; time < most && Number.isFinite(most); time++) {
        leaves.push(fork(steps.length + 1))
        add(of)
      }
      if (!Number.isFinite(most)) {
        const begin = steps.length
        leaves.push(fork(begin + 1))
        add(of)
        fork(begin)
      }
      for (const leave of leaves) leave.push(steps.length)
    }
  }
  add(pattern)
  return steps
}

function read(source: string): Node {
  let at = 0
  return alternatives()

  function alternatives(): Node {
    const any = [sequence()]
    for (; source[at] === '|'; any.push(sequence())) at += 1
    return any.length === 1 ? any[0]! : { any }
  }

  function sequence(): Node {
    const all: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      // It is always about the whole text.
      if (source[at] === '^' || source[at] === '$') at += 1
      else all.push(repeated())
    }
    return { all }
  }

  function repeated(): Node {
    const of = atom()
    const [found, sign, least, comma, most] = /^(?:([?*+])|\{(\d+)(,?)(\d*)\})/.exec(source.slice(at, at + 12)) ?? []
    if (found === undefined) return of
    at += found.length
    if (sign !== undefined)
      return { of, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
    const open = comma === ',' && most === ''
    return { of, least: Number(least), most: open ? Number.POSITIVE_INFINITY : Number(most || least) }
  }

  function atom(): Node {
    if (source.startsWith('(?:', at)) {
      at += 3
      const inside = alternatives()
      at += 1
      return inside
    }
    if (source[at] !== '[') {
      const point = character()
      return { ranges: [[point, point]], negated: false }
    }
    at += 1
    const negated = source[at] === '^'
    if (negated) at += 1
    const ranges: [number, number][] = []
    while (source[at] !== ']') {
      const low = character()
      if (source[at] === '-') at += 1
      else {
        ranges.push([low, low])
        continue
      }
      ranges.push([low, character()])
    }
    at += 1
    return { ranges, negated }
  }

  function character(): number {
    if (source[at] === '\\') at += 1
    const point = source.codePointAt(at)!
    at += point > 0xffff ? 2 : 1
    return point
  }
}
