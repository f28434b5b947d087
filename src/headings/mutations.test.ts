/** Whatever is written, reading ends with a model, a diagnostic, or both: never with an exception, and never beside the file. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampled } from '../../scripts/limits.ts'
import { listGaps } from './gaps/list.ts'
import { readApp } from './index.ts'
import { loanDeskAlone as loanDesk } from './testing.ts'

const lines = loanDesk.split('\n')
const pieces = [...new Set(loanDesk.match(/[A-Za-z_.-]+|\d+|[^\sA-Za-z\d]/g))]

/** A mutation takes a line out, doubles it, moves it, or puts a piece of the document in the place of another. */
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'double', 'move', 'swap', 'cut', 'empty'),
  line: fc.nat(lines.length - 1),
  other: fc.nat(lines.length - 1),
  piece: fc.nat(pieces.length - 1),
  at: fc.nat(30),
})

function mutate(
  text: readonly string[],
  { kind, line, other, piece, at }: { kind: string; line: number; other: number; piece: number; at: number },
) {
  const all = [...text]
  const chosen = all[line] ?? ''
  if (kind === 'drop') all.splice(line, 1)
  if (kind === 'double') all.splice(line, 0, chosen)
  if (kind === 'move') all.splice(other, 0, ...all.splice(line, 1))
  if (kind === 'cut') all[line] = chosen.slice(0, at)
  const parts = chosen.split(/([A-Za-z_.-]+|\d+|[^\sA-Za-z\d])/)
  const index = parts.length === 0 ? 0 : at % parts.length
  if (kind === 'swap') all[line] = parts.with(index, pieces[piece]!).join('')
  if (kind === 'empty') all[line] = parts.with(index, '').join('')
  return all
}

function readSafely(text: string) {
  const { app, found, files } = readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null))
  expect(app !== null || found.length > 0).toBe(true)
  for (const { span, message, related, fixes } of found) {
    const places = [span, ...related.map(item => item.span), ...fixes.flatMap(fix => fix.edits.map(edit => edit.span))]
    for (const { file, start, end } of places) {
      expect(files).toContain(file)
      expect(start >= 0 && start <= end && end <= file.text.length, message).toBe(true)
    }
    expect(message).not.toMatch(/undefined|NaN|\[object/)
  }
  if (app !== null) listGaps(app)
}

test('one to four mutations of the loan desk', () => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), mutations => {
      readSafely(mutations.reduce<readonly string[]>(mutate, lines).join('\n'))
    }),
    { numRuns: sampled(300) },
  )
})

test('a word with two letters swapped gives one message at most', () => {
  const words = [...loanDesk.matchAll(/[A-Za-z_]{4,}/g)].filter(({ 0: word }) => word[1] !== word[2])
  for (const { 0: word, index } of words.filter((_, number) => number % 4 === 0)) {
    const swapped = `${word[0]}${word[2]}${word[1]}${word.slice(3)}`
    const text = loanDesk.slice(0, index) + swapped + loanDesk.slice(index + word.length)
    const { found } = readApp('loan-desk.md', () => text)
    const said = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
    expect(said.length, `${swapped}: ${said.map(({ message }) => message).join('; ')}`).toBeLessThanOrEqual(1)
  }
})

test('lines of the loan desk in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), some => readSafely(some.join('\n'))),
    { numRuns: sampled(300) },
  )
})

test('anything at all', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), readSafely), { numRuns: sampled(300) })
})
