/**
 * The address of an application that several processes serve. The process that started them has it: it accepts what comes, reads the head
 * of the first request of each connection, and hands the connection with it to one that has room for it. Meanwhile connections wait here,
 * so many and so long; who may not is told so here, and whether the application is there, too: however busy the others are, it is not.
 */
import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { overdue } from '../store/overdue.ts'
import { askingIn } from '../web/asking.ts'
import {
  connectionsRefused,
  connectionsUnaccepted,
  connectionsWaiting,
  headBytes,
  headersTimeout,
  keepAliveTimeout,
  turnsOfProcess,
} from '../web/bounds.ts'
import { fairLine } from '../web/line.ts'
import { plain } from '../web/response.ts'
import { tooMany, tooManyAtOnce } from '../web/too-many.ts'
import { refusedHead, unreadable } from '../web/unreadable.ts'
import { heardFrom, type ToServing } from './channel.ts'

export interface Front {
  readonly port: number
  /** From when it serves until it ends, this process is given connections. */
  readonly add: (worker: Worker) => void
  /** It has connections, or had. */
  readonly isServedBy: (worker: Worker) => boolean
  /** This process is given nothing more: connections that it has end with their next answer, and after so many milliseconds it does. */
  readonly retire: (worker: Worker, delay: number) => void
  readonly admission: () => Admission
  /** Says that it is not ready, and that connections end with their next answer; takes what comes none the less. */
  readonly leave: () => void
  /** Accepts nothing more, hands over what was accepted, and tells each process that it was given to to stop. */
  readonly close: () => Promise<void>
}

export interface Admission {
  /** Connections that wait for a process that has room. */
  readonly waiting: number
  /** Requests that were asked to come again, since the beginning. */
  readonly refused: number
  /** Processes that serve. */
  readonly serving: number
}

interface FrontOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What every answer has. */
  readonly headers: Readonly<Record<string, string>>
  /** See `askingIn`. */
  readonly trustedProxies: number
  readonly session: string
}

/** Milliseconds that what processes said of their readiness is believed, and in which one has to say it. */
const believed = { fresh: 1000, last: 10_000 }
const endOfHead = Buffer.from('\r\n\r\n')
const asksForHealth = /^[A-Z]+ \/(?:livez|readyz)[? ]/
const atTheFront = { 'cache-control': 'no-store', connection: 'close' }

interface Waiting {
  readonly socket: Socket
  readonly head: Buffer[]
  /** Waits no more: it goes elsewhere, is answered here, or has gone. */
  readonly end: () => void
  readonly answerHere: () => void
  /** There is no room for it. */
  readonly refuse: () => void
}

/** What has been read, a letter for each byte. */
const textOf = (head: readonly Buffer[]): string =>
  (head.length === 1 ? head[0]! : Buffer.concat(head)).toString('latin1')

