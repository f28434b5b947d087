/** The pages of forms for new and stored records; what becomes of a form that was sent is in `submit.tsx`. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { onlyOf } from '../../headings/2-screens/public-forms.ts'
import { isSealed, stateIn } from '../../run/names.ts'
import { copiedForm, readSource, type Source } from '../../run/read/copy.ts'
import { readForm } from '../../run/read/form.ts'
import { readOptions } from '../../run/read/options.ts'
import { isId } from '../../run/values.ts'
import type { Draft } from '../../run/write/drafts.ts'
import type { Unconfirmed } from '../../run/write/unconfirmed.ts'
import { hereHref, notFound, problemPage, whyAction } from '../pages.tsx'
import { backTo, isLookup, listOf } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { addressValue, building, copyName, titleOf, whyClosed } from '../screens/common.ts'
import { quickName } from '../screens/create.ts'
import { type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { say } from '../sentences.ts'
import { keptForm } from '../sign-in/kept-posts.ts'
import { fieldInfo, inSentence } from '../site.ts'
import { confirmation, sentName } from './confirmation.tsx'
import { begunForOthers, draftAt, draftForm, draftOf } from './drafts.ts'
import { type FormPage, narrowed, renderForm } from './form-page.tsx'
import { quickForm } from './quick.ts'
import { returnToOf } from './return-to.ts'
import { formOf, sent } from './submit.tsx'
import { asSender, formAt, provenBy } from './unconfirmed.ts'

/** `form for Entity` that is for everyone: nobody need be signed in, only its own fields are taken, and it says that it arrived. */
export async function publicForm(
  arrived: RequestContext,
  at: EntityRoutes,
  asked: Screen,
  proven: Unconfirmed | null = null,
): Promise<HttpResponse> {
  const { method, query } = arrived
  if (method !== 'POST' && query.has(sentName)) return confirmation(arrived, asked)
  const proof = proven ?? (method === 'POST' ? await provenBy(arrived, formOf(arrived)) : null)
  const context = proof === null ? arrived : asSender(arrived, proof)
  const { place, screen } = (proof === null ? null : formAt(context, context.path)) ?? { place: at, screen: asked }
  const { runtime, request } = context
  const all = await readForm(runtime, request, place.entity.key, null)
  if (all === null) return notFound(context)
  if (!all.verdict.open) return problemPage(context, { status: 403, because: all.verdict.because })
  const only = onlyOf(screen)
  const whole = narrowed(all, screen)
  const form = { ...whole, fields: whole.fields.filter(({ key }) => only.has(key)) }
  const formPage: FormPage = {
    place,
    form,
    screen,
    title: screen.name.text,
    cancel: hereHref(context),
    name: null,
    returnTo: null,
    only,
  }
  if (method === 'POST') return sent(context, formPage, proof)
  const kept = await keptForm(context)
  return kept === null ? renderForm(context, formPage, { typed: null }) : shown(context, formPage, kept)
}

/** `/loans/new`, or a screen of its own. */
export async function createForm(
  context: RequestContext,
  place: EntityRoutes,
  method: string,
  screen: Screen | null = null,
): Promise<HttpResponse> {
  if (context.query.has(quickName)) return quickForm(context, place)
  if (method === 'POST') {
    const formPage = await newFormPage(context, place, screen)
    return 'status' in formPage ? formPage : sent(context, formPage)
  }
  const reading = readingAtOnce(context)
  const [formPage, source, left, given] = await Promise.all([
    newFormPage(reading, place, screen),
    copiedFrom(reading, place),
    leftIn(reading),
    givenIn(reading, place),
  ])
  if ('status' in formPage) return formPage
  if (left !== null) return shown(reading, formPage, left)
  return source === null
    ? renderForm(reading, formPage, { typed: prefilled(reading, formPage, given) })
    : copied(reading, formPage, source)
}

/** `/loans/new?_copy=LN-1`: it begins with what that record has. Null: there is none, or not for this person. */
async function copiedFrom(
  { runtime, request, query }: RequestContext,
  { entity, by }: EntityRoutes,
): Promise<Source | null> {
  const value = query.get(copyName)
  return value === null || !isLookup(value) ? null : readSource(runtime, request, entity.key, { field: by, value })
}

function copied(context: RequestContext, formPage: FormPage, source: Source): Promise<HttpResponse> {
  const { site } = context
  const entity = formPage.place.entity.key
  const form = copiedForm(site.app, entity, formPage.form, source)
  const note = say(site, 'copyOf', { name: titleOf(site, entity, source.form) })
  return renderForm(context, { ...formPage, form }, { typed: null, note })
}

