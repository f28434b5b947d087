/**
 * `/-/record?entity=loan&id=…`: to the page of a record, for whoever may see it; where no screen of theirs shows one, a page of what they
 * see of it. Relations and mails lead here, which do not know their reader's screens.
 */
import { deleting } from '../../headings/1-product/document-for.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import { read } from '../../run/read/read.ts'
import { notFound } from '../pages.tsx'
import { recordPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { recordHref } from '../routes.ts'
import { addressValue, building, openHref } from '../screens/common.ts'
import { screenPage } from './screens.tsx'

/** Steps and forms are for screens of the document: here stands what may be seen. */
const plainPage = (entity: Entity): Screen => {
  const kind = [...screenKinds.values()].find(({ isRecordPage }) => isRecordPage)!.name
  return {
    key: `record_${entity.key}`,
    name: entity.cell,
    route: { cell: entity.cell, pattern: recordPath, segments: [{ text: '-' }, { field: 'id' }] },
    for: { kind: 'everyone signed in', cell: entity.cell },
    shows: { cell: entity.cell, kind, entity: entity.key, by: null, until: null },
    homeFor: null,
    part: { buttons: [], related: null, blocks: [], sections: [] },
    meaning: null,
  }
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
  const { runtime, request, query, site } = context
  const entity = site.app.entities.get(query.get('entity') ?? '')
  const id = query.get('id') ?? ''
  if (entity === undefined) return notFound(context)
  const by = { field: 'id', value: id }
  const data = await read(runtime, request, { kind: 'one', entity: entity.key, by, history: 0, archived: true })
  if (data === null) return notFound(context)
  const act = query.get('do')
  const href = (act === null ? openHref : actHref(act))(building(context), entity.key, data.row)
  if (href !== null) return seeOther(href)
  return act === null ? screenPage(context, plainPage(entity), { id }) : notFound(context)
}
