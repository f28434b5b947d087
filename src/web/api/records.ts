/** Records over the API: list, get, create, change, delete, take a step. */

import { createHash } from 'node:crypto'
import type { Wire } from '../../expression/type.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { decodeJson } from '../../kinds/fields/input.ts'
import { asWritten, readQuery } from '../../kinds/screens/query.ts'
import type { OneNeed, RowsNeed, Way } from '../../kinds/screens/screen-kind.ts'
import { policyFor } from '../../run/access/policy.ts'
import { approvalsOf } from '../../run/approvals/approvals.ts'
import { reasonIn } from '../../run/approvals/decide.ts'
import type { Outcome } from '../../run/outcome.ts'
import { overlooked } from '../../run/read/filter.ts'
import { read } from '../../run/read/read.ts'
import { visibleFields, visibleMoments } from '../../run/read/select.ts'
import type { Runtime } from '../../run/request.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { change, create, remove, restore, takeStep } from '../../run/write/writes.ts'
import { apiRows } from '../bounds.ts'
import { parseJson } from '../form-body.ts'
import { type IdempotencyKey, idempotency, type KeptResponse, KeyReused, keepFirstResponse } from '../idempotency.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { addressOf, knownTo } from '../seen.ts'
import { askedBy } from '../site.ts'
import { confirming } from '../warnings.ts'
import { inputOf, statusOf } from '../write.ts'
import { notThere } from './emergency.ts'
import { type Json, recordJson, rowJson } from './json.ts'
import { absent, problem, problems } from './problem.ts'

/** `GET /api/v1/loan?state=Out&sort=-due_back&limit=50&after=…` */
export async function listRecords(context: RequestContext, { key: entity, ...rest }: Entity): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  const of = { key: entity, ...rest }
  const policy = policyFor(site.app, request.actor)
  if (policy.rows(entity, 'see', 't') === false) return absent(context, policy.because(entity, 'see', false).cell)
  const limit = limitOf(query.get('limit'), request.limits)
  const countText = query.get('count')
  const asked = new URLSearchParams(query)
  asked.delete('limit')
  asked.delete('count')
  const names = namesAsked(asked)
  const address = { ...addressOf(context, { query: asked }), canonical: true as const }
  const { ignored: unread, ...listed } = readQuery(of, site.app, address, [])
  const beyond = overlooked(listed.search)
  const ignored = beyond.length === 0 ? unread : [...unread, asWritten('q', beyond.join(' '))]
  if (limit === null || names === null || ignored.length > 0) {
    const parts = [
      ...ignored,
      ...(limit === null ? [`limit=${query.get('limit')}`] : []),
      ...(names === null ? [`with=${query.get('with')}`] : []),
    ]
    return problem(context, 400, { detail: `Not understood: ${parts.join(', ').slice(0, 300)}` })
  }
  const need: RowsNeed = {
    kind: 'rows',
    entity,
    columns: [...visibleFields(site.app, policy, entity), ...visibleMoments(policy, entity)],
    where: null,
    ...listed,
    limit,
    countTo: countText === 'yes' ? 1000 : 0,
    shown: 'api',
  }
  const data = await read(runtime, request, need)
  if (data === null) return problem(context, 404)
  if (data.displaced)
    return problem(context, 400, { detail: 'after and before must be what an answer in the same order gave.' })
  return json({
    data: data.rows.map(row => rowJson(site.app, entity, row, names)),
    next: data.next,
    previous: data.previous,
    ...(data.count === null ? {} : { count: data.count.n, more: data.count.more }),
  })
}

export async function getRecord(context: RequestContext, { key: entity }: Entity, id: string): Promise<HttpResponse> {
  const { headers, query } = context
  const names = namesAsked(new URLSearchParams(query))
  if (names === null)
    return problem(context, 400, { detail: `Not understood: with=${query.get('with')}`.slice(0, 300) })
  const record = await recordOf(context, entity, id, 'api', names)
  if (record === null) return notThere(context, entity)
  const etag = wholeTag(record)
  if (headers['if-none-match']?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag))
    return { status: 304, headers: { etag }, cookies: [], body: '' }
  return json(record.json, 200, { etag })
}

export async function createRecord(context: RequestContext, entity: Entity): Promise<HttpResponse> {
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const known = knownTo(context)
  const input = inputOf(context, decodeJson(known.entity(entity), known, body.value))
  return written(
    context,
    entity.key,
    run => create(run, confirmedBy(context), entity.key, input),
    async ({ id, version }) => {
      const location = `/api/v1/${entity.key}/${id}`
      if (wantsLittle(context)) return json({ id }, 201, { location, ...minimal(context, entity.key, version) })
      const record = await recordOf(context, entity.key, id)
      // Whoever may create but not see gets the id, and nothing more.
      if (record === null) return json({ id }, 201, { location })
      return json(record.json, 201, { location, etag: wholeTag(record) })
    },
    entity.once === null ? null : (input.values[entity.once] ?? null),
  )
}

