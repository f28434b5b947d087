/**
 * Who asks: the session (by its cookie), the API key or nobody. From what came over the wire to a `RequestContext`, with one statement
 * for session or key, its person and their choices.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { isPublicForm } from '../../headings/2-screens/public-forms.ts'
import { linkRoles } from '../../headings/6-permissions/links.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { App } from '../../headings/app.ts'
import { caseOf, holding } from '../../run/people/case-links.ts'
import {
  actingEnds,
  limitsFor,
  momentOf,
  type PersonRow,
  personOf,
  personOfKey,
  readPersonRow,
  requestOf,
} from '../../run/people/people.ts'
import type { Request, Runtime } from '../../run/request.ts'
import { isPassing } from '../../store/failures.ts'
import { presentMinutes, sessionSeenSeconds } from '../bounds.ts'
import { spokenSite } from '../language.ts'
import { assistantPath, confirmPath, embedRoot, livePath, lookHeader, sessionPath } from '../paths.ts'
import { networkOf } from '../rate-limit/network.ts'
import type { RequestContext, Web } from '../request-context.ts'
import { endActing } from '../sign-in/acting.ts'
import { keyGiven, touchKey } from '../sign-in/api-keys.ts'
import { keepsNone, readCookies } from '../sign-in/cookies.ts'
import { hereOf } from '../sign-in/devices.ts'
import { formSecretOf, hashOf, isToken, newToken, senderOf, touchSession, usedSince } from '../sign-in/session.ts'
import { linesHidden, type Site, siteOpenTo } from '../site.ts'
import { traceAround } from '../trace-context.ts'
import { listAt, sharedWith } from '../views.ts'

/** A session that went back to its owner with this request. */
type Oneself = NonNullable<RequestContext['oneself']>

/** What came over the wire. */
export interface IncomingRequest {
  readonly id: string
  readonly method: string
  /** Path and query as they came. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  readonly body: Buffer
  /** A body with files, which is read as it comes. */
  readonly stream: Readable | null
}

export const incomingOf = ({ id, method, url, headers, ip, body }: FastifyRequest): IncomingRequest => ({
  id,
  method,
  url,
  headers,
  // Unknown of a connection that has ended meanwhile.
  address: ip ?? '',
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  stream: body instanceof Readable ? body : null,
})

export const isApi = ({ url }: Pick<IncomingRequest, 'url'>): boolean =>
  url.startsWith('/api/') || url.split('?', 1)[0] === assistantPath

/** What a request brings to say who asks. Whoever comes with a key comes without a session. */
interface Credentials {
  readonly url: URL
  readonly api: boolean
  /** In a frame of others. */
  readonly embedded: boolean
  readonly cookies: ReadonlyMap<string, string>
  readonly key: ReturnType<typeof keyGiven>
  /** Of the session, read only where no key was given. */
  readonly token: string | null
}

function credentialsOf(web: Web, incoming: IncomingRequest, oneself: Oneself | null): Credentials {
  const url = new URL(incoming.url, web.origin)
  const api = isApi(incoming)
  const key = api ? keyGiven(incoming.headers.authorization, { assistant: url.pathname === assistantPath }) : null
  const embedded = url.pathname.startsWith(`${embedRoot}/`)
  // What stands in a frame of others acts for nobody, whoever is signed in: there is nothing that a page around it could have done.
  const cookies = readCookies(embedded ? undefined : incoming.headers.cookie)
  const given = oneself?.token ?? cookies.get(web.jar.session)
  return { url, api, embedded, cookies, key, token: key === null && isToken(given) ? given : null }
}

/** The person of the session or key, or nobody. */
async function personAsking(web: Web, { url, api, key, token }: Credentials, now: Date): Promise<PersonRow> {
  const { app, store } = web.site().runtime
  const secret = key === 'refused' ? null : (key ?? token)
  const found = await readPersonRow(store, key === null ? personOf(app, { api }) : personOfKey(app), {
    token_hash: secret === null ? null : hashOf(secret),
    ...momentOf(app, now),
    screen: api ? null : (listAt(web.site(), url.pathname)?.key ?? null),
  })
  return key === null ? stillUsed(app, found, now) : found
}

