/** What stands in the way of a page whatever its address: an address that is written otherwise, acting as somebody, a second factor that is due. */
import { wordFor } from '../../headings/translate.ts'
import { raise } from '../../run/problems/raise.ts'
import { mustHaveFactor } from '../access.ts'
import { bareProblemPage, refusalPage } from '../pages.tsx'
import { factorPath } from '../paths.ts'
import { waitOf } from '../rate-limit/requests.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import type { IncomingRequest } from './authenticate.ts'
import { onceMore } from './failure.ts'

/** Rate limit: whoever has made the requests of this minute waits for the next one. Null: they have not. */
export async function limitRate(context: RequestContext, incoming: IncomingRequest): Promise<HttpResponse | null> {
  const seconds = await waitOf(context)
  if (seconds === 0) return null
  const { web, site, embedded } = context
  const { words } = site.reader
  const page = bareProblemPage(web, site, 429, incoming.id, {
    what: words('tooOftenWhat'),
    why: words('tooOftenWhy'),
    ...(await onceMore(web, site, incoming)),
    embedded,
  })
  return { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } }
}

/** Null: nothing stands in the way of who asks, or of how. */
export function authorise(context: RequestContext): HttpResponse | Promise<HttpResponse> | null {
  const { path, query } = context
  if (path.length === 1 || !path.endsWith('/')) return notAsAnother(context)
  const location = path.replace(/\/+$/, '').replace(/^\/+/, '/') + (query.size === 0 ? '' : `?${query}`)
  return { status: 308, headers: { location }, cookies: [], body: '' }
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
const ownPages = /^\/-\/(account|people|person-data|act|emergency|import|job|reads|notices|drafts|oauth)(\/|$)/

function notAsAnother(context: RequestContext): HttpResponse | Promise<HttpResponse> | null {
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
