import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from './compress.ts'

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('many texts at once, of all sizes, each come back as they were: %s', async (coding, undone) => {
  const texts = Array.from(
    { length: 60 },
    (_, n) => `${n} Grüße … ${randomBytes(n === 50 ? 300_000 : n % 7 === 0 ? 60_000 : 400).toString('hex')}`,
  )
  for (const round of [texts, texts.toReversed()]) {
    const streams = await Promise.all(round.map(text => compressed(text, coding)))
    expect(streams.map(stream => undone(stream).toString())).toEqual(round)
  }
})
