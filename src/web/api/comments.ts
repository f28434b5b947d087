/** What people say about a record, over the API: read, added to, changed and taken back. */
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { bringBackComment } from '../../run/people/comment-undo.ts'
import { addComment, changeComment } from '../../run/people/commenting.ts'
import { mayComment, readComments } from '../../run/people/comments.ts'
import type { Actor } from '../../run/request.ts'
import { isId } from '../../run/values.ts'
import { parseJson } from '../form-body.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { commentFileAnswer } from '../routes/files.ts'
import { branchesOf } from '../site.ts'
import { notThere } from './emergency.ts'
import { hasFile } from './files.ts'
import { problem } from './problem.ts'
import { written } from './records.ts'

export const commentsName = 'comments'

/** A step or a file of that name has the address. */
export const hasComments = (app: App, actor: Actor, entity: Entity): boolean =>
  mayComment(app, actor, entity.key) &&
  branchesOf(app, entity.key, commentsName).length === 0 &&
  !hasFile(entity, commentsName)

/** `GET /api/v1/loan/{id}/comments?after=…`: newest first. */
export async function listComments(
  { runtime, request, query, ...rest }: RequestContext,
  { key }: Entity,
  id: string,
): Promise<HttpResponse> {
  const context = { runtime, request, query, ...rest }
  const after = query.get('after')
  if (after !== null && !isId(after))
    return problem(context, 400, { detail: 'after must be what an answer gave as next.' })
  const found = await readComments(runtime, request, key, id, after)
  if (found === null) return problem(context, 404)
  return json({
    data: found.comments.map(({ id: comment, at, who, text, changed_at, reply_to, files }) => ({
      id: comment,
      at,
      by: who,
      text,
      changed_at,
      reply_to,
      files: files.map(heldFile),
    })),
    next: found.next,
  })
}

/** `POST /api/v1/loan/{id}/comments` with `{ "text": "…" }`; with `reply_to`, the id of a comment, in its thread; with `files`, what `POST /api/v1/-/files` answered. */
export async function postComment(context: RequestContext, { key }: Entity, id: string): Promise<HttpResponse> {
  const { request } = context
  const sent = sentComment(context)
  if ('status' in sent) return sent
  return written(
    context,
    null,
    run => addComment(run, request, key, id, sent),
    async done => json({ id: done.id }, 201),
  )
}

/** `PATCH /api/v1/loan/{id}/comments/{comment}` with `{ "text": "…" }`: of one's own. */
export async function patchComment(
  context: RequestContext,
  entity: Entity,
  id: string,
  comment: string,
): Promise<HttpResponse> {
  const sent = sentComment(context)
  return 'status' in sent ? sent : changed(context, entity, id, comment, sent.text)
}

/** `DELETE` takes one's own back: that it was stays, what it said is gone. */
export const removeComment = (
  context: RequestContext,
  entity: Entity,
  id: string,
  comment: string,
): Promise<HttpResponse> => changed(context, entity, id, comment, null)

/** `POST /api/v1/loan/{id}/comments/{comment}/undo`: one's own says again what it did before it was changed or taken back. */
export const undoOfComment = (
  context: RequestContext,
  { key }: Entity,
  id: string,
  comment: string,
): Promise<HttpResponse> =>
  written(
    context,
    null,
    run => bringBackComment(run, context.request, key, id.toLowerCase(), comment),
    async done => json({ id: done.id }),
  )

async function changed(
  context: RequestContext,
  { key }: Entity,
  id: string,
  comment: string,
  text: string | null,
): Promise<HttpResponse> {
  const { request } = context
  return written(
    context,
    null,
    run => changeComment(run, request, key, id, comment, text),
    async done => (text === null ? { status: 204, headers: {}, body: '' } : json({ id: done.id })),
  )
}

function sentComment(
  context: RequestContext,
): { readonly text: string; readonly replyTo: string | null; readonly files: readonly string[] } | HttpResponse {
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const { text, reply_to: replyTo = null, files = [] } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof text !== 'string') return problem(context, 400, { detail: 'The body must be an object with a text.' })
  if (replyTo !== null && typeof replyTo !== 'string')
    return problem(context, 400, { detail: 'reply_to must be the id of a comment.' })
  const named = Array.isArray(files) ? files.map(fileOf) : [null]
  if (named.includes(null)) return problem(context, 400, { detail: 'files must be what the uploads answered.' })
  return { text, replyTo, files: named.flatMap(file => file ?? []) }
}

function fileOf(json: unknown): string | null {
  const read = fieldKind('file').fromJson(json, {})
  return 'value' in read && typeof read.value === 'string' ? read.value : null
}

/** `GET /api/v1/loan/{id}/comments/{comment}/files/1`. */
export const getCommentFile = async (
  context: RequestContext,
  { key }: Entity,
  id: string,
  comment: string,
  place: string,
): Promise<HttpResponse> =>
  (await commentFileAnswer(context, comment, place, id.toLowerCase())) ?? notThere(context, key)
