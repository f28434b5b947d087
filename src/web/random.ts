/** Random bytes of the system, which are asked for many at a time: sixteen take it as long as thousands. And what is made of them. */
import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

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

let msecs = 0
let seq = 0

/** An id of a record: UUID version 7 (RFC 9562), greater than all that this process has given before. */
export function newId(): string {
  const random = randomBytes(16)
  const now = Date.now()
  seq = now > msecs ? random.readUInt32BE(6) >>> 2 : seq + 1
  msecs = Math.max(now, msecs)
  return v7({ random, msecs, seq })
}
