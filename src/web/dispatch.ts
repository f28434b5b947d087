/** From an address to a handler: may this come from where it comes, which route; and what becomes of failures. */
import { sql } from '../expression/sql.ts'
import { isPublicForm } from '../headings/2-screens/public-forms.ts'
import { wordFor } from '../headings/translate.ts'
import { raise } from '../run/problems/raise.ts'
import type { Request } from '../run/request.ts'
import { Busy } from '../run/turns.ts'
import { isConnectionLost, isPassing, takesNothing } from '../store/failures.ts'
import { Unavailable, Unsure } from '../store/unavailable.ts'
import { homeOf, isForLinks, mayEnter, mayOpen, mayReadDocument, mustHaveFactor, onlyByLink } from './access.ts'
import { api } from './api/api.ts'
import { failedProblem } from './api/problem.ts'
import { authenticate, type IncomingRequest, isApi } from './authenticate.ts'
import { formFields } from './bounds.ts'
import { readForm } from './form-body.ts'
import { type Sent, Unfinished } from './given-back.tsx'
import { KeyReused } from './idempotency.ts'
import { internal } from './internal.ts'
import { spokenSite } from './language.ts'
import { bareProblemPage, forbidden, notFound, problemPage, refusalPage } from './pages.tsx'
import { embedRoot, factorPath } from './paths.ts'
import { waitOf } from './rate-limit/requests.ts'
import { isSignedIn, type RequestContext, type Web } from './request-context.ts'
import { type HttpResponse, json, plain, seeOther, withCookies } from './response.ts'
import { oneselfAgain } from './routes/act.tsx'
import { seedPage } from './routes/dev.tsx'
import { isAutomatic } from './routes/drafts.ts'
import { errorPage } from './routes/errors.tsx'
import { fileAnswer } from './routes/files.ts'
import { createForm, editForm } from './routes/forms.tsx'
import { screenPage } from './routes/screens.tsx'
import { bringingBack, removal, step } from './routes/steps.tsx'
import { say } from './sentences.ts'
import { keyGiven } from './sign-in/api-keys.ts'
import { setCookie } from './sign-in/cookies.ts'
import { csrfTokenFits, originOf } from './sign-in/csrf.ts'
import { newToken, renewSession } from './sign-in/session.ts'
import { signedOutPost, toCase, toSignIn } from './signed-out.ts'
import type { Site } from './site.ts'
import { traceOf } from './trace.ts'
import { textsOf, type Unread, withFiles } from './uploads.ts'

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Seconds. */
const retryLater = { 'retry-after': '5' }

/** Answers, and writes down who asked for what with which result; no bodies, and no query, which may hold what people typed. */
export async function dispatch(web: Web, arrival: IncomingRequest): Promise<HttpResponse> {
  const at = performance.now()
  const { answer: made, request } = await answered(web, arrival)
  const response = made.status === 503 ? { ...made, headers: { ...retryLater, ...made.headers } } : made
  web.options.log({
    level: 'info',
    event: 'request',
    request: arrival.id,
    detail: {
      method: arrival.method,
      path: arrival.url.split('?')[0]?.slice(0, 200),
      status: response.status,
      ms: Math.round(performance.now() - at),
      ...(request === null || request.actor.id === null
        ? {}
        : { person: request.actor.id, roles: request.actor.roles, ...(request.by && { by: request.by.id }) }),
      ...(request?.key === undefined ? {} : { key: request.key }),
      ...traceOf(arrival.headers),
    },
  })
  return response
}

interface Answered {
  readonly answer: HttpResponse
  /** Null: it did not come so far that anybody knew who asks. */
  readonly request: Request | null
}

