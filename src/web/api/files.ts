/** Files over the API: sent first, named in a record afterwards; and the content of a record's field. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { raise, raiseMisfit } from '../../run/problems/raise.ts'
import { type Answer, json } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { fileAnswer } from '../routes/files.ts'
import { oneFile } from '../uploads.ts'
import { notThere } from './emergency.ts'
import { problem, problems } from './problem.ts'

/** `POST /api/v1/-/files`: what it answers is the value of a field. */
export async function sendFile(exchange: Exchange): Promise<Answer> {
  const { site } = exchange
  const read = await oneFile(exchange)
  if ('status' in read) {
    if (read.status === 400)
      return problem(exchange, 400, { detail: 'The body must be multipart/form-data with one file.' })
    return problems(exchange, 413, [raise(site.app, 'NF-BODY', {})], { connection: 'close' })
  }
  if (typeof read.value === 'string') return json(heldFile(read.value), 201)
  const refusal = raiseMisfit(site.app, read.value, 'The file', nowhere)
  return problems(exchange, refusal.status, [refusal])
}

const nowhere = { field: null, because: null } as const

/** `GET /api/v1/loan/{id}/photo`. */
export async function getFile(exchange: Exchange, { key }: Entity, id: string, field: string): Promise<Answer> {
  return (await fileAnswer(exchange, key, id, field)) ?? notThere(exchange, key)
}

export const hasFile = ({ fields }: Entity, key: string): boolean =>
  fields.some(field => field.key === key && field.type.kind === 'file' && field.hidden === null)