export async function authenticate(
  web: Web,
  incoming: IncomingRequest,
  oneself: Oneself | null = null,
): Promise<RequestContext> {
  const credentials = credentialsOf(web, incoming, oneself)
  const { url, api, embedded, cookies, key, token } = credentials
  const { app, store } = web.site().runtime
  const now = web.options.clock()
  const row = await personAsking(web, credentials, now)
  const ends = token === null || row.id === null ? null : actingEnds(app, row, now)
  if (token !== null && ends !== null) {
    const fresh = newToken(web.options.random)
    const was = await endActing(store, token, fresh, now)
    return authenticate(web, incoming, was && { ...was, token: fresh, ends })
  }
  const spoken = spokenSite(web, incoming.headers, row.preferences)
  const shown = embedded ? linesHidden(spoken) : spoken
  const { runtime, reader } = shown
  const session = row.id === null ? null : token
  const visit = visitOf(web, shown, incoming, credentials)
  const asked = requestOf(shown.app, row, {
    now,
    id: incoming.id,
    locale: reader.locale,
    zone: reader.format.zone,
    newId: web.options.newId,
    ...traceAround(incoming.headers),
  })
  const opened = row.id === null && !api ? await withCase(shown, asked, cookies.get(web.jar.case)) : asked
  const request: Request = {
    ...opened,
    present: row.key?.sign_in === true || (session !== null && isPresent(row, now)),
    ...(session === null ? {} : { here: hereOf({ web, cookies, session }) }),
    senders: visit.known || row.id === null ? [senderOf(visit.token)] : [],
  }
  if (!isByItself(url, incoming)) await noteSeen(runtime, request, session, row)
  return {
    web,
    site: siteOpenTo(shown, request.actor),
    runtime,
    request,
    method: incoming.method,
    path: embedded ? url.pathname.slice(embedRoot.length) : url.pathname,
    query: url.searchParams,
    embedded,
    headers: incoming.headers,
    address: incoming.address,
    network: networkOf(incoming.address),
    cookies,
    ...ownChoices(row, request),
    body: incoming.body,
    stream: incoming.stream,
    refused: [],
    table: null,
    session,
    written: row.written ?? null,
    formSecret: session === null ? visit.token : (row.session_forms ?? formSecretOf(session)),
    shown: { anew: null },
    oneself,
    strong: session !== null && row.session_strong === true,
    key: key === null ? null : (row.key ?? 'refused'),
    visit: visit.token,
    visitInAddress: visit.inAddress,
  }
}

/** What a person set up for themselves, and what waits for them. */
const ownChoices = ({ id, preferences, views, first_view, has_unread, drafts }: PersonRow, { actor, by }: Request) => ({
  preferences,
  views: sharedWith(actor, views),
  firstView: first_view ?? null,
  hasUnread: id !== null && has_unread === true,
  drafts: id === null || by !== undefined ? [] : (drafts ?? []),
})

/** The visit of a browser in which nobody needs to have signed in. Where it keeps no cookies, as in a frame, the address of a form carries it. */
function visitOf(web: Web, site: Site, { method }: IncomingRequest, { url, api, embedded, cookies }: Credentials) {
  const isPost = method === 'POST'
  const inAddress = embedded || (isPost && !api && keepsNone(web.jar, cookies) && isForEveryone(site, url.pathname))
  const given = inAddress && isPost ? url.searchParams.get('visit') : cookies.get(web.jar.visit)
  const known = isToken(given ?? undefined)
  return { token: known ? given! : newToken(web.options.random), known, inAddress }
}

/** What is sent there needs nobody: a form for everyone, and what confirms one. */
function isForEveryone({ routes }: Site, path: string): boolean {
  const match = routes.match(path)
  return path === confirmPath || (match?.kind === 'screen' && isPublicForm(match.screen))
}

/** Signed in or confirmed a short while ago, and by themselves. */
const isPresent = ({ by, session_confirmed_at, session_created_at }: PersonRow, now: Date): boolean =>
  by == null && secondsSince(now, session_confirmed_at ?? session_created_at) < presentMinutes * 60

/** What a page asks without anybody doing anything. */
const isByItself = ({ pathname }: URL, { headers }: IncomingRequest): boolean =>
  pathname === sessionPath || pathname === livePath || lookHeader in headers

/** When a key or session was last used is written down once in a while, a session's well before it would end. A page that is only read does not fail for it. */
async function noteSeen({ store }: Runtime, { limits, now }: Request, session: string | null, row: PersonRow) {
  try {
    if (row.key != null && secondsSince(now, row.key.seen_at ?? '1970-01-01') > sessionSeenSeconds)
      await touchKey(store, row.key.id, now)
    const often = Math.min(sessionSeenSeconds, engineValue(limits, 'session_idle') * 15)
    if (session !== null && secondsSince(now, row.session_seen_at) > often) await touchSession(store, session, now)
  } catch (error) {
    if (!isPassing(error)) throw error
  }
}

/** Not a number if it was never: compared with a bound, that is false. */
const secondsSince = (now: Date, moment: string | null | undefined): number =>
  (now.getTime() - Date.parse(moment ?? '')) / 1000

/** Who has opened the link of a record holds what it gives, in pages alone. */
async function withCase({ app, runtime }: Site, request: Request, token: string | undefined): Promise<Request> {
  if (!isToken(token) || linkRoles(app).length === 0) return request
  const found = await caseOf(runtime.store, hashOf(token), 'session', request.now)
  return found === null ? request : { ...request, actor: holding(app, request.actor, found) }
}

/** A session that nobody used for too long is nobody's; the constants hold for visitors too. */
function stillUsed(app: App, row: PersonRow, now: Date): PersonRow {
  if (row.id === null || Date.parse(row.session_seen_at ?? '') > usedSince(limitsFor(app, row, now), now).getTime())
    return row
  const nobody = { id: null, name: null, tenant: null, appointments: null, preferences: null, by: null, preview: null }
  return { ...row, ...nobody }
}
