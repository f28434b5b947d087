/** `/api/v1`: the same application for programs. Everything goes through the same reads and writes as the screens, with the same rights. */

import type { Entity } from '../../headings/3-entities/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { policyFor } from '../../run/access/policy.ts'
import { opensIn } from '../../run/access/read-log.ts'
import type { Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import { mustHaveFactor } from '../access.ts'
import { mediaType } from '../form-body.ts'
import { waitOf, waitOfKey } from '../rate-limit/requests.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { json } from '../response.ts'
import { hasAnything } from '../seen.ts'
import { originOf } from '../sign-in/csrf.ts'
import { branchesOf } from '../site.ts'
import { commentsName, hasComments, listComments, patchComment, postComment, removeComment } from './comments.ts'
import { openOverApi } from './emergency.ts'
import { getFile, hasFile, sendFile } from './files.ts'
import { openapi } from './openapi.ts'
import { absent, bareProblem, problem, problems } from './problem.ts'
import { receiveMessage } from './receive.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  restoreName,
  restoreRecord,
  takeRecordStep,
} from './records.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** What an address offers, by method; HEAD is answered as GET. */
type Resource = Readonly<Partial<Record<Method, () => Promise<HttpResponse> | HttpResponse>>>

export async function api(context: RequestContext): Promise<HttpResponse> {
  const { method, headers, web, key } = context
  const message = /^\/api\/v1\/-\/([a-z0-9_]+)$/.exec(context.path)?.[1]
  const receive = message === undefined ? undefined : context.site.app.receives.get(message)
  if (receive !== undefined)
    return method === 'POST' ? receiveMessage(context, receive) : problem(context, 405, { headers: { allow: 'POST' } })
  if (key === 'refused')
    return problem(context, 401, {
      detail: 'This key does not exist, was revoked, or has ended.',
      headers: { 'www-authenticate': 'Bearer realm="Ninefold", error="invalid_token"' },
    })
  if (key !== null && context.request.actor.roles.length === 0)
    return problem(context, 403, { detail: 'The person of this key does not have its role any more.' })
  const wait = key === null ? 0 : await waitOfKey(context, key.role)
  if (wait > 0)
    return problem(context, 429, {
      detail: 'The keys of this person have made their requests of this minute.',
      headers: { 'retry-after': String(wait) },
    })
  if (
    key === null &&
    !context.strong &&
    context.request.by === undefined &&
    mustHaveFactor(context.site.app, context.request.actor)
  )
    return problem(context, 403, { detail: raise(context.site.app, 'NF-SECOND-FACTOR', {}).message })
  const notThemselves = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? null : asAnother(context)
  if (notThemselves !== null) return problems(context, notThemselves.status, [notThemselves])
  const seconds = await waitOf(context)
  if (seconds > 0) return problem(context, 429, { headers: { 'retry-after': String(seconds) } })
  const resource = resourceOf(context)
  if (resource === null) return nowhere(context)
  if (method === 'OPTIONS') return { status: 204, headers: { allow: methodsOf(resource) }, cookies: [], body: '' }
  const handler = resource[(method === 'HEAD' ? 'get' : method.toLowerCase()) as Method]
  if (handler === undefined) return problem(context, 405, { headers: { allow: methodsOf(resource) } })
  const sends = isSending(context)
  if (!acceptsJson(headers.accept) && !isContent(context))
    return problem(context, 406, { detail: 'This API answers in application/json.' })
  if (method !== 'GET' && method !== 'HEAD') {
    // A browser never adds a key by itself, as it does cookies: who has one meant it.
    if (key === null && originOf(headers, web.origin) === 'foreign')
      return problem(context, 403, { detail: 'This request came from another site.' })
    // A form of another site can only send other types than this one.
    const type = mediaType(headers['content-type'])
    const takes = sends ? ['multipart/form-data'] : ['', 'application/json', 'application/merge-patch+json']
    if (!takes.includes(type))
      return problem(context, 415, {
        detail: sends ? 'The body must be multipart/form-data.' : 'The body must be application/json.',
        headers: { 'accept-post': sends ? 'multipart/form-data' : 'application/json', connection: 'close' },
      })
  }
  if (!isSignedIn(context) && !context.path.endsWith('/openapi.json'))
    return problem(context, 401, { headers: { 'www-authenticate': 'Bearer realm="Ninefold"' } })
  return handler()
}

