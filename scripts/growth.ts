/** How processor time grows with length: it says the same on a busy machine and on an idle one, which no limit of time does. */
import { expect } from 'vitest'

/** Milliseconds that do not count: what is over so soon may vary by its own length. */
const noise = 20
const rounds = 3

function spent(work: () => void): number {
  const from = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(from)
  return noise + (user + system) / 1000
}

/** Fails where four times the size takes eight times the processor time: what grows with the square of its length takes sixteen times. */
export function expectGrowthWithLength(size: number, work: (size: number) => void): void {
  // The first time it is compiled.
  work(size)
  const ratios: number[] = []
  do ratios.push(spent(() => work(4 * size)) / spent(() => work(size)))
  while (Math.min(...ratios) >= 8 && ratios.length < rounds)
  expect(Math.min(...ratios), 'times the processor time for four times the size').toBeLessThan(8)
}
