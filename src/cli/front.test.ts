/** The front with processes that are played: what it gives to them, and what becomes of those whom it refuses. */
import type { Worker } from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connectionsWaiting } from '../web/bounds.ts'
import type { ToServing } from './channel.ts'
import { type Front, openFront } from './front.ts'

let front: Front
const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await front.close()
})

const begin = async () => {
  front = await openFront({ host: '127.0.0.1', port: 0, headers: {}, trustedProxies: 0, session: 'ninefold' })
}
const opened = async () => {
  const socket = connect({ host: '127.0.0.1', port: front.port })
  open.push(socket)
  await once(socket, 'connect')
  return socket
}
const ask = (socket: Socket, path: string, ...headers: string[]) =>
  void socket.write([`GET ${path} HTTP/1.1`, 'host: desk', ...headers, '', ''].join('\r\n'))
const answered = async (socket: Socket) => String((await once(socket, 'data'))[0])
const waiting = async (count: number) => {
  while (front.admission().waiting < count) await new Promise(setImmediate)
}

/** Serves: answers each connection that it is given with the path that is asked for, which is all that was read of it. */
function play(): readonly string[] {
  const heads: string[] = []
  const worker = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    send(message: ToServing, socket?: Socket) {
      if (message.ninefold !== 'take') return
      heads.push(message.head)
      socket!.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      setImmediate(() => worker.emit('message', { ninefold: 'taken' }))
    },
  })
  front.add(worker as unknown as Worker)
  worker.emit('message', { ninefold: 'serving' })
  return heads
}

test('over a connection that somebody keeps one request after the other is refused, until there is room for one', async () => {
  await begin()
  for (let one = 1; one <= connectionsWaiting.atOnce; one++) ask(await opened(), `/${one}`)
  await waiting(connectionsWaiting.atOnce)
  const kept = await opened()
  for (const path of ['/first', '/second']) {
    ask(kept, path)
    expect(await answered(kept)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: keep-alive\r\n/)
  }
  expect(front.admission()).toEqual({ waiting: connectionsWaiting.atOnce, refused: 2, serving: 0 })
  const heads = play()
  expect(front.admission().waiting).toBe(connectionsWaiting.atOnce - 1)
  ask(kept, '/third', 'accept: text/html')
  expect(await answered(kept)).toMatch(/^HTTP\/1\.1 200 /)
  expect(heads.at(-1)).toBe('GET /third HTTP/1.1\r\nhost: desk\r\naccept: text/html\r\n\r\n')
  expect(heads).toHaveLength(connectionsWaiting.atOnce + 1)
})

test('it ends with the refusal where whoever asks wants that, and where the front is about to end', async () => {
  await begin()
  for (let one = 1; one <= connectionsWaiting.atOnce; one++) ask(await opened(), `/${one}`)
  await waiting(connectionsWaiting.atOnce)
  const ended = async (...headers: string[]) => {
    const socket = await opened()
    const end = once(socket, 'end')
    ask(socket, '/', ...headers)
    expect(await answered(socket)).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n/)
    await end
  }
  await ended('connection: close')
  front.leave()
  await ended()
})
