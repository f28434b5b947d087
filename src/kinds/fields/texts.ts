/** The one text domain of Ninefold: what is kept of a text that somebody entered, and what is refused. */

import type { Parsed } from './field-kind.ts'
import { invalidValue } from './invalid-value.ts'
import { roundedNumber } from './json/exact.ts'

/** Scripts whose letters a joiner between them keeps apart or ties together. */
const joining = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
  .split(' ')
  .map(script => `\\p{scx=${script}}`)
  .join('')

/**
 * Characters that nobody can see (Unicode's Default_Ignorable_Code_Point, marks of annotations, and the blank of Braille where no Braille
 * is), but for those that shape what stands before them: variation selectors, of which the two of emoji only behind what can be one,
 * joiners in words of such scripts and within emoji, and the tags of a flag (the group).
 */
const unseen = new RegExp(
  [
    String.raw`(\u{1f3f4}[\u{e0020}-\u{e007f}]+)`,
    String.raw`(?![\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{DI}`,
    String.raw`(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<=[0-9#*])[\ufe0e\ufe0f](?!\u20e3)`,
    String.raw`[\ufff9-\ufffb]|(?<![\u2800-\u28ff])\u2800+(?![\u2801-\u28ff])`,
    String.raw`(?<![${joining}])\u200c`,
    String.raw`(?<![${joining}\p{ExtPict}\p{EMod}]|\p{ExtPict}\ufe0f)\u200d`,
  ].join('|'),
  'gu',
)

/** A text as one sees it: trimmed, and without the marks that come along when it is copied from a chat, an address book or a page. */
export const asSeen = (text: string): string => text.replace(unseen, '$1').trim()

/** Nothing that anybody sees: stored as empty. */
export const isBlank = (text: string): boolean => asSeen(text) === ''

/** What PostgreSQL can hold and compare with: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Length as both JavaScript and PostgreSQL count it here: code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** More marks on one letter than any writing has: putting n of them into order takes the square of n, here and in PostgreSQL. */
const tooManyMarks = /\p{M}(?<=\p{M}{31})/u

/** The composed form of Unicode (NFC), in time linear to the length; a text with too many marks on a letter stays as it is. */
export const composed = (text: string): string => (tooManyMarks.test(text) ? text : text.normalize('NFC'))

/** One line: normalised to NFC and as one sees it, a line end of Unicode a blank; a blank one is empty (null). Control characters, halves of characters and heaps of marks are refused. */
export function cleanLine(text: string, max: number): Parsed {
  return clean(text.replace(/[\u2028\u2029]/g, ' '), max, /\p{Cc}/u)
}

/** Several lines: as `cleanLine`, with `\n` and `\t` kept and other line ends made `\n`. */
export function cleanLines(text: string, max: number): Parsed {
  return clean(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'), max, /[^\P{Cc}\n\t]/u)
}

function clean(text: string, max: number, refused: RegExp): Parsed {
  const half = text.isWellFormed() ? null : /\p{Surrogate}/u.exec(text)
  const trimmed = asSeen(text)
  if (trimmed === '') return { value: null }
  const found = half ?? refused.exec(trimmed) ?? tooManyMarks.exec(trimmed)
  if (found) {
    const character = `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    return invalidValue('NF-TEXT', { character })
  }
  const value = composed(trimmed)
  const length = codePoints(value)
  return length > max ? invalidValue('NF-TOO-LONG', { max, length }) : { value }
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
  return typeof json === 'string' ? read(json) : invalidValue('NF-JSON', { expected, found: jsonKind(json) })
}

/** The n-th text that nobody wrote; where only a few characters have room, they are all that tells one from another. */
export function sampleText(n: number, length: number): string {
  const text = `x${n}`
  return text.length <= length ? text : n.toString(36).slice(-length)
}
