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
  /** Gives those who have to go for it, perhaps itself. None: there was room. */
  readonly enter: (one: Each, asking: Asking) => readonly Each[]
  /** Whose turn it is; null: nobody waits. */
  readonly next: () => Each | null
  readonly leave: (one: Each) => void
}

interface Network<Each> {
  readonly people: Map<string, Each[]>
  /** Of all its people. */
  length: number
}

/** `most`: how many may wait. */
export function fairLine<Each>(most: () => number): Line<Each> {
  const networks = new Map<string, Network<Each>>()
  const known = new Map<Each, Asking>()
  const take = (one: Each) => {
    const { network: name, person } = known.get(one)!
    const network = networks.get(name)!
    const own = network.people.get(person)!
    known.delete(one)
    own.splice(own.indexOf(one), 1)
    network.length--
    if (own.length === 0) network.people.delete(person)
    if (network.length === 0) networks.delete(name)
    return { name, network, person, own }
  }
  return {
    size: () => known.size,
    enter(one, asking) {
      known.set(one, asking)
      const network = networks.get(asking.network) ?? { people: new Map<string, Each[]>(), length: 0 }
      networks.set(asking.network, network)
      const own = network.people.get(asking.person) ?? []
      network.people.set(asking.person, own)
      own.push(one)
      network.length++
      const gone: Each[] = []
      while (known.size > most()) {
        const last = longest(longest(networks.values()).people.values()).at(-1)!
        take(last)
        gone.push(last)
      }
      return gone
    },
    next() {
      const [first] = networks.values()
      const [waiting] = first?.people.values() ?? []
      if (waiting === undefined) return null
      const one = waiting[0]!
      // Behind the others.
      const { name, network, person, own } = take(one)
      if (own.length > 0) {
        network.people.delete(person)
        network.people.set(person, own)
      }
      if (network.length > 0) {
        networks.delete(name)
        networks.set(name, network)
      }
      return one
    },
    leave(one) {
      if (known.has(one)) take(one)
    },
  }
}

/** Of several that are as long the last. */
function longest<Long extends { readonly length: number }>(all: Iterable<Long>): Long {
  let found: Long | null = null
  for (const one of all) if (found === null || one.length >= found.length) found = one
  return found!
}
