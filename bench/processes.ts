/** What processes take, as the system tells it in `/proc`; where it has none, nothing can be measured. */
import { readFileSync } from 'node:fs'

/** A process and those that it started, and so on. */
export function processesOf(pid: number | string): readonly (number | string)[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [pid, ...own.flatMap(processesOf)]
}

/** Milliseconds of processor time that they have used so far, in steps of ten. On a machine that does other things besides, it says more than the clock. */
export const usedBy = (pids: readonly (number | string)[]): number => sum(pids, pid => timesOf(pid).own)

/** Milliseconds of processor time of those that this process started, and that have ended. */
export const usedByEnded = (): number => timesOf('self').ended

function timesOf(pid: number | string): { readonly own: number; readonly ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(ticks => Number(ticks) * 10)
  return { own: user! + system!, ended: endedUser! + endedSystem! }
}

/** Bytes of memory that they hold; what several share counts once. */
export const heldBy = (pids: readonly (number | string)[]): number =>
  sum(pids, pid => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) * 1024)

const sum = (pids: readonly (number | string)[], of: (pid: number | string) => number): number =>
  pids.reduce((all: number, pid) => all + of(pid), 0)
