/** `/-/mcp`: who may come in as an assistant. */
import { authoriseApi } from '../api/api.ts'
import { problem } from '../api/problem.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'

/** Assistants have keys, and no sessions: a page of another site can send nothing here. */
export async function assistantRoute(context: RequestContext): Promise<HttpResponse> {
  const { method, key, site } = context
  const refused = await authoriseApi(context)
  if (refused !== null) return refused
  if (key === null || key === 'refused')
    return problem(context, 401, { headers: { 'www-authenticate': 'Bearer realm="Ninefold"' } })
  if (site.app.assistants?.roles.includes(key.role) === false)
    return problem(context, 403, { detail: 'Assistants may not use this application with a key of this role.' })
  if (method !== 'POST') return problem(context, 405, { headers: { allow: 'POST' } })
  // The protocol is loaded where somebody speaks it.
  return (await import('./assistants.ts')).answerAssistant(context)
}
