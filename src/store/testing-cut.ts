/** For tests: a way to a PostgreSQL server that breaks at the worst moment. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface CutLine {
  /** Of the database, by this way. */
  readonly url: string
  /** So many of the next commits, or statements of this text, are done by the server, and the connection breaks before anybody hears of it. */
  readonly cut: (times: number, text?: string) => void
  /** Closed: whoever comes is sent away. Silent: nothing that the server says arrives any more, on any connection. */
  readonly be: (way: 'open' | 'closed' | 'silent') => void
  /** How many that became of. */
  readonly done: () => number
  readonly close: () => void
}

export async function cutLine(database: string): Promise<CutLine> {
  const to = new URL(database)
  let left = 0
  let done = 0
  let asked = ''
  let way: Parameters<CutLine['be']>[0] = 'open'
  let told = ''
  const server = createServer(near => {
    if (way === 'closed') return void near.destroy()
    const far = connect(Number(to.port), to.hostname)
    let isDeaf = false
    const end = () => {
      near.destroy()
      far.destroy()
    }
    near.on('data', chunk => {
      if (left > 0 && chunk.includes(asked)) {
        left--
        isDeaf = true
      }
      far.write(chunk)
    })
    far.on('data', chunk => {
      if (way === 'silent') return
      if (!isDeaf) near.write(chunk)
      else if (chunk.includes(told)) {
        done++
        end()
      }
    })
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut(times, text) {
      left = times
      done = 0
      asked = text ?? 'commit\0'
      // Ready for the next one; or what tells a commit from what was sent ahead of it.
      told = text === undefined ? 'COMMIT\0' : 'Z\0\0\0\x05I'
    },
    be(now) {
      way = now
    },
    done: () => done,
    close: () => void server.close(),
  }
}
