/** A form in steps: what is answered is kept as a draft from page to page, judged by the rules of the record, and saved once, at the end. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { DraftOffer } from '../../kinds/screens/form/draft.tsx'
import type { Address } from '../../kinds/screens/screen-kind.ts'
import { AnswersScreen } from '../../kinds/screens/wizard/view.tsx'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import type { Request, Runtime } from '../../run/request.ts'
import { type DraftOf, erasing, keepDraft, type Pairs, readDraft } from '../../run/write/drafts.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { withRelated } from '../../run/write/live-related.ts'
import { trying } from '../../run/write/trying.ts'
import { change, create } from '../../run/write/writes.ts'
import { PageHead } from '../../ui/page.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { type Exchange, readingAtOnce } from '../exchange.ts'
import { readForm } from '../form-body.ts'
import { notFound, pageOf, problemPage, refusalPage, viewPage } from '../pages.tsx'
import type { Place } from '../routes.ts'
import { type Building, building, screenMark } from '../screens/common.ts'
import { continueName } from '../screens/drafts.ts'
import { baseOf, type Choices, errorView, type Wanted } from '../screens/form.ts'
import { livingForm, relatedTo, withRecords } from '../screens/live.ts'
import { hiddenTexts, rowChange, typedFrom, typedOf } from '../screens/typed.ts'
import {
  after,
  answered,
  answersOf,
  backSubmit,
  basedOn,
  before,
  type Course,
  courseOf,
  earlier,
  elsewhereIn,
  formOf,
  headOf,
  numberIn,
  pageAt,
  stepHref,
  versionName,
  wizardView,
  wrongSoFar,
} from '../screens/wizard.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { once } from '../sign-in/once.ts'
import { inSentence } from '../site.ts'
import { waitingFor } from '../waiting.ts'
import { confirming, confirmSubmit } from '../warnings.ts'
import { formKey, formVersion, inputOf, statusOf } from '../write.ts'
import { choicesOf, searched, standingIn, unanswered, unansweredNote } from './choices.ts'
import { conflictPage } from './conflict.ts'
import { begunForOthers, discarded, draftForm, draftOf, draftView, keptAnswer, wantsKeeping } from './drafts.ts'
import { toCreate } from './errand.ts'
import { newPaper, onlyTouched, saved, storedPaper } from './forms.tsx'
import { needed, neededName, workedOutOf } from './needed.ts'
import { crumbsFor, type Filled, type Paper, paperPage, shownBoxes } from './paper.tsx'
import { uploaded } from './upload.ts'

/** What all of it needs: the form, the answers so far, and what its pages are with these answers. */
interface Going {
  readonly exchange: Exchange
  readonly screen: Screen
  readonly paper: Paper
  readonly of: DraftOf
  readonly build: Building
  readonly choices: ReadonlyMap<string, Choices>
  readonly live: LiveForm
  readonly wanted: Wanted
  readonly course: Course
  /** The furthest page that one has come to; null: nothing has been answered. */
  readonly reached: number | null
}

