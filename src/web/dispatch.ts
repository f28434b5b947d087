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
import { type Answer, json, plain, seeOther, withCookies } from './answer.ts'
import { api } from './api/api.ts'
import { failedProblem } from './api/problem.ts'
import { type Arrival, arrive, isApi } from './arrive.ts'
import { formFields } from './bounds.ts'
import { type Exchange, formSecret, isSignedIn, type Web } from './exchange.ts'
import { readForm } from './form-body.ts'
import { type Sent, Unfinished } from './given-back.tsx'
import { internal } from './internal.ts'
import { spokenSite } from './language.ts'
import { bareProblemPage, forbidden, notFound, problemPage, refusalPage } from './pages.tsx'
import { embedRoot, factorPath } from './paths.ts'
import { waitOf } from './rate-limit/requests.ts'
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
import { KeyReused } from './sign-in/once.ts'
import { signedOutPost, toCase, toSignIn } from './signed-out.ts'
import type { Site } from './site.ts'
import { traceOf } from './trace.ts'
import { textsOf, type Unread, withFiles } from './uploads.ts'

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Seconds. */
const retryLater = { 'retry-after': '5' }

/** Answers, and writes down who asked for what with which result; no bodies, and no query, which may hold what people typed. */
export async function dispatch(web: Web, arrival: Arrival): Promise<Answer> {
  const at = performance.now()
  const { answer: made, request } = await answered(web, arrival)
  const answer = made.status === 503 ? { ...made, headers: { ...retryLater, ...made.headers } } : made
  web.options.log({
    level: 'info',
    event: 'request',
    request: arrival.id,
    detail: {
      method: arrival.method,
      path: arrival.url.split('?')[0]?.slice(0, 200),
      status: answer.status,
      ms: Math.round(performance.now() - at),
      ...(request === null || request.actor.id === null
        ? {}
        : { person: request.actor.id, roles: request.actor.roles, ...(request.by && { by: request.by.id }) }),
      ...(request?.key === undefined ? {} : { key: request.key }),
      ...traceOf(arrival.headers),
    },
  })
  return answer
}

interface Answered {
  readonly answer: Answer
  /** Null: it did not come so far that anybody knew who asks. */
  readonly request: Request | null
}

async function answered(web: Web, arrival: Arrival): Promise<Answered> {
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
    const exchange = await arrive(web, arrival, url, isApi(arrival) ? keyGiven(arrival.headers.authorization) : null)
    request = exchange.request
    if (exchange.oneself !== null) return { answer: await oneselfAgain(exchange, exchange.oneself), request }
    const answer = isApi(arrival) ? await api(exchange) : await inTime(exchange, arrival)
    return { answer: inFrame(exchange, withVisit(exchange, answer)), request }
  } catch (error) {
    return { answer: await failure(web, arrival, error), request }
  }
}

/** Whoever has made the requests of this minute waits for the next one. */
async function inTime(exchange: Exchange, arrival: Arrival): Promise<Answer> {
  const seconds = await waitOf(exchange)
  if (seconds === 0) return pageAnswer(exchange)
  const { web, site, embedded } = exchange
  const { words } = site.reader
  const page = bareProblemPage(web, site, 429, arrival.id, {
    what: words('tooOftenWhat'),
    why: words('tooOftenWhy'),
    ...(await onceMore(web, site, arrival)),
    embedded,
  })
  return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } }
}

/** Browsers that have no visit yet are given one with the first page: forms need something to bind their token to. */
function withVisit(exchange: Exchange, answer: Answer): Answer {
  const { web, cookies, visit, session } = exchange
  if (session !== null || exchange.key !== null || exchange.embedded || cookies.get(web.jar.visit) === visit)
    return answer
  return withCookies(answer, [setCookie(web.jar, web.jar.visit, visit)])
}

/** Pages of a form that the document lets others embed may stand in frames of theirs: nothing else, and on no other site. */
function inFrame(exchange: Shown, answer: Answer): Answer {
  const sites = sitesOf(exchange)
  return sites.length === 0 ? answer : { ...answer, framedBy: sites }
}

type Shown = Pick<Exchange, 'embedded' | 'site' | 'path'>

function sitesOf({ embedded, site, path }: Shown): readonly string[] {
  const match = embedded ? site.routes.match(path) : null
  if (match?.kind !== 'screen' || !isPublicForm(match.screen)) return []
  return match.screen.embeddedIn.map(({ origin }) => origin)
}

