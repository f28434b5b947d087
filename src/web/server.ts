/** The HTTP server: Fastify for the protocol, limits of size and time, and what never reaches a route. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { passwords } from '../run/people/password.ts'
import { overdue } from '../store/overdue.ts'
import { apiFailure } from './api/api.ts'
import {
  bodyBytes,
  bodyTimeout,
  headBytes,
  headersTimeout,
  keepAliveTimeout,
  requestTimeout,
  turnsOfProcess,
} from './bounds.ts'
import { assetRoot } from './client.ts'
import { takes } from './compress.ts'
import { gate } from './gate.ts'
import { securityHeaders } from './headers.ts'
import { spokenSite } from './language.ts'
import { liveEvents } from './live.ts'
import { isReady } from './request/admit.ts'
import { isApi } from './request/authenticate.ts'
import { send } from './request/respond.ts'
import { registerRoutes } from './request/router.ts'
import type { Served, Web, WebOptions } from './request-context.ts'
import { type HttpResponse, plain } from './response.ts'
import { say } from './sentences.ts'
import { cookieJar } from './sign-in/cookies.ts'
import { providerOf } from './sign-in/provider.ts'
import { sealWith } from './sign-in/seal.ts'
import { type Site, siteOf } from './site.ts'
import { underWay } from './under-way.ts'
import { unreadable } from './unreadable.ts'

export interface RunningWeb {
  /** `http://localhost:3000`, or the public address that was given. */
  readonly url: string
  /** That it listens on, whatever the public address says. */
  readonly port: number
  /** Serves another version of the document from the next request on; open pages in `dev` load themselves anew. */
  readonly reload: (served: Served) => Promise<void>
  /** A mail went into the mailbox: open mailbox pages show it. */
  readonly mailArrived: () => void
  /**
   * Serves a connection that another process has accepted, of which it has read so much. While many wait there, each connection ends
   * with its next answer: what would come over it has no turn before them, and is refused there at less cost.
   */
  readonly take: (socket: Socket, head: Buffer, crowded: boolean) => void
  /** Resolves when no request waits: more may be handed over. */
  readonly room: () => Promise<void>
  readonly ready: () => Promise<boolean>
  /** Others take what comes from now on: `/readyz` says no, and each connection ends with its next answer. */
  readonly leave: () => void
  /** Answers what has come, accepts nothing more. */
  readonly close: () => Promise<void>
}

/** Starts serving. Rejects where the port is taken, or where React would render in its slow development form. */
export async function startWeb(options: WebOptions): Promise<RunningWeb> {
  let served = options.served
  let site = servedSite(options, served)
  const jar = cookieJar(options.publicUrl?.startsWith('https:') ?? false)
  const headers = securityHeaders(jar.secure, options.editing !== undefined)
  const live = liveEvents({
    runtime: () => site.runtime,
    isEdited: options.mode === 'dev',
    id: options.newId(),
  })
  const refused = (status: number, request: FastifyRequest) =>
    refusal(spokenSite({ site: () => site }, request.headers), status, request)
  // Unknown before it listens, where nobody says how people reach it.
  let isCrowded = false
  let origin = (options.publicUrl ?? 'http://localhost').replace(/\/+$/, '')
  const web: Web = {
    options,
    get origin() {
      return origin
    },
    get host() {
      return new URL(origin).host
    },
    jar,
    headers,
    seal: options.seal ?? sealWith(null),
    passwords: passwords(options.random),
    live,
    provider: providerOf(options.variable ?? (() => undefined), () => options.clock().getTime()),
    served: () => served,
    site: () => site,
    ready: { at: Number.NEGATIVE_INFINITY, ok: false },
    leaving: false,
    underWay: underWay(),
    gate: gate({ ...turnsOfProcess, atOnce: () => (isCrowded ? turnsOfProcess.crowded : turnsOfProcess.atOnce) }),
  }

  const server = Fastify({
    logger: false,
    bodyLimit: bodyBytes,
    requestTimeout,
    keepAliveTimeout,
    trustProxy: (_, hop) => hop < (options.trustedProxies ?? 0),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // What still comes over an open connection is answered, and the connection closed with it.
    return503OnClosing: false,
    http: { headersTimeout, connectionsCheckingInterval: 1000, maxHeaderSize: headBytes, requireHostHeader: false },
    routerOptions: { maxParamLength: 8192 },
    genReqId: () => options.newId(),
    frameworkErrors: (error, request, reply) => {
      void send(request, reply, refused(error.statusCode ?? 400, request), headers)
    },
    clientErrorHandler: unreadable(headers),
  })
  // Bodies are read by the handlers, who know what they expect.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request, body, done) => {
    readWhole(body, Number(request.headers['content-length'] ?? 0), bodyBytes).then(whole => done(null, whole), done)
  })
  server.addContentTypeParser('multipart/form-data', (_, body, done) => done(null, body))
  server.decorateRequest('answerMade', null)
  server.addHook('onRequest', (request, reply, next) => {
    request.answerMade = web.underWay.begin(reply.raw)
    next()
  })
  server.addHook('onSend', (request, reply, _, next) => {
    if (web.leaving || isCrowded || (options.handedOver === true && web.gate.somebodyWaits()))
      reply.header('connection', 'close')
    request.answerMade?.()
    next()
  })
  server.addHook('onRequest', async (request, reply) => (sendAsset(web, request, reply) ? reply : undefined))
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) options.log({ level: 'error', event: 'failure', request: request.id, detail: { error } })
    if (status === 408 || status === 413) reply.header('connection', 'close')
    return send(request, reply, refused(status, request), headers)
  })
  const { onAnswered } = options
  if (onAnswered !== undefined)
    server.addHook('onResponse', async ({ method, routeOptions, headers }, { statusCode: status, elapsedTime }) => {
      const { traceparent } = headers as { readonly traceparent?: string }
      const traced = traceparent === undefined ? {} : { traceparent }
      onAnswered({ method, route: routeOptions.url ?? 'none', status, seconds: elapsedTime / 1000, ...traced })
    })
  server.setNotFoundHandler((request, reply) => send(request, reply, refused(405, request), headers))
  registerRoutes(server, web)

  await rendersFast()
  const port = await listening(server, options).catch(error => {
    live.close()
    throw error
  })
  if (options.publicUrl === null) origin = `http://localhost:${port}`
  return {
    url: origin,
    port,
    take(socket, head, crowded) {
      isCrowded = crowded
      // As it is of what the server accepts itself.
      socket.allowHalfOpen = true
      socket.unshift(head)
      server.server.emit('connection', socket)
    },
    room: web.gate.room,
    ready: () => isReady(web),
    leave() {
      web.leaving = true
    },
    async reload(next) {
      site = next.runtime === served.runtime ? site : servedSite(options, next)
      served = next
      live.tell('reload')
    },
    mailArrived: () => live.tell('mail'),
    async close() {
      web.leaving = true
      live.close()
      const closed = server.close()
      await web.underWay.none()
      // What is open still has asked for nothing.
      server.server.closeAllConnections()
      await closed
    },
  }
}

