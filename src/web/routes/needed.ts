/** What a form in the browser needs that did not come with it: asked while it is filled in. */

import { storedReads } from '../../headings/stored-reads.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { isLinks } from '../../run/names.ts'
import { relatedNothing } from '../../run/write/environment.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { workedOutAsHeld } from '../../run/write/worked-out.ts'
import { takenInMinute } from '../bounds.ts'
import { countInMinute } from '../rate-limit/per-minute.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { json } from '../response.ts'
import { building } from '../screens/common.ts'
import { livingForm, relatedTo } from '../screens/live.ts'
import type { Typed } from '../screens/typed.ts'
import { knownTo } from '../seen.ts'
import { standingIn } from './choices.ts'
import { type FormPage, shownBoxes } from './form-page.tsx'

/** In a form that is only asked about. */
export const neededName = '_needed'

/** Records that were chosen in it, and values that the server alone can work out; each may ask for these so often in a minute only. */
export async function needed(
  context: RequestContext,
  formPage: FormPage,
  typed: Typed,
  sent: URLSearchParams,
): Promise<HttpResponse> {
  const { runtime, request, network } = context
  const build = building(readingAtOnce(context))
  const entity = formPage.place.entity.key
  const living = livingForm(build, entity, formPage.form)
  const { records } = await standingIn(build, entity, formPage.form, typed, living.wanted)
  const isLater = living.live.entities[entity]!.fields.some(({ later }) => later !== null)
  const what = { what: 'taken', who: request.actor.id ?? network, most: takenInMinute, now: request.now }
  const worked =
    isLater && (await countInMinute(runtime.store, what)) === 0
      ? await workedOutOf(build.context, formPage, living.live, sent)
      : {}
  return json({ related: await relatedTo(build, living, records), worked })
}

/**
 * The values of computed fields that need what is not in the form, as they would be once it is saved. Left out: what reads something that
 * cannot be read yet or is not for this person, rows that are not saved, and what code decides.
 */
export async function workedOutOf(
  context: RequestContext,
  { place, form: stored }: Pick<FormPage, 'place' | 'form'>,
  live: LiveForm,
  sent: Iterable<readonly [string, string]>,
): Promise<LiveForm['worked']> {
  const { site, runtime, request } = context
  const { app } = site
  const { key: entity, fields } = place.entity
  const known = knownTo(context)
  const { values, invalidValues } = decodeForm(known.entity(place.entity), known, sent, site.reader.locale, {
    shown: shownBoxes(app, entity, stored.fields),
    zone: request.zone,
  })
  // A new one is none of those that are there.
  const record = { ...stored.values, ...values, id: stored.id ?? request.newId() }
  const wrong = new Set(invalidValues.map(({ path }) => path.split('.')[0]!))
  const isAtHand = (key: string) => {
    const field = fields.find(one => one.key === key)
    const isRows = field?.type.kind === 'list' && !isLinks(app, entity, key)
    return !isRows && !wrong.has(key) && (field === undefined || field.computed !== null || key in record)
  }
  const later = new Set(live.entities[entity]?.fields.flatMap(({ key, later }) => (later === null ? [] : [key])))
  const found = await Promise.all(
    fields.map(async field => {
      const { key, computed } = field
      if (!later.has(key) || computed === null || computed.tier === 3) return []
      if (![...storedReads(app, entity, computed)].every(isAtHand)) return []
      const named = { entity, record, old: null, this: null }
      const value = await workedOutAsHeld(field, runtime.store, app, request, relatedNothing, computed, named)
      return [[key, value] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}
