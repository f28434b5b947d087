import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { gate } from './gate.ts'

const asking = (network: string) => ({ network, person: '' })
const response = () => new EventEmitter() as unknown as ServerResponse

test('so many go on at once, and each that ends lets in the next, once', async () => {
  const { enter, room } = gate({ atOnce: () => 2, waiting: 2, milliseconds: 60_000 })
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
  const { enter } = gate({ atOnce: () => 1, waiting: 2, milliseconds: 20 })
  const end = await enter(asking('a'), response())
  const left = response()
  const gone = enter(asking('b'), left)
  left.emit('close')
  expect(await gone).toBe(null)
  expect(await enter(asking('c'), response())).toBe(null)
  end!()
  expect(await enter(asking('d'), response())).not.toBe(null)
})

test('where fewer are to go on at once than do, nobody is let in until as many have ended', async () => {
  let atOnce = 3
  const { enter } = gate({ atOnce: () => atOnce, waiting: 2, milliseconds: 60_000 })
  const come = () => enter(asking('a'), response())
  const ends = [await come(), await come(), await come()]
  atOnce = 1
  let isBegun = false
  const next = come().then(end => {
    isBegun = true
    return end
  })
  ends[0]!()
  ends[1]!()
  await new Promise(setImmediate)
  expect(isBegun).toBe(false)
  ends[2]!()
  const end = await next
  atOnce = 2
  const more = [come(), come()]
  end!()
  expect((await Promise.all(more)).map(one => one !== null)).toEqual([true, true])
})
