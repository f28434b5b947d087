/** The page of a form, whatever stands in it: as it is, as somebody left it, or as it came back with what is wrong. */

import type { Page, Screen } from '../../headings/2-screens/model.ts'
import { type Only, onlyOf } from '../../headings/2-screens/public-forms.ts'
import type { App } from '../../headings/app.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import { FormScreen } from '../../kinds/screens/form/view.tsx'
import type { ConflictView, WizardView } from '../../kinds/screens/form/view-model.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Hidden, ScreenView } from '../../kinds/screens/view-model.ts'
import type { Problem } from '../../run/outcome.ts'
import type { FormData } from '../../run/read/form.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { countsFor } from '../counts.ts'
import { withList } from '../from-list.ts'
import { csrfInput, hereHref, viewPage } from '../pages.tsx'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { type Building, building, markOf, onceInput, screenMark } from '../screens/common.ts'
import { baseNames, type Choices, formView, type Search, type Wanted } from '../screens/form.ts'
import { livingForm, withRecords } from '../screens/live.ts'
import { crumbsOf } from '../screens/record.ts'
import type { Typed } from '../screens/typed.ts'
import { say } from '../sentences.ts'
import { isToken } from '../sign-in/session.ts'
import { inSentence } from '../site.ts'
import { confirmSubmit } from '../warnings.ts'
import { choicesOf, standingIn } from './choices.ts'
import { draftOf, draftView } from './drafts.ts'
import { type ReturnTo, returnToHref } from './return-to.ts'
import { heldName, isSprung, trapFor } from './trap.ts'

/** What the form is, whatever stands in it. */
export interface FormPage {
  readonly place: EntityRoutes
  readonly form: FormData
  readonly screen: Screen | null
  readonly title: string
  readonly cancel: string
  /** The record's title; null: a new one. */
  readonly name: string | null
  /** What its record is made for; null: for its own sake. */
  readonly returnTo: ReturnTo | null
  /** A form for everyone: the fields that it takes, whatever else is sent. Null: as permissions say. */
  readonly only: Only | null
}

/** The form with those fields of rows alone that the screen names. */
export function narrowed(form: FormData, screen: Screen | null): FormData {
  const only = screen === null ? null : onlyOf(screen)
  const fields = form.fields.map(field => {
    const rows = only?.get(field.key) ?? null
    return rows === null || field.children === null
      ? field
      : { ...field, children: field.children.filter(({ key }) => rows.has(key)) }
  })
  return { ...form, fields }
}

