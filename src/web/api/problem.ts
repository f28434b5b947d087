/** Refusals of the API: problem details (RFC 9457), with a JSON pointer for each value that is meant. */
import { STATUS_CODES } from 'node:http'
import type { Problem } from '../../run/outcome.ts'
import type { RequestContext, Web } from '../request-context.ts'
import { type HttpResponse, problemType } from '../response.ts'
import { problemPlace } from '../screens/problem-place.ts'
import { traceOf } from '../trace-context.ts'
import { confirmable } from '../warnings.ts'

/** One problem or several of the same request. In `dev` each says the line of the document that decides. */
export function problems(
  context: RequestContext,
  status: number,
  found: readonly Problem[],
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  const { request, web } = context
  const [first] = found
  if (first === undefined) return problem(context, status, { headers })
  const { code, message, whatToDo } = first
  const confirm = confirmable(found)
  const body = {
    type: typeOf(web.origin, code),
    title: titleOf(context, status),
    status,
    detail: message,
    ...(whatToDo === null ? {} : { whatToDo }),
    code,
    request: request.id,
    ...traceOf(context.headers),
    ...(confirm === null ? {} : { confirm }),
    ...lineOf(context, first),
    errors: found.map(one => ({
      code: one.code,
      detail: one.message,
      ...(one.whatToDo === null ? {} : { whatToDo: one.whatToDo }),
      ...(one.warning === true ? { warning: true } : {}),
      ...(one.field === null ? {} : { pointer: pointerOf(one.field) }),
      ...placeOf(context, one),
      ...(one.of === undefined ? {} : { of: one.of }),
      ...lineOf(context, one),
    })),
  }
  return response(status, body, headers)
}

interface ProblemMore {
  readonly detail?: string
  readonly headers?: HttpResponse['headers']
  /** Members of its own. */
  readonly more?: Readonly<Record<string, string>>
}

/** What concerns the request as such, not what it says. */
export function problem(
  context: RequestContext,
  status: number,
  { detail, headers = {}, more = {} }: ProblemMore = {},
): HttpResponse {
  const body = {
    type: 'about:blank',
    title: titleOf(context, status),
    status,
    ...(detail === undefined ? {} : { detail }),
    ...more,
    request: context.request.id,
    ...traceOf(context.headers),
  }
  return response(status, body, headers)
}

/** When there is not even a context. */
export function bareProblem(status: number, request: string, detail?: string): HttpResponse {
  const title = STATUS_CODES[status] ?? 'Error'
  return response(
    status,
    { type: 'about:blank', title, status, ...(detail === undefined ? {} : { detail }), request },
    {},
  )
}

/** The database, or whatever else is needed, does not do what it should: in the words of the catalogue. */
export function failedProblem({ origin }: Web, status: number, request: string, failed: Problem | null): HttpResponse {
  if (failed === null) return bareProblem(status, request)
  const { code, message: detail, whatToDo } = failed
  const type = typeOf(origin, code)
  const title = STATUS_CODES[status] ?? 'Error'
  return response(
    status,
    { type, title, status, detail, whatToDo, code, request, errors: [{ code, detail, whatToDo }] },
    {},
  )
}

const typeOf = (origin: string, code: string): string => `${origin}/-/errors/${encodeURIComponent(code)}`

const response = (status: number, body: unknown, headers: HttpResponse['headers']): HttpResponse => ({
  status,
  headers: { 'content-type': problemType, ...headers },
  cookies: [],
  body: JSON.stringify(body),
})

const spoken = [400, 401, 403, 404, 409, 422, 500, 502, 503] as const

function titleOf({ site }: RequestContext, status: number): string {
  // Nobody attempts to sign in here.
  if (status === 429) return site.reader.words('tooOftenWhat')
  const known = spoken.find(one => one === status)
  return known === undefined ? (STATUS_CODES[status] ?? 'Error') : site.reader.words(`problem.${known}.what`)
}

function placeOf({ site }: RequestContext, problem: Problem): { place?: string } {
  const place = problemPlace(site, problem)
  return place === null ? {} : { place }
}

/** `lines.2.item` → `/lines/2/item`. */
const pointerOf = (field: string): string => `/${field.split('.').map(escaped).join('/')}`

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** What is not there, or nothing of which is for this person: both alike. In `dev` the line that closes it is said, for whoever writes it. */
export const absent = (context: RequestContext, because: Problem['because'] = null): HttpResponse =>
  problem(context, 404, { more: lineOf(context, { because }) })

function lineOf({ site, web }: RequestContext, { because }: Pick<Problem, 'because'>): { line?: string } {
  if (because === null || web.options.mode !== 'dev') return {}
  const { file, line } = site.mark(because)
  return { line: `${file}:${line}` }
}
