/** Sends a response and writes down who asked for what with which result; no bodies, and no query, which may hold what people typed. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { retryLater } from '../bounds.ts'
import { codingOf, compressed } from '../compress.ts'
import { framedIn } from '../headers.ts'
import type { RequestContext, Web } from '../request-context.ts'
import { type HttpResponse, withCookies } from '../response.ts'
import { setCookie } from '../sign-in/cookies.ts'
import { newToken, renewSession } from '../sign-in/session.ts'
import { traceOf } from '../trace-context.ts'

/** Below this a page is not worth compressing. */
const compressedFrom = 800

export function respond(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  made: HttpResponse,
): Promise<FastifyReply> {
  const response = made.status === 503 ? { ...made, headers: { ...retryLater, ...made.headers } } : made
  const asking = request.context?.request ?? null
  web.options.log({
    level: 'info',
    event: 'request',
    request: request.id,
    detail: {
      method: request.method,
      path: request.url.split('?')[0]?.slice(0, 200),
      status: response.status,
      ms: Math.round(performance.now() - request.begun),
      ...(asking === null || asking.actor.id === null
        ? {}
        : { person: asking.actor.id, roles: asking.actor.roles, ...(asking.by && { by: asking.by.id }) }),
      ...(asking?.key === undefined ? {} : { key: asking.key }),
      ...traceOf(request.headers),
    },
  })
  return send(request, reply, response, web.headers)
}

/** Whoever has shown anew who they are goes on under another token; the one of before is worth nothing. */
export async function withRenewed(context: RequestContext, response: HttpResponse): Promise<HttpResponse> {
  const { web, runtime, request, session, shown } = context
  if (session === null || shown.anew === null) return response
  const token = newToken(web.options.random)
  const isStill = await renewSession(runtime.store, session, { token, by: shown.anew, now: request.now })
  return isStill ? withCookies(response, [setCookie(web.jar, web.jar.session, token)]) : response
}

/** Browsers that have no visit yet are given one with the first page: forms need something to bind their CSRF token to. */
export function withVisit(context: RequestContext, response: HttpResponse): HttpResponse {
  const { web, cookies, visit, session, key, visitInAddress } = context
  if (session !== null || key !== null || visitInAddress || cookies.get(web.jar.visit) === visit) return response
  return withCookies(response, [setCookie(web.jar, web.jar.visit, visit)])
}

/** `headers`: those of every response. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: HttpResponse,
  headers: Web['headers'],
): Promise<FastifyReply> {
  reply.code(response.status)
  reply.headers(headers)
  reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id, ...response.headers })
  if (response.framedBy !== undefined) {
    reply.header('content-security-policy', framedIn(response.framedBy))
    // It knows one site or none, and would forbid what the policy allows.
    reply.removeHeader('x-frame-options')
  }
  if (response.cookies.length > 0) reply.header('set-cookie', [...response.cookies])
  const { body } = response
  if (typeof body !== 'string' || body.length < compressedFrom) return reply.send(body)
  reply.header('vary', 'accept-encoding')
  const coding = codingOf(request.headers['accept-encoding'])
  if (coding === null) return reply.send(body)
  reply.header('content-encoding', coding)
  return reply.send(await compressed(body, coding))
}
