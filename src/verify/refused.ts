/** Whether a refusal in the document's own words is told as heading 8 writes it: its message, what to do, its status, and the field. */
import type { Template } from '../expression/expression.ts'
import type { App } from '../headings/app.ts'
import type { Player, Site } from './client.ts'
import type { Line } from './verify.ts'
import { hasItsWords } from './words.ts'

/** What was told of each code, by the code. */
export type Told = Map<string, { tried: number; readonly wrong: Set<string>; again: Asked | null }>

/** What was asked when it was told last. */
interface Asked {
  readonly player: Player
  readonly method: string
  readonly path: string
  readonly body: unknown
}

interface Refusal {
  readonly code?: string
  readonly detail?: string
  readonly whatToDo?: string
  readonly pointer?: string
}

const toldOfEach = 3

/** Notes what an answer says of each code of the catalogue. */
export function hear(
  { app, told, judged }: Pick<Site, 'app' | 'told' | 'judged'>,
  asked: Asked,
  status: number,
  body: Readonly<Record<string, unknown>>,
): void {
  const errors = (body.errors ?? []) as readonly Refusal[]
  for (const [index, error] of errors.entries()) {
    const entry = app.errors.get(error.code ?? '')
    if (entry === undefined || entry.templates.size === 0) continue
    const one = told.get(entry.code) ?? { tried: 0, wrong: new Set<string>(), again: null }
    told.set(entry.code, one)
    one.tried++
    one.again = asked
    const texts = [...entry.templates.values()]
    const fits = (text: string | undefined, of: (one: (typeof texts)[number]) => Template | null) =>
      texts.some(words => {
        const template = of(words)
        return template === null ? text === undefined : text !== undefined && hasItsWords(template, text)
      })
    judged.in(entry.cell, 'Message', 'What to do')
    if (index === 0) judged.in(entry.cell, 'Status')
    if (!fits(error.detail, ({ message }) => message)) one.wrong.add(`its message is '${error.detail ?? ''}'`)
    if (!fits(error.whatToDo, ({ whatToDo }) => whatToDo)) one.wrong.add(`what to do is '${error.whatToDo ?? ''}'`)
    if (index === 0 && status !== entry.status) one.wrong.add(`its status is ${status}, and not ${entry.status}`)
    const fields = fieldsOf(app, entry.code)
    const field = error.pointer?.split('/').at(-1) ?? null
    if (fields?.has(field) === true)
      for (const rule of app.rules) if (rule.error === entry.code && rule.field === field) judged.in(rule.cell, 'Field')
    if (fields !== null && !fields.has(field)) one.wrong.add(`it points to ${field ?? 'no field'}`)
  }
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
  [...told].map(([code, { tried, wrong }]) => ({
    cell: app.errors.get(code)!.cell,
    title: `${code}: its words, status and field, ${tried} ${tried === 1 ? 'answer' : 'answers'}`,
    passed: wrong.size === 0,
    detail: wrong.size === 0 ? null : [...wrong].slice(0, toldOfEach).join('\n       '),
  }))
