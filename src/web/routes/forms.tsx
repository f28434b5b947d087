/** Forms for new and stored records: shown, put in order (rows, pickers) without scripts, saved once, and never emptied by a refusal. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { onlyOf } from '../../headings/2-screens/public-forms.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { readingOf } from '../../run/access/reading.ts'
import { isSealed } from '../../run/names.ts'
import type { Outcome } from '../../run/outcome.ts'
import { raiseEntry } from '../../run/problems/raise.ts'
import { copiedForm, readSource, type Source } from '../../run/read/copy.ts'
import { readForm, readOptions } from '../../run/read/form.ts'
import { read } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { type Draft, draftErased } from '../../run/write/drafts.ts'
import { environmentOf, relatedNothing } from '../../run/write/record.ts'
import type { Unconfirmed } from '../../run/write/unconfirmed.ts'
import { change, create } from '../../run/write/writes.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { parseForm } from '../form-body.ts'
import { KeyReused } from '../idempotency.ts'
import { flashCookie, hereHref, notFound, pageOf, problemPage, whyAction } from '../pages.tsx'
import { formsPerAddress } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import { giveBack, type SpanLimit, takePlace } from '../rate-limit/places.ts'
import { backTo, isStorable, listOf } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { addressValue, building, copyName, screenMark, thingOf, titleOf, whyClosed } from '../screens/common.ts'
import { quickName } from '../screens/create.ts'
import { continueHref } from '../screens/drafts.ts'
import { isTouched, keptRows, readWas, rowChange, type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { keptForm } from '../sign-in/kept.ts'
import { faceOf, inSentence, stateView } from '../site.ts'
import { confirming } from '../warnings.ts'
import { formVersion, idempotentForm, inputOf, listed, statusOf } from '../write.ts'
import { type NewCase, newCase } from './case.tsx'
import { searched, unanswered, unansweredNote } from './choices.ts'
import { conflictPage } from './conflict.ts'
import {
  begunForOthers,
  discarded,
  draftAt,
  draftForm,
  draftOf,
  draftPairs,
  isOwn,
  keptAnswer,
  wantsKeeping,
} from './drafts.ts'
import { type Filled, type FormPage, narrowed, renderForm, shownBoxes } from './form-page.tsx'
import { needed, neededName } from './needed.ts'
import { quickForm } from './quick.ts'
import { chooseCreated, returnToOf, toCreate } from './return-to.ts'
import { taken, takenName } from './taken.ts'
import { caught, letGo } from './trap.ts'
import {
  asSender,
  confirmHours,
  formAt,
  keepForm,
  linkGone,
  linkUsed,
  mailboxOf,
  provenBy,
  proves,
} from './unconfirmed.ts'
import { uploaded } from './upload.ts'

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
  return method === 'POST' ? sent(context, formPage, proof) : renderForm(context, formPage, { typed: null })
}

const sentName = 'sent'

/** `confirm`: it has arrived when the link in the mail was followed. */
export const toConfirmation = (context: RequestContext, how: '1' | 'confirm' = '1'): HttpResponse =>
  seeOther(hereHref(context, `${sentName}=${how}`))

/** What leads to the record is shown on this page alone, which no address brings back. */
const arrivedAs = (
  context: RequestContext,
  { screen }: FormPage,
  made: NewCase | null,
): HttpResponse | Promise<HttpResponse> =>
  made === null || screen === null ? toConfirmation(context) : confirmation(context, screen, made)

function confirmation(context: RequestContext, screen: Screen, made: NewCase | null = null): Promise<HttpResponse> {
  const { site, query } = context
  const mark = screenMark(site, screen)
  const waits = query.get(sentName) === 'confirm' && screen.confirmTo !== null
  const title = waits ? say(site, 'confirmSent') : (screen.confirmationTitle?.text ?? say(site, 'formSent'))
  const text = waits
    ? say(site, 'confirmSentText', { hours: confirmHours(context) })
    : (screen.confirmation?.text ?? '')
  const again = <LinkButton href={hereHref(context)}>{say(site, 'formAgain')}</LinkButton>
  return pageOf(context, {
    title: [title],
    decidedBy: [mark],
    content: (
      <>
        <PageHead title={screen.name.text} />
        <div className="sheet">
          <EmptyState title={title} text={text} actions={made === null ? again : undefined} />
          {made !== null && (
            <div className="body stack">
              <p>{say(site, 'caseMade')}</p>
              <Field id="number" label={say(site, 'caseNumber')} width="medium">
                {aid => <TextControl aid={aid} name="number" value={made.name} readOnly />}
              </Field>
              <Field id="code" label={say(site, 'caseCode')} width="medium">
                {aid => <TextControl aid={aid} name="code" value={made.code} readOnly />}
              </Field>
              <p>
                <a href={made.href} target={context.embedded ? '_blank' : undefined} rel="noreferrer">
                  {say(site, 'caseLink', { name: made.name })}
                </a>
              </p>
              <p>{again}</p>
            </div>
          )}
        </div>
      </>
    ),
  })
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
  return value === null || !isStorable(value) ? null : readSource(runtime, request, entity.key, { field: by, value })
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
  const form = isStorable(record) ? await readForm(runtime, request, place.entity.key, by) : null
  if (form === null || form.id === null) return notFound(context)
  if (!form.verdict.open)
    return problemPage(context, {
      status: 403,
      because: form.verdict.because,
      why: whyClosed(
        site,
        place.entity.key,
        form.verdict,
        typeof form.values.state === 'string' ? form.values.state : null,
      ),
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
      const face = faceOf(site.app, entity, key)
      const text = query.get(key)!
      if (face?.field == null || !isStorable(text) || isSealed(site.app, entity, key)) return []
      if (face.type.kind !== 'reference') return [[key, text]]
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
    const isFile = faceOf(site.app, entity, key)?.type.kind === 'file'
    return settable && children === null && !isFile && given.has(key)
  })
  if (open.length === 0) return null
  const { texts, lists } = typedFrom(building(context), entity, form)
  return { texts: { ...texts, ...Object.fromEntries(open.map(({ key }) => [key, given.get(key)!])) }, lists }
}