/** Of a new record, or of the one that its address names. */
export async function wizardScreen(
  exchange: Exchange,
  place: Place,
  screen: Screen,
  segments: Address['segments'],
): Promise<Answer> {
  const { path, runtime, request } = exchange
  const of = draftOf(exchange)
  // What is answered is kept as one's own draft, which whoever acts as somebody must not have.
  if (of === null && request.by !== undefined) return refusalPage(exchange, raise(runtime.app, 'NF-ACTING', {}))
  if (of === null) return seeOther(`/-/sign-in?${new URLSearchParams({ next: path })}`)
  if (exchange.method === 'POST') {
    const gone = await discarded(exchange, of)
    if (gone !== null) return gone
  }
  const [field] = Object.keys(segments)
  const reading = building(readingAtOnce(exchange))
  const [found, draft] = await Promise.all([
    field === undefined
      ? newPaper(reading.exchange, place, screen, { sent: false })
      : storedPaper(reading.exchange, { ...place, by: field }, segments[field] ?? '', screen),
    readDraft(reading.exchange.runtime.store, of, request.now),
  ])
  if ('status' in found) return found
  const paper = found.form.id === null ? found : onItsPages(found, screen)
  const { form } = paper
  const entity = place.entity.key
  const typed = draft === null ? null : typedOf(draftForm(draft, form.fields), place.entity, exchange.site)
  const living = livingForm(reading, entity, form)
  const [choices, { records }] = await Promise.all([
    choicesOf(reading.exchange, entity, form, typed, living.wanted),
    standingIn(reading, entity, form, typed, living.wanted),
    waitingFor(reading.exchange),
  ])
  // What is read after a write is read anew.
  const build = exchange.method === 'POST' ? building(exchange) : reading
  const pairs = draft === null ? begun(build, paper) : [...draftForm(draft, form.fields)]
  // Of what stands on other pages nothing is asked for while one page is filled in.
  const [offered, related, worked] = await Promise.all([
    withRecords(reading, living, choices, records),
    relatedTo(reading, living, records),
    exchange.method === 'POST' ? {} : workedOutOf(reading.exchange, paper, living.live, pairs),
  ])
  const live = { ...withRelated(offered, related), worked }
  const course = courseOf(path, screen, form.fields, live, pairs)
  // Nothing on any page may be set by whoever asks.
  if (course.pages.length === 0) return problemPage(build.exchange, { status: 403, because: screen.name })
  const reached = draft?.step ?? null
  const { wanted } = living
  const going = { exchange: build.exchange, screen, paper, of, build, choices, live, wanted, course, reached }
  return exchange.method === 'POST' ? sent(going) : shown(going)
}

/** What stands in the form before anybody types, and of a stored record what that is compared with. */
function begun(build: Building, { place, form }: Paper): Pairs {
  const was = typedFrom(build, place.entity.key, form)
  return [...baseOf(form, was), ...hiddenTexts(was)].map(({ name, value }) => [name, value])
}

/** Of a stored record a wizard asks for what stands on its pages, and for nothing else. */
function onItsPages(paper: Paper, { pages }: Screen): Paper {
  const asked = new Set(pages.flatMap(({ fields }) => fields.map(({ field }) => field)))
  return { ...paper, form: { ...paper.form, fields: paper.form.fields.filter(({ key }) => asked.has(key)) } }
}

async function shown(going: Going): Promise<Answer> {
  const { exchange, screen, course, reached, build, of, paper } = going
  const { path, query, site } = exchange
  const number = numberIn(query)
  if (number === null && reached !== null) {
    if (query.has(continueName)) return seeOther(stepHref(path, resumed(course, reached)))
    const { waiting } = draftView(build, {
      sent: null,
      thing: paper.name ?? inSentence(site, paper.place.entity.name),
      of,
    })
    if (waiting !== null)
      return pageOf(exchange, {
        title: [screen.name.text],
        decidedBy: [screenMark(site, screen)],
        content: (
          <>
            <PageHead title={screen.name.text} />
            <DraftOffer {...waiting} />
          </>
        ),
      })
  }
  const at = number ?? after(course, 0)
  if (at > (reached ?? after(course, 0))) return seeOther(path)
  if (at === course.last) return answersPage(going, {})
  return pageAt(course, at) === undefined ? notFound(exchange) : askingPage(going, at, course.pairs, {})
}

/** The furthest page, or the one behind it where it is left out by now. */
const resumed = (course: Course, reached: number): number =>
  pageAt(course, reached) === undefined ? after(course, reached) : reached

