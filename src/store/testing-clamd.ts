/** A stand-in for clamd in tests: it speaks INSTREAM, and takes what has "a virus" in it for one. */
import { createServer, type Server } from 'node:net'

export interface TestClamd {
  readonly server: Server
  readonly url: string
  /** What it was sent. */
  readonly seen: readonly Buffer[]
}

/** Listens on a free port, or on a socket at `path`. */
export async function startClamd(path?: string): Promise<TestClamd> {
  const seen: Buffer[] = []
  const server = createServer(socket => {
    let come = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => {
      come = Buffer.concat([come, data])
      const content = contentOf(come)
      if (content === null) return
      seen.push(content)
      socket.end(`stream: ${content.includes('a virus') ? 'Test-Virus FOUND' : 'OK'}\0`)
    })
  })
  await new Promise<void>(resolve => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  const address = server.address()
  const url = typeof address === 'object' ? `tcp://127.0.0.1:${address?.port}` : `unix://${address}`
  return { server, url, seen }
}

/** Null: there is more to come. */
function contentOf(come: Buffer): Buffer | null {
  const opening = 'zINSTREAM\0'
  if (come.toString('latin1', 0, opening.length) !== opening) return null
  const chunks: Buffer[] = []
  let at = opening.length
  while (at + 4 <= come.byteLength) {
    const length = come.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(come.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
