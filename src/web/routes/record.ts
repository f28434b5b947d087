/** `/-/record?entity=loan&id=…`: to the page of a record, for whoever may see it. Mails link to it, because they do not know their reader's screens. */
import { deleting } from '../../headings/1-product/document-for.ts'
import type { Problem } from '../../run/outcome.ts'
import { read } from '../../run/read/read.ts'
import { mayOpen } from '../access.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { recordHref } from '../routes.ts'
import { addressValue, type Building, building, openHref } from '../screens/common.ts'

/** `act`: the step that is asked for there, or `delete`. */
export const recordAddress = (entity: string, id: string, act?: string): string =>
  `/-/record?${new URLSearchParams({ entity, id, ...(act !== undefined && { do: act }) })}`

/** The record that refused what follows from a write, for whoever sees it; null: there is no other one to name. */
export function otherRecord(
  { site, context }: Building,
  { of }: Problem,
): { readonly title: string; readonly href: string | null } | null {
  if (of?.title === undefined || of.id === null) return null
  const one = site.routes.places.get(of.entity)?.one
  const opens = one != null && mayOpen(one, context.request.actor)
  return { title: of.title, href: opens ? recordAddress(of.entity, of.id) : null }
}

const actHref =
  (act: string): typeof openHref =>
  ({ site }, entity, row) => {
    const place = site.routes.places.get(entity)
    const value = place === undefined ? null : addressValue(place, row)
    const below = act === deleting ? '/delete' : `/do/${encodeURIComponent(act)}`
    return value === null ? null : recordHref(place!, value, below)
  }

export async function toRecord(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, query } = context
  const entity = query.get('entity') ?? ''
  const id = query.get('id') ?? ''
  const data = await read(runtime, request, { kind: 'one', entity, by: { field: 'id', value: id }, history: 0 })
  const act = query.get('do')
  const href = data === null ? null : (act === null ? openHref : actHref(act))(building(context), entity, data.row)
  return href === null ? notFound(context) : seeOther(href)
}