/** Boxes of the form: one that does not come back was not ticked, unless a condition kept it from being sent. */
export function shownBoxes(app: App, entity: string, fields: FormData['fields']): ReadonlySet<string> {
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

export interface Filled {
  readonly typed: Typed | null
  readonly problems?: readonly Problem[]
  readonly searches?: ReadonlyMap<string, Search>
  readonly conflict?: ConflictView
  readonly note?: string
  readonly status?: number
  /** The page of a wizard that is shown, and what its form works with. */
  readonly page?: PageOf
  /** The form as it was sent: it comes back with the version that it was made from. */
  readonly sent?: URLSearchParams
}

/** What a page of a wizard is besides a form with some of the fields. */
interface PageOf {
  readonly page: Page
  readonly wizard: WizardView
  readonly choices: ReadonlyMap<string, Choices>
  readonly live: LiveForm
  /** What of other records went into that. */
  readonly wanted: Wanted
  /** Where a field that another page asks for is. */
  readonly elsewhere: (field: string) => string | null
  readonly action: string
}

export async function renderForm(context: RequestContext, formPage: FormPage, filled: Filled): Promise<HttpResponse> {
  const { form } = formPage
  const { page: asked, problems = [] } = filled
  const isPublic = formPage.only !== null
  const entity = formPage.place.entity.key
  const reading = building(readingAtOnce(context))
  const isLive = asked === undefined && filled.conflict === undefined && !isPublic
  const living = isLive ? livingForm(reading, entity, form) : null
  const [choices, standing] = await Promise.all([
    asked?.choices ?? choicesOf(reading.context, entity, form, filled.typed, living?.wanted),
    standingIn(reading, entity, form, filled.typed, asked?.wanted ?? living?.wanted),
    countsFor(reading.context),
  ])
  const build = isPublic ? publicBuilding(context, filled.sent) : building(context)
  const live = living === null ? null : await withRecords(build, living, choices, standing.records)
  const view = formView(build, {
    entity,
    form,
    typed: filled.typed,
    problems,
    choices,
    searches: filled.searches ?? new Map(),
    chosen: standing.titles,
    ...(asked === undefined ? wholeForm(build, formPage, live) : onePage(asked)),
    crumbs: crumbsFor(build, formPage),
    ...aboutForm(build, formPage),
    ...returning(build, formPage, filled),
  })
  return viewPage(context, view, <FormScreen view={view} />, isPublic ? [] : ['form.js'], {
    status: filled.status ?? 200,
    error: problems.length > 0,
  })
}

/** A form that is asked at once. */
function wholeForm({ context }: Building, { place, screen, title, returnTo }: FormPage, live: LiveForm | null) {
  const divided = screen ?? place.one
  return {
    columns: ((screen && formPart(screen)?.columns) ?? []).map(({ field }) => field),
    sections: divided === null ? [] : usesOf(divided).sections,
    title,
    action: returnTo === null ? withList(context, hereHref(context)) : returnToHref(context.path, returnTo),
    live,
  }
}

/** A form that is asked page by page. */
const onePage = ({ page, action, live, wizard, elsewhere }: PageOf) => ({
  columns: page.fields.map(({ field }) => field),
  title: page.name.text,
  action,
  live,
  wizard,
  elsewhere,
})

const aboutForm = ({ site }: Building, { screen, form, cancel }: FormPage) => ({
  meaning: screen?.meaning?.text ?? null,
  mark: screen === null ? markOf(site, form.verdict.because) : screenMark(site, screen),
  cancel,
})

/** What a form that comes back says, and goes on from. */
function returning(build: Building, { place, name, only }: FormPage, filled: Filled) {
  const { context, site } = build
  const { sent = null, conflict = null, note = null, problems = [] } = filled
  const of = only !== null || conflict !== null ? null : draftOf(context)
  const thing = name ?? inSentence(site, place.entity.name)
  return {
    note,
    conflict,
    base: sent === null ? null : sentBase(sent),
    confirm: confirmSubmit(say(site, 'saveAnyway'), problems, sent),
    draft: of === null ? null : draftView(build, { sent, thing, of }),
    ...(only === null ? {} : { forEveryone: { trap: sent !== null && isSprung(sent) ? null : trapFor(site) } }),
  }
}

/** In a form for everyone: the token of the link that was followed. Its address is confirmed then. */
export const provenName = '_confirmed'

/** Somebody who is not signed in sends it once, too. An address that was confirmed need not be once more, and what was held back is not kept twice. */
function publicBuilding(context: RequestContext, sent: URLSearchParams | undefined): Building {
  const { site } = context
  const kept = [provenName, heldName].flatMap(name => {
    const value = sent?.get(name) ?? undefined
    return isToken(value) ? [{ name, value }] : []
  })
  return { context, site, tokens: [csrfInput(context), onceInput(context), ...kept] }
}

const sentBase = (form: URLSearchParams): readonly Hidden[] =>
  baseNames.flatMap(name => {
    const value = form.get(name)
    return value === null ? [] : [{ name, value }]
  })

/** Where a form is: a screen that makes new records stands in the navigation itself. */
export function crumbsFor(build: Building, { place, name, title, screen, cancel }: FormPage): ScreenView['crumbs'] {
  if (name !== null)
    return crumbsOf(build, place.entity.key, name, screen?.name.text ?? say(build.site, 'edit'), cancel)
  return screen === null ? crumbsOf(build, place.entity.key, title) : []
}
