/** `POST /api/v1/patient/emergency`: one record is opened for a while to whoever says why. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { openInEmergency } from '../../run/access/emergency.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { reasonIn } from '../../run/approvals/decide.ts'
import { parseJson } from '../form-body.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { statusOf } from '../write.ts'
import { problem, problems } from './problem.ts'

export const emergencyAddress = (entity: string): string => `/api/v1/${entity}/emergency`

/** Nothing is there, or nothing for this person; who may open records in an emergency learns where. */
export function notThere(context: RequestContext, entity: string): HttpResponse {
  if (!opensIn(context.site.app, context.request.actor, entity)) return problem(context, 404)
  const emergency = emergencyAddress(entity)
  const detail = `Where it is needed in an emergency, POST {"record": …, "reason": …} to ${emergency}.`
  return problem(context, 404, { detail, more: { emergency } })
}

/** `{"record": "P-0001", "reason": "…"}`: the id, or what no other record has. */
export async function openOverApi(context: RequestContext, { key: entity }: Entity): Promise<HttpResponse> {
  const { runtime, request } = context
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const { record, reason } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  const asked = { entity, record: typeof record === 'string' ? record.trim() : '', reason: reasonIn(reason) }
  const opened = await openInEmergency(runtime, request, asked)
  if (opened.kind === 'refused') return problems(context, statusOf(opened.problems), opened.problems)
  if (opened.kind === 'not found') return problems(context, 404, [opened.problem])
  const { id, until } = opened
  return json({ id, until }, until === null ? 200 : 201, { location: `/api/v1/${entity}/${id}` })
}
