/** What was probably meant by a word or sign that does not belong where it stands: the fixes that are offered. */
import type { TextRange } from './ast.ts'
import type { Token } from './lexer.ts'
import { type TextFix, writeInstead } from './reports.ts'

/** Names of fields and choices that the place knows: `due_back`, `On loan`. */
export type Known = ReadonlySet<string>

export const unknown: Known = new Set()

/** Fixes for a token that is not the one expected; none where nothing can be guessed. */
export function meantBy(text: string, token: Token, expected: string, known: Known): readonly TextFix[] {
  const isWord = token.kind === 'name' || token.kind === 'choice'
  if (isWord && (expected === 'the end' || expected === '`)`')) return joined(text, token, known)
  if (expected !== 'the end') return []
  if (token.text === ',') return commas(text, token)
  return text.slice(token.to).trim() === ''
    ? [{ title: `take out \`${token.text}\``, edits: [{ ...before(text, token), text: '' }] }]
    : []
}

/** `14,5` is a number in other places of the world; `a > 1, b > 2` means both. */
function commas(text: string, { from, to }: TextRange): readonly TextFix[] {
  const whole = /\d+$/.exec(text.slice(0, from))?.[0]
  const behind = /^\d+/.exec(text.slice(to))?.[0]
  if (whole !== undefined && behind !== undefined) {
    const place = { from: from - whole.length, to: to + behind.length }
    const point = writeInstead(place, `${whole}.${behind}`)
    return behind.length === 3 ? [point, writeInstead(place, `${whole}${behind}`)] : [point]
  }
  const list = listed(text, from)
  if (list !== null) return [list]
  return ['and', 'or'].map(word => ({
    title: `write \`${word}\``,
    kind: 'write',
    edits: [{ from, to, text: ` ${word}` }],
  }))
}

/** `state in Draft, Sent` lacks its parentheses. */
function listed(text: string, from: number): TextFix | null {
  const first = /\bin\s+("[^"]*"|[\w.]+)\s*$/.exec(text.slice(0, from))
  const others = /^(?:\s*,\s*(?:"[^"]*"|[\w.]+))+/.exec(text.slice(from))
  if (first === null || others === null) return null
  const start = first.index + first[0].indexOf(first[1]!)
  const to = from + others[0].length
  return writeInstead({ from: start, to }, `(${text.slice(start, to)})`)
}

/** `Due back` is the label of `due_back`; `On loan` is written in quotes. */
function joined(text: string, { from }: TextRange, known: Known): readonly TextFix[] {
  const run = [...text.matchAll(/[A-Za-z]\w*(?: +[A-Za-z]\w*)+/g)].find(
    ({ index, 0: words }) => index < from && from < index + words.length,
  )
  if (run === undefined) return []
  const words = run[0].split(/ +/)
  for (let count = words.length; count > 1; count--) {
    const phrase = words.slice(0, count).join(' ')
    const place = {
      from: run.index,
      to: run.index + run[0].match(new RegExp(`^(?:\\S+ +){${count - 1}}\\S+`))![0].length,
    }
    const name = phrase.toLowerCase().replaceAll(' ', '_')
    if (known.has(name)) return [writeInstead(place, name)]
    if (known.has(phrase)) return [writeInstead(place, `"${phrase}"`)]
  }
  return []
}

/** Texts stand in double quotes. */
export function otherQuotes(text: string, { from, to }: TextRange): readonly TextFix[] {
  const close = text.indexOf("'", to)
  return close < 0 ? [] : [writeInstead({ from, to: close + 1 }, `"${text.slice(to, close)}"`)]
}

/** A place with the white space before it. */
const before = (text: string, { from, to }: TextRange): TextRange => ({
  from: text.slice(0, from).trimEnd().length,
  to,
})