function formOf({ headers, body }: RequestContext): URLSearchParams {
  const form = parseForm(headers['content-type'], body)
  return 'value' in form ? form.value : new URLSearchParams()
}

/** `proof`: the link that was mailed to whoever sends it was followed. */
async function sent(
  context: RequestContext,
  formPage: FormPage,
  proof: Unconfirmed | null = null,
): Promise<HttpResponse> {
  const { site, request } = context
  const { place } = formPage
  const form = formOf(context)
  const typed = typedOf(form, place.entity, site)
  const { only } = formPage
  const held = only === null ? null : await caught(context, form, { entity: place.entity.key, only })
  if (held !== null) return renderForm(context, formPage, { typed, ...held })
  const of = formPage.only === null ? draftOf(context) : null
  if (of !== null) {
    const file = uploaded(context, form)
    if (file !== null) return file
    const gone = await discarded(context, of)
    if (gone !== null) return gone
    if (wantsKeeping(form)) {
      const pairs = draftPairs(site.app, place.entity.key, form)
      const kept = await keptAnswer(context, form, of, { pairs, step: 1, back: formPage.cancel })
      return kept === 'too large'
        ? renderForm(context, formPage, { typed, sent: form, note: say(site, 'draftTooLarge'), status: 413 })
        : kept
    }
  }
  const away =
    of === null
      ? null
      : await toCreate(context, form, of, {
          entity: place.entity.key,
          pairs: draftPairs(site.app, place.entity.key, form),
          step: 1,
          back: continueHref(context.path),
        })
  if (away !== null) return away
  // What was sent to be kept is not saved instead.
  if (of === null && wantsKeeping(form)) return renderForm(context, formPage, { typed, sent: form })
  if (formPage.only === null && form.has(takenName)) return taken(context, formPage, form)
  if (formPage.only === null && form.has(neededName)) return needed(context, formPage, typed, form)
  const rearranged = rowChange(form, typed)
  if (rearranged !== null) return renderForm(context, formPage, { typed: rearranged, sent: form })
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking !== null)
    return renderForm(context, formPage, {
      typed,
      searches: await searched(context, place, form, picking, formPage.form.values),
      ...unansweredNote(context, place, form),
      sent: form,
    })

  const others = begunForOthers(context, formPage.form, form)
  if (others !== null) return renderForm(context, formPage, { typed, sent: form, note: others, status: 409 })
  const known = knownTo(context)
  const zoned = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, place.entity.key, formPage.form.fields),
    zone: request.zone,
  })
  const decoded = formPage.form.id === null ? zoned : onlyTouched(zoned, typed, form)
  const again = { typed: keptRows(form, typed, zoned), sent: form }
  const input = inputOf(context, formPage.only === null ? decoded : listed(decoded, formPage.only))
  const address = mailboxOf(formPage.screen, input)
  const proven = proof !== null && address !== null && proves(proof, address) ? proof : null
  // A link is good for some tries: what is refused tells something, too.
  const who = proven === null ? context.network : `link ${proven.tokenHash.toString('base64url')}`
  const admitted = formPage.only === null ? { back: nothing } : await admit(context, formPage, who, input)
  if (!('back' in admitted)) return renderForm(context, formPage, { ...again, ...admitted })
  const refuse = async (why: Partial<Filled>) => {
    await admitted.back()
    return renderForm(context, formPage, { ...again, ...why })
  }
  let outcome: Outcome
  try {
    if (address !== null && proven === null) {
      const kept = await keepForm(context, formPage, form, input, address)
      if (typeof kept === 'string')
        return await refuse({ note: say(site, keepingNotes[kept]), status: kept === 'full' ? 503 : 413 })
      if (kept.kind === 'done') {
        await letGo(context, form)
        return toConfirmation(context, 'confirm')
      }
      outcome = kept
    } else outcome = await save(context, formPage, form, input, proven)
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    // Went back and changed something: a second record is made only if the same person says so once more.
    return refuse({ note: say(site, 'keyReused'), status: 409 })
  }
  switch (outcome.kind) {
    case 'done':
      if (formPage.only === null) return saved(context, formPage, outcome.id)
      await letGo(context, form)
      return arrivedAs(context, formPage, await newCase(context, place.entity.key, outcome.id))
    case 'not found':
      return proven === null ? notFound(context) : linkGone(context)
    case 'refused':
      return refuse({
        problems: outcome.problems,
        status: statusOf(outcome.problems),
        ...(proven === null ? {} : { note: say(site, 'confirmRefused') }),
      })
    case 'stale':
      return conflictPage(context, formPage, form, again.typed, outcome)
  }
}

