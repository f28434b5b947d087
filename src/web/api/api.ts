/** `/api/v1`: the same application for programs. Everything goes through the same reads and writes as the screens, with the same rights. */

import type { Entity } from '../../headings/3-entities/model.ts'
import { isSent } from '../../headings/7-calls/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { policyFor } from '../../run/access/policy.ts'
import { opensIn } from '../../run/access/read-log.ts'
import type { Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import { mustHaveFactor } from '../access.ts'
import { mediaType } from '../form-body.ts'
import { waitOf, waitOfKey } from '../rate-limit/requests.ts'
import { isSignedIn, type RequestContext, reading } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { json } from '../response.ts'
import { hasAnything } from '../seen.ts'
import { originOf } from '../sign-in/csrf.ts'
import { branchesOf } from '../site.ts'
import {
  commentsName,
  getCommentFile,
  hasComments,
  listComments,
  patchComment,
  postComment,
  removeComment,
  undoOfComment,
} from './comments.ts'
import { openOverApi } from './emergency.ts'
import { getFile, hasFile, sendFile } from './files.ts'
import { mailReply, takeMailReply } from './mail-reply.ts'
import { openapi } from './openapi.ts'
import { hasPlaces, placeName, placeRecord } from './places.ts'
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
import { hasShares, listShares, postShare, removeShare, sharesName } from './shares.ts'

const verbs = ['get', 'post', 'patch', 'delete'] as const
type Method = (typeof verbs)[number]

/** What an address offers, by method; HEAD is answered as GET. */
interface Resource extends Readonly<Partial<Record<Method, () => Promise<HttpResponse> | HttpResponse>>> {
  /** Also for whoever is not signed in. */
  readonly isOpen?: true
  /** GET gives a file, of any type: everything else is JSON. */
  readonly isFile?: true
  /** The type of what is sent to it, where that is not JSON. */
  readonly takes?: 'multipart/form-data'
}

type Params = Readonly<Record<string, string>>
/** Null: for whoever asks there is nothing there. */
type ResourceOf = (context: RequestContext, params: Params) => Resource | null

const ofEntity =
  (resource: (context: RequestContext, entity: Entity, params: Params) => Resource | null): ResourceOf =>
  (context, params) => {
    const { entities } = context.site.app
    const entity = entities.get(params.entity ?? '')
    if (entity === undefined || entity.partOf !== null) return null
    return isSignedIn(context) && !hasAnything(context, entity.key) ? null : resource(context, entity, params)
  }

const ofRecord = (resource: (context: RequestContext, entity: Entity, id: string, params: Params) => Resource | null) =>
  ofEntity((context, entity, params) => (isId(params.id ?? '') ? resource(context, entity, params.id!, params) : null))

/** Addresses below `/api/v1/`. */
export const apiRoutes: Readonly<Record<string, ResourceOf>> = {
  'openapi.json': context => ({ get: () => json(openapi(context)), isOpen: true }),
  '-/files': context => ({ post: () => sendFile(context), takes: 'multipart/form-data' }),
  ':entity': ofEntity((context, entity) => ({
    get: () => listRecords(reading(context), entity),
    post: () => createRecord(context, entity),
  })),
  ':entity/emergency': ofEntity((context, entity) =>
    opensIn(context.site.app, context.request.actor, entity.key) ? { post: () => openOverApi(context, entity) } : null,
  ),
  ':entity/:id': ofRecord((context, entity, id) => ({
    get: () => getRecord(reading(context), entity, id),
    patch: () => changeRecord(context, entity, id),
    delete: () => deleteRecord(context, entity, id),
  })),
  ':entity/:id/:below': ofRecord((context, entity, id, { below = '' }) => resourceBelow(context, entity, id, below)),
  [`:entity/:id/${sharesName}/:share`]: ofRecord((context, entity, id, { share = '' }) =>
    hasShares(context.site.app, entity) ? { delete: () => removeShare(context, entity, id, share) } : null,
  ),
  [`:entity/:id/${commentsName}/:comment`]: ofRecord((context, entity, id, { comment = '' }) =>
    commentResource(context, entity, id, comment),
  ),
  [`:entity/:id/${commentsName}/:comment/undo`]: ofRecord((context, entity, id, { comment = '' }) =>
    isId(comment) && hasComments(context.site.app, context.request.actor, entity)
      ? { post: () => undoOfComment(context, entity, id, comment) }
      : null,
  ),
  [`:entity/:id/${commentsName}/:comment/files/:place`]: ofRecord(
    (context, entity, id, { comment = '', place = '' }) =>
      hasComments(context.site.app, context.request.actor, entity)
        ? { get: () => getCommentFile(context, entity, id, comment, place), isFile: true }
        : null,
  ),
}

export const apiRoute =
  (resourceOf: ResourceOf) =>
  async (context: RequestContext, params: Params): Promise<HttpResponse> =>
    (await authoriseApi(context)) ?? respondTo(context, resourceOf(context, params))

/** `/api/v1/-/<message>`: who sends one proves it by their signature, and needs no key. */
export async function receiveRoute(context: RequestContext, { message = '' }: Params): Promise<HttpResponse> {
  const receive = context.site.app.receives.get(message)
  const isOfDocument = receive !== undefined && isSent(receive)
  if (message !== mailReply && !isOfDocument) return apiRoute(() => null)(context, {})
  if (context.method !== 'POST') return problem(context, 405, { headers: { allow: 'POST' } })
  return isOfDocument ? receiveMessage(context, receive) : takeMailReply(context)
}

/** A question to the API that came to another address, by somebody who was let in there. */
interface Question {
  readonly method: string
  /** Below `/api/v1/`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** JSON. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

export async function askApi(
  context: RequestContext,
  { method, path, query, body, headers }: Question,
): Promise<HttpResponse> {
  const [entity = '', id = '', below = ''] = path
  const route = [':entity', ':entity/:id', ':entity/:id/:below'][path.length - 1]
  const asking = {
    ...context,
    method,
    path: `/api/v1/${path.join('/')}`,
    query,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body ?? ''),
  }
  return respondTo(asking, apiRoutes[route ?? '']?.(asking, { entity, id, below }) ?? null)
}

/** What stands in the way of whoever asks, whatever for: key, rate limit, second factor, acting as somebody. Null: nothing. */
export async function authoriseApi(context: RequestContext): Promise<HttpResponse | null> {
  const { method, key, site, request } = context
  if (key === 'refused')
    return problem(context, 401, {
      detail: 'This key does not exist, was revoked, or has ended.',
      headers: { 'www-authenticate': 'Bearer realm="Ninefold", error="invalid_token"' },
    })
  if (key !== null && request.actor.roles.length === 0)
    return problem(context, 403, { detail: 'The person of this key does not have its role any more.' })
  const wait = key === null ? 0 : await waitOfKey(context, key.role)
  if (wait > 0)
    return problem(context, 429, {
      detail: 'The keys of this person have made their requests of this minute.',
      headers: { 'retry-after': String(wait) },
    })
  if (key === null && !context.strong && request.by === undefined && mustHaveFactor(site.app, request.actor))
    return problem(context, 403, { detail: raise(site.app, 'NF-SECOND-FACTOR', {}).message })
  const notThemselves = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? null : asAnother(context)
  if (notThemselves !== null) return problems(context, notThemselves.status, [notThemselves])
  const seconds = await waitOf(context)
  return seconds > 0 ? problem(context, 429, { headers: { 'retry-after': String(seconds) } }) : null
}

async function respondTo(context: RequestContext, resource: Resource | null): Promise<HttpResponse> {
  const { method, headers, web, key } = context
  if (resource === null) return nowhere(context)
  const allow = methodsOf(resource)
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, cookies: [], body: '' }
  const isRead = method === 'GET' || method === 'HEAD'
  const handler = resource[(method === 'HEAD' ? 'get' : method.toLowerCase()) as Method]
  if (handler === undefined) return problem(context, 405, { headers: { allow } })
  if (!acceptsJson(headers.accept) && !(isRead && resource.isFile))
    return problem(context, 406, { detail: 'This API answers in application/json.' })
  if (!isRead) {
    // A browser never adds a key by itself, as it does cookies: who has one meant it.
    if (key === null && originOf(headers, web.origin) === 'foreign')
      return problem(context, 403, { detail: 'This request came from another site.' })
    // A form of another site can only send other types than this one.
    const type = mediaType(headers['content-type'])
    const { takes = 'application/json' } = resource
    const taken = takes === 'application/json' ? ['', takes, 'application/merge-patch+json'] : [takes]
    if (!taken.includes(type))
      return problem(context, 415, {
        detail: `The body must be ${takes}.`,
        headers: { 'accept-post': takes, connection: 'close' },
      })
  }
  if (!isSignedIn(context) && !resource.isOpen)
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
  [
    ...verbs.filter(verb => resource[verb] !== undefined).map(verb => verb.toUpperCase()),
    ...('get' in resource ? ['HEAD'] : []),
    'OPTIONS',
  ].join(', ')

function nowhere(context: RequestContext): HttpResponse {
  const { site, request, path } = context
  const name = path.split('/')[3] ?? ''
  const isClosed = site.app.access.has(name) && !hasAnything(context, name)
  return absent(context, isClosed ? policyFor(site.app, request.actor).because(name, 'see', false).cell : null)
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** One comment: for whoever wrote it. */
const commentResource = (context: RequestContext, entity: Entity, id: string, comment: string): Resource | null =>
  isId(comment) && hasComments(context.site.app, context.request.actor, entity)
    ? {
        patch: () => patchComment(context, entity, id, comment),
        delete: () => removeComment(context, entity, id, comment),
      }
    : null

/** A step and a field may have the same name: one is posted to, the other is got. `hand-out` is `hand_out`. */
function resourceBelow(context: RequestContext, entity: Entity, id: string, written: string): Resource | null {
  const name = written.replaceAll('-', '_')
  const isStep = branchesOf(context.site.app, entity.key, name).length > 0
  const isFile = hasFile(entity, name)
  const { app } = context.site
  if (name === commentsName && hasComments(app, context.request.actor, entity))
    return { get: () => listComments(reading(context), entity, id), post: () => postComment(context, entity, id) }
  if (name === sharesName && hasShares(app, entity))
    return { get: () => listShares(reading(context), entity, id), post: () => postShare(context, entity, id) }
  if (name === placeName && hasPlaces(app, entity)) return { post: () => placeRecord(context, entity, id) }
  const isBack = name === restoreName && entity.archives !== null
  if (!isStep && !isFile && !isBack) return null
  return {
    ...(isFile ? { get: () => getFile(context, entity, id, name), isFile } : {}),
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