export async function changeRecord(context: RequestContext, entity: Entity, id: string): Promise<HttpResponse> {
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const seen = seenVersion(context, body.value)
  if (seen === null) return problem(context, 400, { detail: 'If-Match must be an entity tag that this API gave.' })
  const known = knownTo(context)
  const input = inputOf(context, decodeJson(known.entity(entity), known, body.value, id))
  return written(
    context,
    entity.key,
    run => change(run, confirmedBy(context), entity.key, id, seen.version, input),
    done => recordAnswer(context, entity.key, done),
  )
}

export async function deleteRecord(context: RequestContext, entity: Entity, id: string): Promise<HttpResponse> {
  const seen = seenVersion(context, null)
  if (seen === null) return problem(context, 400, { detail: 'If-Match must be an entity tag that this API gave.' })
  return written(
    context,
    entity.key,
    run => remove(run, confirmedBy(context), entity.key, id, seen.version),
    async () => ({ status: 204, headers: {}, body: '' }),
  )
}

/** No step of an entity whose records are archived is called so. */
export const restoreName = 'restore'

/** `POST /api/v1/item/{id}/restore`: what was archived is there again. */
export async function restoreRecord(context: RequestContext, entity: Entity, id: string): Promise<HttpResponse> {
  const seen = seenVersion(context, null)
  if (seen === null) return problem(context, 400, { detail: 'If-Match must be an entity tag that this API gave.' })
  return written(
    context,
    entity.key,
    run => restore(run, confirmedBy(context), entity.key, id, seen.version),
    done => recordAnswer(context, entity.key, done),
  )
}

/** `POST /api/v1/loan/{id}/hand_out`. A body is needed only where the step asks for something. */
export async function takeRecordStep(
  context: RequestContext,
  entity: Entity,
  id: string,
  step: string,
): Promise<HttpResponse> {
  const { body: bytes, headers } = context
  const body = bytes.length === 0 ? { value: {} } : parseJson(headers['content-type'], bytes)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const seen = seenVersion(context, body.value)
  if (seen === null) return problem(context, 400, { detail: 'If-Match must be an entity tag that this API gave.' })
  const asked = askedBy(context.site.app, entity.key, step, null).map(({ field }) => field)
  const known = knownTo(context, { of: entity.key, fields: asked })
  const decides = approvalsOf(context.site.app, entity.key, step).length > 0
  const { reason, rest } = decides ? withoutReason(body.value) : { reason: null, rest: body.value }
  const input = { ...inputOf(context, decodeJson(known.entity(entity), known, rest, id)), reason: reasonIn(reason) }
  return written(
    context,
    entity.key,
    run => takeStep(run, confirmedBy(context), entity.key, id, step, seen.version, input),
    done => recordAnswer(context, entity.key, done),
  )
}

/** The reason of a decision is no field of the record. */
function withoutReason(body: unknown): { readonly reason: unknown; readonly rest: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { reason: null, rest: body }
  const { reason, ...rest } = body as Record<string, unknown>
  return { reason, rest }
}

/** `Confirm-Warnings: E-DUE-2, E-LATE-1` */
const confirmedBy = ({ request, headers }: RequestContext) =>
  confirming(request, String(headers['confirm-warnings'] ?? ''))

type Done = Extract<Outcome, { kind: 'done' }>

/** `Prefer: return=minimal` (RFC 7240): the record itself is not wanted in the answer, and so not read. */
const wantsLittle = ({ headers }: RequestContext): boolean =>
  String(headers.prefer ?? '')
    .toLowerCase()
    .split(/[,;]/)
    .some(wish => /^\s*return\s*=\s*"?minimal"?\s*$/.test(wish))

/** The version that was written is theirs who see all of it. */
const minimal = ({ site, request }: RequestContext, entity: string, version: number) => ({
  ...(policyFor(site.app, request.actor).whole(entity) ? { etag: tagOf(version) } : {}),
  'preference-applied': 'return=minimal',
})

/**
 * Writes once per `Idempotency-Key`, and answers a repeat as the first time; what did not happen becomes a problem. `entity`: whose fields
 * were sent.
 */
