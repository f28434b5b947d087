/** Forms for new and stored records: shown, put in order (rows, pickers) without scripts, saved once, and never emptied by a refusal. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { onlyOf } from '../../headings/2-screens/public-forms.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { readingOf } from '../../run/access/reading.ts'
import { isSealed } from '../../run/names.ts'
import type { Outcome } from '../../run/outcome.ts'
import { raiseEntry } from '../../run/problems/raise.ts'
import { copiedForm, readSource, type Source } from '../../run/read/copy.ts'
import { readOptions, readForm as readRecordForm } from '../../run/read/form.ts'
import { read } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import { type Draft, erasing } from '../../run/write/drafts.ts'
import { environmentOf, relatedNothing } from '../../run/write/record.ts'
import type { Unconfirmed } from '../../run/write/unconfirmed.ts'
import { change, create } from '../../run/write/writes.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { type Exchange, readingAtOnce } from '../exchange.ts'
import { readForm } from '../form-body.ts'
import { flashCookie, hereHref, notFound, pageOf, problemPage, whyAction } from '../pages.tsx'
import { formsPerAddress } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import { giveBack, type SpanLimit, takePlace } from '../rate-limit/places.ts'
import { backTo, isStorable, listOf } from '../records.ts'
import type { Place } from '../routes.ts'
import { addressValue, building, copyName, screenMark, thingOf, titleOf, whyClosed } from '../screens/common.ts'
import { quickName } from '../screens/create.ts'
import { continueHref } from '../screens/drafts.ts'
import { isTouched, keptRows, readWas, rowChange, type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { keptForm } from '../sign-in/kept.ts'
import { KeyReused, once } from '../sign-in/once.ts'
import { faceOf, inSentence, stateView } from '../site.ts'
import { confirming } from '../warnings.ts'
import { formKey, formVersion, inputOf, listed, statusOf } from '../write.ts'
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
import { choose, errandOf, toCreate } from './errand.ts'
import { needed, neededName } from './needed.ts'
import { type Filled, narrowed, type Paper, paperPage, shownBoxes } from './paper.tsx'
import { quickForm } from './quick.ts'
import { taken, takenName } from './taken.ts'
import { caught } from './trap.ts'
import {
  asSender,
  confirmHours,
  formAt,
  keepForm,
  linkGone,
  mailboxOf,
  provenBy,
  proves,
  withProof,
} from './unconfirmed.ts'
import { uploaded } from './upload.ts'

/** `form for Entity` that is for everyone: nobody need be signed in, only its own fields are taken, and it says that it arrived. */
export async function publicForm(
  arrived: Exchange,
  at: Place,
  asked: Screen,
  proven: Unconfirmed | null = null,
): Promise<Answer> {
  const { method, query } = arrived
  if (method !== 'POST' && query.has(sentName)) return confirmation(arrived, asked)
  const proof = proven ?? (method === 'POST' ? await provenBy(arrived, formOf(arrived)) : null)
  const exchange = proof === null ? arrived : asSender(arrived, proof)
  const { place, screen } = (proof === null ? null : formAt(exchange, exchange.path)) ?? { place: at, screen: asked }
  const { runtime, request } = exchange
  const all = await readRecordForm(runtime, request, place.entity.key, null)
  if (all === null) return notFound(exchange)
  if (!all.verdict.open) return problemPage(exchange, { status: 403, because: all.verdict.because })
  const only = onlyOf(screen)
  const whole = narrowed(all, screen)
  const form = { ...whole, fields: whole.fields.filter(({ key }) => only.has(key)) }
  const paper: Paper = {
    place,
    form,
    screen,
    title: screen.name.text,
    cancel: hereHref(exchange),
    name: null,
    errand: null,
    only,
  }
  return method === 'POST' ? sent(exchange, paper, proof) : paperPage(exchange, paper, { typed: null })
}

const sentName = 'sent'

/** `confirm`: it has arrived when the link in the mail was followed. */
export const toConfirmation = (exchange: Exchange, how: '1' | 'confirm' = '1'): Answer =>
  seeOther(hereHref(exchange, `${sentName}=${how}`))

/** What leads to the record is shown on this page alone, which no address brings back. */
const arrivedAs = (exchange: Exchange, { screen }: Paper, made: NewCase | null): Answer | Promise<Answer> =>
  made === null || screen === null ? toConfirmation(exchange) : confirmation(exchange, screen, made)

