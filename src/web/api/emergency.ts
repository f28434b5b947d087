/** `POST /api/v1/patient/emergency`: one record is opened for a while to whoever says why. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { openInEmergency } from '../../run/access/emergency.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { reasonIn } from '../../run/approvals/decide.ts'
import { type Answer, json } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { readJson } from '../form-body.ts'
import { statusOf } from '../write.ts'
import { problem, problems } from './problem.ts'

export const emergencyAddress = (entity: string): string => `/api/v1/${entity}/emergency`

/** Nothing is there, or nothing for this person; who may open records in an emergency learns where. */
export function notThere(exchange: Exchange, entity: string): Answer {
  if (!opensIn(exchange.site.app, exchange.request.actor, entity)) return problem(exchange, 404)
  const emergency = emergencyAddress(entity)
  const detail = `Where it is needed in an emergency, POST {"record": …, "reason": …} to ${emergency}.`
  return problem(exchange, 404, { detail, more: { emergency } })
}

/** `{"record": "P-0001", "reason": "…"}`: the id, or what no other record has. */
export async function openOverApi(exchange: Exchange, { key: entity }: Entity): Promise<Answer> {
  const { runtime, request } = exchange
  const body = readJson(exchange.headers['content-type'], exchange.body)
  if ('status' in body) return problem(exchange, body.status, { detail: body.why })
  const { record, reason } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  const asked = { entity, record: typeof record === 'string' ? record.trim() : '', reason: reasonIn(reason) }
  const opened = await openInEmergency(runtime, request, asked)
  if (opened.kind === 'refused') return problems(exchange, statusOf(opened.problems), opened.problems)
  if (opened.kind === 'not found') return problems(exchange, 404, [opened.problem])
  const { id, until } = opened
  return json({ id, until }, until === null ? 200 : 201, { location: `/api/v1/${entity}/${id}` })
}
