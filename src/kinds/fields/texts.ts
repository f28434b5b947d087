/** The one text domain of Ninefold: what is kept of a text that somebody entered, and what is refused. */

import type { Parsed } from './field-kind.ts'
import { roundedNumber } from './json/exact.ts'
import { misfit } from './misfits.ts'

/** Nothing but white space: stored as empty. */
export const isBlank = (text: string): boolean => text.trim() === ''

/** Length as both JavaScript and PostgreSQL count it here: code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** One line: normalised to NFC and trimmed; a blank one is empty (null). Control characters and halves of characters are refused. */
export function cleanLine(text: string, max: number): Parsed {
  return clean(text, max, /\p{Cc}/u)
}

/** Several lines: as `cleanLine`, with `\n` and `\t` kept and other line ends made `\n`. */
export function cleanLines(text: string, max: number): Parsed {
  return clean(text.replace(/\r\n?/g, '\n'), max, /[^\P{Cc}\n\t]/u)
}

function clean(text: string, max: number, refused: RegExp): Parsed {
  const half = text.isWellFormed() ? null : /\p{Surrogate}/u.exec(text)
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  const found = half ?? refused.exec(trimmed)
  if (found) {
    const character = `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    return misfit('NF-TEXT', { character })
  }
  const value = trimmed.normalize('NFC')
  const length = codePoints(value)
  return length > max ? misfit('NF-TOO-LONG', { max, length }) : { value }
}

/** What JSON calls a value, for messages. */
export function jsonKind(json: unknown): string {
  if (json === null) return 'null'
  if (roundedNumber(json) !== null) return 'a number'
  if (Array.isArray(json)) return 'an array'
  return (
    { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof json as 'string'] ??
    'nothing'
  )
}

/** A JSON text through `read`; anything else is refused. */
export function jsonText(json: unknown, expected: string, read: (text: string) => Parsed): Parsed {
  return typeof json === 'string' ? read(json) : misfit('NF-JSON', { expected, found: jsonKind(json) })
}
