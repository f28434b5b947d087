/** What becomes of a form that was sent: the steps before it is saved, in their order, and the saving itself. */

import { decodeForm } from '../../kinds/fields/input.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import { readingOf } from '../../run/access/reading.ts'
import type { Outcome } from '../../run/outcome.ts'
import { raiseEntry } from '../../run/problems/raise.ts'
import { read } from '../../run/read/read.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { type DraftOf, draftErased } from '../../run/write/drafts.ts'
import { environmentOf, relatedNothing } from '../../run/write/environment.ts'
import type { Unconfirmed } from '../../run/write/unconfirmed.ts'
import { type Done, noting } from '../../run/write/undo.ts'
import { change, create } from '../../run/write/writes.ts'
import { parseForm } from '../form-body.ts'
import { KeyReused } from '../idempotency.ts'
import { flashCookie, notFound } from '../pages.tsx'
import { formsPerAddress } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import { giveBack, type SpanLimit, takePlace } from '../rate-limit/places.ts'
import { backTo, listOf } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { addressValue, thingOf } from '../screens/common.ts'
import { continueHref } from '../screens/drafts.ts'
import { isTouched, keptRows, readWas, rowChange, type Typed, typedOf } from '../screens/typed.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { stateShown } from '../site.ts'
import { confirming } from '../warnings.ts'
import { formVersion, idempotentForm, inputOf, listed, statusOf } from '../write.ts'
import { newCase } from './case.tsx'
import { searched, unanswered, unansweredNote } from './choices.ts'
import { arrivedAs, toConfirmation } from './confirmation.tsx'
import { conflictPage } from './conflict.ts'
import { begunForOthers, discarded, draftOf, draftPairs, isOwn, keptAnswer, wantsKeeping } from './drafts.ts'
import { type Filled, type FormPage, renderForm, shownBoxes } from './form-page.tsx'
import { needed, neededName } from './needed.ts'
import { chooseCreated, toCreate } from './return-to.ts'
import { taken, takenName } from './taken.ts'
import { caught, letGo } from './trap.ts'
import { keepForm, linkGone, linkUsed, mailboxOf, proves } from './unconfirmed.ts'
import { uploaded } from './upload.ts'
export function formOf({ headers, body }: RequestContext): URLSearchParams {
  const form = parseForm(headers['content-type'], body)
  return 'value' in form ? form.value : new URLSearchParams()
}

/** A form that was sent: what it is of, and what stands in it. */
interface Submit {
  readonly context: RequestContext
  readonly formPage: FormPage
  readonly form: URLSearchParams
  readonly typed: Typed
  /** Whose draft it may be kept as; null: nobody's. */
  readonly of: DraftOf | null
}

type Answering = (submit: Submit) => Promise<HttpResponse | null> | HttpResponse | null

/** What a form may be sent for besides being saved: the first that answers does. Null: it was sent for something else. */
const insteadOfSaving: readonly Answering[] = [
  heldBack,
  ({ context, form, of }) => (of === null ? null : uploaded(context, form)),
  ({ context, of }) => (of === null ? null : discarded(context, of)),
  keptAsDraft,
  createdOnTheWay,
  ({ context, formPage, form }) => (isPublic(formPage) || !form.has(takenName) ? null : taken(context, formPage, form)),
  ({ context, formPage, form, typed }) =>
    isPublic(formPage) || !form.has(neededName) ? null : needed(context, formPage, typed, form),
  rearranged,
  searchedFor,
  begunByOthers,
]

const isPublic = ({ only }: FormPage): boolean => only !== null

/** `proof`: the link that was mailed to whoever sends it was followed. */
export async function sent(
  context: RequestContext,
  formPage: FormPage,
  proof: Unconfirmed | null = null,
): Promise<HttpResponse> {
  const form = formOf(context)
  const typed = typedOf(form, formPage.place.entity, context.site)
  const submit: Submit = { context, formPage, form, typed, of: isPublic(formPage) ? null : draftOf(context) }
  for (const answering of insteadOfSaving) {
    const response = await answering(submit)
    if (response !== null) return response
  }
  return saveSent(submit, proof)
}

async function heldBack({ context, formPage, form, typed }: Submit): Promise<HttpResponse | null> {
  const { only, place } = formPage
  const held = only === null ? null : await caught(context, form, { entity: place.entity.key, only })
  return held === null ? null : renderForm(context, formPage, { typed, ...held })
}

