/** A form in steps: what is answered is kept as a draft from page to page, judged by the rules of the record, and saved once, at the end. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { DraftOffer } from '../../kinds/screens/form/draft.tsx'
import type { Address } from '../../kinds/screens/screen-kind.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { AnswersScreen } from '../../kinds/screens/wizard/view.tsx'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import type { Request, Runtime } from '../../run/request.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { type DraftOf, draftErased, keepDraft, type Pairs, readDraft } from '../../run/write/drafts.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { withRelated } from '../../run/write/live-related.ts'
import { trying } from '../../run/write/trying.ts'
import { change, create } from '../../run/write/writes.ts'
import { PageHead } from '../../ui/page.tsx'
import { countsFor } from '../counts.ts'
import { parseForm } from '../form-body.ts'
import { notFound, pageOf, problemPage, refusalPage, viewPage } from '../pages.tsx'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
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
import { inSentence } from '../site.ts'
import { confirming, confirmSubmit } from '../warnings.ts'
import { formKey, formVersion, idempotentForm, inputOf, statusOf } from '../write.ts'
import { choicesOf, searched, standingIn, unanswered, unansweredNote } from './choices.ts'
import { conflictPage } from './conflict.ts'
import { begunForOthers, discarded, draftForm, draftOf, draftView, keptAnswer, wantsKeeping } from './drafts.ts'
import { crumbsFor, type Filled, type FormPage, renderForm, shownBoxes } from './form-page.tsx'
import { newFormPage, storedFormPage } from './forms.tsx'
import { needed, neededName, workedOutOf } from './needed.ts'
import { toCreate } from './return-to.ts'
import { onlyTouched, saved } from './submit.tsx'
import { uploaded } from './upload.ts'

/** What all of it needs: the form, the answers so far, and what its pages are with these answers. */
interface Going {
  readonly context: RequestContext
  readonly screen: Screen
  readonly formPage: FormPage
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
  context: RequestContext,
  place: EntityRoutes,
  screen: Screen,
  segments: Address['segments'],
): Promise<HttpResponse> {
  const { path, runtime, request } = context
  const of = draftOf(context)
  // What is answered is kept as one's own draft, which whoever acts as somebody must not have.
  if (of === null && request.by !== undefined) return refusalPage(context, raise(runtime.app, 'NF-ACTING', {}))
  if (of === null) return seeOther(`/-/sign-in?${new URLSearchParams({ next: path })}`)
  if (context.method === 'POST') {
    const gone = await discarded(context, of)
    if (gone !== null) return gone
  }
  const [field] = Object.keys(segments)
  const reading = building(readingAtOnce(context))
  const [found, draft] = await Promise.all([
    field === undefined
      ? newFormPage(reading.context, place, screen, { sent: false })
      : storedFormPage(reading.context, { ...place, by: field }, segments[field] ?? '', screen),
    readDraft(reading.context.runtime.store, of, request.now),
  ])
  if ('status' in found) return found
  const formPage = found.form.id === null ? found : onItsPages(found, screen)
  const { form } = formPage
  const entity = place.entity.key
  const typed = draft === null ? null : typedOf(draftForm(draft, form.fields), place.entity, context.site)
  const living = livingForm(reading, entity, form)
  const [choices, { records }] = await Promise.all([
    choicesOf(reading.context, entity, form, typed, living.wanted),
    standingIn(reading, entity, form, typed, living.wanted),
    countsFor(reading.context),
  ])
  // What is read after a write is read anew.
  const build = context.method === 'POST' ? building(context) : reading
  const pairs = draft === null ? begun(build, formPage) : [...draftForm(draft, form.fields)]
  // Of what stands on other pages nothing is asked for while one page is filled in.
  const [offered, related, worked] = await Promise.all([
    withRecords(reading, living, choices, records),
    relatedTo(reading, living, records),
    context.method === 'POST' ? {} : workedOutOf(reading.context, formPage, living.live, pairs),
  ])
  const live = { ...withRelated(offered, related), worked }
  const course = courseOf(path, screen, form.fields, live, pairs)
  // Nothing on any page may be set by whoever asks.
  if (course.pages.length === 0) return problemPage(build.context, { status: 403, because: screen.name })
  const reached = draft?.step ?? null
  const { wanted } = living
  const going = { context: build.context, screen, formPage, of, build, choices, live, wanted, course, reached }
  return context.method === 'POST' ? sent(going) : shown(going)
}

/** What stands in the form before anybody types, and of a stored record what that is compared with. */
function begun(build: Building, { place, form }: FormPage): Pairs {
  const was = typedFrom(build, place.entity.key, form)
  return [...baseOf(form, was), ...hiddenTexts(was)].map(({ name, value }) => [name, value])
}

