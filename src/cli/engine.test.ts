import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { releaseMemory } from './engine.ts'

test('what nobody needs any more goes back to the system at once', () => {
  const held = () => getHeapStatistics().total_heap_size
  let kept: object[] = Array.from({ length: 500_000 }, (_, n) => ({ n, text: [n, n, n] }))
  const before = held()
  kept = []
  releaseMemory()
  expect(kept).toEqual([])
  expect(before - held()).toBeGreaterThan(20_000_000)
})