async function keptAsDraft({ context, formPage, form, typed, of }: Submit): Promise<HttpResponse | null> {
  if (!wantsKeeping(form)) return null
  const { site } = context
  // What was sent to be kept is not saved instead.
  if (of === null) return renderForm(context, formPage, { typed, sent: form })
  const pairs = draftPairs(site.app, formPage.place.entity.key, form)
  const kept = await keptAnswer(context, form, of, { pairs, step: 1, back: formPage.cancel })
  if (kept !== 'too large') return kept
  return renderForm(context, formPage, { typed, sent: form, note: say(site, 'draftTooLarge'), status: 413 })
}

async function createdOnTheWay({ context, formPage, form, of }: Submit): Promise<HttpResponse | null> {
  if (of === null) return null
  const entity = formPage.place.entity.key
  const pairs = draftPairs(context.site.app, entity, form)
  return toCreate(context, form, of, { entity, pairs, step: 1, back: continueHref(context.path) })
}

/** A row was added or taken out, without scripts. */
function rearranged({ context, formPage, form, typed }: Submit): Promise<HttpResponse> | null {
  const changed = rowChange(form, typed)
  return changed === null ? null : renderForm(context, formPage, { typed: changed, sent: form })
}

/** A picker was asked, without scripts. */
async function searchedFor({ context, formPage, form, typed }: Submit): Promise<HttpResponse | null> {
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking === null) return null
  const searches = await searched(context, formPage.place, form, picking, formPage.form.values)
  const note = unansweredNote(context, formPage.place, form)
  return renderForm(context, formPage, { typed, searches, ...note, sent: form })
}

function begunByOthers({ context, formPage, form, typed }: Submit): Promise<HttpResponse> | null {
  const note = begunForOthers(context, formPage.form, form)
  return note === null ? null : renderForm(context, formPage, { typed, sent: form, note, status: 409 })
}

/** What of it is to be written, and how it stands there when it comes back. */
function decodedOf({ context, formPage, form, typed }: Submit) {
  const { site, request } = context
  const { place, only } = formPage
  const known = knownTo(context)
  const zoned = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, place.entity.key, formPage.form.fields),
    zone: request.zone,
  })
  const decoded = formPage.form.id === null ? zoned : onlyTouched(zoned, typed, form)
  const again = { typed: keptRows(typed, zoned), sent: form }
  return { again, input: inputOf(context, only === null ? decoded : listed(decoded, only)) }
}

async function saveSent(submit: Submit, proof: Unconfirmed | null): Promise<HttpResponse> {
  const { context, formPage, form } = submit
  const { site } = context
  const { again, input } = decodedOf(submit)
  const address = mailboxOf(formPage.screen, input)
  const proven = proof !== null && address !== null && proves(proof, address) ? proof : null
  // A link is good for some tries: what is refused tells something, too.
  const who = proven === null ? context.network : `link ${proven.tokenHash.toString('base64url')}`
  const admitted = isPublic(formPage) ? await admit(context, formPage, who, input) : { back: nothing }
  if (!('back' in admitted)) return renderForm(context, formPage, { ...again, ...admitted })
  const refuse = async (why: Partial<Filled>) => {
    await admitted.back()
    return renderForm(context, formPage, { ...again, ...why })
  }
  const waits = address !== null && proven === null
  let outcome: Outcome | 'full' | 'too large'
  let done: Done | null = null
  try {
    outcome = waits
      ? await keepForm(context, formPage, form, input, address)
      : await save(context, formPage, form, input, proven, what => {
          done = what
        })
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    // Went back and changed something: a second record is made only if the same person says so once more.
    return refuse({ note: say(site, 'keyReused'), status: 409 })
  }
  if (typeof outcome === 'string')
    return refuse({ note: say(site, keepingNotes[outcome]), status: outcome === 'full' ? 503 : 413 })
  switch (outcome.kind) {
    case 'done':
      if (!isPublic(formPage)) return saved(context, formPage, outcome.id, done)
      await letGo(context, form)
      if (waits) return toConfirmation(context, 'confirm')
      return arrivedAs(context, formPage, await newCase(context, formPage.place.entity.key, outcome.id))
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
  const own = (screen && formPart(screen)?.atMost) ?? null
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
  tell: (done: Done) => void,
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
    id === null ? null : noting(runtime, request, tell),
  )
  return id === null
    ? create(whole, request, place.entity.key, input)
    : change(whole, request, place.entity.key, id, formVersion(form), input)
}

export async function saved(
  context: RequestContext,
  { place, form, name, returnTo }: FormPage,
  id: string,
  done: Done | null = null,
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
  const state = form.id === null && data != null ? stateShown(site, place.entity.key, data.row) : null
  const text =
    state !== null
      ? say(site, 'createdInState', { thing, state: state.label })
      : say(site, form.id === null ? 'created' : 'saved', { thing })
  return seeOther(target, [flashCookie(web, text, 'good', done)])
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
