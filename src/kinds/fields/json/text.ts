/** JSON as one text: the one that PostgreSQL gives back for a `jsonb`. */
import { numberText, parseExact, roundedNumber } from './exact.ts'

/** No deeper than both sides can follow. */
const deepest = 100

/** Null for nothing (null, what is no JSON), for what is nested too deeply and for numbers of hundreds of digits. Characters that PostgreSQL cannot hold are taken out. */
export function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return textOf(value, deepest)
}

/** The value of such a text. */
export const jsonOf = (text: string): unknown => parseExact(text)

/** For people: a line for each member. */
export const jsonLines = (text: string): string => JSON.stringify(jsonOf(text), null, 2)

function textOf(value: unknown, depth: number): string | null {
  if (depth === 0) return null
  const rounded = roundedNumber(value)
  if (rounded !== null) return numberText(rounded)
  switch (typeof value) {
    case 'string':
      return JSON.stringify(held(value))
    case 'number':
      return Number.isFinite(value) ? numberText(String(value)) : null
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? arrayText(value, depth) : objectText(value, depth)
    default:
      return null
  }
}

function arrayText(values: readonly unknown[], depth: number): string | null {
  const texts = values.map(value => textOf(value, depth - 1))
  return texts.includes(null) ? null : `[${texts.join(', ')}]`
}

/** Shorter names first, then by their bytes. */
function objectText(value: object, depth: number): string | null {
  const members = new Map(Object.entries(value).map(([name, one]) => [held(name), textOf(one, depth - 1)]))
  if ([...members.values()].includes(null)) return null
  const sorted = [...members].map(([name, text]) => ({ name, text, bytes: new TextEncoder().encode(name) }))
  sorted.sort((left, right) => left.bytes.length - right.bytes.length || compare(left.bytes, right.bytes))
  return `{${sorted.map(({ name, text }) => `${JSON.stringify(name)}: ${text}`).join(', ')}}`
}

function compare(left: Uint8Array, right: Uint8Array): number {
  const at = left.findIndex((byte, index) => byte !== right[index])
  return at < 0 ? 0 : left[at]! - right[at]!
}

const held = (text: string): string => text.replaceAll('\0', '').toWellFormed()
