/** Where records stand in an order by hand, over the API: `POST /api/v1/task/{id}/position`. */
import { hasPlace } from '../../headings/3-entities/by-hand.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Moved, Place } from '../../run/write/place.ts'
import { place } from '../../run/write/writes.ts'
import { parseJson } from '../form-body.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { branchesOf } from '../site.ts'
import { problem } from './problem.ts'
import { written } from './records.ts'

export const placeName = 'position'

/** A step of that name has the address. */
export const hasPlaces = (app: App, entity: Entity): boolean =>
  hasPlace(entity) && branchesOf(app, entity.key, placeName).length === 0

/** With `{ "before": id }`, `{ "after": id }`, `{ "after": null }` for the first place, or `{ "undo": … }` as an answer gave it. */
export async function placeRecord(context: RequestContext, { key }: Entity, id: string): Promise<HttpResponse> {
  const { request } = context
  const body = parseJson(context.headers['content-type'], context.body)
  if ('status' in body) return problem(context, body.status, { detail: body.why })
  const to = placeOf(body.value)
  if (to === null)
    return problem(context, 400, {
      detail: 'The body must be an object with one of these: before, after or undo.',
    })
  let moved: Moved | null = null
  const tell = (what: Moved) => {
    moved = what
  }
  return written(
    context,
    key,
    run => place(run, request, key, id.toLowerCase(), to, tell),
    async done => json(moved === null ? { id: done.id } : { id: done.id, undo: moved }),
  )
}

/** Null: it says none, or several. */
function placeOf(value: unknown): Place | null {
  const pairs = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const [name, of] = pairs.length === 1 ? (pairs[0] as [string, unknown]) : ['', null]
  if (name === 'after' && of === null) return 'first'
  if ((name === 'before' || name === 'after') && typeof of === 'string') return { side: name, of: of.toLowerCase() }
  return name === 'undo' ? movedOf(of) : null
}

const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{1,40}(?:\.\d{1,200})?$/.test(value)

function movedOf(value: unknown): Moved | null {
  const { from, to } = (value ?? {}) as Readonly<Record<string, unknown>>
  return isPosition(to) && (from === null || isPosition(from)) ? { from, to } : null
}
