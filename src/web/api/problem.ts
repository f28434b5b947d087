/** Refusals of the API: problem details (RFC 9457), with a JSON pointer for each value that is meant. */
import { STATUS_CODES } from 'node:http'
import type { Problem } from '../../run/outcome.ts'
import { type Answer, problemType } from '../answer.ts'
import type { Exchange, Web } from '../exchange.ts'
import { traceOf } from '../trace.ts'
import { confirmable } from '../warnings.ts'

/** One problem or several of the same request. In `dev` each says the line of the document that decides. */
export function problems(
  exchange: Exchange,
  status: number,
  found: readonly Problem[],
  headers: Answer['headers'] = {},
): Answer {
  const { request, web } = exchange
  const [first] = found
  if (first === undefined) return problem(exchange, status, { headers })
  const { code, message, whatToDo } = first
  const confirm = confirmable(found)
  const body = {
    type: typeOf(web.origin, code),
    title: titleOf(exchange, status),
    status,
    detail: message,
    ...(whatToDo === null ? {} : { whatToDo }),
    code,
    request: request.id,
    ...traceOf(exchange.headers),
    ...(confirm === null ? {} : { confirm }),
    ...lineOf(exchange, first),
    errors: found.map(one => ({
      code: one.code,
      detail: one.message,
      ...(one.whatToDo === null ? {} : { whatToDo: one.whatToDo }),
      ...(one.warning === true ? { warning: true } : {}),
      ...(one.field === null ? {} : { pointer: pointerOf(one.field) }),
      ...(one.of === undefined ? {} : { of: one.of }),
      ...lineOf(exchange, one),
    })),
  }
  return answer(status, body, headers)
}

interface ProblemMore {
  readonly detail?: string
  readonly headers?: Answer['headers']
  /** Members of its own. */
  readonly more?: Readonly<Record<string, string>>
}

/** What concerns the request as such, not what it says. */
export function problem(
  exchange: Exchange,
  status: number,
  { detail, headers = {}, more = {} }: ProblemMore = {},
): Answer {
  const body = {
    type: 'about:blank',
    title: titleOf(exchange, status),
    status,
    ...(detail === undefined ? {} : { detail }),
    ...more,
    request: exchange.request.id,
    ...traceOf(exchange.headers),
  }
  return answer(status, body, headers)
}

/** When there is not even an exchange. */
export function bareProblem(status: number, request: string, detail?: string): Answer {
  const title = STATUS_CODES[status] ?? 'Error'
  return answer(
    status,
    { type: 'about:blank', title, status, ...(detail === undefined ? {} : { detail }), request },
    {},
  )
}

/** The database, or whatever else is needed, does not do what it should: in the words of the catalogue. */
export function failedProblem({ origin }: Web, status: number, request: string, failed: Problem | null): Answer {
  if (failed === null) return bareProblem(status, request)
  const { code, message: detail, whatToDo } = failed
  const type = typeOf(origin, code)
  const title = STATUS_CODES[status] ?? 'Error'
  return answer(
    status,
    { type, title, status, detail, whatToDo, code, request, errors: [{ code, detail, whatToDo }] },
    {},
  )
}

const typeOf = (origin: string, code: string): string => `${origin}/-/errors/${encodeURIComponent(code)}`

const answer = (status: number, body: unknown, headers: Answer['headers']): Answer => ({
  status,
  headers: { 'content-type': problemType, ...headers },
  cookies: [],
  body: JSON.stringify(body),
})

const spoken = [400, 401, 403, 404, 409, 422, 500, 502, 503] as const

function titleOf({ site }: Exchange, status: number): string {
  // Nobody attempts to sign in here.
  if (status === 429) return site.reader.words('tooOftenWhat')
  const known = spoken.find(one => one === status)
  return known === undefined ? (STATUS_CODES[status] ?? 'Error') : site.reader.words(`problem.${known}.what`)
}

/** `lines.2.item` → `/lines/2/item`. */
const pointerOf = (field: string): string => `/${field.split('.').map(escaped).join('/')}`

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** What is not there, or nothing of which is for this person: both alike. In `dev` the line that closes it is said, for whoever writes it. */
export const absent = (exchange: Exchange, because: Problem['because'] = null): Answer =>
  problem(exchange, 404, { more: lineOf(exchange, { because }) })

function lineOf({ site, web }: Exchange, { because }: Pick<Problem, 'because'>): { line?: string } {
  if (because === null || web.options.mode !== 'dev') return {}
  const { file, line } = site.mark(because)
  return { line: `${file}:${line}` }
}