/** Of a stored record a wizard asks for what stands on its pages, and for nothing else. */
function onItsPages(formPage: FormPage, screen: Screen): FormPage {
  const asked = new Set(usesOf(screen).asked.map(({ field }) => field))
  return { ...formPage, form: { ...formPage.form, fields: formPage.form.fields.filter(({ key }) => asked.has(key)) } }
}

async function shown(going: Going): Promise<HttpResponse> {
  const { context, screen, course, reached, build, of, formPage } = going
  const { path, query, site } = context
  const number = numberIn(query)
  if (number === null && reached !== null) {
    if (query.has(continueName)) return seeOther(stepHref(path, resumed(course, reached)))
    const { waiting } = draftView(build, {
      sent: null,
      thing: formPage.name ?? inSentence(site, formPage.place.entity.name),
      of,
    })
    if (waiting !== null)
      return pageOf(context, {
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
  return pageAt(course, at) === undefined ? notFound(context) : askingPage(going, at, course.pairs, {})
}

/** The furthest page, or the one behind it where it is left out by now. */
const resumed = (course: Course, reached: number): number =>
  pageAt(course, reached) === undefined ? after(course, reached) : reached

async function sent(going: Going): Promise<HttpResponse> {
  const { context, formPage, of, course, reached, screen, live } = going
  const { site, runtime, request, path } = context
  const { entity } = formPage.place
  const body = parseForm(context.headers['content-type'], context.body)
  const form = 'value' in body ? body.value : new URLSearchParams()
  const number = numberIn(context.query) ?? after(course, 0)
  const isBack = form.has(backSubmit.name)
  if (number === course.last) {
    const previous = before(course, number)
    return isBack && previous !== null ? seeOther(stepHref(path, previous)) : saveAll(going, form)
  }
  const here = pageAt(course, number)
  if (here === undefined) return notFound(context)
  const file = uploaded(context, form)
  if (file !== null) return file
  const pairs = answered(earlier(course.pairs, form), here.page, form)
  const typed = typedOf(formOf(pairs), entity, site)
  const furthest = Math.max(reached ?? number, number)
  if (wantsKeeping(form)) {
    const kept = await keptAnswer(context, form, of, { pairs, step: furthest, back: formPage.cancel })
    return kept === 'too large' ? askingPage(going, number, pairs, tooLarge(context)) : kept
  }
  const away = await toCreate(context, form, of, {
    entity: entity.key,
    pairs,
    step: furthest,
    back: stepHref(path, number),
  })
  if (away !== null) return away
  if (form.has(neededName)) return needed(context, formPage, typed, formOf(pairs))
  const rearranged = rowChange(form, typed)
  if (rearranged !== null) return askingPage(going, number, pairs, { typed: rearranged })
  const picking = form.get('_pick') ?? unanswered(form)
  if (picking !== null)
    return askingPage(going, number, pairs, {
      searches: await searched(context, formPage.place, form, picking, formPage.form.values),
      ...unansweredNote(context, formPage.place, form),
    })

  const now = courseOf(path, screen, formPage.form.fields, live, pairs)
  const previous = before(now, number)
  const keep = (step: number) =>
    keepDraft(runtime.store, request, of, { pairs, step, once: formKey(context, form, null) })
  if (isBack && previous !== null)
    return (await keep(furthest)) === 'too large'
      ? askingPage(going, number, pairs, tooLarge(context))
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
  return kept === 'too large' ? askingPage(going, number, pairs, tooLarge(context)) : seeOther(stepHref(path, next))
}

const tooLarge = ({ site }: RequestContext): Partial<Filled> => ({ note: say(site, 'draftTooLarge'), status: 413 })

function askingPage(going: Going, number: number, pairs: Pairs, filled: Partial<Filled>): Promise<HttpResponse> {
  const { context, formPage, build, screen, course, reached, choices, live, wanted } = going
  const { page } = pageAt(course, number)!
  const form = formOf(pairs)
  form.set('_draft', 'own')
  return renderForm(context, formPage, {
    typed: typedOf(form, formPage.place.entity, context.site),
    sent: form,
    ...filled,
    page: {
      page,
      wizard: wizardView(build, screen, { ...course, pairs }, { number, reached: Math.max(reached ?? number, number) }),
      choices,
      live,
      wanted,
      elsewhere: elsewhereIn(course),
      action: stepHref(context.path, number),
    },
  })
}

const decoded = ({ context, formPage }: Going, pairs: Pairs) => {
  const known = knownTo(context)
  const { entity } = formPage.place
  return decodeForm(known.entity(entity), known, pairs, context.site.reader.locale, {
    shown: shownBoxes(context.site.app, entity.key, formPage.form.fields),
    zone: context.request.zone,
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
  const { context, formPage } = going
  const { id } = formPage.form
  const { entity } = formPage.place
  const values = decoded(going, pairs)
  if (id === null) return create(runtime, request, entity.key, inputOf(context, values))
  const form = formOf(pairs)
  const typed = typedOf(form, entity, context.site)
  return change(runtime, request, entity.key, id, version, inputOf(context, onlyTouched(values, typed, form)))
}

async function answersPage(
  going: Going,
  {
    problems = [],
    note = null,
    sent = null,
  }: { readonly problems?: readonly Problem[]; readonly note?: string | null; readonly sent?: URLSearchParams | null },
): Promise<HttpResponse> {
  const { context, formPage, build, course, screen, choices, wanted } = going
  const { site } = context
  const { entity } = formPage.place
  const typed = typedOf(formOf(course.pairs), entity, site)
  const titles = new Map([
    ...[...choices.values()].flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
    ...(await standingIn(build, entity.key, formPage.form, typed, wanted)).titles,
  ])
  const wizard = wizardView(build, screen, course, { number: course.last, reached: course.last })
  const elsewhere = elsewhereIn(course)
  const title = say(site, 'wizardCheck')
  const view = {
    kind: 'answers',
    title,
    pageTitle: `${title}, ${wizard.progress}`,
    crumbs: crumbsFor(build, formPage),
    mark: screenMark(site, screen),
    assumed: [],
    wizard,
    errors: problems.map(problem => ({
      ...errorView(build, problem, new Set()),
      href: problem.field === null ? null : elsewhere(problem.field),
    })),
    note,
    pages: answersOf(build, entity.key, course, { decoded: decoded(going, course.pairs), typed, titles }),
    action: stepHref(context.path, course.last),
    hidden: build.tokens,
    submit:
      formPage.form.id === null
        ? say(site, 'createRecord', { thing: inSentence(site, entity.name) })
        : site.reader.words('save'),
    confirm: confirmSubmit(say(site, 'saveAnyway'), problems, sent),
    back: { ...backSubmit, label: say(site, 'wizardBack') },
    cancel: formPage.cancel,
  } as const
  return viewPage(context, view, <AnswersScreen view={view} />, [], {
    status: problems.length === 0 ? 200 : statusOf(problems),
    error: problems.length > 0,
  })
}

/** The one write. Sent twice it happens once: the second time there is no draft any more, and the answer is that of the first. */
async function saveAll(begun: Going, form: URLSearchParams): Promise<HttpResponse> {
  const going = begun.reached !== null && form.has(versionName) ? await chosen(begun, form) : begun
  const { context, formPage, of, course, reached } = going
  const { runtime, path } = context
  const request = confirming(context.request, form)
  const sent = formOf(course.pairs)
  const others = reached === null ? null : begunForOthers(context, formPage.form, sent)
  if (others !== null) {
    await keepDraft(runtime.store, context.request, of, { pairs: [...sent], step: reached!, once: null })
    return answersPage(going, { note: others })
  }
  const once = accompanied(runtime, idempotentForm(context, form, formPage.place.entity.key))
  const outcome =
    reached === null || reached < course.last
      ? await once.store.inTransaction(async (tx): Promise<Outcome> => tx.abandon(nothing))
      : await write(going, accompanied(once, draftErased(of)), request, course.pairs, formVersion(sent))
  switch (outcome.kind) {
    case 'done':
      return saved(context, formPage, outcome.id)
    case 'refused':
      return outcome === nothing ? seeOther(path) : answersPage(going, { problems: outcome.problems, sent: form })
    case 'stale': {
      const typed = typedOf(sent, formPage.place.entity, context.site)
      const action = stepHref(path, course.last)
      return conflictPage(context, formPage, sent, typed, outcome, action)
    }
    default:
      return notFound(context)
  }
}

/** After a conflict: what they chose of the others' takes the place of their own answer, and all is compared with what they were shown. */
async function chosen(going: Going, form: URLSearchParams): Promise<Going> {
  const { context, screen, formPage, of, build, live } = going
  const { runtime, request, path } = context
  const isTheirs = (name: string) => form.get(`_take.${headOf(name)}`) === 'theirs'
  const now = hiddenTexts(typedFrom(build, formPage.place.entity.key, formPage.form))
  const pairs: Pairs = [
    ...basedOn(going.course.pairs, form).filter(([name]) => !isTheirs(name)),
    ...now.flatMap(({ name, value }) => (isTheirs(name) ? [[name, value] as const] : [])),
  ]
  const course = courseOf(path, screen, formPage.form.fields, live, pairs)
  await keepDraft(runtime.store, request, of, { pairs, step: course.last, once: formKey(context, form, null) })
  return { ...going, course }
}

/** Nothing was answered, or not all of it yet, or it has been thrown away. */
const nothing: Outcome = { kind: 'refused', problems: [] }
