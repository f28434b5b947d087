/** What a process holds. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Gives back what was needed to begin: V8 keeps it until it next looks through all, and then as room for what comes. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
