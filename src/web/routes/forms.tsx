/** Forms for new and stored records: shown, put in order (rows, pickers) without scripts, saved once, and never emptied by a refusal. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import { FormScreen } from '../../kinds/screens/form/view.tsx'
import type { ConflictView } from '../../kinds/screens/form/view-model.ts'
import type { Hidden } from '../../kinds/screens/view-model.ts'
import { type FormData, readOptions, readForm as readRecordForm } from '../../run/form.ts'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { read } from '../../run/read.ts'
import { change, create } from '../../run/writes.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { type Answer, json, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { readForm } from '../form-body.ts'
import { KeyReused, once } from '../once.ts'
import { csrfInput, flashCookie, notFound, pageOf, problemPage, viewPage } from '../pages.tsx'
import { backTo, isStorable, listOf } from '../records.ts'
import type { Place } from '../routes.ts'
import {
  addressValue,
  type Building,
  building,
  markOf,
  onceInput,
  screenMark,
  titleOf,
  versionInput,
} from '../screens/common.ts'
import { type Choices, formView, hiddenTexts, referencesIn, rowsText, type Search, typedFrom } from '../screens/form.ts'
import { liveForm } from '../screens/live.ts'
import { crumbsOf } from '../screens/one.ts'
import { isTouched, keptRows, readWas, rowChange, type Typed, typedOf, writeWas } from '../screens/typed.ts'
import { valueView } from '../screens/values.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { pickResults, selectOptions } from '../settings.ts'
import { type Face, faceOf, inSentence, linksTo } from '../site.ts'
import { attempt, formsPerAddress } from '../throttle.ts'
import { formKey, formVersion, inputOf, statusOf } from '../write.ts'

/** What the form is, whatever stands in it. */
interface Paper {
  readonly place: Place
  readonly form: FormData
  readonly screen: Screen | null
  readonly title: string
  readonly cancel: string
  /** The record's title; null: a new one. */
  readonly name: string | null
  /** A form for everyone: the fields that it takes, whatever else is sent. Null: as permissions say. */
  readonly only: ReadonlySet<string> | null
}

/** Named so that programs that fill in everything fill it in, too. */
const trap = 'website_url'

/** `form for Entity` that is for everyone: nobody need be signed in, only its own fields are taken, and it says that it arrived. */
export async function publicForm(exchange: Exchange, place: Place, screen: Screen): Promise<Answer> {
  const { runtime, request, method, query } = exchange
  if (method !== 'POST' && query.has(sentName)) return confirmation(exchange, screen)
  const all = await readRecordForm(runtime, request, place.entity.key, null)
  if (all === null) return notFound(exchange)
  if (!all.verdict.open) return problemPage(exchange, { status: 403, because: all.verdict.because })
  const only = new Set(screen.columns.map(({ field }) => field))
  const form = { ...all, fields: all.fields.filter(({ key }) => only.has(key)) }
  const paper: Paper = { place, form, screen, title: screen.name.text, cancel: exchange.path, name: null, only }
  return method === 'POST' ? sent(exchange, paper) : paperPage(exchange, paper, { typed: null })
}

const sentName = 'sent'

const toConfirmation = ({ path }: Exchange): Answer => seeOther(`${path}?${sentName}=1`)

