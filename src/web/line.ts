/**
 * Those who wait, each in turn: network after network, and of each network person after person. Nobody comes sooner by asking more often,
 * and where no more may wait, whoever has most there goes first.
 */

/** Who asks, as far as that can be told before anything is looked up. */
export interface Asking {
  readonly network: string
  /** What the session or the key is told by; empty: nobody has signed in. */
  readonly person: string
}

export interface Line<Each> {
  readonly size: () => number
  /** Gives whoever has to go for it, perhaps itself. Null: there was room. */
  readonly enter: (one: Each, asking: Asking) => Each | null
  /** Whose turn it is; null: nobody waits. */
  readonly next: () => Each | null
  readonly leave: (one: Each) => void
}

/** `most`: how many may wait. */
export function fairLine<Each>(most: () => number): Line<Each> {
  const networks = new Map<string, Map<string, Each[]>>()
  const known = new Map<Each, Asking>()
  const take = (one: Each) => {
    const { network, person } = known.get(one)!
    const people = networks.get(network)!
    const own = people.get(person)!
    known.delete(one)
    own.splice(own.indexOf(one), 1)
    if (own.length === 0) people.delete(person)
    if (people.size === 0) networks.delete(network)
    return { network, people, person, own }
  }
  const count = (people: ReadonlyMap<string, readonly Each[]>) =>
    [...people.values()].reduce((sum, own) => sum + own.length, 0)
  return {
    size: () => known.size,
    enter(one, asking) {
      known.set(one, asking)
      const people = networks.get(asking.network) ?? new Map<string, Each[]>()
      networks.set(asking.network, people)
      people.set(asking.person, [...(people.get(asking.person) ?? []), one])
      if (known.size <= most()) return null
      const largest = longest([...networks.values()], count)
      const last = longest([...largest.values()], own => own.length).at(-1)!
      take(last)
      return last
    },
    next() {
      const [people] = networks.values()
      const [own] = people?.values() ?? []
      if (own === undefined) return null
      const one = own[0]!
      // Behind the others.
      const { network, person, people: others } = take(one)
      if (own.length > 0) {
        others.delete(person)
        others.set(person, own)
      }
      if (others.size > 0) {
        networks.delete(network)
        networks.set(network, others)
      }
      return one
    },
    leave(one) {
      if (known.has(one)) take(one)
    },
  }
}

/** Of several that are as long the last. */
const longest = <Each>(all: readonly Each[], length: (one: Each) => number): Each =>
  all.reduce((found, one) => (length(one) >= length(found) ? one : found))