const nothing = async (): Promise<void> => undefined

/** What somebody is told who sends more than are taken; else what to call when this one is refused: of `At most` it was none then. */
async function admit(
  { site, runtime, request }: RequestContext,
  { screen, place }: FormPage,
  who: string,
  { values }: ReturnType<typeof inputOf>,
): Promise<Pick<Filled, 'note' | 'problems' | 'status'> | { readonly back: () => Promise<void> }> {
  const { store, app } = runtime
  const { now } = request
  const own = screen?.atMost ?? null
  const limit: SpanLimit | null = own === null ? null : { what: `form ${screen!.key}`, ...own }
  const found =
    limit === null
      ? { wait: await attempt(store, formsPerAddress(request), who, now) }
      : await takePlace(store, limit, who, now)
  if ('place' in found) return { back: () => giveBack(store, limit!, who, found.place, now) }
  if (found.wait === 0) return { back: nothing }
  if (own === null || own.error === null)
    return { note: say(site, 'formWait', { wait: site.reader.format.wait(found.wait) }), status: 429 }
  const { entity } = place
  const reading = readingOf(app, request, environmentOf(request, relatedNothing, { ...values }, null))
  const problem = raiseEntry(app, own.error, entity.key, reading, { field: null, because: own.cell })
  return { problems: [problem], status: statusOf([problem]) }
}

const keepingNotes = { full: 'confirmFull', 'too large': 'confirmTooLong' } as const

function save(
  context: RequestContext,
  { place, form: stored }: FormPage,
  form: URLSearchParams,
  input: ReturnType<typeof inputOf>,
  proven: Unconfirmed | null,
): Promise<Outcome> {
  const { runtime } = context
  const request = confirming(context.request, form)
  const { id } = stored
  const of = isOwn(form) ? draftOf(context) : null
  const whole = accompanied(
    runtime,
    idempotentForm(context, form, place.entity.key),
    of === null ? null : draftErased(of),
    proven === null ? null : linkUsed(context, proven),
  )
  return id === null
    ? create(whole, request, place.entity.key, input)
    : change(whole, request, place.entity.key, id, formVersion(form), input)
}

export async function saved(
  context: RequestContext,
  { place, form, name, returnTo }: FormPage,
  id: string,
): Promise<HttpResponse> {
  const { site, web, runtime, request } = context
  const data = await read(runtime, request, {
    kind: 'one',
    entity: place.entity.key,
    by: { field: 'id', value: id },
    history: 0,
  })
  const before = name === null ? place.entity.name : `${place.entity.name} ${name}`
  const thing = data === null ? before : thingOf(site, place.entity.key, data.row)
  const address = data === null ? null : addressValue(site.routes.places.get(place.entity.key) ?? place, data.row)
  if (returnTo !== null) await chooseCreated(context, returnTo, id)
  const target =
    returnTo !== null
      ? returnTo.back
      : address === null
        ? listOf(context, place)
        : backTo(context, site.routes.places.get(place.entity.key) ?? place, address)
  const state = form.id === null ? data?.row.values.state : null
  const text =
    typeof state === 'string'
      ? say(site, 'createdInState', { thing, state: stateView(site, place.entity.key, state).label })
      : say(site, form.id === null ? 'created' : 'saved', { thing })
  return seeOther(target, [flashCookie(web, text)])
}

/** What nobody touched is not sent to be written: it stays as it is, whatever it is by now; so does what `_take` leaves to the others. */
export function onlyTouched(
  decoded: ReturnType<typeof decodeForm>,
  typed: Typed,
  form: URLSearchParams,
): ReturnType<typeof decodeForm> {
  const was = readWas(form.get('_was'))
  const isWanted = (key: string) => form.get(`_take.${key}`) !== 'theirs' && isTouched(key, typed, was)
  return {
    values: Object.fromEntries(Object.entries(decoded.values).filter(([key]) => isWanted(key))),
    children: Object.fromEntries(Object.entries(decoded.children).filter(([key]) => isWanted(key))),
    invalidValues: decoded.invalidValues.filter(({ path }) => {
      const [key = ''] = path.split('.')
      const isShown = key in typed.texts || key in typed.lists
      return !isShown || isWanted(key)
    }),
  }
}
