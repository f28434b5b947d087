import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { keepsComing, TooSlow } from './slow-body.ts'

const passing = (milliseconds: number) => {
  const [body, out] = [new PassThrough(), new PassThrough()]
  out.resume()
  return { body, end: pipeline(body, keepsComing({ bytes: 100, milliseconds }), out).catch((error: Error) => error) }
}

test('a body that comes drop by drop ends; one that keeps coming does not, however long it takes', async () => {
  const slow = passing(30)
  const dropping = setInterval(() => slow.body.write('a'), 5)
  expect(await slow.end).toBeInstanceOf(TooSlow)
  clearInterval(dropping)
  const silent = passing(1)
  expect(await silent.end).toBeInstanceOf(TooSlow)
  const quick = passing(2000)
  quick.body.write(Buffer.alloc(200))
  quick.body.end()
  expect(await quick.end).toBeUndefined()
})
