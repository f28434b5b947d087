import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from './compress.ts'

test('many texts at once, of all sizes, each come back as they were', async () => {
  const texts = Array.from(
    { length: 60 },
    (_, n) => `${n} Grüße … ${randomBytes(n === 50 ? 300_000 : n % 7 === 0 ? 60_000 : 400).toString('hex')}`,
  )
  for (const round of [texts, texts.toReversed()]) {
    const streams = await Promise.all(round.map(compressed))
    expect(streams.map(stream => gunzipSync(stream).toString())).toEqual(round)
  }
})