function confirmation(exchange: Exchange, screen: Screen): Answer {
  const { site, path } = exchange
  const mark = screenMark(site, screen)
  return pageOf(exchange, {
    title: [say(site, 'formSent')],
    decidedBy: [mark],
    content: (
      <>
        <PageHead title={screen.name.text} />
        <div className="sheet">
          <EmptyState
            title={say(site, 'formSent')}
            text={screen.confirmation?.text ?? ''}
            actions={<LinkButton href={path}>{say(site, 'formAgain')}</LinkButton>}
          />
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
  const { site, runtime, request } = exchange
  const form = await readRecordForm(runtime, request, place.entity.key, null)
  if (form === null) return notFound(exchange)
  if (!form.verdict.open) return problemPage(exchange, { status: 403, because: form.verdict.because })
  const paper: Paper = {
    place,
    form,
    screen,
    title: screen?.name.text ?? say(site, 'newRecord', { thing: inSentence(site, place.entity.name) }),
    cancel: listOf(exchange, place),
    name: null,
    only: null,
  }
  return method === 'POST' ? sent(exchange, paper) : shown(exchange, paper)
}

/** `/loans/LN-1/edit`. */
export async function editForm(
  exchange: Exchange,
  place: Place,
  record: string,
  screen: Screen | null = null,
): Promise<Answer> {
  const { site, runtime, request, method } = exchange
  const by = { field: place.by, value: record }
  const form = isStorable(record) ? await readRecordForm(runtime, request, place.entity.key, by) : null
  if (form === null || form.id === null) return notFound(exchange)
  if (!form.verdict.open) return problemPage(exchange, { status: 403, because: form.verdict.because })
  const name = titleOf(site, place.entity.key, { ...form, id: form.id })
  const title =
    screen?.name.text ?? say(site, 'editRecord', { thing: `${inSentence(site, place.entity.name)} ${name}` })
  const paper: Paper = { place, form, screen, title, cancel: backTo(exchange, place, record), name, only: null }
  return method === 'POST' ? sent(exchange, paper) : shown(exchange, paper)
}

/** As it stands; or, after a session that had ended, as somebody left it. */
function shown(exchange: Exchange, paper: Paper): Promise<Answer> {
  const { web, query, visit, path, request, site } = exchange
  const kept = web.kept.take(visit, query.get('kept') ?? '', path, request.now)
  if (kept === null) return paperPage(exchange, paper, { typed: null })
  return paperPage(exchange, paper, {
    typed: typedOf(kept, paper.place.entity, site.app),
    note: say(site, 'keptForm'),
    sent: kept,
  })
}

async function sent(exchange: Exchange, paper: Paper): Promise<Answer> {
  const { site, request } = exchange
  const { place } = paper
  const body = readForm(exchange.headers['content-type'], exchange.body)
  const form = 'value' in body ? body.value : new URLSearchParams()
  // Whoever fills in what nobody sees is told that it arrived, and nothing is kept.
  if (paper.only !== null && (form.get(trap) ?? '') !== '') return toConfirmation(exchange)
  const typed = typedOf(form, place.entity, site.app)
  const rearranged = rowChange(form, typed)
  if (rearranged !== null) return paperPage(exchange, paper, { typed: rearranged, sent: form })
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking !== null)
    return paperPage(exchange, paper, { typed, searches: await searched(exchange, place, form, picking), sent: form })

  const known = knownTo(exchange)
  const zoned = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, place.entity.key, paper.form.fields),
    zone: request.zone,
  })
  const decoded = paper.form.id === null ? zoned : onlyTouched(zoned, typed, form)
  const again = { typed: keptRows(form, typed, zoned), sent: form }
  if (paper.only !== null) {
    const seconds = await attempt(exchange.runtime.store, formsPerAddress, exchange.address, request.now)
    if (seconds > 0)
      return paperPage(exchange, paper, { ...again, note: say(site, 'formWait', { seconds }), status: 429 })
  }
  let outcome: Outcome
  try {
    outcome = await save(exchange, paper, form, inputOf(exchange, listed(decoded, paper.only)))
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error
    // Went back and changed something: a second record is made only if the same person says so once more.
    return paperPage(exchange, paper, { ...again, note: say(site, 'keyReused'), status: 409 })
  }
  switch (outcome.kind) {
    case 'done':
      return paper.only === null ? saved(exchange, paper, outcome.id) : toConfirmation(exchange)
    case 'not found':
      return notFound(exchange)
    case 'refused':
      return paperPage(exchange, paper, { ...again, problems: outcome.problems, status: statusOf(outcome.problems) })
    case 'stale':
      return stalePage(exchange, paper, form, again.typed, outcome)
  }
}

/** What a form for everyone does not list is as if it had not been sent. */
function listed(decoded: ReturnType<typeof decodeForm>, only: Paper['only']): ReturnType<typeof decodeForm> {
  if (only === null) return decoded
  const within = ([key]: readonly [string, unknown]) => only.has(key)
  return {
    values: Object.fromEntries(Object.entries(decoded.values).filter(within)),
    children: Object.fromEntries(Object.entries(decoded.children).filter(within)),
    misfits: decoded.misfits.filter(({ path }) => only.has(path.split('.')[0] ?? '')),
  }
}