async function pageAnswer(arrived: Exchange): Promise<Answer> {
  const { method, path, web, site } = arrived
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return method === 'OPTIONS'
      ? { status: 204, headers: { allow: 'GET, HEAD, POST' }, cookies: [], body: '' }
      : {
          ...(await problemPage(arrived, { status: 405 })),
          headers: { 'content-type': 'text/html; charset=utf-8', allow: 'GET, HEAD, POST' },
        }
  let exchange = arrived
  const { embedded } = arrived
  if (embedded && (sitesOf(arrived).length === 0 || (path.length > 1 && path.endsWith('/')))) return notFound(arrived)
  if (unsafe.has(method)) {
    const origin = originOf(arrived.headers, web.origin)
    // In a frame there is no cookie that a token could be held against: where it comes from has to be known.
    if (origin === 'foreign' || (embedded && origin !== 'own'))
      return problemPage(arrived, { status: 403, why: say(site, 'wrongOrigin') })
    const whole = await withFiles(arrived)
    if ('status' in whole) return unread(arrived, whole)
    exchange = whole.value
    const form = readForm(exchange.headers['content-type'], exchange.body)
    if ('status' in form)
      return problemPage(exchange, { status: form.status, why: say(site, form.why, { count: formFields }) })
    const fits = csrfTokenFits(formSecret(exchange), form.value.get('_csrf'))
    // Somebody whose session ended sends a token of that session: what they typed is kept, nothing is done.
    if (!fits && (embedded || isSignedIn(exchange)))
      return problemPage(exchange, { status: 403, why: say(site, 'formTooOld') })
    if (!fits && isAutomatic(exchange, form.value)) return json({}, 401)
    const posted = exchange
    return (fits ? handled(posted) : signedOutPost(posted, form.value)).catch(error => {
      throw new Unfinished({ form: form.value, lost: posted.table === null ? [] : ['file'] }, error)
    })
  }
  return handled(exchange)
}

