/** Random bytes of the system, which are asked for many at a time: sixteen take it as long as thousands. */
import { randomFillSync } from 'node:crypto'

export type Random = (bytes: number) => Buffer

const pool = Buffer.alloc(4096)
let used = pool.length

/** At most a pool's length at a time. What was given out is not kept. */
export function randomBytes(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const given = Buffer.from(pool.subarray(used, used + bytes))
  if (given.length !== bytes) throw new Error(`${bytes} random bytes are more than are given at a time.`)
  used += bytes
  pool.fill(0, used - bytes, used)
  return given
}
