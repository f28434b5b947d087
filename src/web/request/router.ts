/**
 * A request from the socket to the response: read this first. The hooks (middleware) run in the order in which they stand here, and each of them
 * responds or lets the request go on. Addresses of the document change with its versions: the site matches them, in one route.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Busy } from '../../run/turns.ts'
import { apiRoute, apiRoutes, receiveRoute } from '../api/api.ts'
import { problem } from '../api/problem.ts'
import { askingOf } from '../asking.ts'
import { mayAsk, shownElsewhere } from '../assistants/cross-origin.ts'
import { assistantRoutes, oauthRoute } from '../assistants/route.ts'
import { liveSeconds, openConnections } from '../bounds.ts'
import { followerOf } from '../following.ts'
import type { Sent } from '../given-back.tsx'
import { internalRoutes } from '../internal.ts'
import type { PageFollower } from '../live.ts'
import { notFound, problemPage } from '../pages.tsx'
import { livePath, oauthRoot } from '../paths.ts'
import type { Handler, RequestContext, Web } from '../request-context.ts'
import { type HttpResponse, plain } from '../response.ts'
import { oneselfAgain } from '../routes/act.tsx'
import { documentPage } from '../routes/document-pages.ts'
import { noteWritten } from '../sign-in/session.ts'
import { signedOutPost } from '../signed-out.ts'
import { tooMany } from '../too-many.ts'
import { admit, knownHost, readiness } from './admit.ts'
import { authenticate, type IncomingRequest, incomingOf } from './authenticate.ts'
import { authorise, limitRate } from './authorise.ts'
import { failure } from './failure.ts'
import { embeddable, inFrame } from './frames.ts'
import { receiveForm } from './receive-form.ts'
import { respond, withRenewed, withVisit } from './respond.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it was taken up, by the clock of `performance`. */
    begun: number
    /** What came over the wire; null: it was not taken up. */
    incoming: IncomingRequest | null
    /** Who asks, when, under which constants; null: not asked yet. */
    context: RequestContext | null
    /** The form of a POST; null: there is none, or it was not read. */
    sent: Sent | null
    /** To be called when its answer is made. */
    answerMade: (() => void) | null
  }
}

type Params = Readonly<Record<string, string>>
type RoutePage = (context: RequestContext, params: Params) => ReturnType<Handler>
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<HttpResponse | null> | HttpResponse | null

/** A browser that gets this does not ask again. */
const nothing: HttpResponse = { status: 204, headers: {}, cookies: [], body: '' }

const reading = ['GET', 'HEAD']
/** Of the API, which pages do not have. */
const writing = ['PUT', 'PATCH', 'DELETE', 'OPTIONS']
const any = [...reading, 'POST', ...writing]