export async function written(
  context: RequestContext,
  entity: string | null,
  write: (runtime: Runtime) => Promise<Outcome>,
  answer: (done: Done) => Promise<KeptResponse>,
  once: Wire = null,
): Promise<HttpResponse> {
  const { runtime, request } = context
  const key = keyOf(context, entity, once)
  if (key === 'malformed')
    return problem(context, 400, { detail: 'Idempotency-Key must be 1 to 200 visible characters.' })
  let outcome: Outcome & { readonly told?: KeptResponse }
  try {
    outcome = await write(accompanied(runtime, idempotency(runtime.app, key, request.now)))
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    const detail = isGiven(context)
      ? 'The Idempotency-Key was used for another request.'
      : 'The same was sent before with other values.'
    return problem(context, 422, { detail })
  }
  switch (outcome.kind) {
    case 'done':
      return { ...(outcome.told ?? (await keepFirstResponse(runtime.store, key, await answer(outcome)))), cookies: [] }
    case 'refused':
      return problems(context, statusOf(outcome.problems), outcome.problems)
    case 'not found':
      return problems(context, 404, [outcome.problem])
    case 'stale': {
      const status = context.headers['if-match'] === undefined ? 409 : 412
      return problems(context, status, [outcome.problem], { etag: tagOf(outcome.version) })
    }
  }
}

const isGiven = ({ headers }: RequestContext): boolean => headers['idempotency-key'] !== undefined

/** What tells repetitions: the header, else what the document says of a new record. */
function keyOf(context: RequestContext, entity: string | null, once: Wire): IdempotencyKey | null | 'malformed' {
  const { headers, request, method, path, body } = context
  const given = headers['idempotency-key']
  if (!isGiven(context) && once === null) return null
  if (isGiven(context) && (typeof given !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(given))) return 'malformed'
  const key = isGiven(context)
    ? `api ${given}`
    : `once ${entity} ${createHash('sha256').update(String(once)).digest('base64url')}`
  const sent = `${method} ${path}\n${headers['if-match'] ?? ''}\n${meaningOf(body)}`
  return { scope: request.actor.id ?? '', key, request: sent, entity }
}

/** What was sent, whatever the order of its names and its blanks; what is no JSON, byte by byte. */
function meaningOf(body: Buffer): string {
  const sorted = (_: string, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8')), sorted)
  } catch {
    return body.toString('base64')
  }
}

async function recordAnswer(context: RequestContext, entity: string, { id, version }: Done): Promise<KeptResponse> {
  if (wantsLittle(context)) return { status: 204, headers: minimal(context, entity, version), body: '' }
  const record = await recordOf(context, entity, id)
  // A step may lead to where this person does not see the record any more.
  if (record === null) return { status: 204, headers: {}, body: '' }
  return json(record.json, 200, { etag: wholeTag(record) })
}

async function recordOf(
  { runtime, request, site }: RequestContext,
  entity: string,
  id: string,
  shown?: Way,
  names = false,
) {
  const by = { field: 'id', value: id.toLowerCase() }
  const need: OneNeed = {
    kind: 'one',
    entity,
    by,
    history: 0,
    moments: true,
    ...(shown === undefined ? {} : { shown }),
  }
  const data = await read(runtime, request, need)
  return data === null
    ? null
    : {
        version: data.row.version,
        json: recordJson(site.app, entity, data, names),
      }
}

const tagOf = (version: number): string => `"${version}"`

/** Of the whole answer: what is computed from other records, and what may be done now, change without a version. `If-Match` asks for the version alone. */
function wholeTag({ version, json }: { readonly version: number; readonly json: Json }): string {
  const digest = createHash('sha256').update(JSON.stringify(json)).digest('base64url').slice(0, 16)
  return `"${version}-${digest}"`
}

/** `If-Match`, else `version` in the body, else none. Null: what stands there is no tag of ours. */
function seenVersion({ headers }: RequestContext, body: unknown): { readonly version: number | null } | null {
  const tag = headers['if-match']
  if (tag !== undefined) {
    if (tag.trim() === '*') return { version: null }
    const match = /^"(\d{1,15})(?:-[\w-]{16})?"$/.exec(tag.trim())
    return match === null ? null : { version: Number(match[1]) }
  }
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
  if (version === undefined) return { version: null }
  return typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? { version } : null
}

/** `with=names`, which it takes out. Null: something else is asked for with records. */
function namesAsked(query: URLSearchParams): boolean | null {
  const asked = query.getAll('with')
  query.delete('with')
  return asked.every(one => one === 'names') ? asked.length > 0 : null
}

function limitOf(text: string | null, limits: RequestContext['request']['limits']): number | null {
  if (text === null) return engineValue(limits, 'page_size')
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= apiRows ? limit : null
}
