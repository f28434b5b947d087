/** Values in the JSON answer of a call: what stands under a name in it, and what a field takes of that. */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Given } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { invalidValue } from '../../kinds/fields/invalid-value.ts'
import { numberText, roundedNumber } from '../../kinds/fields/json/exact.ts'
import { jsonKind } from '../../kinds/fields/texts.ts'
import type { Problem } from '../outcome.ts'
import { raiseInvalidValue } from '../problems/raise.ts'

/** What is under a name, `rates.GBP`; the whole answer for ''. Null where there is nothing. */
export function valueAt(body: unknown, name: string): unknown {
  const names = name === '' ? [] : name.split('.')
  return names.reduce<unknown>(
    (of, key) => (typeof of === 'object' && of !== null && Object.hasOwn(of, key) ? of[key as never] : null),
    body,
  )
}

/** As expressions have it: a number and yes/no as a text. Null for what has several values. */
export function textAt(body: unknown, name: string): string | null {
  const value = plainAt(body, name)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null
}

/** Numbers by their text, with all their digits. */
function plainAt(body: unknown, name: string): unknown {
  const value = valueAt(body, name)
  const written = roundedNumber(value) ?? (typeof value === 'number' ? String(value) : null)
  return written === null ? value : (numberText(written) ?? written)
}

/** Names in the answer that an expression reads as values of their own. */
const answersIn = (node: Checked): readonly string[] =>
  node.op === 'answer' ? (node.type.kind === 'json' ? [] : [node.name]) : partsOf(node).flatMap(answersIn)

type Held = { readonly value: Wire } | { readonly problem: Problem }

/**
 * What a field takes of an answer as it is, `set gbp = answer.rates.GBP`, read as the API reads it; or what is in the way of working
 * out an expression: it reads one value where there are several. Null: it can be worked out.
 */
export function heldOf(app: App, body: unknown, field: Field, { value: { root }, cell }: Given): Held | null {
  const place = { field: field.key, because: cell }
  if (root.op !== 'answer' || root.type.kind === 'json') {
    const several = answersIn(root).find(name => isSeveral(valueAt(body, name)))
    if (several === undefined) return null
    const found = jsonKind(valueAt(body, several))
    return {
      problem: raiseInvalidValue(
        app,
        invalidValue('NF-JSON', { expected: 'a text', found }).invalid,
        `answer.${several}`,
        place,
      ),
    }
  }
  const value = plainAt(body, root.name)
  if (value === null || value === '') return { value: null }
  const isText = field.type.kind === 'text' && typeof value === 'boolean'
  const parsed = fieldKind(field.kind).fromJson(isText ? String(value) : value, field.parameters)
  return 'value' in parsed
    ? parsed
    : { problem: raiseInvalidValue(app, parsed.invalid, `${field.label} (answer.${root.name})`, place) }
}

const isSeveral = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && roundedNumber(value) === null
