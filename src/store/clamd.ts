/** The virus scanner clamd, over TCP or a socket of this machine: a content is sent whole (INSTREAM), and it says what it found. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { Unavailable } from './unavailable.ts'

/** `away`: nobody can say, so it must not be taken; `why` is for whoever runs Ninefold. */
export type Scanned =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly found: string }
  | { readonly kind: 'away'; readonly why: string }

/** Looks at the file at this path. It does not throw. */
export type Scan = (path: string) => Promise<Scanned>

/** Milliseconds in which nothing comes or goes before the scanner is taken for dead. */
const patience = 30_000
/** Letters of an answer. */
const longestAnswer = 1000

/** `tcp://clamd:3310` or `unix:///run/clamav/clamd.ctl`. Throws `Unavailable` for what is neither. */
export function scannerAt(address: string): Scan {
  const url = URL.parse(address)
  const isSocket = url?.protocol === 'unix:' && url.hostname === '' && url.pathname.length > 1
  if (!isSocket && (url?.protocol !== 'tcp:' || url.hostname === ''))
    throw new Unavailable(`CLAMD_URL is '${address}'`, 'Write tcp://host:3310 or unix:///run/clamav/clamd.ctl.')
  const host = url!.hostname.replace(/^\[|\]$/g, '')
  const place = isSocket ? { path: decodeURIComponent(url!.pathname) } : { host, port: Number(url!.port || 3310) }
  return path =>
    ask(place, path).then(understood, (error: unknown) => ({
      kind: 'away',
      why: error instanceof Error ? error.message : String(error),
    }))
}

type Place = { readonly path: string } | { readonly host: string; readonly port: number }

async function ask(place: Place, path: string): Promise<string> {
  const socket = connect(place)
  socket.setTimeout(patience, () => socket.destroy(new Error(`nothing came for ${patience / 1000} seconds`)))
  let answer = ''
  socket.on('data', (data: Buffer) => {
    answer = (answer + data.toString('latin1')).slice(0, longestAnswer)
  })
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve())
    socket.once('error', reject)
  })
  // Awaited below; until then it is nobody's failure.
  ended.catch(() => undefined)
  try {
    // It may answer before it has read everything, and then hangs up.
    for await (const chunk of inChunks(createReadStream(path))) {
      if (!socket.writable) break
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), ended])
    }
    await ended
  } catch (error) {
    if (!answer.includes('\0')) throw error
  } finally {
    socket.destroy()
  }
  if (!answer.includes('\0')) throw new Error('it hung up without an answer')
  return answer.slice(0, answer.indexOf('\0'))
}

/** Each chunk after its length; a length of zero ends it. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of content) {
    yield length(chunk.byteLength)
    yield chunk
  }
  yield length(0)
}

function length(bytes: number): Buffer {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(bytes)
  return four
}

/** Only what is said to be clean is. */
function understood(answer: string): Scanned {
  if (answer === 'stream: OK') return { kind: 'clean' }
  const [, found] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (found !== undefined) return { kind: 'infected', found: found.slice(0, 100) }
  return { kind: 'away', why: answer }
}
