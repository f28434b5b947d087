import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { roomOf } from './room.ts'

const column = (longest: number, label = 'Net') => ({ label, longest, beside: 0 })

test('few short columns have room on every table', () => {
  const room = roomOf([column(14), column(10), column(12)], [0])
  expect(room).toEqual(Array.from({ length: 3 }, () => ({ priority: 1, short: true })))
})

test('columns give way from the last one on, those that come first never, and what fits nowhere joins the title', () => {
  const room = roomOf(
    Array.from({ length: 14 }, () => column(14)),
    [0, 12],
  )
  const priorities = room.map(({ priority }) => priority)
  expect(priorities[12]).toBe(1)
  expect(priorities.toSpliced(12, 1)).toEqual(priorities.toSpliced(12, 1).toSorted())
  expect([priorities[0], priorities[13]]).toEqual([1, 6])
})

test('a long value is broken, and takes no more room than one that is broken', () => {
  const [, long] = roomOf([column(14), column(400), column(14)], [0])
  expect(long).toEqual({ priority: 1, short: false })
})

test('the style sheet hides a column where this says that it does not fit', () => {
  const css = readFileSync(new URL('./styles/list.css', import.meta.url), 'utf8')
  for (const [priority, rem] of [
    [2, 54],
    [3, 62],
    [4, 70],
    [5, 80],
  ]) {
    expect(css).toContain(`@container tw (max-width:${rem}rem) { .cards .p${priority} { display: none }`)
    expect(roomOf([{ label: '', longest: 0, beside: rem! * 16 - 92 - 24 - 36 }, column(0, '')], [])[1]?.priority).toBe(
      priority,
    )
  }
})
