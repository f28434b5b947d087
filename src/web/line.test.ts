import { expect, test } from 'vitest'
import { fairLine } from './line.ts'

const line = (most: number | (() => number)) => {
  const made = fairLine<string>(typeof most === 'number' ? () => most : most)
  /** `a1 x`: of network a, person 1. */
  const enter = (one: string) => made.enter(one, { network: one[0]!, person: one[1]! })
  const all = () => Array.from({ length: made.size() }, () => made.next())
  return { ...made, enter, all }
}

test('networks come one after the other, and of each its people, however often they ask', () => {
  const { enter, all, next } = line(20)
  for (const one of ['a1 1', 'a1 2', 'a1 3', 'a1 4', 'a2 1', 'b1 1', 'b1 2', 'c1 1']) expect(enter(one)).toEqual([])
  expect(all()).toEqual(['a1 1', 'b1 1', 'c1 1', 'a2 1', 'b1 2', 'a1 2', 'a1 3', 'a1 4'])
  expect(next()).toBe(null)
})

test('where no more may wait, the last of whoever has most there goes, and nobody for whoever has most', () => {
  const { enter, all, size } = line(4)
  for (const one of ['a1 1', 'a2 1', 'a2 2', 'b1 1']) enter(one)
  expect(enter('c1 1')).toEqual(['a2 2'])
  expect(enter('a1 2')).toEqual(['a1 2'])
  expect(enter('d1 1')).toEqual(['a2 1'])
  expect(enter('e1 1')).toEqual(['e1 1'])
  expect(size()).toBe(4)
  expect(all()).toEqual(['a1 1', 'b1 1', 'c1 1', 'd1 1'])
})

test('who leaves makes room, and is met no more', () => {
  const { enter, leave, all } = line(3)
  for (const one of ['a1 1', 'a1 2', 'b1 1']) enter(one)
  leave('a1 1')
  leave('a1 1')
  expect(enter('b1 2')).toEqual([])
  expect(all()).toEqual(['a1 2', 'b1 1', 'b1 2'])
})

test('where fewer may wait than before, all who are too many go', () => {
  let most = 5
  const { enter, all } = line(() => most)
  for (const one of ['a1 1', 'a1 2', 'a2 1', 'b1 1', 'c1 1']) expect(enter(one)).toEqual([])
  most = 3
  expect(enter('d1 1')).toEqual(['a1 2', 'a2 1', 'd1 1'])
  expect(all()).toEqual(['a1 1', 'b1 1', 'c1 1'])
})
