/** A wizard: where one is in it, and what has been answered so far, as its pages show it. */

import type { Page, Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import type { Decoded } from '../../kinds/fields/input.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { WizardView } from '../../kinds/screens/form/view-model.ts'
import type { ValueView } from '../../kinds/screens/view-model.ts'
import { pagesOf } from '../../kinds/screens/wizard/screen.ts'
import type { AnswersView } from '../../kinds/screens/wizard/view-model.ts'
import type { Problem } from '../../run/outcome.ts'
import type { FormField } from '../../run/read/presets.ts'
import type { Pairs } from '../../run/write/drafts.ts'
import { type Checked, checkForm } from '../../run/write/live.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { say } from '../sentences.ts'
import { fieldInfo, linksTo } from '../site.ts'
import { formVersion } from '../write.ts'
import type { Building } from './common.ts'
import { baseNames, rowsText } from './form.ts'
import type { Typed } from './typed.ts'
import { valueView } from './values.ts'

/** In an address: the number of the page, from 1. The one after the last shows all answers. */
const stepName = 'step'

/** A submit: the page before. */
export const backSubmit = { name: '_back', value: '1' } as const

/** What a wizard is for one person with these answers: pages without anything to ask are left out. */
export interface Course {
  readonly path: string
  readonly pages: readonly { readonly number: number; readonly page: Page }[]
  /** The number of the page that shows all answers. */
  readonly last: number
  /** Names and texts, without those of fields that a condition leaves out. */
  readonly pairs: Pairs
}

export function courseOf(
  path: string,
  screen: Screen,
  fields: readonly FormField[],
  live: LiveForm,
  pairs: Pairs,
): Course {
  const pages = pagesOf(screen)
  const { controls } = checkForm(live, pairs)
  const asked = new Set(fields.filter(({ settable }) => settable).map(({ key }) => key))
  return {
    path,
    pages: pages.flatMap((page, at) =>
      page.fields.some(({ field }) => asked.has(field) && controls[field]?.absent !== true)
        ? [{ number: at + 1, page }]
        : [],
    ),
    last: pages.length + 1,
    pairs: pairs.filter(([name]) => !isLeftOut(controls, name)),
  }
}

/** What is left out or locked is not sent by a form in the browser either. */
function isLeftOut(controls: Checked['controls'], name: string): boolean {
  const [list = ''] = name.split('.')
  return [controls[name], controls[list]].some(now => now?.absent === true || now?.locked === true)
}

export const stepHref = (path: string, number: number): string => `${path}?${stepName}=${number}`

export const formOf = (pairs: Pairs): URLSearchParams => new URLSearchParams(pairs.map(([name, text]) => [name, text]))

/** The page that an address names; null: none. */
export function numberIn(query: URLSearchParams): number | null {
  const text = query.get(stepName) ?? ''
  return /^\d{1,3}$/.test(text) ? Number(text) : null
}

export const pageAt = ({ pages }: Course, number: number): Course['pages'][number] | undefined =>
  pages.find(one => one.number === number)

/** The number of the next page, or of the last. */
export const after = ({ pages, last }: Course, number: number): number =>
  pages.find(one => one.number > number)?.number ?? last

/** The number of the page before; null: there is none. */
export const before = ({ pages }: Course, number: number): number | null =>
  pages.findLast(one => one.number < number)?.number ?? null

/** `lines.0.item` → `lines`. */
export const headOf = (name: string): string => name.split('.')[0]!

const keysOf = (pages: Course['pages']): ReadonlySet<string> =>
  new Set(pages.flatMap(({ page }) => page.fields.map(({ field }) => field)))

/** What a form of a stored record is made from, see `baseOf`. */
export const versionName = '_version'

/** Answers, compared with what another form was made from. */
export function basedOn(pairs: Pairs, form: URLSearchParams): Pairs {
  const base = baseNames.flatMap(name => {
    const text = form.get(name)
    return text === null ? [] : [[name, text] as const]
  })
  return [...pairs.filter(([name]) => !baseNames.includes(name)), ...base]
}

/** Answers, compared with the older version: of what they began with, and of what a page was made from that was sent now. */
export function earlier(pairs: Pairs, form: URLSearchParams): Pairs {
  const [own, sent] = [formVersion(formOf(pairs)), formVersion(form)]
  return own !== null && sent !== null && sent < own ? basedOn(pairs, form) : pairs
}

/** Answers of a page in the place of those before. */
export function answered(pairs: Pairs, { fields }: Page, form: URLSearchParams): Pairs {
  const own = new Set(fields.map(({ field }) => field))
  const isOwn = ([name]: readonly [string, string]) => own.has(headOf(name))
  return [...pairs.filter(pair => !isOwn(pair)), ...[...form].filter(isOwn)]
}

/** What is wrong with what has been asked up to this page: about its fields, by rules that read nothing of the pages behind it. */
export function wrongSoFar(
  { site }: Building,
  entity: string,
  course: Course,
  number: number,
  problems: readonly Problem[],
): readonly Problem[] {
  const asked = keysOf(course.pages.filter(one => one.number <= number))
  const later = keysOf(course.pages.filter(one => one.number > number))
  return problems.filter(({ code, field }) => {
    const rules = site.app.rules.filter(rule => rule.entity === entity && specified(rule.error) === code)
    const reads = rules.flatMap(rule => specified(rule.mustHold)?.reads.map(path => path.split('.')[0]!) ?? [])
    if (reads.some(read => later.has(read))) return false
    return field === null ? reads.some(read => asked.has(read)) : asked.has(headOf(field))
  })
}

export function wizardView(
  { site }: Building,
  screen: Screen,
  course: Course,
  { number, reached }: { readonly number: number; readonly reached: number },
): WizardView {
  const { path, pages, last, pairs } = course
  const here = pageAt(course, number)
  const own = new Set(here?.page.fields.map(({ field }) => field) ?? [])
  const labels = [
    ...pages.map(one => ({ ...one, label: one.page.name.text })),
    { number: last, label: say(site, 'wizardCheck') },
  ]
  const place = labels.findIndex(one => one.number === number)
  return {
    title: screen.name.text,
    progress: say(site, 'wizardProgress', { number: place + 1, of: labels.length }),
    meaning: here?.page.meaning?.text ?? null,
    steps: labels.map(one => ({
      label: one.label,
      href: one.number !== number && one.number <= reached ? stepHref(path, one.number) : null,
      state: one.number === number ? 'now' : one.number < reached ? 'done' : 'later',
    })),
    next: say(site, 'wizardNext'),
    back: before(course, number) === null ? null : { ...backSubmit, label: say(site, 'wizardBack') },
    elsewhere: pairs.filter(([name]) => !name.startsWith('_') && !own.has(headOf(name))),
    later: [...keysOf(pages.filter(one => one.number > number))],
  }
}

/** Where a field that does not stand on this page is asked for. */
export const elsewhereIn =
  (course: Course) =>
  (field: string): string | null => {
    const there = course.pages.find(({ page }) => page.fields.some(one => one.field === headOf(field)))
    return there === undefined ? null : `${stepHref(course.path, there.number)}#${field.replaceAll('.', '-')}`
  }

/** Every answer in words; one that cannot be read as it was typed. `titles`: of records, by id. */
export function answersOf(
  build: Building,
  entity: string,
  course: Course,
  {
    decoded,
    typed,
    titles,
  }: { readonly decoded: Decoded; readonly typed: Typed; readonly titles: ReadonlyMap<string, string> },
): AnswersView['pages'] {
  const { site } = build
  const kept = new Set(course.pairs.map(([name]) => headOf(name)))
  const plain = (text: string): ValueView => ({ text, look: 'text', href: null, datetime: null, state: null })
  const valuesOf = (key: string): readonly ValueView[] => {
    const info = fieldInfo(site.app, entity, key)
    if (info === null) return []
    if (linksTo(info) !== null)
      return linked(typed.texts[key] ?? '')
        .flatMap(id => titles.get(id) ?? [])
        .map(plain)
    if (info.type.kind === 'list') {
      const child = info.type.entity
      return (decoded.children[key] ?? []).map(row => rowsText(build, child, [row.values], titles))
    }
    if (!(key in decoded.values)) return [plain(typed.texts[key] ?? '')]
    const wire = decoded.values[key]
    return [valueView(site, entity, info, wire, { label: titles.get(String(wire)), href: null })]
  }
  return course.pages.map(({ number, page }) => ({
    label: page.name.text,
    href: stepHref(course.path, number),
    answers: page.fields.flatMap(({ field }) => {
      const info = fieldInfo(site.app, entity, field)
      if (info === null || !kept.has(field)) return []
      return [{ label: info.label, values: valuesOf(field).filter(({ text }) => text !== '') }]
    }),
  }))
}
