/** Work that would keep everybody else waiting if it were done at once. */
import { setImmediate } from 'node:timers/promises'

/** What is made of each, in order; between two of them whatever else waits has its turn. */
export async function inTurns<Each, Made>(
  all: readonly Each[],
  make: (each: Each, at: number) => Made,
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (const [at, each] of all.entries()) {
    if (at > 0) await setImmediate()
    made.push(make(each, at))
  }
  return made
}
