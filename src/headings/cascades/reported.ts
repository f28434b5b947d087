/**
 * One mistake, one message: what follows from a mistake that is reported anyway is taken out again, in one place, instead of every
 * reader knowing of every other, and what is said about it several times is said once.
 */
import type { Diagnostic } from '../../document/diagnostic.ts'
import type { SourceFile, Span } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { blanksOf } from './blanks.ts'
import { withoutConsequences } from './consequences.ts'
import { onePerMistake } from './mistakes.ts'
import { onePerRow } from './rows.ts'

/** What is left of the findings, in the document's order. */
export function reported(context: Context): readonly Diagnostic[] {
  const { files } = context.document
  // Files of sample data come last: what they lack is missing in the document.
  const place = ({ file, start }: Span) => [files.includes(file) ? files.indexOf(file) : files.length, start] as const
  const sorted = ofDecoded(withoutConsequences(context))
    .map((found, order) => ({ found, order, at: place(found.span) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.order - b.order)
    .map(({ found }) => found)
  return onePerMistake(onePerPlace(onePerRow(context.document, sorted)), blanksOf(context))
}

/** Of a file that is not UTF-8 nothing else is to be believed. */
function ofDecoded(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const undecoded = new Set(found.flatMap(({ code, span }) => (code === 'N0018' ? [span.file] : [])))
  return found.filter(({ code, span }) => code === 'N0018' || !undecoded.has(span.file))
}

/** Two errors or warnings at one place are two views of one mistake: the first is enough. The same text of a gap is one gap. */
function onePerPlace(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<SourceFile, Set<string>>()
  return sorted.filter(({ span, severity, message }) => {
    const here = seen.get(span.file) ?? new Set()
    seen.set(span.file, here)
    const key = severity === 'gap' ? `${span.start} ${message}` : `${span.start} ${severity}`
    return !here.has(key) && here.add(key)
  })
}
