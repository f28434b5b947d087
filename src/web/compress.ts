/**
 * Pages are compressed where they are made: handing one to the thread pool and taking it back costs as much processor time as compressing
 * it, and takes it from another request on the same core. What is large goes there, so that nobody waits for it.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

/** As HTTP names them. */
type Coding = 'br' | 'gzip'

const taken: Readonly<Record<Coding, RegExp>> = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
}

/** Whether the `Accept-Encoding` of a request has it. Browsers take `br` over HTTPS, and from the machine that they run on. */
export const takes = (accepted: string | string[] | undefined, coding: Coding): boolean =>
  taken[coding].test(String(accepted ?? ''))

/** The first of these that the request takes. */
export const codingOf = (accepted: string | string[] | undefined): Coding | null =>
  takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : null

/** Above so many letters compressing takes a millisecond and more. */
const largeFrom = 500_000
/** A list of 60 KB is 8.6 KB with it; 9.3 KB with the fastest, in three quarters of the time; 7.8 KB with the usual one, which takes half as long again. */
export const gzipOptions = { level: 3 }
/** The same list is 8.9 KB with it, in two thirds of the time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const inThePool = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The whole text as one stream of that coding. */
export async function compressed(text: string, coding: Coding): Promise<Buffer> {
  const isLarge = text.length >= largeFrom
  if (coding === 'br') return isLarge ? inThePool.br(text, brotliOptions) : brotliCompressSync(text, brotliOptions)
  return isLarge ? inThePool.gzip(text, gzipOptions) : gzipSync(text, gzipOptions)
}
