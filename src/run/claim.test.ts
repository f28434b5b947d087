import { afterEach, expect, test, vi } from 'vitest'
import { renewing } from './claim.ts'

afterEach(() => void vi.useRealTimers())

test('a claim is renewed for as long as the work goes on, also when a renewal fails, and no longer', async () => {
  vi.useFakeTimers()
  const { promise, resolve } = Promise.withResolvers<string>()
  let renewed = 0
  const renew = () => (++renewed === 1 ? Promise.reject(new Error('away')) : Promise.resolve())
  const held = renewing(renew, promise)
  // A claim lasts for ten seconds.
  await vi.advanceTimersByTimeAsync(9_999)
  expect(renewed).toBe(3)
  resolve('done')
  expect(await held).toBe('done')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewed).toBe(3)
})