async function sent(going: Going): Promise<Answer> {
  const { exchange, paper, of, course, reached, screen, live } = going
  const { site, runtime, request, path } = exchange
  const { entity } = paper.place
  const body = readForm(exchange.headers['content-type'], exchange.body)
  const form = 'value' in body ? body.value : new URLSearchParams()
  const number = numberIn(exchange.query) ?? after(course, 0)
  const isBack = form.has(backSubmit.name)
  if (number === course.last) {
    const previous = before(course, number)
    return isBack && previous !== null ? seeOther(stepHref(path, previous)) : saveAll(going, form)
  }
  const here = pageAt(course, number)
  if (here === undefined) return notFound(exchange)
  const file = uploaded(exchange, form)
  if (file !== null) return file
  const pairs = answered(earlier(course.pairs, form), here.page, form)
  const typed = typedOf(formOf(pairs), entity, site)
  const furthest = Math.max(reached ?? number, number)
  if (wantsKeeping(form)) {
    const kept = await keptAnswer(exchange, form, of, { pairs, step: furthest, back: paper.cancel })
    return kept === 'too large' ? askingPage(going, number, pairs, tooLarge(exchange)) : kept
  }
  const away = await toCreate(exchange, form, of, {
    entity: entity.key,
    pairs,
    step: furthest,
    back: stepHref(path, number),
  })
  if (away !== null) return away
  if (form.has(neededName)) return needed(exchange, paper, typed, formOf(pairs))
  const rearranged = rowChange(form, typed)
  if (rearranged !== null) return askingPage(going, number, pairs, { typed: rearranged })
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking !== null)
    return askingPage(going, number, pairs, {
      searches: await searched(exchange, paper.place, form, picking, paper.form.values),
      ...unansweredNote(exchange, paper.place, form),
    })

  const now = courseOf(path, screen, paper.form.fields, live, pairs)
  const previous = before(now, number)
  const keep = (step: number) =>
    keepDraft(runtime.store, request, of, { pairs, step, once: formKey(exchange, form, null) })
  if (isBack && previous !== null)
    return (await keep(furthest)) === 'too large'
      ? askingPage(going, number, pairs, tooLarge(exchange))
      : seeOther(stepHref(path, previous))
  // Whether somebody else changed it meanwhile is asked once, at the end.
  const outcome = await write(going, trying(runtime), request, now.pairs, null)
  // Warnings are confirmed once, at the end.
  const refusals = outcome.kind === 'refused' ? outcome.problems.filter(({ warning }) => warning !== true) : []
  const problems = wrongSoFar(going.build, entity.key, now, number, refusals)
  if (problems.length > 0)
    return askingPage({ ...going, course: now }, number, pairs, { problems, status: statusOf(problems) })
  // Who came from the last page to change an answer goes back to it.
  const next = furthest === course.last ? course.last : after(now, number)
  const kept = await keep(Math.max(furthest, next))
  return kept === 'too large' ? askingPage(going, number, pairs, tooLarge(exchange)) : seeOther(stepHref(path, next))
}

const tooLarge = ({ site }: Exchange): Partial<Filled> => ({ note: say(site, 'draftTooLarge'), status: 413 })

function askingPage(going: Going, number: number, pairs: Pairs, filled: Partial<Filled>): Promise<Answer> {
  const { exchange, paper, build, screen, course, reached, choices, live, wanted } = going
  const { page } = pageAt(course, number)!
  const form = formOf(pairs)
  form.set('_draft', 'own')
  return paperPage(exchange, paper, {
    typed: typedOf(form, paper.place.entity, exchange.site),
    sent: form,
    ...filled,
    page: {
      page,
      wizard: wizardView(build, screen, { ...course, pairs }, { number, reached: Math.max(reached ?? number, number) }),
      choices,
      live,
      wanted,
      elsewhere: elsewhereIn(course),
      action: stepHref(exchange.path, number),
    },
  })
}

const decoded = ({ exchange, paper }: Going, pairs: Pairs) => {
  const known = knownTo(exchange)
  const { entity } = paper.place
  return decodeForm(known.entity(entity), known, pairs, exchange.site.reader.locale, {
    shown: shownBoxes(exchange.site.app, entity.key, paper.form.fields),
    zone: exchange.request.zone,
  })
}

/** The record as these answers make it; of a stored one, what nobody touched stays as it is. */
function write(
  going: Going,
  runtime: Runtime,
  request: Request,
  pairs: Pairs,
  version: number | null,
): Promise<Outcome> {
  const { exchange, paper } = going
  const { id } = paper.form
  const { entity } = paper.place
  const values = decoded(going, pairs)
  if (id === null) return create(runtime, request, entity.key, inputOf(exchange, values))
  const form = formOf(pairs)
  const typed = typedOf(form, entity, exchange.site)
  return change(runtime, request, entity.key, id, version, inputOf(exchange, onlyTouched(values, typed, form)))
}