async function answered(web: Web, arrival: IncomingRequest): Promise<Answered> {
  let request: Request | null = null
  try {
    const url = URL.parse(arrival.url, web.origin)
    if (
      url === null ||
      !arrival.url.startsWith('/') ||
      arrival.url.startsWith('//') ||
      // Led back to, `/.//elsewhere` would be another host.
      url.pathname.startsWith('//') ||
      arrival.headers.host === undefined
    )
      return { answer: bareProblemPage(web, spokenSite(web, arrival.headers), 400, arrival.id), request }
    if (url.pathname === '/livez') return { answer: plain('ok\n'), request }
    if (url.pathname === '/readyz') return { answer: await ready(web), request }
    if (!isOurHost(web, arrival.headers.host)) return { answer: plain(unknownHost, 421), request }
    const context = await authenticate(
      web,
      arrival,
      url,
      isApi(arrival) ? keyGiven(arrival.headers.authorization) : null,
    )
    request = context.request
    if (context.oneself !== null) return { answer: await oneselfAgain(context, context.oneself), request }
    const response = isApi(arrival) ? await api(context) : await inTime(context, arrival)
    return { answer: inFrame(context, withVisit(context, await renewed(context, response))), request }
  } catch (error) {
    return { answer: await failure(web, arrival, error), request }
  }
}

/** Whoever has made the requests of this minute waits for the next one. */
async function inTime(context: RequestContext, arrival: IncomingRequest): Promise<HttpResponse> {
  const seconds = await waitOf(context)
  if (seconds === 0) return pageAnswer(context)
  const { web, site, embedded } = context
  const { words } = site.reader
  const page = bareProblemPage(web, site, 429, arrival.id, {
    what: words('tooOftenWhat'),
    why: words('tooOftenWhy'),
    ...(await onceMore(web, site, arrival)),
    embedded,
  })
  return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } }
}

/** Whoever has shown anew who they are goes on under another token; the one of before is worth nothing. */
async function renewed(context: RequestContext, response: HttpResponse): Promise<HttpResponse> {
  const { web, runtime, request, session, shown } = context
  if (session === null || shown.anew === null) return response
  const token = newToken(web.options.random)
  const isStill = await renewSession(runtime.store, session, { token, by: shown.anew, now: request.now })
  return isStill ? withCookies(response, [setCookie(web.jar, web.jar.session, token)]) : response
}

/** Browsers that have no visit yet are given one with the first page: forms need something to bind their token to. */
function withVisit(context: RequestContext, response: HttpResponse): HttpResponse {
  const { web, cookies, visit, session } = context
  if (session !== null || context.key !== null || context.embedded || cookies.get(web.jar.visit) === visit)
    return response
  return withCookies(response, [setCookie(web.jar, web.jar.visit, visit)])
}

/** Pages of a form that the document lets others embed may stand in frames of theirs: nothing else, and on no other site. */
function inFrame(context: Shown, response: HttpResponse): HttpResponse {
  const sites = sitesOf(context)
  return sites.length === 0 ? response : { ...response, framedBy: sites }
}

type Shown = Pick<RequestContext, 'embedded' | 'site' | 'path'>

function sitesOf({ embedded, site, path }: Shown): readonly string[] {
  const match = embedded ? site.routes.match(path) : null
  if (match?.kind !== 'screen' || !isPublicForm(match.screen)) return []
  return match.screen.embeddedIn.map(({ origin }) => origin)
}

