/**
 * Transactions of which all but one would begin again stand in line, where they hold nothing. In this process: among several, the database
 * decides, and those who lose there are as many as there are processes.
 */

export interface LinePlace {
  /** Whether others stand in the line, and it does not. */
  readonly isOutside: () => boolean
  /** Gives when all that came before have left. Once is enough: until it leaves, it is its turn. */
  readonly enter: () => Promise<void>
  readonly leave: () => void
}

/** Of each name a line; without a name there is none, and nobody waits. */
export function lines(): (name: string | undefined) => LinePlace {
  const ends = new Map<string, Promise<void>>()
  return name => {
    let leave: (() => void) | null = null
    return {
      isOutside: () => leave === null && name !== undefined && ends.has(name),
      async enter() {
        if (leave !== null || name === undefined) return
        const before = ends.get(name)
        const mine = new Promise<void>(resolve => {
          leave = () => {
            if (ends.get(name) === mine) ends.delete(name)
            resolve()
          }
        })
        ends.set(name, mine)
        await before
      },
      leave: () => leave?.(),
    }
  }
}
