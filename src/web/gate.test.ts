import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { gate } from './gate.ts'

const asking = (network: string) => ({ network, person: '' })
const response = () => new EventEmitter() as unknown as ServerResponse

test('so many go on at once, and each that ends lets in the next, once', async () => {
  const { enter, room } = gate({ atOnce: 2, waiting: 2, milliseconds: 60_000 })
  const begun: string[] = []
  const come = (name: string) =>
    enter(asking(name), response()).then(end => {
      begun.push(end === null ? `not ${name}` : name)
      return end
    })
  const [first, second] = [await come('a'), await come('b')]
  const [third, fourth] = [come('c'), come('d')]
  await come('e')
  expect(begun).toEqual(['a', 'b', 'not e'])
  let isRoom = false
  void room().then(() => {
    isRoom = true
  })
  first!()
  first!()
  const end = await third
  expect([begun.at(-1), isRoom]).toEqual(['c', false])
  second!()
  await fourth
  await room()
  expect([begun.at(-1), isRoom]).toEqual(['d', true])
  end!()
  expect(await come('f')).not.toBe(null)
})

test('who has gone, or waited too long, is not begun any more', async () => {
  const { enter } = gate({ atOnce: 1, waiting: 2, milliseconds: 20 })
  const end = await enter(asking('a'), response())
  const left = response()
  const gone = enter(asking('b'), left)
  left.emit('close')
  expect(await gone).toBe(null)
  expect(await enter(asking('c'), response())).toBe(null)
  end!()
  expect(await enter(asking('d'), response())).not.toBe(null)
})