/** Of what may come from where it comes: the answer. */
async function handled(exchange: Exchange): Promise<Answer> {
  const { path, embedded } = exchange
  if (path.length > 1 && path.endsWith('/')) {
    const query = exchange.query.size === 0 ? '' : `?${exchange.query}`
    return {
      status: 308,
      headers: { location: path.replace(/\/+$/, '').replace(/^\/+/, '/') + query },
      cookies: [],
      body: '',
    }
  }
  return (
    closedNow(exchange) ?? (path.startsWith('/-/') && !embedded ? internalAnswer(exchange) : documentAnswer(exchange))
  )
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
function closedNow(exchange: Exchange): Answer | Promise<Answer> | null {
  const { site, request, path, method } = exchange
  const { by, preview } = request
  if (by === undefined && preview === undefined) return withoutFactor(exchange)
  if (path === '/-/act/stop' || path === '/-/sign-out') return null
  const isOwn = path.startsWith('/-/') && !openToOthers.has(path) && (method === 'POST' || ownPages.test(path))
  const problem =
    preview !== undefined && method === 'POST'
      ? raise(site.app, 'NF-PREVIEW', { role: wordFor(site.app, preview.role) })
      : by !== undefined && isOwn
        ? raise(site.app, 'NF-ACTING', {})
        : null
  return problem === null ? null : refusalPage(exchange, problem)
}

/** Null: they need none, have shown one, or are on their way to it. */
function withoutFactor(exchange: Exchange): Answer | Promise<Answer> | null {
  const { site, request, path, method, strong } = exchange
  if (strong || towardsFactor.has(path) || !mustHaveFactor(site.app, request.actor)) return null
  if (method !== 'POST') return seeOther(factorPath)
  return refusalPage(exchange, raise(site.app, 'NF-SECOND-FACTOR', {}))
}

/** The connection ends with it: there may be more to come than anybody wants to read. */
async function unread(exchange: Exchange, { status, why }: Unread): Promise<Answer> {
  const { site } = exchange
  const page = await (why === 'tooLarge'
    ? refusalPage(exchange, raise(site.app, 'NF-BODY', {}))
    : problemPage(exchange, {
        status,
        why: say(site, why === 'brokenForm' ? 'notAForm' : why, { count: formFields }),
      }))
  return { ...page, headers: { ...page.headers, connection: 'close' } }
}

function internalAnswer(exchange: Exchange): Promise<Answer> | Answer {
  const { web, path, method } = exchange
  const name = path.slice('/-/'.length)
  if (name.startsWith('errors/')) return errorPage(exchange, name.slice('errors/'.length))
  if (name.startsWith('files/')) return filePage(exchange, name.slice('files/'.length).split('/'))
  const route = Object.hasOwn(internal, name) ? internal[name] : undefined
  if (route === undefined || (route.devOnly && web.options.mode !== 'dev')) return notFound(exchange)
  if (route.signedIn && !isSignedIn(exchange)) return toSignIn(exchange)
  if (route.reads && !mayReadDocument(web.options.mode, exchange.site.app, exchange.request.actor))
    return isSignedIn(exchange) || exchange.site.app.documentFor.roles.length === 0
      ? notFound(exchange)
      : toSignIn(exchange)
  const handler = method === 'POST' ? route.post : route.get
  return handler === undefined ? problemPage(exchange, { status: 405 }) : handler(exchange)
}

/** Whoever is not signed in may be somebody who sees it. */
async function filePage(
  exchange: Exchange,
  [entity = '', id = '', field = '', ...more]: readonly string[],
): Promise<Answer> {
  const answer = more.length > 0 || exchange.method === 'POST' ? null : await fileAnswer(exchange, entity, id, field)
  return answer ?? (isSignedIn(exchange) ? notFound(exchange) : toSignIn(exchange))
}

async function documentAnswer(exchange: Exchange): Promise<Answer> {
  const { site, request, path, method } = exchange
  const match = site.routes.match(path)
  if (match === null) return path === '/' ? home(exchange) : notFound(exchange)
  if (match.kind === 'screen') {
    if (!mayOpen(match.screen, request.actor))
      return isSignedIn(exchange)
        ? forbidden(exchange, match.screen)
        : isForLinks(site.app, match.screen)
          ? toCase(exchange)
          : toSignIn(exchange)
    return screenPage(exchange, match.screen, match.segments)
  }
  // Its token fits: this browser was shown the form, and it can have been by a link alone.
  if (method === 'POST' && match.kind !== 'new' && onlyByLink(site.app, request.actor, match.place.entity.key))
    return toCase(exchange)
  if (!mayEnter(match.place, request.actor))
    return isSignedIn(exchange) ? forbidden(exchange, match.place.screens[0] ?? null) : toSignIn(exchange)
  // Visitors fill in the forms that are for everyone, and only what these list.
  if (match.kind === 'new') return isSignedIn(exchange) ? createForm(exchange, match.place, method) : toSignIn(exchange)
  const answer = await atRecord(exchange, match)
  // Whoever is not signed in may be somebody for whom it is there.
  return answer.status === 404 && request.actor.id === null && request.actor.link === undefined
    ? toSignIn(exchange)
    : answer
}

type AtRecord = Exclude<NonNullable<ReturnType<Exchange['site']['routes']['match']>>, { kind: 'screen' | 'new' }>

function atRecord(exchange: Exchange, match: AtRecord): Promise<Answer> | Answer {
  switch (match.kind) {
    case 'edit': {
      const { edit, by } = match.place
      return edit !== null && mayOpen(edit, exchange.request.actor)
        ? screenPage(exchange, edit, { [by]: match.record })
        : editForm(exchange, match.place, match.record)
    }
    case 'delete':
      return removal(exchange, match.place, match.record)
    case 'restore':
      return bringingBack(exchange, match.place, match.record)
    case 'do':
      return step(exchange, match.place, match.record, match.step)
  }
}

/** The home of this person; a document that specifies none shows itself. */
function home(exchange: Exchange): Answer | Promise<Answer> {
  const { site, request } = exchange
  const route = homeOf(site.app, request.actor)?.route ?? null
  if (route !== null && 'pattern' in route) return seeOther(route.pattern)
  const isSeed = site.app.screens.length === 0
  if (isSeed) return seedPage(exchange)
  return isSignedIn(exchange) ? forbidden(exchange, null) : toSignIn(exchange)
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
async function ready(web: Web): Promise<Answer> {
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

async function failure(web: Web, arrival: Arrival, thrown: unknown): Promise<Answer> {
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
async function onceMore(web: Web, site: Site, arrival: Arrival, known?: Sent) {
  const { method, url } = arrival
  if (method === 'GET' || method === 'HEAD') return { again: url }
  const sent = known ?? (await sentWith(web, arrival))
  return { back: sent === null ? null : { site, action: url, sent } }
}

/** A form that came before anybody knew who asks: only from a page of ours, and never what a page of others made up. */
async function sentWith({ origin }: Web, arrival: Arrival): Promise<Sent | null> {
  const { method, headers, body, stream } = arrival
  if (method !== 'POST' || originOf(headers, origin) !== 'own') return null
  if (stream !== null) return textsOf({ headers, path: '' }, stream)
  const form = readForm(headers['content-type'], body)
  return 'status' in form ? null : { form: form.value, lost: [] }
}
