/** Makes a `Problem` of a code: in the words of the document's catalogue, else in those of the built-in table. */

import type { Cell } from '../../document/source.ts'
import type { Portable } from '../../expression/computed.ts'
import { amountAlone } from '../../expression/currency.ts'
import { type Environment, evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression, TemplatePart } from '../../expression/expression.ts'
import { fillHoles, formFor } from '../../expression/holes.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { BuiltIn, BuiltInCode, Detail } from '../../headings/8-errors/built-in.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import type { Problem } from '../outcome.ts'
import { builtInWords } from './problems.ts'
import { shownValue } from './shown.ts'
import { wordsIn } from './words.ts'

interface ProblemPlace {
  /** `due_back`, `lines.2.item`; null: the record as a whole. */
  readonly field: string | null
  readonly because: Cell | null
}

/** Where the document's own words come from. An application is one; forms in the browser have the same as plain data. */
export interface Wording {
  /** Tag of the language of the built-in words. */
  readonly language: string
  readonly errors: {
    readonly get: (code: string) =>
      | {
          readonly message: Specified<{ readonly text: string }>
          readonly whatToDo: { readonly text: string } | null
          readonly status: number
        }
      | undefined
  }
}

/** A template whose expressions may be portable ones. */
export interface Words {
  readonly parts: readonly (TemplatePart | Ported<TemplatePart>)[]
}

type Ported<Part> = Part extends { readonly expression: Expression }
  ? Omit<Part, 'expression'> & { readonly expression: Portable }
  : Part

const nowhere: ProblemPlace = { field: null, because: null }

/** A built-in problem. The document may word it anew; its words stand there without holes. */
export function raise<Code extends BuiltInCode>(
  app: Wording,
  code: Code,
  detail: Detail<Code>,
  place: Partial<ProblemPlace> = {},
): Problem {
  return raiseText(app, code, builtInWords(code, app.language), detail as Readonly<Record<string, string | number>>, {
    ...nowhere,
    ...place,
  })
}

/** A field's rule refuses: in the words of the error that stands behind its `else`, where one does. */
export function refuse<Code extends BuiltInCode>(
  app: App,
  { entity, refusals }: { readonly entity: string; readonly refusals: Field['refusals'] },
  code: Code,
  detail: Detail<Code>,
  reading: Reading,
  place: ProblemPlace,
): Problem {
  const own = refusals.get(code)
  return own === undefined ? raise(app, code, detail, place) : raiseEntry(app, own.code, entity, reading, place)
}

/** As `raise`, for codes and details that are data (invalidValues of field kinds). */
export function raiseInvalidValue(
  app: Wording,
  invalid: { readonly code: string; readonly detail: Readonly<Record<string, string | number>> },
  label: string,
  place: ProblemPlace,
): Problem {
  return raiseText(app, invalid.code, builtInWords(invalid.code, app.language), { ...invalid.detail, label }, place)
}

function raiseText(
  app: Wording,
  code: string,
  entry: BuiltIn,
  detail: Readonly<Record<string, string | number>>,
  place: ProblemPlace,
): Problem {
  const own = app.errors.get(code)
  const words = own === undefined || isUnspecified(own.message) ? entry.message : own.message.text
  const whatToDo = own?.whatToDo?.text ?? entry.whatToDo
  return {
    code,
    message: fillHoles(words, detail, app.language),
    whatToDo: whatToDo === null ? null : fillHoles(whatToDo, detail, app.language),
    status: own?.status ?? entry.status,
    ...place,
  }
}

/** A problem of the document's catalogue, its template filled from the record it is raised for. */
export function raiseEntry(app: App, code: string, entity: string, reading: Reading, place: ProblemPlace): Problem {
  const entry = app.errors.get(code)
  const template = entry?.templates.get(entity)
  if (entry === undefined || template === undefined) {
    return raiseText(
      app,
      code,
      { ...builtInWords('NF-RULE', app.language), status: entry?.status ?? 422 },
      { rule: code },
      place,
    )
  }
  return {
    code,
    message: render(template.message, reading),
    whatToDo: template.whatToDo === null ? null : render(template.whatToDo, reading),
    status: entry.status,
    ...place,
  }
}

/** What an entry of the catalogue says whatever the record is; null where its message has something of the record in it. */
export function plainMessage(app: App, code: string, entity: string): string | null {
  const parts = app.errors.get(code)?.templates.get(entity)?.message.parts ?? []
  const texts = parts.flatMap(part => (part.kind === 'text' ? [part.text] : []))
  return parts.length === 0 || texts.length < parts.length ? null : texts.join('')
}

/** What a template is read against, and for whom. */
export interface Reading {
  readonly environment: Environment
  readonly locale: string
  readonly zone: string
  /** Titles of the records that references name, where a template shows a reference: by id. */
  readonly labels?: ReadonlyMap<string, string>
  /** Values that only the database could tell, by the expression of the template: see reading.ts. */
  readonly found?: ReadonlyMap<object, Wire>
  /** What whoever is told may not see, and is left out of what they are told; absent: it is not told to people of a role. */
  readonly hides?: (expression: Expression | Portable) => boolean
}

/** What of an expression its reader is told: all of it, of an amount whose currency is closed to them the number, or nothing. */
function toldOf(expression: Expression | Portable, { hides }: Reading): Expression | Portable | null {
  if (hides === undefined || !hides(expression)) return expression
  const alone = amountAlone(expression as Portable)
  return alone === null || hides(alone) ? null : alone
}

/** The text of a template. What is not known is left out, never invented. */
export function render(template: Words, reading: Reading): string {
  return template.parts
    .map(part => {
      if (part.kind === 'text') return part.text
      const expression = toldOf(part.expression, reading)
      if (expression === null) return ''
      const value = reading.found?.get(expression) ?? evaluate(expression, reading.environment)
      if (value === NOT_LOADED || typeof value === 'object') return ''
      if (part.kind === 'plural') return formFor(String(value ?? 0), part.forms, reading.locale)
      // A length of time on the clock reads as a constant is written: "2 hours", and not 2:00.
      const format = part.expression.root.op === 'limit' ? (part.format ?? 'words') : part.format
      return part.words?.[String(value)] ?? shownIn(reading, value, part.expression.type, format)
    })
    .join('')
}

function shownIn(reading: Reading, value: Wire, type: Type, format: string | null): string {
  if (type.kind === 'reference' && typeof value === 'string')
    return value === unseen ? wordsIn(reading.locale).unseen : (reading.labels?.get(value) ?? '')
  return shownValue(value, type, reading.locale, reading.zone, format)
}