function confirmation(exchange: Exchange, screen: Screen, made: NewCase | null = null): Promise<Answer> {
  const { site, query } = exchange
  const mark = screenMark(site, screen)
  const waits = query.get(sentName) === 'confirm' && screen.confirmTo !== null
  const title = waits ? say(site, 'confirmSent') : (screen.confirmationTitle?.text ?? say(site, 'formSent'))
  const text = waits
    ? say(site, 'confirmSentText', { hours: confirmHours(exchange) })
    : (screen.confirmation?.text ?? '')
  const again = <LinkButton href={hereHref(exchange)}>{say(site, 'formAgain')}</LinkButton>
  return pageOf(exchange, {
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
                <a href={made.href} target={exchange.embedded ? '_blank' : undefined} rel="noreferrer">
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
  exchange: Exchange,
  place: Place,
  method: string,
  screen: Screen | null = null,
): Promise<Answer> {
  if (exchange.query.has(quickName)) return quickForm(exchange, place)
  if (method === 'POST') {
    const paper = await newPaper(exchange, place, screen)
    return 'status' in paper ? paper : sent(exchange, paper)
  }
  const reading = readingAtOnce(exchange)
  const [paper, source, left, given] = await Promise.all([
    newPaper(reading, place, screen),
    copiedFrom(reading, place),
    leftIn(reading),
    givenIn(reading, place),
  ])
  if ('status' in paper) return paper
  if (left !== null) return shown(reading, paper, left)
  return source === null
    ? paperPage(reading, paper, { typed: prefilled(reading, paper, given) })
    : copied(reading, paper, source)
}

/** `/loans/new?_copy=LN-1`: it begins with what that record has. Null: there is none, or not for this person. */
async function copiedFrom({ runtime, request, query }: Exchange, { entity, by }: Place): Promise<Source | null> {
  const value = query.get(copyName)
  return value === null || !isStorable(value) ? null : readSource(runtime, request, entity.key, { field: by, value })
}

function copied(exchange: Exchange, paper: Paper, source: Source): Promise<Answer> {
  const { site } = exchange
  const entity = paper.place.entity.key
  const form = copiedForm(site.app, entity, paper.form, source)
  const note = say(site, 'copyOf', { name: titleOf(site, entity, source.form) })
  return paperPage(exchange, { ...paper, form }, { typed: null, note })
}

/** The form of a new record; an answer where there is none for this person. `sent`: all of it has been filled in. */
export async function newPaper(
  exchange: Exchange,
  place: Place,
  screen: Screen | null,
  { sent = exchange.method === 'POST' }: { readonly sent?: boolean } = {},
): Promise<Paper | Answer> {
  const { site, runtime, request } = exchange
  const form = await readRecordForm(runtime, request, place.entity.key, null, { sent })
  if (form === null) return notFound(exchange)
  if (!form.verdict.open) return problemPage(exchange, { status: 403, because: form.verdict.because })
  const errand = errandOf(exchange, place)
  return {
    place,
    form: narrowed(form, screen),
    screen,
    title: screen?.name.text ?? say(site, 'newRecord', { thing: inSentence(site, place.entity.name) }),
    cancel: errand?.back ?? listOf(exchange, place),
    name: null,
    errand,
    only: null,
  }
}

/** `/loans/LN-1/edit`. */
export async function editForm(
  exchange: Exchange,
  place: Place,
  record: string,
  screen: Screen | null = null,
): Promise<Answer> {
  if (exchange.method === 'POST') {
    const paper = await storedPaper(exchange, place, record, screen)
    return 'status' in paper ? paper : sent(exchange, paper)
  }
  const reading = readingAtOnce(exchange)
  const [paper, left] = await Promise.all([storedPaper(reading, place, record, screen), leftIn(reading)])
  if ('status' in paper) return paper
  return left === null ? paperPage(reading, paper, { typed: null }) : shown(reading, paper, left)
}

/** The form of a stored record; an answer where there is none for this person. */
export async function storedPaper(
  exchange: Exchange,
  place: Place,
  record: string,
  screen: Screen | null,
): Promise<Paper | Answer> {
  const { site, runtime, request } = exchange
  const by = { field: place.by, value: record }
  const form = isStorable(record) ? await readRecordForm(runtime, request, place.entity.key, by) : null
  if (form === null || form.id === null) return notFound(exchange)
  if (!form.verdict.open)
    return problemPage(exchange, {
      status: 403,
      because: form.verdict.because,
      why: whyClosed(
        site,
        place.entity.key,
        form.verdict,
        typeof form.values.state === 'string' ? form.values.state : null,
      ),
      actions: whyAction(exchange, place.entity.key, form.id, 'verb-change'),
    })
  const name = titleOf(site, place.entity.key, { ...form, id: form.id })
  const title =
    screen?.name.text ?? say(site, 'editRecord', { thing: `${inSentence(site, place.entity.name)} ${name}` })
  const own = site.routes.places.get(place.entity.key) ?? place
  const address = addressValue(own, { id: form.id, values: form.values })
  const cancel = address === null ? listOf(exchange, own) : backTo(exchange, own, address)
  return { place, form: narrowed(form, screen), screen, title, cancel, name, errand: null, only: null }
}

/** What somebody left of this form: sent after their session had ended, else kept as a draft. Null: nothing. */
async function leftIn(exchange: Exchange): Promise<URLSearchParams | Draft | null> {
  const [kept, draft] = await Promise.all([keptForm(exchange), draftAt(exchange, draftOf(exchange))])
  return kept ?? draft
}

/** As somebody left it. */
function shown(exchange: Exchange, paper: Paper, left: URLSearchParams | Draft): Promise<Answer> {
  const { site } = exchange
  const isKept = left instanceof URLSearchParams
  const form = isKept ? left : draftForm(left, paper.form.fields)
  const note = isKept ? say(site, 'keptForm') : begunForOthers(exchange, paper.form, form)
  const filled = { typed: typedOf(form, paper.place.entity, site), sent: form }
  return paperPage(exchange, paper, note === null ? filled : { ...filled, note })
}

/** `/offers/new?callout=…`: what the address says of fields of the record; of records, those that this person may name. */
async function givenIn({ site, runtime, request, query }: Exchange, { entity: { key: entity } }: Place) {
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
function prefilled(exchange: Exchange, { place, form }: Paper, given: ReadonlyMap<string, string>): Typed | null {
  const { site } = exchange
  const entity = place.entity.key
  const open = form.fields.filter(({ key, settable, children }) => {
    const isFile = faceOf(site.app, entity, key)?.type.kind === 'file'
    return settable && children === null && !isFile && given.has(key)
  })
  if (open.length === 0) return null
  const { texts, lists } = typedFrom(building(exchange), entity, form)
  return { texts: { ...texts, ...Object.fromEntries(open.map(({ key }) => [key, given.get(key)!])) }, lists }
}

function formOf({ headers, body }: Exchange): URLSearchParams {
  const form = readForm(headers['content-type'], body)
  return 'value' in form ? form.value : new URLSearchParams()
}

/** `proof`: the link that was mailed to whoever sends it was followed. */
async function sent(exchange: Exchange, paper: Paper, proof: Unconfirmed | null = null): Promise<Answer> {
  const { site, request } = exchange
  const { place } = paper
  const form = formOf(exchange)
  const typed = typedOf(form, place.entity, site)
  const held = paper.only === null ? null : caught(exchange, form)
  if (held !== null) return paperPage(exchange, paper, { typed, sent: form, ...held })
  const of = paper.only === null ? draftOf(exchange) : null
  if (of !== null) {
    const file = uploaded(exchange, form)
    if (file !== null) return file
    const gone = await discarded(exchange, of)
    if (gone !== null) return gone
    if (wantsKeeping(form)) {
      const pairs = draftPairs(site.app, place.entity.key, form)
      const kept = await keptAnswer(exchange, form, of, { pairs, step: 1, back: paper.cancel })
      return kept === 'too large'
        ? paperPage(exchange, paper, { typed, sent: form, note: say(site, 'draftTooLarge'), status: 413 })
        : kept
    }
  }
  const away =
    of === null
      ? null
      : await toCreate(exchange, form, of, {
          entity: place.entity.key,
          pairs: draftPairs(site.app, place.entity.key, form),
          step: 1,
          back: continueHref(exchange.path),
        })
  if (away !== null) return away
  // What was sent to be kept is not saved instead.
  if (of === null && wantsKeeping(form)) return paperPage(exchange, paper, { typed, sent: form })
  if (paper.only === null && form.has(takenName)) return taken(exchange, paper, form)
  if (paper.only === null && form.has(neededName)) return needed(exchange, paper, typed, form)
  const rearranged = rowChange(form, typed)
  if (rearranged !== null) return paperPage(exchange, paper, { typed: rearranged, sent: form })
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking !== null)
    return paperPage(exchange, paper, {
      typed,
      searches: await searched(exchange, place, form, picking, paper.form.values),
      ...unansweredNote(exchange, place, form),
      sent: form,
    })

  const others = begunForOthers(exchange, paper.form, form)
  if (others !== null) return paperPage(exchange, paper, { typed, sent: form, note: others, status: 409 })
  const known = knownTo(exchange)
  const zoned = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, place.entity.key, paper.form.fields),
    zone: request.zone,
  })
  const decoded = paper.form.id === null ? zoned : onlyTouched(zoned, typed, form)
  const again = { typed: keptRows(form, typed, zoned), sent: form }
  const input = inputOf(exchange, paper.only === null ? decoded : listed(decoded, paper.only))
  const address = mailboxOf(paper.screen, input)
  const proven = proof !== null && address !== null && proves(proof, address) ? proof : null
  // A link is good for some tries: what is refused tells something, too.
  const who = proven === null ? exchange.network : `link ${proven.tokenHash.toString('base64url')}`
  const admitted = paper.only === null ? { back: nothing } : await admit(exchange, paper, who, input)
  if (!('back' in admitted)) return paperPage(exchange, paper, { ...again, ...admitted })
  const refuse = async (why: Partial<Filled>) => {
    await admitted.back()
    return paperPage(exchange, paper, { ...again, ...why })
  }
  let outcome: Outcome
  try {
    if (address !== null && proven === null) {
      const kept = await keepForm(exchange, paper, form, input, address)
      if (typeof kept === 'string')
        return await refuse({ note: say(site, keepingNotes[kept]), status: kept === 'full' ? 503 : 413 })
      if (kept.kind === 'done') return toConfirmation(exchange, 'confirm')
      outcome = kept
    } else outcome = await save(exchange, paper, form, input, proven)
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    // Went back and changed something: a second record is made only if the same person says so once more.
    return refuse({ note: say(site, 'keyReused'), status: 409 })
  }
  switch (outcome.kind) {
    case 'done':
      return paper.only === null
        ? saved(exchange, paper, outcome.id)
        : arrivedAs(exchange, paper, await newCase(exchange, place.entity.key, outcome.id))
    case 'not found':
      return proven === null ? notFound(exchange) : linkGone(exchange)
    case 'refused':
      return refuse({
        problems: outcome.problems,
        status: statusOf(outcome.problems),
        ...(proven === null ? {} : { note: say(site, 'confirmRefused') }),
      })
    case 'stale':
      return conflictPage(exchange, paper, form, again.typed, outcome)
  }
}

