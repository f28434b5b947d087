/** What somebody is told of whom the request could not be dealt with: what is away, and the way to send the same once more. */
import { raise } from '../../run/problems/raise.ts'
import { Busy } from '../../run/turns.ts'
import { isConnectionLost, isNoText, isPassing, takesNothing } from '../../store/failures.ts'
import { Unavailable, Unsure } from '../../store/unavailable.ts'
import { failedProblem } from '../api/problem.ts'
import { parseForm } from '../form-body.ts'
import { type Sent, Unfinished } from '../given-back.tsx'
import { KeyReused } from '../idempotency.ts'
import { spokenSite } from '../language.ts'
import { bareProblemPage } from '../pages.tsx'
import { embedRoot } from '../paths.ts'
import type { Web } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { originOf } from '../sign-in/csrf.ts'
import type { Site } from '../site.ts'
import { textsOf } from '../uploads.ts'
import { type IncomingRequest, isApi } from './authenticate.ts'
import { inFrame } from './frames.ts'
import { orSuperseded, Superseded } from './superseded.ts'

const failureCodes = { 503: 'NF-UNAVAILABLE', 504: 'NF-UNSURE' } as const

/** `known`: the form that it came with, where that was read before. */
export async function failure(
  web: Web,
  incoming: IncomingRequest,
  thrown: unknown,
  known: Sent | null,
): Promise<HttpResponse> {
  const error = await orSuperseded(web, thrown instanceof Unfinished ? thrown.cause : thrown)
  const status = statusOf(error)
  if (status >= 500)
    web.options.log({
      level: 'error',
      event: status === 500 ? 'failure' : 'unavailable',
      request: incoming.id,
      detail: { method: incoming.method, error },
    })
  const site = spokenSite(web, incoming.headers)
  const failed = status === 503 || status === 504 ? raise(site.app, failureCodes[status], {}) : null
  if (isApi(incoming)) return failedProblem(web, status, incoming.id, failed)
  const sent = thrown instanceof Unfinished ? thrown.sent : known
  const { pathname } = new URL(incoming.url, web.origin)
  const embedded = pathname.startsWith(`${embedRoot}/`)
  const page = bareProblemPage(web, site, status, incoming.id, {
    code: failed?.code ?? null,
    ...(status === 503 ? whatIsAway(site, error) : {}),
    ...(await onceMore(web, site, incoming, sent)),
    embedded,
  })
  return inFrame({ embedded, site, path: embedded ? pathname.slice(embedRoot.length) : pathname }, page)
}

function statusOf(error: unknown) {
  if (error instanceof Busy || isPassing(error)) return 503
  if (error instanceof Unsure) return 504
  if (error instanceof KeyReused) return 422
  return isNoText(error) ? 400 : 500
}

/** What keeps the database from answering; of one that only has too much to do the status says enough. */
function whatIsAway({ reader }: Site, error: unknown) {
  if (takesNothing(error)) return { what: reader.words('fullWhat'), why: reader.words('fullWhy') }
  if (error instanceof Superseded) return { what: reader.words('supersededWhat'), why: reader.words('supersededWhy') }
  return error instanceof Unavailable || isConnectionLost(error)
    ? { what: reader.words('awayWhat'), why: reader.words('awayWhy') }
    : {}
}

/** The way to ask for the same again: the page, or the form with all that was sent. */
export async function onceMore(web: Web, site: Site, incoming: IncomingRequest, known: Sent | null = null) {
  const { method, url } = incoming
  if (method === 'GET' || method === 'HEAD') return { again: url }
  const sent = known ?? (await sentWith(web, incoming))
  return { back: sent === null ? null : { site, action: url, sent } }
}

/** A form that came before anybody knew who asks: only from a page of ours, and never what a page of others made up. */
async function sentWith({ origin }: Web, incoming: IncomingRequest): Promise<Sent | null> {
  const { method, headers, body, stream } = incoming
  if (method !== 'POST' || originOf(headers, origin) !== 'own') return null
  if (stream !== null) return textsOf({ headers, path: '' }, stream)
  const form = parseForm(headers['content-type'], body)
  return 'status' in form ? null : { form: form.value, lost: [] }
}