async function answersPage(
  going: Going,
  {
    problems = [],
    note = null,
    sent = null,
  }: { readonly problems?: readonly Problem[]; readonly note?: string | null; readonly sent?: URLSearchParams | null },
): Promise<Answer> {
  const { exchange, paper, build, course, screen, choices, wanted } = going
  const { site } = exchange
  const { entity } = paper.place
  const typed = typedOf(formOf(course.pairs), entity, site)
  const titles = new Map([
    ...[...choices.values()].flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
    ...(await standingIn(build, entity.key, paper.form, typed, wanted)).titles,
  ])
  const wizard = wizardView(build, screen, course, { number: course.last, reached: course.last })
  const elsewhere = elsewhereIn(course)
  const title = say(site, 'wizardCheck')
  const view = {
    kind: 'answers',
    title,
    pageTitle: `${title}, ${wizard.progress}`,
    crumbs: crumbsFor(build, paper),
    mark: screenMark(site, screen),
    assumed: [],
    wizard,
    errors: problems.map(problem => ({
      ...errorView(build, problem, new Set()),
      href: problem.field === null ? null : elsewhere(problem.field),
    })),
    note,
    pages: answersOf(build, entity.key, course, { decoded: decoded(going, course.pairs), typed, titles }),
    action: stepHref(exchange.path, course.last),
    hidden: build.tokens,
    submit:
      paper.form.id === null
        ? say(site, 'createRecord', { thing: inSentence(site, entity.name) })
        : site.reader.words('save'),
    confirm: confirmSubmit(say(site, 'saveAnyway'), problems, sent),
    back: { ...backSubmit, label: say(site, 'wizardBack') },
    cancel: paper.cancel,
  } as const
  return viewPage(exchange, view, <AnswersScreen view={view} />, [], {
    status: problems.length === 0 ? 200 : statusOf(problems),
    error: problems.length > 0,
  })
}

/** The one write. Sent twice it happens once: the second time there is no draft any more, and the answer is that of the first. */
async function saveAll(begun: Going, form: URLSearchParams): Promise<Answer> {
  const going = begun.reached !== null && form.has(versionName) ? await chosen(begun, form) : begun
  const { exchange, paper, of, course, reached } = going
  const { runtime, path } = exchange
  const request = confirming(exchange.request, form)
  const sent = formOf(course.pairs)
  const others = reached === null ? null : begunForOthers(exchange, paper.form, sent)
  if (others !== null) {
    await keepDraft(runtime.store, exchange.request, of, { pairs: [...sent], step: reached!, once: null })
    return answersPage(going, { note: others })
  }
  const key = formKey(exchange, form, paper.place.entity.key)
  const outcome = await once(runtime, key, request.now, once =>
    reached === null || reached < course.last
      ? once.store.inTransaction<Outcome | null>(async tx => tx.abandon(null)).then(found => found ?? nothing)
      : write(going, erasing(once, of), request, course.pairs, formVersion(sent)),
  )
  switch (outcome.kind) {
    case 'done':
      return saved(exchange, paper, outcome.id)
    case 'refused':
      return outcome === nothing ? seeOther(path) : answersPage(going, { problems: outcome.problems, sent: form })
    case 'stale': {
      const typed = typedOf(sent, paper.place.entity, exchange.site)
      const action = stepHref(path, course.last)
      return conflictPage(exchange, paper, sent, typed, outcome, action)
    }
    default:
      return notFound(exchange)
  }
}

/** After a conflict: what they chose of the others' takes the place of their own answer, and all is compared with what they were shown. */
async function chosen(going: Going, form: URLSearchParams): Promise<Going> {
  const { exchange, screen, paper, of, build, live } = going
  const { runtime, request, path } = exchange
  const isTheirs = (name: string) => form.get(`_take.${headOf(name)}`) === 'theirs'
  const now = hiddenTexts(typedFrom(build, paper.place.entity.key, paper.form))
  const pairs: Pairs = [
    ...basedOn(going.course.pairs, form).filter(([name]) => !isTheirs(name)),
    ...now.flatMap(({ name, value }) => (isTheirs(name) ? [[name, value] as const] : [])),
  ]
  const course = courseOf(path, screen, paper.form.fields, live, pairs)
  await keepDraft(runtime.store, request, of, { pairs, step: course.last, once: formKey(exchange, form, null) })
  return { ...going, course }
}

/** Nothing was answered, or not all of it yet, or it has been thrown away. */
const nothing: Outcome = { kind: 'refused', problems: [] }
