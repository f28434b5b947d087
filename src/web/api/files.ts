/** Files over the API: sent first, named in a record afterwards; and the content of a record's field. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { raise, raiseInvalidValue } from '../../run/problems/raise.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { fileAnswer } from '../routes/files.ts'
import { oneFile } from '../uploads.ts'
import { notThere } from './emergency.ts'
import { problem, problems } from './problem.ts'

/** `POST /api/v1/-/files`: what it answers is the value of a field. */
export async function sendFile(context: RequestContext): Promise<HttpResponse> {
  const { site } = context
  const read = await oneFile(context)
  if ('status' in read) {
    if (read.status === 400)
      return problem(context, 400, { detail: 'The body must be multipart/form-data with one file.' })
    return problems(context, 413, [raise(site.app, 'NF-BODY', {})], { connection: 'close' })
  }
  if (typeof read.value === 'string') return json(heldFile(read.value), 201)
  const refusal = raiseInvalidValue(site.app, read.value, 'The file', nowhere)
  return problems(context, refusal.status, [refusal])
}

const nowhere = { field: null, because: null } as const

/** `GET /api/v1/loan/{id}/photo`. */
export async function getFile(
  context: RequestContext,
  { key }: Entity,
  id: string,
  field: string,
): Promise<HttpResponse> {
  return (await fileAnswer(context, key, id, field)) ?? notThere(context, key)
}

export const hasFile = ({ fields }: Entity, key: string): boolean =>
  fields.some(field => field.key === key && field.type.kind === 'file' && field.hidden === null)
