/**
 * The address of an application that several processes serve. The process that started them has it: it accepts what comes, reads the head
 * of the first request of each connection, and hands the connection with it to one of them. Whether the application is there it
 * answers by itself: however busy they are, it is not.
 */
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { overdue } from '../store/overdue.ts'
import { headBytes, headersTimeout, retryLater } from '../web/bounds.ts'
import { refusedHead, unreadable } from '../web/unreadable.ts'
import { heardFrom, type ToServing } from './channel.ts'

export interface Front {
  readonly port: number
  /** From when it serves until it ends, this process is given connections. */
  readonly add: (worker: Worker) => void
  readonly isServedBy: (worker: Worker) => boolean
  /** Says that it is not ready, and that connections end with their next answer; takes what comes none the less. */
  readonly leave: () => void
  /** Accepts nothing more, hands over what was accepted, and tells each process that it was given to to stop. */
  readonly close: () => Promise<void>
}

export interface FrontOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What every answer has. */
  readonly headers: Readonly<Record<string, string>>
}

/** Connections on their way to one process: more would wait there, where nobody can take them back. */
const onTheWay = 2
/** Milliseconds that what processes said of their readiness is believed, and in which one has to say it. */
const believed = { fresh: 1000, last: 10_000 }
const endOfHead = Buffer.from('\r\n\r\n')
const asksForHealth = /^[A-Z]+ \/(?:livez|readyz)[? ]/
const plainly = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }

interface Waiting {
  readonly socket: Socket
  readonly head: Buffer[]
}

export async function openFront({ host, port, headers }: FrontOptions): Promise<Front> {
  /** Those that serve, and the connections on their way to each. */
  const serving = new Map<Worker, number>()
  const waiting: Waiting[] = []
  /** Of these the head is not there yet. */
  const reading = new Set<Socket>()
  let leaving = false
  let closing = false
  let settled = () => {}

  const send = (worker: Worker, message: ToServing, socket?: Socket) => {
    if (worker.isConnected()) worker.send(message, socket)
    else socket?.destroy()
  }
  const handOver = () => {
    while (waiting.length > 0) {
      const [free] = [...serving].sort(([, one], [, other]) => one - other)
      if (free === undefined || free[1] >= onTheWay) break
      const [worker, count] = free
      // Behind the others of as many: each in its turn.
      serving.delete(worker)
      serving.set(worker, count + 1)
      const { socket, head } = waiting.shift()!
      stopReading(socket)
      send(worker, { ninefold: 'take', head: Buffer.concat(head).toString('latin1') }, socket)
    }
    if (closing && reading.size === 0 && (waiting.length === 0 || serving.size === 0)) settled()
  }

  let known = { ready: false, at: Number.NEGATIVE_INFINITY }
  let heard = () => {}
  let asking: Promise<void> | null = null
  /** Until one has said whether the database answers, or does not say so in time. */
  const ask = () => {
    asking ??= new Promise<void>(resolve => {
      heard = resolve
      setTimeout(resolve, believed.fresh).unref()
      for (const worker of serving.keys()) send(worker, { ninefold: 'say whether ready' })
    }).finally(() => {
      asking = null
    })
    return asking
  }
  const isReady = async (): Promise<boolean> => {
    const age = () => performance.now() - known.at
    if (serving.size > 0 && age() > believed.fresh) await ask()
    return serving.size > 0 && known.ready && age() < believed.last
  }

  // It listens nowhere, and is given connections that are answered here. None of them is given to it twice.
  const own = createHttpServer(
    { headersTimeout, maxHeaderSize: headBytes, requireHostHeader: false },
    async ({ url = '' }, response) => {
      const [status, text] =
        url.split('?')[0] === '/livez'
          ? [200, 'ok']
          : leaving
            ? [503, 'shutting down']
            : (await isReady())
              ? [200, 'ok']
              : [503, 'the application does not answer, or its database']
      response.writeHead(status, { ...headers, ...plainly, ...(status === 503 ? retryLater : {}) }).end(`${text}\n`)
    },
  ).on('clientError', unreadable(headers))
  // From then on Node keeps account of its connections, and of what is late on them.
  own.emit('listening')

  const heads = overdue(headersTimeout)
  const accept = (socket: Socket) => {
    const head: Buffer[] = []
    let tail = Buffer.alloc(0)
    const late = heads.begin(() => {
      socket.write(refusedHead(408, headers))
      socket.destroySoon()
    })
    const readOn = (chunk: Buffer) => {
      head.push(chunk)
      const isMuch = socket.bytesRead >= headBytes
      if (!reading.has(socket)) return isMuch ? stopReading(socket) : undefined
      const latest = Buffer.concat([tail, chunk])
      const isWhole = latest.includes(endOfHead)
      tail = latest.subarray(1 - endOfHead.length)
      if (!isWhole && !isMuch) return
      const whole = Buffer.concat(head)
      heads.end(late)
      reading.delete(socket)
      if (isWhole && !asksForHealth.test(whole.toString('latin1', 0, 64))) waiting.push({ socket, head })
      else {
        socket.off('data', readOn).off('end', gone).off('error', gone).off('close', gone)
        socket.unshift(whole)
        own.emit('connection', socket)
      }
      handOver()
    }
    const gone = () => {
      heads.end(late)
      reading.delete(socket)
      const at = waiting.findIndex(one => one.socket === socket)
      if (at >= 0) waiting.splice(at, 1)
      socket.destroy()
      handOver()
    }
    reading.add(socket)
    socket.on('data', readOn).on('end', gone).on('error', gone).on('close', gone)
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, accept)
  server.listen(port, host)
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    add(worker) {
      const hear = heardFrom(message => {
        if (message.ninefold === 'serving') {
          serving.set(worker, 0)
          if (leaving) send(worker, { ninefold: 'leave' })
        } else if (message.ninefold === 'taken') serving.set(worker, (serving.get(worker) ?? 1) - 1)
        else {
          known = { ready: message.ready, at: performance.now() }
          heard()
        }
        handOver()
      })
      worker.on('message', hear)
      worker.once('exit', () => serving.delete(worker))
      worker.once('disconnect', () => serving.delete(worker))
    },
    isServedBy: worker => serving.has(worker),
    leave() {
      leaving = true
      for (const worker of serving.keys()) send(worker, { ninefold: 'leave' })
    },
    async close() {
      server.close()
      closing = true
      await new Promise<void>(resolve => {
        settled = resolve
        for (const socket of reading) if (socket.bytesRead === 0) socket.destroy()
        handOver()
      })
      // Nobody is left who could take them.
      for (const { socket } of waiting) socket.destroy()
      for (const worker of serving.keys()) send(worker, { ninefold: 'stop' })
    },
  }
}

/**
 * Reads no more, so that what comes next is read where the connection goes. Pausing alone would read a block ahead, and Node has no
 * public way to stop at once.
 */
function stopReading(socket: Socket): void {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { reading: boolean; readStop(): void } | null }
  socket.pause()
  if (handle == null) return
  handle.readStop()
  handle.reading = false
}
