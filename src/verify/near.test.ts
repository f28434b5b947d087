import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { candidates, fromSeed } from './near.ts'
import type { World } from './world.ts'

const { fields } = readSound(loanDesk).entities.get('loan')!
const due = fields.find(({ key }) => key === 'due_back')!
const tried = (seed: number) => candidates({ seed, today: '2026-03-02' } as World, due)

test('a seed makes up the same values each time, and another one begins elsewhere', () => {
  expect(tried(0)[0]).toBe('2026-03-02')
  expect(tried(3)).toEqual(tried(3))
  expect(tried(3)[0]).not.toBe(tried(0)[0])
  expect([...tried(3)].sort()).toEqual([...tried(0)].sort())
})

test('a seed may be larger than what there is, and there may be nothing', () => {
  expect(fromSeed(['a', 'b', 'c'], 7)).toEqual(['b', 'c', 'a'])
  expect(fromSeed([], 7)).toEqual([])
})
