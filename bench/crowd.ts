/**
 * A crowd in a process of its own, so that making requests takes nothing from whoever answers them: it is told by messages what to do,
 * and answers each with what came of it. It speaks as little HTTP as it needs, over plain sockets.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { ByChance, Came, OneAfterTheOther, Order, OrderEnded } from './crowds.ts'

/** Milliseconds after which somebody gives up. */
const givesUp = 10_000
/** Networks that they come from, of this machine. */
const networks = 200
/** Handles that are left to the process itself. */
const reserve = 200

const handles = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
let open = 0

process.on('message', async (order: Order) => {
  const came = await (order.clients === undefined ? byChance(order) : oneAfterTheOther(order))
  process.send!({ came } satisfies OrderEnded)
})

/** People come by chance (Poisson), so many a second, whether those before them were answered or not. */
async function byChance({ port, heads, rate, seconds }: ByChance): Promise<readonly Came[]> {
  const ask = asking(port, heads)
  const all: Promise<Came>[] = []
  const begun = performance.now()
  let due = begun
  while (due < begun + seconds * 1000) {
    const now = performance.now()
    for (; due <= now; due += (-Math.log(1 - Math.random()) * 1000) / rate) all.push(ask(all.length))
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  return Promise.all(all)
}

/** So many at a time, each asking again when the answer is there. */
async function oneAfterTheOther({ port, heads, clients, requests }: OneAfterTheOther): Promise<readonly Came[]> {
  const ask = asking(port, heads)
  const all: Came[] = []
  const begun = performance.now()
  let next = 0
  const client = async () => {
    while (next < requests) all.push({ ...(await ask(next++)), at: performance.now() - begun })
  }
  await Promise.all(Array.from({ length: clients }, client))
  return all
}

/** Every other over a connection of its own; the others over one that is kept where the server keeps it, as a proxy does. */
function asking(port: number, heads: Order['heads']): (n: number) => Promise<Came> {
  const idle: Socket[] = []
  return n => {
    const isKept = n % 2 === 1
    const head = heads[n % heads.length]!
    const sent = performance.now()
    let socket = isKept ? idle.pop() : undefined
    const came = (answer: Said): Came => ({ ...answer, isKept, took: performance.now() - sent, at: 0 })
    if (socket === undefined && open >= handles - reserve)
      return Promise.resolve(came({ status: 0, retryAfter: false, failure: 'no handle left' }))
    socket ??= opened(port, n)
    socket.write(`${head}connection: ${isKept ? 'keep-alive' : 'close'}\r\n\r\n`, 'latin1')
    return answered(socket, isKept).then(({ goesOn, ...answer }) => {
      if (goesOn) idle.push(socket)
      else socket.destroy()
      return came(answer)
    })
  }

  function opened(port: number, n: number): Socket {
    open++
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (n % networks)}`, noDelay: true })
    socket.once('close', () => {
      open--
      const at = idle.indexOf(socket)
      if (at >= 0) idle.splice(at, 1)
    })
    // Whoever waits for an answer hears of it, too.
    return socket.on('error', () => {})
  }
}

type Said = Pick<Came, 'status' | 'retryAfter' | 'failure'>

interface Answer extends Said {
  /** The connection is open for another request. */
  readonly goesOn: boolean
}

function answered(socket: Socket, isKept: boolean): Promise<Answer> {
  return new Promise(resolve => {
    let head = ''
    let missing = Number.POSITIVE_INFINITY
    const end = (failure: string | null, goesOn = false) => {
      clearTimeout(waiting)
      socket.off('data', read).off('end', ended).off('error', failed).off('close', ended)
      const isWhole = failure === null
      resolve({
        status: isWhole ? Number(head.slice(9, 12)) : 0,
        retryAfter: /\r\nretry-after:/i.test(head),
        failure,
        goesOn,
      })
    }
    const read = (chunk: Buffer) => {
      if (missing === Number.POSITIVE_INFINITY) {
        const text = head + chunk.toString('latin1')
        const at = text.indexOf('\r\n\r\n')
        head = at < 0 ? text : text.slice(0, at)
        if (at < 0) return
        missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN) - (text.length - at - 4)
      } else missing -= chunk.length
      if (missing <= 0) end(null, isKept && !/\r\nconnection: *close/i.test(head))
    }
    const failed = (error: NodeJS.ErrnoException) => end(error.code ?? error.message)
    /** Answers that do not say their length end so. */
    const ended = () => end(Number.isNaN(missing) ? null : 'ended')
    const waiting = setTimeout(() => end('gave up'), givesUp)
    socket.on('data', read).on('end', ended).on('error', failed).on('close', ended)
  })
}
