/** `/-/files/loan/<id>/photo`: the file in a field of a record, for whoever sees that field of that record. */
import { type HeldFile, heldFile } from '../../kinds/fields/file/held.ts'
import { isFramed, isShownInPlace } from '../../kinds/fields/file/types.ts'
import { commentFile, mayComment } from '../../run/people/comments.ts'
import { read } from '../../run/read/read.ts'
import { notFound } from '../pages.tsx'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { toSignIn } from '../signed-out.ts'

export const fileAddress = (entity: string, id: string, field: string): string => `/-/files/${entity}/${id}/${field}`

/** Shown in a frame of one of our own pages. */
export const frameAddress = (address: string): string => `${address}?as=frame#navpanes=0`

/** `/-/files/<entity>/<id>/<field>`. Whoever is not signed in may be somebody who sees it. */
export async function filePage(context: RequestContext): Promise<HttpResponse> {
  const [entity = '', id = '', field = '', ...more] = context.path.slice('/-/files/'.length).split('/')
  const response = more.length > 0 || context.method === 'POST' ? null : await fileAnswer(context, entity, id, field)
  return response ?? (isSignedIn(context) ? notFound(context) : toSignIn(context))
}

/** From 1. */
export const commentFileAddress = (comment: string, place: number): string => `/-/comment-files/${comment}/${place}`

/** `/-/comment-files/<comment>/<place>`: for whoever sees the record and may talk about it. */
export async function commentFilePage(context: RequestContext): Promise<HttpResponse> {
  const [comment = '', place = '', ...more] = context.path.slice('/-/comment-files/'.length).split('/')
  const response =
    more.length > 0 || context.method === 'POST' ? null : await commentFileAnswer(context, comment, place)
  return response ?? notFound(context)
}

/** `record`: the only one whose comments are asked for. Null: it is not there, or not for this person. */
export async function commentFileAnswer(
  context: RequestContext,
  comment: string,
  place: string,
  record: string | null = null,
): Promise<HttpResponse | null> {
  const { runtime, request } = context
  const found = /^[1-9]\d{0,3}$/.test(place) ? await commentFile(runtime, comment, Number(place)) : null
  if (found === null || !mayComment(runtime.app, request.actor, found.entity)) return null
  if (record !== null && record !== found.record) return null
  const seen = await recordSeen(context, found.entity, found.record)
  return seen === null ? null : heldAnswer(context, found.file)
}

/** To read a file of it. */
const recordSeen = ({ runtime, request }: RequestContext, entity: string, id: string) =>
  read(runtime, request, { kind: 'one', entity, by: { field: 'id', value: id }, history: 0, shown: 'file' })

/** Null: it is not there, or not for this person. */
export async function fileAnswer(
  context: RequestContext,
  entity: string,
  id: string,
  field: string,
): Promise<HttpResponse | null> {
  const { runtime } = context
  const data = await recordSeen(context, entity, id.toLowerCase())
  const value = data?.row.values[field]
  const isFile = runtime.app.entities.get(entity)?.fields.some(one => one.key === field && one.type.kind === 'file')
  const held = isFile && typeof value === 'string' ? heldFile(value) : null
  return held === null ? null : heldAnswer(context, held)
}

/** The content, which is never anything but shown or kept. Null: it has been lost. */
async function heldAnswer(context: RequestContext, held: HeldFile): Promise<HttpResponse | null> {
  const { request, headers, web, method, query } = context
  const etag = `"${held.digest}"`
  // Who may see it is asked each time; only the way of the bytes is saved.
  const kept = { etag, 'cache-control': 'private, no-cache' }
  if (headers['if-none-match']?.split(',').some(tag => tag.trim() === etag))
    return { status: 304, headers: kept, cookies: [], body: '' }
  const content = await web.options.files.open(held.digest)
  if (content === null) {
    const error = new Error(`The content ${held.digest} is not in the store of files.`)
    web.options.log({ level: 'error', event: 'failure', request: request.id, detail: { method, error } })
    return null
  }
  const framed = isFramed(held.type) && query.get('as') === 'frame'
  const inPlace = framed || (isShownInPlace(held.type) && query.get('as') !== 'download')
  if (method === 'HEAD') content.destroy()
  return {
    status: 200,
    headers: {
      ...kept,
      // Of a text it is known that it is UTF-8: nothing else is taken for one.
      'content-type': held.type === 'text/plain' ? 'text/plain; charset=utf-8' : held.type,
      'content-length': String(held.size),
      'content-disposition': `${inPlace ? 'inline' : 'attachment'}; ${fileNameOf(held.name)}`,
      // Whatever it is, it runs nothing and loads nothing. A sandbox would keep browsers from opening their reader of documents.
      'content-security-policy': `default-src 'none'; ${framed ? "object-src 'self'; frame-ancestors 'self'" : "frame-ancestors 'none'; sandbox"}`,
      ...(framed ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
    },
    cookies: [],
    body: method === 'HEAD' ? '' : content,
  }
}

/** RFC 6266: plain letters for those who read nothing else, and the name as it is. */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${plain}"; filename*=UTF-8''${exact}`
}
