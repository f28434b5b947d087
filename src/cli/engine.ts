/** How V8 runs a process of ours. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often a function has run before faster code is made of it, in each tier: as V8 has it. */
const usually = { maglev: 400, 'maglev-osr': 100, turbofan: 3000, osr: 500 }

/**
 * Optimises what has run twenty times as often as usual. A check of fifty lines, or a beginning, is over before the faster code has paid
 * for its making, on a second core; where thousands of lines are checked it is still made, and they gain as well.
 */
export const optimiseLate = (): void => optimiseAfter(20)

/** Of what runs for long. */
export const optimiseAsUsual = (): void => optimiseAfter(1)

function optimiseAfter(times: number): void {
  for (const [tier, count] of Object.entries(usually))
    setFlagsFromString(`--invocation-count-for-${tier}=${times * count}`)
}

/** Gives back what was needed to begin: V8 keeps it until it next looks through all, and then as room for what comes. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
