/** What a picker may make new: a record of the entity that it names, by whoever may create one. */
import type { App } from '../../headings/app.ts'
import type { CreateView } from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { createVerdict } from '../../run/read/read.ts'
import { mayEnter } from '../access.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type EntityRoutes, newHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { fieldInfo, inSentence, linksTo, type Site } from '../site.ts'

/** A submit that leads to the form of a new record and back; its value is the control's name. */
export const createName = '_create'
/** In an address: the small form, as data. */
export const quickName = 'quick'

/** People are added on a page of their own; parts of a record are made with it. */
export function creatable(
  { site, request }: Pick<RequestContext, 'site' | 'request'>,
  entity: string,
): EntityRoutes | null {
  const { actor } = request
  const place = site.routes.places.get(entity)
  if (place === undefined || entity === 'person' || place.entity.partOf !== null || !mayEnter(place, actor)) return null
  return createVerdict(policyFor(site.app, actor), entity).open ? place : null
}

/** The entity that a control names records of: `customer`, `lines.0.item`. Null: it names none. */
export function targetOf({ app }: Pick<Site, 'app'>, entity: string, name: string): string | null {
  const [key = '', number, inner, ...more] = name.split('.')
  const info = fieldInfo(app, entity, key)
  if (info === null) return null
  if (number !== undefined)
    return info.type.kind === 'list' && linksTo(info) === null && inner !== undefined
      ? targetOf({ app }, info.type.entity, [inner, ...more].join('.'))
      : null
  return info.type.kind === 'reference' ? info.type.entity : linksTo(info)
}

/** What is asked for in a dialog: what it is called by, and what it cannot do without. Null: that is more than single fields. */
export function quickFields(app: App, entity: string): readonly string[] | null {
  const { fields, title } = app.entities.get(entity)!
  const needed = fields.filter(
    ({ required, min, type, default: given, setBy, computed, copiedFrom, assignedFrom }) =>
      (type.kind === 'list' ? min !== null : required !== null && required.when === null) &&
      [given, setBy, computed, copiedFrom, assignedFrom].every(one => one === null),
  )
  if (needed.some(({ type }) => type.kind === 'list' || type.kind === 'file')) return null
  const wanted = new Set([...title, ...needed.map(({ key }) => key)])
  return fields.filter(({ key, computed }) => wanted.has(key) && computed === null).map(({ key }) => key)
}

/** `sends`: the form can be kept on the way. */
export function createView(context: RequestContext, entity: string, name: string, sends: boolean): CreateView | null {
  const { site } = context
  const place = isSignedIn(context) ? creatable(context, entity) : null
  if (place === null) return null
  const thing = inSentence(site, place.entity.name)
  const source = quickFields(site.app, entity) === null ? null : `${newHref(place)}?${quickName}=1`
  if (source === null && !sends) return null
  return { label: say(site, 'newRecord', { thing }), submit: sends ? { name: createName, value: name } : null, source }
}