/** The form of a new record; an answer where there is none for this person. `sent`: all of it has been filled in. */
export async function newFormPage(
  context: RequestContext,
  place: EntityRoutes,
  screen: Screen | null,
  { sent = context.method === 'POST' }: { readonly sent?: boolean } = {},
): Promise<FormPage | HttpResponse> {
  const { site, runtime, request } = context
  const form = await readForm(runtime, request, place.entity.key, null, { sent })
  if (form === null) return notFound(context)
  if (!form.verdict.open) return problemPage(context, { status: 403, because: form.verdict.because })
  const returnTo = returnToOf(context, place)
  return {
    place,
    form: narrowed(form, screen),
    screen,
    title: screen?.name.text ?? say(site, 'newRecord', { thing: inSentence(site, place.entity.name) }),
    cancel: returnTo?.back ?? listOf(context, place),
    name: null,
    returnTo,
    only: null,
  }
}

/** `/loans/LN-1/edit`. */
export async function editForm(
  context: RequestContext,
  place: EntityRoutes,
  record: string,
  screen: Screen | null = null,
): Promise<HttpResponse> {
  if (context.method === 'POST') {
    const formPage = await storedFormPage(context, place, record, screen)
    return 'status' in formPage ? formPage : sent(context, formPage)
  }
  const reading = readingAtOnce(context)
  const [formPage, left] = await Promise.all([storedFormPage(reading, place, record, screen), leftIn(reading)])
  if ('status' in formPage) return formPage
  return left === null ? renderForm(reading, formPage, { typed: null }) : shown(reading, formPage, left)
}

/** The form of a stored record; an answer where there is none for this person. */
export async function storedFormPage(
  context: RequestContext,
  place: EntityRoutes,
  record: string,
  screen: Screen | null,
): Promise<FormPage | HttpResponse> {
  const { site, runtime, request } = context
  const by = { field: place.by, value: record }
  const form = isLookup(record) ? await readForm(runtime, request, place.entity.key, by) : null
  if (form === null || form.id === null) return notFound(context)
  if (!form.verdict.open)
    return problemPage(context, {
      status: 403,
      because: form.verdict.because,
      why: whyClosed(site, place.entity.key, form.verdict, stateIn(site.app, place.entity.key, form.values)),
      actions: whyAction(context, place.entity.key, form.id, 'verb-change'),
    })
  const name = titleOf(site, place.entity.key, { ...form, id: form.id })
  const title =
    screen?.name.text ?? say(site, 'editRecord', { thing: `${inSentence(site, place.entity.name)} ${name}` })
  const own = site.routes.places.get(place.entity.key) ?? place
  const address = addressValue(own, { id: form.id, values: form.values })
  const cancel = address === null ? listOf(context, own) : backTo(context, own, address)
  return { place, form: narrowed(form, screen), screen, title, cancel, name, returnTo: null, only: null }
}

/** What somebody left of this form: sent after their session had ended, else kept as a draft. Null: nothing. */
async function leftIn(context: RequestContext): Promise<URLSearchParams | Draft | null> {
  const [kept, draft] = await Promise.all([keptForm(context), draftAt(context, draftOf(context))])
  return kept ?? draft
}

/** As somebody left it. */
function shown(context: RequestContext, formPage: FormPage, left: URLSearchParams | Draft): Promise<HttpResponse> {
  const { site } = context
  const isKept = left instanceof URLSearchParams
  const form = isKept ? left : draftForm(left, formPage.form.fields)
  const note = isKept ? say(site, 'keptForm') : begunForOthers(context, formPage.form, form)
  const filled = { typed: typedOf(form, formPage.place.entity, site), sent: form }
  return renderForm(context, formPage, note === null ? filled : { ...filled, note })
}

/** `/offers/new?callout=…`: what the address says of fields of the record; of records, those that this person may name. */
async function givenIn({ site, runtime, request, query }: RequestContext, { entity: { key: entity } }: EntityRoutes) {
  const given = await Promise.all(
    [...new Set(query.keys())].map(async (key): Promise<readonly (readonly [string, string])[]> => {
      const info = fieldInfo(site.app, entity, key)
      const text = query.get(key)!
      if (info?.field == null || !isLookup(text) || isSealed(site.app, entity, key)) return []
      if (info.type.kind !== 'reference') return [[key, text]]
      const need = { entity, field: key, search: null, limit: 1, ids: [text] }
      return isId(text) && (await readOptions(runtime, request, need)).options.length > 0 ? [[key, text]] : []
    }),
  )
  return new Map(given.flat())
}

/** What the address says of fields that they may fill in stands there as if they had typed it. Null: nothing. */
function prefilled(
  context: RequestContext,
  { place, form }: FormPage,
  given: ReadonlyMap<string, string>,
): Typed | null {
  const { site } = context
  const entity = place.entity.key
  const open = form.fields.filter(({ key, settable, children }) => {
    const isFile = fieldInfo(site.app, entity, key)?.type.kind === 'file'
    return settable && children === null && !isFile && given.has(key)
  })
  if (open.length === 0) return null
  const { texts, lists } = typedFrom(building(context), entity, form)
  return { texts: { ...texts, ...Object.fromEntries(open.map(({ key }) => [key, given.get(key)!])) }, lists }
}