/** Gives the port, that of the other process where one listens. */
async function listening(server: FastifyInstance, { host, port, handedOver }: WebOptions): Promise<number> {
  if (handedOver !== true) return Number(new URL(await server.listen({ host, port })).port)
  await server.ready()
  // From then on Node keeps account of its connections, and of what is late on them.
  server.server.emit('listening')
  return port
}

function servedSite(options: WebOptions, served: Served): Site {
  const dev = options.mode === 'dev'
  return siteOf(served.runtime, {
    provenance: dev,
    document: dev ? '/-/document' : null,
  })
}

const bodies = overdue(bodyTimeout)

/** A body without files: not too large, and not drop by drop. What is left of a refused one is not waited for. */
function readWhole(body: Readable, declared: number, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = (status: number) => reject(new Refused(status))
    if (declared > most) return refuse(413)
    const chunks: Buffer[] = []
    let size = 0
    const waiting = bodies.begin(() => refuse(408))
    body.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= most) chunks.push(chunk)
      else refuse(413)
    })
    body.once('end', () => resolve(Buffer.concat(chunks)))
    body.once('error', () => refuse(400))
    body.once('close', () => bodies.end(waiting))
  })
}

class Refused extends Error {
  readonly statusCode: number

  constructor(statusCode: number) {
    super(`The body is refused (${statusCode}).`)
    this.statusCode = statusCode
  }
}

const worded = [400, 405, 408, 413, 414, 415] as const

/** For requests that never reach a handler. */
function refusal(site: Site, status: number, request: FastifyRequest): HttpResponse {
  const known = status >= 500 ? 500 : (worded.find(one => one === status) ?? 400)
  const why = say(site, `refused.${known}`)
  if (isApi(request)) return apiFailure(status, request.id, why)
  return plain(`${why}\n${site.reader.words('reference', { reference: request.id })}\n`, status)
}

/** Sends a file of the browser's, if the address is one. They never change, so a condition is always met. */
function sendAsset({ options: { assets }, headers }: Web, request: FastifyRequest, reply: FastifyReply): boolean {
  if (!request.url.startsWith(assetRoot) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const file = assets.files.get(request.url.split('?')[0]!)
  if (file === undefined) return false
  const accepted = request.headers['accept-encoding']
  const coding =
    file.brotli !== null && takes(accepted, 'br') ? 'br' : file.gzip !== null && takes(accepted, 'gzip') ? 'gzip' : null
  reply.headers(headers)
  reply.headers({
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  // Pages have permissions, and a first visit asks for a dozen files.
  reply.removeHeader('permissions-policy')
  if (coding !== null) reply.header('content-encoding', coding)
  void reply.send(coding === 'br' ? file.brotli : coding === 'gzip' ? file.gzip : file.plain)
  return true
}

/** React's development build takes more than five times as long, and which one is loaded is decided before this line runs. */
async function rendersFast(): Promise<void> {
  const react: { readonly captureOwnerStack?: unknown; readonly version: string } = await import('react')
  if (react.captureOwnerStack !== undefined && process.env.VITEST === undefined)
    throw new Error(`React ${react.version} was loaded for development: set NODE_ENV to 'production' before that.`)
}