export function registerRoutes(server: FastifyInstance, web: Web): void {
  const { mode } = web.options
  const answer = async (request: FastifyRequest, reply: FastifyReply, response: HttpResponse) => {
    const { context } = request
    if (context === null) return respond(web, request, reply, response)
    if (!reading.includes(request.method)) await noteWritten(context)
    return respond(web, request, reply, inFrame(context, withVisit(context, await withRenewed(context, response))))
  }
  /** A hook: null lets the request go on. */
  const unless = (check: Check) => async (request: FastifyRequest, reply: FastifyReply) => {
    const response = await check(request, reply)
    if (response !== null) return answer(request, reply, response)
  }
  const plainly =
    (respondTo: () => Promise<HttpResponse> | HttpResponse) => async (request: FastifyRequest, reply: FastifyReply) =>
      answer(request, reply, await respondTo())
  const page = (handler: RoutePage) => async (request: FastifyRequest, reply: FastifyReply) =>
    answer(request, reply, await handler(request.context!, request.params as Params))

  const admitted = unless(request => {
    request.begun = performance.now()
    request.incoming = incomingOf(request)
    return admit(web, request.incoming, request.routeOptions.url ?? '')
  })
  /** Waits for a turn. Files that still come over a slow line are read before. */
  const inTurn = (isStream: boolean) =>
    unless(async (request, reply) => {
      const { incoming, answerMade, method, url, headers } = request
      if ((incoming!.stream !== null) !== isStream) return null
      const end = await web.gate.enter(askingOf(incoming!.address, headers, web.jar.session), reply.raw)
      request.answerMade = () => {
        end?.()
        answerMade?.()
      }
      if (end !== null) return null
      // A form comes back with what was typed.
      if (method !== 'GET' && method !== 'HEAD') throw new Busy()
      return tooMany({ method, url, languages: headers['accept-language'] })
    })
  const hosted = unless(({ incoming }) => knownHost(web, incoming!))
  const shownThere = unless(({ method, url, headers }, reply) => {
    const shown = shownElsewhere(web, url)
    reply.headers(shown ?? {})
    return shown !== null && method === 'OPTIONS' && 'access-control-request-method' in headers ? mayAsk : null
  })
  const authenticated = unless(async request => {
    const context = await authenticate(web, request.incoming!)
    request.context = context
    return context.oneself === null ? null : oneselfAgain(context, context.oneself)
  })
  const inTime = unless(({ context, incoming }) => limitRate(context!, incoming!))
  const framed = unless(({ context }) => embeddable(context!))
  const received = unless(async request => {
    if (request.method !== 'POST') return null
    const form = await receiveForm(request.context!)
    if ('status' in form) return form
    request.context = form.context
    request.sent = form.sent
    return form.isCurrent ? null : signedOutPost(form.context, form.sent.form)
  })
  const authorised = unless(({ context }) => authorise(context!))

  for (const name of ['incoming', 'context', 'sent'] as const) server.decorateRequest(name, null)
  server.decorateRequest('begun', 0)
  server.register((app, _, done) => {
    app.setErrorHandler(async (error, request, reply) => {
      // A body that could not be read: the server says so.
      if (request.incoming === null) throw error
      return respond(web, request, reply, await failure(web, request.incoming, error, request.sent))
    })

    app.route({ method: any, url: '/livez', preHandler: admitted, handler: plainly(() => plain('ok\n')) })
    app.route({ method: any, url: '/readyz', preHandler: admitted, handler: plainly(() => readiness(web)) })
    const forAll = [admitted, hosted, inTurn(false), authenticated]
    app.route({ method: any, url: '/api/v1/-/:message', preHandler: forAll, handler: page(receiveRoute) })
    for (const [below, resourceOf] of Object.entries(apiRoutes))
      app.route({ method: any, url: `/api/v1/${below}`, preHandler: forAll, handler: page(apiRoute(resourceOf)) })
    const forAssistants = [admitted, hosted, shownThere, inTurn(false), authenticated]
    for (const [url, handler] of Object.entries(assistantRoutes))
      app.route({ method: any, url, preHandler: forAssistants, handler: page(handler) })
    app.route({ method: any, url: `${oauthRoot}/*`, preHandler: [...forAssistants, inTime], handler: page(oauthRoute) })
    app.route({ method: any, url: '/api/*', preHandler: forAll, handler: page(apiRoute(() => null)) })

    const forPages = [...forAll, inTime, framed, received, inTurn(true), authorised]
    for (const { url, get, post } of internalRoutes(mode)) {
      app.route({ method: reading, url, preHandler: forPages, handler: page(get) })
      app.route({ method: 'POST', url, preHandler: forPages, handler: page(post) })
    }
    const ofPages = [...reading, 'POST']
    app.route({ method: ofPages, url: '/-/*', preHandler: forPages, handler: page(notFound) })
    app.route({ method: ofPages, url: '/-/embed/*', preHandler: forPages, handler: page(documentPage) })
    app.route({ method: ofPages, url: '*', preHandler: forPages, handler: page(documentPage) })
    app.route({ method: writing, url: '*', preHandler: [...forAll, inTime], handler: page(otherMethod) })
    app.get(livePath, { preHandler: [...forAll, inTime, authorised] }, async (request, reply) => {
      const follower = await followerOf(request.context!)
      if (follower === null && mode === 'serve') return answer(request, reply, nothing)
      const full = web.live.full(follower)
      if (full !== null) return answer(request, reply, noRoom(request.context!, full))
      listen(web, request, reply, follower)
    })
    done()
  })
}

function noRoom(context: RequestContext, full: keyof typeof openConnections): HttpResponse {
  // Not the oldest is ended: it would come again at once, and take the place of the next.
  const headers = { 'retry-after': String(liveSeconds) }
  const most = openConnections[full]
  return full === 'ofPerson'
    ? problem(context, 429, { detail: `${most} browsers of this person follow pages already.`, headers })
    : problem(context, 503, { detail: `${most} browsers follow pages already.`, headers })
}

function listen(
  { live, headers }: Web,
  { answerMade }: FastifyRequest,
  reply: FastifyReply,
  follower: PageFollower | null,
): void {
  reply.hijack()
  answerMade?.()
  reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  live.listen(reply.raw, follower)
}

async function otherMethod(context: RequestContext): Promise<HttpResponse> {
  const allow = 'GET, HEAD, POST'
  if (context.method === 'OPTIONS') return { status: 204, headers: { allow }, cookies: [], body: '' }
  const page = await problemPage(context, { status: 405 })
  return { ...page, headers: { ...page.headers, allow } }
}
