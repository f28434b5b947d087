/** Values in the JSON answer of a call: what stands under a name in it, and what a field takes of that. */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Given } from '../../headings/4-states/model.ts'
import type { AnswerAct } from '../../headings/7-calls/model.ts'
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

/** What an expression reads of the answer. */
const answersIn = (node: Checked): readonly { readonly name: string; readonly type: Type }[] =>
  node.op === 'answer' ? [node] : partsOf(node).flatMap(answersIn)

/** What is wrong with an answer of which the acts read names: it is half a JSON, or a page for people. Null: nothing, or it is empty. */
export function brokenFor(acts: readonly AnswerAct[], body: unknown): string | null {
  if (body === null || isSeveral(body)) return null
  const read = acts.flatMap(act => (act.kind === 'set' ? act.values.flatMap(({ value }) => answersIn(value.root)) : []))
  const named = read.find(({ name }) => name !== '')
  return named === undefined ? null : `answer.${named.name}: the answer is ${jsonKind(body)}, not an object`
}

type Held = { readonly value: Wire } | { readonly problem: Problem }

/**
 * What a field takes of an answer as it is, `set gbp = answer.rates.GBP`, read as the API reads it; or what is in the way of working
 * out an expression: it reads one value where there are several. Null: it can be worked out.
 */
export function heldOf(app: App, body: unknown, field: Field, { value: { root }, cell }: Given): Held | null {
  const place = { field: field.key, because: cell }
  if (root.op !== 'answer' || root.type.kind === 'json') {
    const several = answersIn(root).find(({ name, type }) => type.kind !== 'json' && isSeveral(valueAt(body, name)))
    if (several === undefined) return null
    const found = jsonKind(valueAt(body, several.name))
    return {
      problem: raiseInvalidValue(
        app,
        invalidValue('NF-JSON', { expected: 'a text', found }).invalid,
        `answer.${several.name}`,
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
