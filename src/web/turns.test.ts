import { expect, test } from 'vitest'
import { inTurns } from './turns.ts'

test('what else waits has its turn between two of them', async () => {
  const order: string[] = []
  const waiting = (turn: number) => {
    order.push('other')
    if (turn < 3) setImmediate(waiting, turn + 1)
  }
  setImmediate(waiting, 1)
  const made = await inTurns(['a', 'b', 'c'], (each, at) => {
    order.push(each)
    return `${at}${each}`
  })
  expect(made).toEqual(['0a', '1b', '2c'])
  expect(order).toEqual(['a', 'other', 'b', 'other', 'c'])
})

test('of nothing nothing is made', async () => {
  expect(await inTurns([], () => 1)).toEqual([])
})
