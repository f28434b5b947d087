/** Whether a refusal in the document's own words is told as heading 8 writes it: its message, what to do, its status, and the field. */
import type { Template } from '../expression/expression.ts'
import type { ErrorEntry } from '../headings/8-errors/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import type { Site } from './client.ts'
import type { Line } from './verify.ts'
import { hasItsWords } from './words.ts'

/** What was told of each code in a language, by both. */
export type Told = Map<string, { readonly code: string; tried: number; readonly wrong: Set<string> }>

interface Refusal {
  readonly code?: string
  readonly detail?: string
  readonly whatToDo?: string
  readonly pointer?: string
}

const toldOfEach = 3

/** Notes what an answer says of each code of the catalogue. True: one of them was told in this language for the first time. */
export function hear(
  { app, told, judged }: Pick<Site, 'app' | 'told' | 'judged'>,
  language: string,
  status: number,
  body: Readonly<Record<string, unknown>>,
): boolean {
  const errors = (body.errors ?? []) as readonly Refusal[]
  let isNew = false
  for (const [index, error] of errors.entries()) {
    const entry = app.errors.get(error.code ?? '')
    if (entry === undefined || entry.templates.size === 0) continue
    const known = `${entry.code} ${language}`
    const one = told.get(known) ?? { code: entry.code, tried: 0, wrong: new Set<string>() }
    isNew ||= one.tried === 0
    told.set(known, one)
    one.tried++
    const translated = app.product.translations.get(language)
    for (const said of [specified(entry.message), specified(entry.whatToDo)])
      judged.add(said == null ? null : translated?.get(said.text)?.words)
    judged.in(entry.cell, 'Message', 'What to do')
    for (const wrong of otherWords(entry, language, error)) one.wrong.add(wrong)
    for (const wrong of otherField(app, judged, entry.code, error)) one.wrong.add(wrong)
    // The status of an answer is that of its first error.
    if (index > 0) continue
    judged.in(entry.cell, 'Status')
    if (status !== entry.status) one.wrong.add(`its status is ${status}, and not ${entry.status}`)
  }
  return isNew
}

function otherWords(entry: ErrorEntry, language: string, { detail, whatToDo }: Refusal): readonly string[] {
  const texts = [...(entry.translated.get(language) ?? entry).templates.values()]
  const fits = (text: string | undefined, templates: readonly (Template | null)[]) =>
    templates.some(one => (one === null ? text === undefined : text !== undefined && hasItsWords([one], text)))
  const wrong: string[] = []
  if (
    !fits(
      detail,
      texts.map(one => one.message),
    )
  )
    wrong.push(`its message is '${detail ?? ''}'`)
  if (
    !fits(
      whatToDo,
      texts.map(one => one.whatToDo),
    )
  )
    wrong.push(`what to do is '${whatToDo ?? ''}'`)
  return wrong
}

function otherField(app: App, judged: Site['judged'], code: string, { pointer }: Refusal): readonly string[] {
  const fields = fieldsOf(app, code)
  if (fields === null) return []
  const field = pointer?.split('/').at(-1) ?? null
  if (!fields.has(field)) return [`it points to ${field ?? 'no field'}`]
  for (const rule of app.rules) if (rule.error === code && rule.field === field) judged.in(rule.cell, 'Field')
  return []
}

/** Fields that may be pointed to; null: any, because something else than rules raises it. */
function fieldsOf(app: App, code: string): ReadonlySet<string | null> | null {
  const rules = app.rules.filter(({ error }) => error === code)
  const isOfSteps = [...app.workflows.values()].some(({ transitions }) =>
    transitions.some(({ error, elsewhere }) => error === code || elsewhere.some(one => one.error === code)),
  )
  const isOfFields = [...app.entities.values()].some(({ fields }) =>
    fields.some(({ refusals }) => [...refusals.values()].some(one => one.code === code)),
  )
  if (rules.length === 0 || isOfSteps || isOfFields || rules.some(({ field }) => field === null)) return null
  return new Set(rules.map(({ field }) => field))
}

/** A line for each code that somebody was told. */
export const toldLines = (app: App, told: Told): readonly Line[] =>
  [...Map.groupBy(told.values(), ({ code }) => code)].map(([code, all]) => {
    const tried = all.reduce((sum, one) => sum + one.tried, 0)
    const wrong = [...new Set(all.flatMap(one => [...one.wrong]))]
    return {
      cell: app.errors.get(code)!.cell,
      title: `${code}: its words, status and field, ${tried} ${tried === 1 ? 'answer' : 'answers'}`,
      passed: wrong.length === 0,
      detail: wrong.length === 0 ? null : wrong.slice(0, toldOfEach).join('\n       '),
    }
  })
