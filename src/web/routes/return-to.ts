/** A record made on the way to another one: its form knows which form it is for, and leads back there. */
import { specified } from '../../headings/specified.ts'
import { type DraftOf, keepDraft, type Pairs, readDraft } from '../../run/write/drafts.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { type EntityRoutes, newHref } from '../routes.ts'
import { creatable, createName, targetOf } from '../screens/create.ts'
import { safeNext } from '../sign-in/next.ts'
import { fieldInfo, linksTo } from '../site.ts'
import { formKey } from '../write.ts'
import { isOwn } from './drafts.ts'

const forName = 'for'
const fieldName = 'field'

/** What one is on the way to: a form that waits as a draft, and the control that the new record is for. */
export interface ReturnTo {
  readonly of: DraftOf
  readonly field: string
  /** The form as one left it. */
  readonly back: string
}

/** Null: the form was sent for something else, or they may not make such a record. */
export async function toCreate(
  context: RequestContext,
  form: URLSearchParams,
  of: DraftOf,
  {
    entity,
    pairs,
    step,
    back,
  }: { readonly entity: string; readonly pairs: Pairs; readonly step: number; readonly back: string },
): Promise<HttpResponse | null> {
  const { runtime, request, site } = context
  const field = form.get(createName)
  const target = field === null || !isOwn(form) ? null : targetOf(site, entity, field)
  const place = target === null ? null : creatable(context, target)
  if (field === null || place === null) return null
  const kept = await keepDraft(runtime.store, request, of, { pairs, step, once: formKey(context, form, null) })
  return kept === 'kept'
    ? seeOther(`${newHref(place)}?${new URLSearchParams({ [forName]: back, [fieldName]: field })}`)
    : null
}

/** What the address says that the new record is for. */
export function returnToOf({ query, site, request }: RequestContext, { entity }: EntityRoutes): ReturnTo | null {
  const person = request.actor.id
  const back = safeNext(query.get(forName), '')
  const field = query.get(fieldName) ?? ''
  if (person === null || back === '') return null
  const [form = ''] = back.split('?')
  const match = site.routes.match(form)
  const whose =
    match === null ? null : match.kind === 'screen' ? specified(match.screen.shows)?.entity : match.place.entity.key
  if (whose == null || targetOf(site, whose, field) !== entity.key) return null
  return { of: { person, form }, field, back }
}

export const returnToHref = (path: string, { field, back }: ReturnTo): string =>
  `${path}?${new URLSearchParams({ [forName]: back, [fieldName]: field })}`

/** The new record is chosen in the form that waits. */
export async function chooseCreated(
  { runtime, request, site }: RequestContext,
  { of, field }: ReturnTo,
  id: string,
): Promise<void> {
  const draft = await readDraft(runtime.store, of, request.now)
  if (draft === null) return
  const match = site.routes.match(of.form)
  const whose =
    match?.kind === 'screen' ? (specified(match.screen.shows)?.entity ?? '') : (match?.place.entity.key ?? '')
  const [key = '', , inner] = field.split('.')
  const outer = fieldInfo(site.app, whose, key)
  const info =
    inner === undefined ? outer : outer?.type.kind === 'list' ? fieldInfo(site.app, outer.type.entity, inner) : null
  const isSeveral = info !== null && linksTo(info) !== null
  const others = draft.pairs.filter(([name]) => isSeveral || name !== field)
  await keepDraft(runtime.store, request, of, { pairs: [...others, [field, id]], step: draft.step, once: null })
}
