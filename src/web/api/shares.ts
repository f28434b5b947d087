/** With whom one record is shared, over the API: read, shared with somebody, and ended. */
import { dayNumber } from '../../expression/dates.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { shareRoles } from '../../headings/6-permissions/shares.ts'
import type { App } from '../../headings/app.ts'
import { endShare, share } from '../../run/people/shares.ts'
import { sharesOf } from '../../run/read/shares.ts'
import { parseJson } from '../form-body.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { branchesOf } from '../site.ts'
import { hasFile } from './files.ts'
import { problem } from './problem.ts'
import { written } from './records.ts'

export const sharesName = 'shares'

/** A step or a file of that name has the address. */
export const hasShares = (app: App, entity: Entity): boolean =>
  shareRoles(app, entity.key).length > 0 &&
  branchesOf(app, entity.key, sharesName).length === 0 &&
  !hasFile(entity, sharesName)

/** `GET /api/v1/case/{id}/shares` */
export async function listShares(
  { site, runtime, request, ...rest }: RequestContext,
  { key }: Entity,
  id: string,
): Promise<HttpResponse> {
  const shares = await sharesOf(runtime.store, site.app, request, key, id)
  return shares === null ? problem({ site, runtime, request, ...rest }, 404) : json({ data: shares })
}

/** `POST /api/v1/case/{id}/shares` with `{ "role": "Guest", "with": "…", "until": "2026-12-14" }`. */
export async function postShare(context: RequestContext, { key }: Entity, record: string): Promise<HttpResponse> {
  const sent = sentShare(context)
  if ('status' in sent) return sent
  return written(
    context,
    null,
    run => share(run, context.request, { ...sent, entity: key, record }),
    async done => json({ id: done.id }, 201),
  )
}

/** `DELETE /api/v1/case/{id}/shares/{share}` */
export const removeShare = (context: RequestContext, { key }: Entity, record: string, id: string) =>
  written(
    context,
    null,
    run => endShare(run, context.request, { entity: key, record, id }),
    async () => ({ status: 204, headers: {}, body: '' }),
  )

/** What the body says; whom and how long it cannot be shared, the answer of the write says. */
function sentShare(context: RequestContext): Pick<Parameters<typeof share>[2], 'role' | 'to' | 'until'> | HttpResponse {
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const { role, with: to, until = null } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  const isDay = until === null || (typeof until === 'string' && dayNumber(until) !== null)
  if (typeof role === 'string' && typeof to === 'string' && isDay) return { role, to, until: until as string | null }
  const detail =
    'The body must be an object with a role, with (the id of whom it is shared with), and perhaps until, a day.'
  return problem(context, 400, { detail })
}