const nothing = async (): Promise<void> => undefined

/** What somebody is told who sends more than are taken; else what to call when this one is refused: of `At most` it was none then. */
async function admit(
  { site, runtime, request }: Exchange,
  { screen, place }: Paper,
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
  exchange: Exchange,
  { place, form: paper }: Paper,
  form: URLSearchParams,
  input: ReturnType<typeof inputOf>,
  proven: Unconfirmed | null,
): Promise<Outcome> {
  const { runtime } = exchange
  const request = confirming(exchange.request, form)
  const { id } = paper
  const of = isOwn(form) ? draftOf(exchange) : null
  return once(runtime, formKey(exchange, form, place.entity.key), request.now, once => {
    const own = of === null ? once : erasing(once, of)
    const whole = proven === null ? own : withProof(own, exchange, proven)
    return id === null
      ? create(whole, request, place.entity.key, input)
      : change(whole, request, place.entity.key, id, formVersion(form), input)
  })
}

export async function saved(exchange: Exchange, { place, form, name, errand }: Paper, id: string): Promise<Answer> {
  const { site, web, runtime, request } = exchange
  const data = await read(runtime, request, {
    kind: 'one',
    entity: place.entity.key,
    by: { field: 'id', value: id },
    history: 0,
  })
  const before = name === null ? place.entity.name : `${place.entity.name} ${name}`
  const thing = data === null ? before : thingOf(site, place.entity.key, data.row)
  const address = data === null ? null : addressValue(site.routes.places.get(place.entity.key) ?? place, data.row)
  if (errand !== null) await choose(exchange, errand, id)
  const target =
    errand !== null
      ? errand.back
      : address === null
        ? listOf(exchange, place)
        : backTo(exchange, site.routes.places.get(place.entity.key) ?? place, address)
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
    misfits: decoded.misfits.filter(({ path }) => {
      const [key = ''] = path.split('.')
      const isShown = key in typed.texts || key in typed.lists
      return !isShown || isWanted(key)
    }),
  }
}