async function pageAnswer(arrived: RequestContext): Promise<HttpResponse> {
  const { method, path, web, site } = arrived
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return method === 'OPTIONS'
      ? { status: 204, headers: { allow: 'GET, HEAD, POST' }, cookies: [], body: '' }
      : {
          ...(await problemPage(arrived, { status: 405 })),
          headers: { 'content-type': 'text/html; charset=utf-8', allow: 'GET, HEAD, POST' },
        }
  let context = arrived
  const { embedded } = arrived
  if (embedded && (sitesOf(arrived).length === 0 || (path.length > 1 && path.endsWith('/')))) return notFound(arrived)
  if (unsafe.has(method)) {
    const origin = originOf(arrived.headers, web.origin)
    // In a frame there is no cookie that a token could be held against: where it comes from has to be known.
    if (origin === 'foreign' || (embedded && origin !== 'own'))
      return problemPage(arrived, { status: 403, why: say(site, 'wrongOrigin') })
    const whole = await withFiles(arrived)
    if ('status' in whole) return unread(arrived, whole)
    context = whole.value
    const form = readForm(context.headers['content-type'], context.body)
    if ('status' in form)
      return problemPage(context, { status: form.status, why: say(site, form.why, { count: formFields }) })
    const fits = csrfTokenFits(context.formSecret, form.value.get('_csrf'))
    // Somebody whose session ended sends a token of that session: what they typed is kept, nothing is done.
    if (!fits && (embedded || isSignedIn(context)))
      return problemPage(context, { status: 403, why: say(site, 'formTooOld') })
    if (!fits && isAutomatic(context, form.value)) return json({}, 401)
    const posted = context
    return (fits ? handled(posted) : signedOutPost(posted, form.value)).catch(error => {
      throw new Unfinished({ form: form.value, lost: posted.table === null ? [] : ['file'] }, error)
    })
  }
  return handled(context)
}

/** Of what may come from where it comes: the answer. */
async function handled(context: RequestContext): Promise<HttpResponse> {
  const { path, embedded } = context
  if (path.length > 1 && path.endsWith('/')) {
    const query = context.query.size === 0 ? '' : `?${context.query}`
    return {
      status: 308,
      headers: { location: path.replace(/\/+$/, '').replace(/^\/+/, '/') + query },
      cookies: [],
      body: '',
    }
  }
  return closedNow(context) ?? (path.startsWith('/-/') && !embedded ? internalAnswer(context) : documentAnswer(context))
}

/** All that somebody reaches who still needs a second factor. */
const towardsFactor: ReadonlySet<string> = new Set([
  factorPath,
  '/-/account/passkeys',
  '/-/account/passkeys/options',
  '/-/sign-out',
])

/** While somebody acts as another person: records are theirs to write, what is the person's own is not. */
const openToOthers: ReadonlySet<string> = new Set(['/-/act/stop', '/-/sign-out', '/-/cell', '/-/demo', '/-/clock'])
const ownPages = /^\/-\/(account|people|person-data|act|emergency|import|job|reads|notices|drafts)(\/|$)/

/** Null: nothing stands in the way of who asks, or of how. */
function closedNow(context: RequestContext): HttpResponse | Promise<HttpResponse> | null {
  const { site, request, path, method } = context
  const { by, preview } = request
  if (by === undefined && preview === undefined) return withoutFactor(context)
  if (path === '/-/act/stop' || path === '/-/sign-out') return null
  const isOwn = path.startsWith('/-/') && !openToOthers.has(path) && (method === 'POST' || ownPages.test(path))
  const problem =
    preview !== undefined && method === 'POST'
      ? raise(site.app, 'NF-PREVIEW', { role: wordFor(site.app, preview.role) })
      : by !== undefined && isOwn
        ? raise(site.app, 'NF-ACTING', {})
        : null
  return problem === null ? null : refusalPage(context, problem)
}

/** Null: they need none, have shown one, or are on their way to it. */
function withoutFactor(context: RequestContext): HttpResponse | Promise<HttpResponse> | null {
  const { site, request, path, method, strong } = context
  if (strong || towardsFactor.has(path) || !mustHaveFactor(site.app, request.actor)) return null
  if (method !== 'POST') return seeOther(factorPath)
  return refusalPage(context, raise(site.app, 'NF-SECOND-FACTOR', {}))
}

/** The connection ends with it: there may be more to come than anybody wants to read. */
async function unread(context: RequestContext, { status, why }: Unread): Promise<HttpResponse> {
  const { site } = context
  const page = await (why === 'tooLarge'
    ? refusalPage(context, raise(site.app, 'NF-BODY', {}))
    : problemPage(context, {
        status,
        why: say(site, why === 'brokenForm' ? 'notAForm' : why, { count: formFields }),
      }))
  return { ...page, headers: { ...page.headers, connection: 'close' } }
}

