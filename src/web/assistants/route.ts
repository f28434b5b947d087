/** Who may come in as an assistant: to `/-/mcp` with a key or a token, to `/-/oauth` for a token. */
import { authoriseApi } from '../api/api.ts'
import { problem } from '../api/problem.ts'
import { notFound } from '../pages.tsx'
import { assistantPath, registerPath, resourcePath } from '../paths.ts'
import { registeredPerNetwork } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'

/** No assistant may use the application, whoever lets it in. */
export const isClosed = ({ site }: RequestContext): boolean => site.app.assistants?.roles.length === 0

/** Assistants have keys and tokens, and no sessions: a page of another site can send nothing here. */
async function assistantRoute(context: RequestContext): Promise<HttpResponse> {
  const { method, key, site, web } = context
  const refused = await authoriseApi(context)
  if (key === null || key === 'refused') {
    const why = key === null ? '' : ', error="invalid_token"'
    const how = isClosed(context) ? '' : `, resource_metadata="${web.origin}${resourcePath}"`
    const headers = { 'www-authenticate': `Bearer realm="Ninefold"${why}${how}` }
    return refused === null
      ? problem(context, 401, { headers })
      : { ...refused, headers: { ...refused.headers, ...headers } }
  }
  if (refused !== null) return refused
  if (site.app.assistants?.roles.includes(key.role) === false)
    return problem(context, 403, { detail: 'Assistants may not use this application with a key of this role.' })
  if (method !== 'POST') return problem(context, 405, { headers: { allow: 'POST' } })
  // The protocol is loaded where somebody speaks it.
  return (await import('./assistants.ts')).answerAssistant(context)
}

/** OAuth, by which assistants get tokens: theirs to ask, and for one address of it, a person's to answer (`routes/let-in.tsx`). */
export async function oauthRoute(context: RequestContext): Promise<HttpResponse> {
  const { path, method, runtime, network, request } = context
  if (isClosed(context)) return notFound(context)
  if (path === registerPath && method === 'POST') {
    const wait = await attempt(runtime.store, registeredPerNetwork, network, request.now)
    if (wait > 0) return json({ error: 'temporarily_unavailable' }, 429, { 'retry-after': String(wait) })
  }
  return (await import('./oauth.ts')).answerOAuth(context)
}

/** Where `/-/mcp` says that tokens for it come from. */
async function resourceRoute(context: RequestContext): Promise<HttpResponse> {
  if (isClosed(context)) return notFound(context)
  return json((await import('./oauth.ts')).protectedResource(context))
}

export const assistantRoutes = {
  [assistantPath]: assistantRoute,
  [resourcePath]: resourceRoute,
  '/.well-known/oauth-protected-resource': resourceRoute,
  '/.well-known/oauth-authorization-server': oauthRoute,
  '/.well-known/openid-configuration': oauthRoute,
} as const
