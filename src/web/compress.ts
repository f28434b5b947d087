/**
 * Pages are compressed where they are made: handing one to the thread pool and taking it back costs as much processor time as compressing
 * it, and takes it from another request on the same core. What is large goes there, so that nobody waits for it.
 */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'

/** Above so many letters compressing takes a millisecond and more. */
const largeFrom = 500_000
/** The fastest: a list of 45 KB is 5.8 KB with it, and 5.2 KB with the usual one, which takes twice as long. */
const level = 1

const inThePool = promisify(gzip)

/** The text as one gzip stream. */
export const compressed = async (text: string): Promise<Buffer> =>
  text.length < largeFrom ? gzipSync(text, { level }) : inThePool(text, { level })