export const apiFailure = bareProblem

/** Who acts as somebody, or looks through a role, writes nothing by the API. Null: they are themselves. */
function asAnother({ site: { app }, request: { by, preview } }: RequestContext): Problem | null {
  if (preview !== undefined) return raise(app, 'NF-PREVIEW', { role: wordFor(app, preview.role) })
  return by === undefined ? null : raise(app, 'NF-ACTING', {})
}

/** `GET, HEAD, OPTIONS` */
const methodsOf = (resource: Resource): string =>
  [...Object.keys(resource).map(one => one.toUpperCase()), ...('get' in resource ? ['HEAD'] : []), 'OPTIONS'].join(', ')

function nowhere(context: RequestContext): HttpResponse {
  const { site, request, path } = context
  const name = path.split('/')[3] ?? ''
  const isClosed = site.app.access.has(name) && !hasAnything(context, name)
  return absent(context, isClosed ? policyFor(site.app, request.actor).because(name, 'see', false).cell : null)
}

function resourceOf(context: RequestContext): Resource | null {
  const { site, path } = context
  const [, , version, name, id, step, part, ...more] = path.split('/')
  if (version !== 'v1' || name === undefined || more.length > 0) return null
  if (isSending(context)) return { post: () => sendFile(context) }
  if (name === 'openapi.json' && id === undefined) return { get: () => json(openapi(context)) }
  const entity = site.app.entities.get(name)
  if (entity === undefined || entity.partOf !== null) return null
  if (isSignedIn(context) && !hasAnything(context, name)) return null
  if (id === undefined) return { get: () => listRecords(context, entity), post: () => createRecord(context, entity) }
  if (id === 'emergency' && step === undefined && opensIn(site.app, context.request.actor, name))
    return { post: () => openOverApi(context, entity) }
  if (!isId(id)) return null
  if (part !== undefined) return step === commentsName ? commentResource(context, entity, id, part) : null
  return step === undefined ? recordResource(context, entity, id) : below(context, entity, id, step)
}

/** `/api/v1/-/files`: no entity is called so. */
const isSending = ({ path }: RequestContext): boolean => path === '/api/v1/-/files'

/** The content of a file is what it is; everything else is JSON. */
const isContent = ({ site, path, method }: RequestContext): boolean => {
  const [, , , name = '', , field = ''] = path.split('/')
  const entity = site.app.entities.get(name)
  return (method === 'GET' || method === 'HEAD') && entity !== undefined && hasFile(entity, field)
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const recordResource = (context: RequestContext, entity: Entity, id: string): Resource => ({
  get: () => getRecord(context, entity, id),
  patch: () => changeRecord(context, entity, id),
  delete: () => deleteRecord(context, entity, id),
})

/** One comment: for whoever wrote it. */
const commentResource = (context: RequestContext, entity: Entity, id: string, comment: string): Resource | null =>
  isId(comment) && hasComments(context.site.app, context.request.actor, entity)
    ? {
        patch: () => patchComment(context, entity, id, comment),
        delete: () => removeComment(context, entity, id, comment),
      }
    : null

/** A step and a field may have the same name: one is posted to, the other is got. `hand-out` is `hand_out`. */
function below(context: RequestContext, entity: Entity, id: string, written: string): Resource | null {
  const name = written.replaceAll('-', '_')
  const isStep = branchesOf(context.site.app, entity.key, name).length > 0
  const isFile = hasFile(entity, name)
  const { app } = context.site
  if (name === commentsName && hasComments(app, context.request.actor, entity))
    return { get: () => listComments(context, entity, id), post: () => postComment(context, entity, id) }
  const isBack = name === restoreName && entity.archives !== null
  if (!isStep && !isFile && !isBack) return null
  return {
    ...(isFile ? { get: () => getFile(context, entity, id, name) } : {}),
    ...(isStep ? { post: () => takeRecordStep(context, entity, id, name) } : {}),
    ...(isBack ? { post: () => restoreRecord(context, entity, id) } : {}),
  }
}

/** Quality values other than 0 are all the same here: there is only one form. */
function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true
  return header.split(',').some(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const isWanted = !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter))
    return isWanted && ['*/*', 'application/*', 'application/json', 'application/problem+json'].includes(type)
  })
}