function internalAnswer(context: RequestContext): Promise<HttpResponse> | HttpResponse {
  const { web, path, method } = context
  const name = path.slice('/-/'.length)
  if (name.startsWith('errors/')) return errorPage(context, name.slice('errors/'.length))
  if (name.startsWith('files/')) return filePage(context, name.slice('files/'.length).split('/'))
  const route = Object.hasOwn(internal, name) ? internal[name] : undefined
  if (route === undefined || (route.devOnly && web.options.mode !== 'dev')) return notFound(context)
  if (route.signedIn && !isSignedIn(context)) return toSignIn(context)
  if (route.reads && !mayReadDocument(web.options.mode, context.site.app, context.request.actor))
    return isSignedIn(context) || context.site.app.documentFor.roles.length === 0
      ? notFound(context)
      : toSignIn(context)
  const handler = method === 'POST' ? route.post : route.get
  return handler === undefined ? problemPage(context, { status: 405 }) : handler(context)
}

/** Whoever is not signed in may be somebody who sees it. */
async function filePage(
  context: RequestContext,
  [entity = '', id = '', field = '', ...more]: readonly string[],
): Promise<HttpResponse> {
  const response = more.length > 0 || context.method === 'POST' ? null : await fileAnswer(context, entity, id, field)
  return response ?? (isSignedIn(context) ? notFound(context) : toSignIn(context))
}

async function documentAnswer(context: RequestContext): Promise<HttpResponse> {
  const { site, request, path, method } = context
  const match = site.routes.match(path)
  if (match === null) return path === '/' ? home(context) : notFound(context)
  if (match.kind === 'screen') {
    if (!mayOpen(match.screen, request.actor))
      return isSignedIn(context)
        ? forbidden(context, match.screen)
        : isForLinks(site.app, match.screen)
          ? toCase(context)
          : toSignIn(context)
    return screenPage(context, match.screen, match.segments)
  }
  // Its token fits: this browser was shown the form, and it can have been by a link alone.
  if (method === 'POST' && match.kind !== 'new' && onlyByLink(site.app, request.actor, match.place.entity.key))
    return toCase(context)
  if (!mayEnter(match.place, request.actor))
    return isSignedIn(context) ? forbidden(context, match.place.screens[0] ?? null) : toSignIn(context)
  // Visitors fill in the forms that are for everyone, and only what these list.
  if (match.kind === 'new') return isSignedIn(context) ? createForm(context, match.place, method) : toSignIn(context)
  const response = await atRecord(context, match)
  // Whoever is not signed in may be somebody for whom it is there.
  return response.status === 404 && request.actor.id === null && request.actor.link === undefined
    ? toSignIn(context)
    : response
}

type AtRecord = Exclude<NonNullable<ReturnType<RequestContext['site']['routes']['match']>>, { kind: 'screen' | 'new' }>

function atRecord(context: RequestContext, match: AtRecord): Promise<HttpResponse> | HttpResponse {
  switch (match.kind) {
    case 'edit': {
      const { edit, by } = match.place
      return edit !== null && mayOpen(edit, context.request.actor)
        ? screenPage(context, edit, { [by]: match.record })
        : editForm(context, match.place, match.record)
    }
    case 'delete':
      return removal(context, match.place, match.record)
    case 'restore':
      return bringingBack(context, match.place, match.record)
    case 'do':
      return step(context, match.place, match.record, match.step)
  }
}

/** The home of this person; a document that specifies none shows itself. */
function home(context: RequestContext): HttpResponse | Promise<HttpResponse> {
  const { site, request } = context
  const route = homeOf(site.app, request.actor)?.route ?? null
  if (route !== null && 'pattern' in route) return seeOther(route.pattern)
  const isSeed = site.app.screens.length === 0
  if (isSeed) return seedPage(context)
  return isSignedIn(context) ? forbidden(context, null) : toSignIn(context)
}

