/**
 * Pages are compressed in the thread pool, by compressors that are used again: each new one takes a quarter of a megabyte, which is
 * collected later at the price of a page.
 */
import { constants, createGzip, type Gzip, type ZlibReset } from 'node:zlib'

type Compressor = Gzip & ZlibReset

/** The thread pool works on four at a time; what a crowd has needed beyond some more is given back. */
const mostIdle = 8
const idle: Compressor[] = []

/** The text as one gzip stream. Each write to a compressor ends a stream. */
export function compressed(text: string): Promise<Buffer> {
  const gzip = idle.pop() ?? (createGzip({ level: 1, flush: constants.Z_FINISH }) as Compressor)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const take = (part: Buffer) => void parts.push(part)
    gzip.on('data', take)
    gzip.once('error', reject)
    gzip.write(text, error => {
      if (error != null) return reject(error)
      gzip.off('data', take)
      gzip.off('error', reject)
      if (idle.length < mostIdle) {
        gzip.reset()
        idle.push(gzip)
      } else gzip.close()
      resolve(Buffer.concat(parts))
    })
  })
}