export async function openFront({ host, port, headers, trustedProxies, session }: FrontOptions): Promise<Front> {
  /** Those that serve, and whether each may be given a connection, which it says anew after every one. */
  const serving = new Map<Worker, boolean>()
  const retired = new WeakSet<Worker>()
  /** When the first of those came who have waited one behind the other since; null: nobody waits. */
  let busySince: number | null = null
  /** When somebody was last refused of a crowd that lasts: a line that is empty for a moment does not end it. */
  let crowdedAt = Number.NEGATIVE_INFINITY
  const refusesYet = () => performance.now() - crowdedAt < connectionsWaiting.quiet
  const lasts = () =>
    refusesYet() || (busySince !== null && performance.now() - busySince > connectionsWaiting.milliseconds)
  const most = (each = lasts() ? connectionsWaiting.lasting : connectionsWaiting.atOnce) =>
    each * Math.max(1, serving.size)
  const line = fairLine<Waiting>(() => most())
  const late = overdue(turnsOfProcess.milliseconds)
  /** Of these the head is not there yet. */
  const reading = new Set<Socket>()
  /** Over these a request was refused, and no other has begun to come. */
  const kept = new Set<Socket>()
  let refused = 0
  let leaving = false
  let closing = false
  let settled = () => {}

  const send = (worker: Worker, message: ToServing, socket?: Socket) => {
    if (worker.isConnected()) worker.send(message, socket)
    else socket?.destroy()
  }
  const free = () => {
    for (const [worker, isFree] of serving) if (isFree) return worker
    return null
  }
  const isCrowded = () => refusesYet() || line.size() > Math.max(most() / 2, most(connectionsWaiting.lasting))
  const handOver = () => {
    while (line.size() > 0) {
      const worker = free()
      if (worker === null) break
      // Behind the others: each in its turn.
      serving.delete(worker)
      serving.set(worker, false)
      const { socket, head, end } = line.next()!
      end()
      readNoMore(socket)
      send(worker, { ninefold: 'take', head: textOf(head), crowded: isCrowded() }, socket)
    }
    busySince = line.size() === 0 ? null : (busySince ?? performance.now())
    if (closing && reading.size === 0 && (line.size() === 0 || serving.size === 0)) settled()
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

  const readiness = async () => {
    if (leaving) return plain('shutting down\n', 503)
    return (await isReady()) ? plain('ok\n') : plain('the application does not answer, or its database\n', 503)
  }

  const refusal = (asked: Parameters<typeof tooMany>[0]) => {
    refused++
    return tooMany(asked)
  }

  // It listens nowhere, and is given connections that are answered here. None of them is given to it twice.
  const own = createHttpServer(
    { headersTimeout, maxHeaderSize: headBytes, requireHostHeader: false },
    async (request, response) => {
      const { method = '', url = '', headers: asked } = request
      // What nobody has read when a connection ends would take the answer with it.
      await once(request.resume(), 'end').catch(() => {})
      const path = url.split('?')[0]
      const {
        status,
        headers: own,
        body,
      } = path === '/livez'
        ? plain('ok\n')
        : path === '/readyz'
          ? await readiness()
          : refusal({ method, url, languages: asked['accept-language'] })
      response.writeHead(status, { ...headers, ...atTheFront, ...own }).end(body)
    },
  ).on('clientError', unreadable(headers))
  // From then on Node keeps account of its connections, and of what is late on them.
  own.emit('listening')

  const heads = overdue(headersTimeout)
  const pauses = overdue(keepAliveTimeout)
  const refusedAtOnce = tooManyAtOnce(headers)
  const accept = (socket: Socket) => {
    const head: Buffer[] = []
    let bytes = 0
    let tail: Buffer | null = null
    const begin = () => {
      reading.add(socket)
      return { waited: late.begin(tooLate), unread: heads.begin(unreadYet) }
    }
    const tooLate = () => {
      if (reading.has(socket)) return
      line.leave(one)
      one.refuse()
    }
    const unreadYet = () => {
      socket.write(refusedHead(408, headers))
      socket.destroySoon()
    }
    let { waited, unread } = begin()
    let pause: typeof unread | null = null
    const endPause = () => {
      if (pause !== null) pauses.end(pause)
    }
    const one: Waiting = {
      socket,
      head,
      end: () => late.end(waited),
      answerHere() {
        one.end()
        socket.off('data', readOn).off('end', gone).off('error', gone).off('close', gone)
        socket.unshift(Buffer.concat(head))
        own.emit('connection', socket)
        socket.resume()
      },
      refuse() {
        const answer = refusedAtOnce(textOf(head), leaving || kept.size >= connectionsRefused)
        if (answer === null) return one.answerHere()
        // Asks on, and does not read what is said.
        if (socket.writableLength > 0) return gone()
        refused++
        if (lasts()) crowdedAt = performance.now()
        one.end()
        if (answer.isLast) return void socket.write(answer.bytes, () => socket.destroy())
        socket.write(answer.bytes)
        head.length = bytes = 0
        tail = null
        kept.add(socket)
        pause = pauses.begin(() => socket.destroySoon())
      },
    }
    const readOn = (chunk: Buffer) => {
      if (kept.delete(socket)) {
        ;({ waited, unread } = begin())
        endPause()
      }
      head.push(chunk)
      bytes += chunk.length
      const isMuch = bytes >= headBytes
      if (!reading.has(socket)) {
        if (isMuch) socket.pause()
        return
      }
      const latest: Buffer = tail === null ? chunk : Buffer.concat([tail, chunk])
      const isWhole = latest.includes(endOfHead)
      tail = latest.subarray(1 - endOfHead.length)
      if (isWhole || isMuch) admit(isWhole)
    }
    /** It stands in the line from then on, or is answered here. */
    const admit = (isWhole: boolean) => {
      heads.end(unread)
      reading.delete(socket)
      const text = textOf(head)
      if (!isWhole || asksForHealth.test(text)) one.answerHere()
      else {
        const asking = askingIn(text, socket.remoteAddress ?? '', trustedProxies, session)
        for (const last of line.enter(one, asking)) last.refuse()
      }
      handOver()
    }
    const gone = () => {
      heads.end(unread)
      endPause()
      reading.delete(socket)
      kept.delete(socket)
      line.leave(one)
      one.end()
      socket.destroy()
      handOver()
    }
    socket.on('data', readOn).on('end', gone).on('error', gone).on('close', gone)
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, accept)
  server.listen({ port, host, backlog: connectionsUnaccepted })
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    add(worker) {
      const hear = heardFrom(message => {
        if (message.ninefold === 'serving') {
          serving.set(worker, true)
          if (leaving) send(worker, { ninefold: 'leave' })
        } else if (message.ninefold === 'taken') {
          if (!retired.has(worker)) serving.set(worker, true)
        } else {
          known = { ready: message.ready, at: performance.now() }
          heard()
        }
        handOver()
      })
      worker.on('message', hear)
      worker.once('exit', () => serving.delete(worker))
      worker.once('disconnect', () => serving.delete(worker))
    },
    isServedBy: worker => serving.has(worker) || retired.has(worker),
    retire(worker, delay) {
      serving.delete(worker)
      retired.add(worker)
      send(worker, { ninefold: 'leave' })
      setTimeout(() => send(worker, { ninefold: 'stop' }), delay)
    },
    admission: () => ({ waiting: line.size(), refused, serving: serving.size }),
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
        for (const socket of kept) socket.destroy()
        handOver()
      })
      // Nobody is left who could take them.
      for (let one = line.next(); one !== null; one = line.next()) one.socket.destroy()
      for (const worker of serving.keys()) send(worker, { ninefold: 'stop' })
    },
  }
}

/**
 * What has been read of it is given out, and what comes next is read where it goes: pausing alone would read a block ahead, and Node has
 * no public way to stop at once. It has to be sent before anything else happens, which would read on.
 */
function readNoMore(socket: Socket): void {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { reading: boolean; readStop(): void } | null }
  socket.pause()
  while (socket.read() !== null);
  if (handle == null) return
  handle.readStop()
  handle.reading = false
}
