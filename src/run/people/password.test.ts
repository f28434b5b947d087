import { createHook } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Busy } from '../turns.ts'
import { passwords } from './password.ts'

test('only the right password fits', async () => {
  const { hash, verify } = passwords(randomBytes)
  const stored = await hash('correct horse Å')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verify('correct horse Å', stored)).toBe(true)
  // The same letters, typed as letter and ring.
  expect(await verify('correct horse A\u030a', stored)).toBe(true)
  for (const wrong of ['', 'correct horse A', 'Correct horse Å', 'correct horse Å '])
    expect(await verify(wrong, stored)).toBe(false)
  expect(await hash('correct horse Å')).not.toBe(stored)
})

test('nobody is refused like somebody: with the work of one hash', async () => {
  const { hash, verify } = passwords(randomBytes)
  const stored = await hash('x')
  let hashes = 0
  const count = createHook({ init: (_, type) => void (type === 'ARGON2REQUEST' && hashes++) }).enable()
  expect(await verify('wrong', stored)).toBe(false)
  expect(hashes).toBe(1)
  expect(await verify('wrong', null)).toBe(false)
  expect(hashes).toBe(2)
  expect(await verify('', '')).toBe(false)
  expect(await verify('x', stored.replace('argon2id', 'argon2i'))).toBe(false)
  expect(hashes).toBe(4)
  count.disable()
})

test('a flood is turned away instead of taking the machine', async () => {
  const { verify } = passwords(randomBytes, { atATime: 2, waiting: 4 })
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => verify('x', null)))
  const refused = results.filter(result => result.status === 'rejected')
  expect(refused.length).toBe(20 - 6)
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(Busy)
})