function save(
  exchange: Exchange,
  { place, form: paper }: Paper,
  form: URLSearchParams,
  input: ReturnType<typeof inputOf>,
): Promise<Outcome> {
  const { runtime, request } = exchange
  const { id } = paper
  return once(runtime, formKey(exchange, form), request.now, once =>
    id === null
      ? create(once, request, place.entity.key, input)
      : change(once, request, place.entity.key, id, formVersion(form), input),
  )
}

async function saved(exchange: Exchange, { place, form, name }: Paper, id: string): Promise<Answer> {
  const { site, web, runtime, request } = exchange
  const data = await read(runtime, request, {
    kind: 'one',
    entity: place.entity.key,
    by: { field: 'id', value: id },
    history: 0,
  })
  const title = data === null ? name : titleOf(site, place.entity.key, data.row)
  const thing = title === null ? place.entity.name : `${place.entity.name} ${title}`
  const address = data === null ? null : addressValue(site.routes.places.get(place.entity.key) ?? place, data.row)
  const target =
    address === null
      ? listOf(exchange, place)
      : backTo(exchange, site.routes.places.get(place.entity.key) ?? place, address)
  return seeOther(target, [flashCookie(web, say(site, form.id === null ? 'created' : 'saved', { thing }))])
}

/** What nobody touched is not sent to be written: it stays as it is, whatever it is by now; so does what `_take` leaves to the others. */
function onlyTouched(
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

/** Boxes of the form: one that does not come back was not ticked, unless a condition kept it from being sent. */
function shownBoxes(app: App, entity: string, fields: FormData['fields']): ReadonlySet<string> {
  return new Set(
    fields.flatMap(({ key, settable, children }): readonly string[] => {
      const field = app.entities.get(entity)?.fields.find(one => one.key === key)
      if (!settable || field === undefined) return []
      if (children !== null && field.type.kind === 'list')
        return [...shownBoxes(app, field.type.entity, children)].map(child => `${key}.${child}`)
      return field.onlyWhen === null && field.readOnlyWhen === null ? [key] : []
    }),
  )
}

interface Filled {
  readonly typed: Typed | null
  readonly problems?: readonly Problem[]
  readonly searches?: ReadonlyMap<string, Search>
  readonly conflict?: ConflictView
  readonly note?: string
  readonly status?: number
  /** The form as it was sent: it comes back with the version that it was made from. */
  readonly sent?: URLSearchParams
}

async function paperPage(exchange: Exchange, paper: Paper, filled: Filled): Promise<Answer> {
  const { site } = exchange
  const { place, form, screen } = paper
  const isPublic = paper.only !== null
  const build = isPublic ? publicBuilding(exchange) : building(exchange)
  const entity = place.entity.key
  const problems = filled.problems ?? []
  const choices = await choicesOf(exchange, entity, form)
  const view = formView(build, {
    entity,
    form,
    typed: filled.typed,
    problems,
    choices,
    searches: filled.searches ?? new Map(),
    chosen: await chosenTitles(exchange, entity, filled.typed ?? linksOf(build, entity, form), choices),
    columns: screen?.columns.map(({ field }) => field) ?? [],
    title: paper.title,
    crumbs: screen === null ? crumbs(build, paper) : [],
    mark: screen === null ? markOf(site, form.verdict.because) : screenMark(site, screen),
    action: exchange.path,
    cancel: paper.cancel,
    note: filled.note ?? null,
    conflict: filled.conflict ?? null,
    base: filled.sent === undefined ? null : sentBase(filled.sent),
    trap: isPublic ? { name: trap, label: say(site, 'formTrap') } : null,
    live: filled.conflict === undefined && !isPublic ? await liveForm(build, entity, form, choices) : null,
  })
  const status = filled.status ?? 200
  return viewPage(exchange, view, <FormScreen view={view} />, isPublic ? [] : ['form.js'], {
    status,
    error: problems.length > 0,
  })
}

/** Somebody who is not signed in sends it once, too. */
function publicBuilding(exchange: Exchange): Building {
  const { site } = exchange
  return { exchange, site, tokens: [csrfInput(exchange), onceInput(exchange)] }
}

const sentBase = (form: URLSearchParams): readonly Hidden[] =>
  ['_version', '_was'].flatMap(name => {
    const value = form.get(name)
    return value === null ? [] : [{ name, value }]
  })

function crumbs(build: Building, { place, name, title }: Paper) {
  if (name === null) return crumbsOf(build, place.entity.key, title)
  return crumbsOf(build, place.entity.key, name, say(build.site, 'edit'))
}

/** One statement for each reference field, however many rows the form has. */
export async function choicesOf(
  exchange: Exchange,
  entity: string,
  form: FormData,
): Promise<ReadonlyMap<string, Choices>> {
  const { runtime, request, site } = exchange
  const open = new Set(form.fields.flatMap(({ key, settable }) => (settable ? [key] : [])))
  const fixed = Object.fromEntries(Object.entries(form.values).filter(([key]) => !open.has(key)))
  const asked = new Map(referencesIn(site, entity, form.fields).map(one => [`${one.entity}.${one.field}`, one]))
  const found = await Promise.all(
    [...asked].map(async ([key, { entity: of, field }]) => {
      const own = of === entity ? fixed : {}
      const need = { entity: of, field, search: null, limit: selectOptions, fixed: own }
      const options = await readOptions(runtime, request, need)
      return [key, options] as const
    }),
  )
  return new Map(found)
}

/** What a form names through links before anybody types: their titles are not read with the record. */
function linksOf(build: Building, entity: string, form: FormData): Typed {
  const { texts } = typedFrom(build, entity, form)
  const named = Object.entries(texts).filter(([key]) => {
    const face = faceOf(build.site.app, entity, key)
    return face !== null && linksTo(face) !== null
  })
  return { texts: Object.fromEntries(named), lists: {} }
}

/** Titles of what was chosen in pickers and is in no list of options: looked up one by one, which is rare. */
export async function chosenTitles(
  { runtime, request, site }: Exchange,
  entity: string,
  typed: Typed | null,
  choices: ReadonlyMap<string, Choices>,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  if (typed === null) return titles
  const texts = [
    ...Object.entries(typed.texts).map(([key, text]) => ({ of: entity, key, text })),
    ...Object.entries(typed.lists).flatMap(([list, rows]) => {
      const face = faceOf(site.app, entity, list)
      const child = face?.type.kind === 'list' ? face.type.entity : ''
      return rows.flatMap(row => Object.entries(row.texts).map(([key, text]) => ({ of: child, key, text })))
    }),
  ]
  for (const { of, key, text } of texts) {
    const face = faceOf(site.app, of, key)
    const target = face === null ? null : face.type.kind === 'reference' ? face.type.entity : linksTo(face)
    if (target === null) continue
    for (const id of linked(text)) {
      const known = choices.get(`${of}.${key}`)?.options.some(option => option.value === id) ?? false
      if (known || titles.has(id) || !isStorable(id)) continue
      const need = { kind: 'one', entity: target, by: { field: 'id', value: id }, history: 0 } as const
      const data = await read(runtime, request, need)
      if (data !== null) titles.set(id, titleOf(site, target, data.row))
    }
  }
  return titles
}

/** Enter in the search box of a picker sends the form, too: where nothing is chosen yet, it is the search that was meant. */
function unanswered(form: URLSearchParams): string | null {
  for (const [name, text] of form) {
    const [, field = ''] = /^_q\.(.+)$/.exec(name) ?? []
    if (field !== '' && text.trim() !== '' && (form.getAll(field).at(-1) ?? '') === '') return field
  }
  return null
}

/** Whether what stands in the field is chosen from records. */
const isPicked = (face: Face | null): boolean =>
  face !== null && (face.type.kind === 'reference' || linksTo(face) !== null)

/** `_pick=lines.0.item`: what the letters in `_q.lines.0.item` find. */
export async function searched(
  exchange: Exchange,
  place: Place,
  form: URLSearchParams,
  name: string,
): Promise<ReadonlyMap<string, Search>> {
  const { site, runtime, request } = exchange
  const [list = '', , key] = name.split('.')
  const face = faceOf(site.app, place.entity.key, list)
  const [entity, field] =
    key !== undefined && face?.type.kind === 'list' ? [face.type.entity, key] : [place.entity.key, name]
  if (!isPicked(faceOf(site.app, entity, field))) return new Map()
  const query = form.get(`_q.${name}`) ?? ''
  const search = isStorable(query) ? query : ''
  const found = await readOptions(runtime, request, { entity, field, search, limit: pickResults })
  return new Map([[name, { query, found }]])
}

/** `/-/options?entity=loan_line&field=item&q=sony`: the same for the island. */
export async function pickOptions(exchange: Exchange): Promise<Answer> {
  const { query, site, runtime, request } = exchange
  const entity = query.get('entity') ?? ''
  const field = query.get('field') ?? ''
  const search = query.get('q') ?? ''
  if (!isPicked(faceOf(site.app, entity, field)) || !isStorable(search)) return json({ options: [], more: false })
  return json(await readOptions(runtime, request, { entity, field, search, limit: pickResults }))
}

/** Both versions side by side. What is now saved is the base: saving again compares with it, and loses neither. */
async function stalePage(
  exchange: Exchange,
  paper: Paper,
  form: URLSearchParams,
  typed: Typed,
  outcome: Extract<Outcome, { kind: 'stale' }>,
): Promise<Answer> {
  const { runtime, request, site } = exchange
  const { place } = paper
  const entity = place.entity.key
  const fresh = paper.form
  const build = building(exchange)
  const was = readWas(form.get('_was'))
  const now = typedFrom(build, entity, fresh)
  const last = await read(runtime, request, {
    kind: 'one',
    entity,
    by: { field: 'id', value: fresh.id ?? '' },
    history: 1,
  })
  const choices = await choicesOf(exchange, entity, fresh)
  const labels = new Map(
    [...choices.values()].flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
  )
  const known = knownTo(exchange)
  const decoded = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, entity, fresh.fields),
    zone: request.zone,
  })
  const keys = fresh.fields.filter(({ settable }) => settable).map(({ key }) => key)
  const differences = keys.flatMap((key): ConflictView['differences'] => {
    const face = faceOf(site.app, entity, key)
    if (face === null || !isTouched(key, typed, now)) return []
    const choice = isTouched(key, typed, was) ? ('yours' as const) : ('theirs' as const)
    const shared = { name: `_take.${key}`, label: face.label, choice }
    const links = linksTo(face)
    if (links !== null) {
      const titles = (value: unknown, label: string | undefined) => ({
        ...valueView(site, entity, face, null),
        text:
          label ??
          linked(value as string | null)
            .flatMap(id => labels.get(id) ?? [])
            .join(', '),
      })
      const theirs = titles(outcome.theirs[key], outcome.labels[key])
      return [{ ...shared, yours: titles(decoded.values[key], undefined), theirs }]
    }
    if (face.type.kind === 'list') {
      const child = face.type.entity
      const mine = (decoded.children[key] ?? []).map(row => row.values)
      const rows = outcome.theirs[key]
      const theirs = Array.isArray(rows) ? rows : []
      return [
        { ...shared, yours: rowsText(build, child, mine, labels), theirs: rowsText(build, child, theirs, labels) },
      ]
    }
    const theirs = outcome.theirs[key]
    const wire = Array.isArray(theirs) ? undefined : (theirs as string | boolean | null | undefined)
    const yours = decoded.values[key]
    const view = (value: string | boolean | null | undefined) =>
      valueView(site, entity, face, value, { label: labels.get(String(value)) ?? fresh.labels[key], href: null })
    // What cannot be read as a value is shown as it was typed.
    const asTyped = { ...view(null), text: typed.texts[key] ?? '' }
    return [{ ...shared, yours: key in decoded.values ? view(yours) : asTyped, theirs: view(wire) }]
  })
  const happening = last?.history[0]
  const conflict: ConflictView = {
    who: happening?.who ?? null,
    when: happening === undefined ? '' : site.reader.format.relative(happening.at, request.now),
    action: exchange.path,
    hidden: [
      ...build.tokens,
      versionInput(outcome.version),
      { name: '_was', value: writeWas(now) },
      ...hiddenTexts(typed),
    ],
    differences,
    discard: paper.cancel,
  }
  return paperPage(exchange, paper, { typed, conflict, status: 409 })
}