const unknownHost =
  'This application is not known under this name. Whoever runs it names the address that people use in PUBLIC_URL.\n'
const knownLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** A name that only resolves here must not open the application to pages of that name (DNS rebinding). */
export function isOurHost({ host: own, options }: Web, host: string | undefined): boolean {
  if (host === undefined) return false
  if (host.toLowerCase() === own) return true
  return options.publicUrl === null && knownLocal.test(host)
}

/** Asked often by whoever balances load: the database is asked at most once a second. */
async function ready(web: Web): Promise<HttpResponse> {
  const at = performance.now()
  if (at - web.ready.at > 1000) {
    const ok = await web
      .site()
      .runtime.store.query(sql`select 1`)
      .then(
        () => true,
        () => false,
      )
    web.ready = { at, ok }
  }
  return web.ready.ok ? plain('ok\n') : plain('the database does not answer\n', 503)
}

const failureCodes = { 503: 'NF-UNAVAILABLE', 504: 'NF-UNSURE' } as const

async function failure(web: Web, arrival: IncomingRequest, thrown: unknown): Promise<HttpResponse> {
  const error = thrown instanceof Unfinished ? thrown.cause : thrown
  const status =
    error instanceof Busy || isPassing(error)
      ? 503
      : error instanceof Unsure
        ? 504
        : error instanceof KeyReused
          ? 422
          : 500
  if (status !== 422)
    web.options.log({
      level: 'error',
      event: status === 500 ? 'failure' : 'unavailable',
      request: arrival.id,
      detail: { method: arrival.method, error },
    })
  const site = spokenSite(web, arrival.headers)
  const failed = status === 503 || status === 504 ? raise(site.app, failureCodes[status], {}) : null
  if (isApi(arrival)) return failedProblem(web, status, arrival.id, failed)
  const sent = thrown instanceof Unfinished ? thrown.sent : undefined
  const { pathname } = new URL(arrival.url, web.origin)
  const embedded = pathname.startsWith(`${embedRoot}/`)
  const page = bareProblemPage(web, site, status, arrival.id, {
    code: failed?.code ?? null,
    ...(status === 503 ? whatIsAway(site, error) : {}),
    ...(await onceMore(web, site, arrival, sent)),
    embedded,
  })
  return inFrame({ embedded, site, path: embedded ? pathname.slice(embedRoot.length) : pathname }, page)
}

/** What keeps the database from answering; of one that only has too much to do the status says enough. */
function whatIsAway({ reader }: Site, error: unknown) {
  if (takesNothing(error)) return { what: reader.words('fullWhat'), why: reader.words('fullWhy') }
  return error instanceof Unavailable || isConnectionLost(error)
    ? { what: reader.words('awayWhat'), why: reader.words('awayWhy') }
    : {}
}

/** The way to ask for the same again: the page, or the form with all that was sent. */
async function onceMore(web: Web, site: Site, arrival: IncomingRequest, known?: Sent) {
  const { method, url } = arrival
  if (method === 'GET' || method === 'HEAD') return { again: url }
  const sent = known ?? (await sentWith(web, arrival))
  return { back: sent === null ? null : { site, action: url, sent } }
}

/** A form that came before anybody knew who asks: only from a page of ours, and never what a page of others made up. */
async function sentWith({ origin }: Web, arrival: IncomingRequest): Promise<Sent | null> {
  const { method, headers, body, stream } = arrival
  if (method !== 'POST' || originOf(headers, origin) !== 'own') return null
  if (stream !== null) return textsOf({ headers, path: '' }, stream)
  const form = readForm(headers['content-type'], body)
  return 'status' in form ? null : { form: form.value, lost: [] }
}
