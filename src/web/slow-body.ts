/** A body that only holds its connection open is not waited for. */
import { Transform } from 'node:stream'

export class TooSlow extends Error {}

/** Passes on what comes; fails with `TooSlow` where fewer than so many bytes came in the time, counted anew each time. */
export function keepsComing({
  bytes,
  milliseconds,
}: {
  readonly bytes: number
  readonly milliseconds: number
}): Transform {
  let came = 0
  const looking = setInterval(() => {
    if (came < bytes) stream.destroy(new TooSlow('The body came to a standstill.'))
    came = 0
  }, milliseconds)
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      came += chunk.byteLength
      done(null, chunk)
    },
  })
  return stream.once('close', () => clearInterval(looking))
}
