/** What a document leaves open, as text for people: the listing of `ninefold gaps`, and what a strict check adds. */
import { position } from '../../document/cell.ts'
import { type Diagnostic, reporter } from '../../document/diagnostic.ts'
import { placeOf } from '../../document/print.ts'
import type { Cell } from '../../document/source.ts'
import type { App, Assumption } from '../app.ts'
import { commonCodes } from '../codes.ts'
import { type Gap, gapTexts } from './gap.ts'

/** One line a gap, an assumption, a place where code decides, each with its place; the counts come first. No colours. */
export function listGaps({ gaps, assumptions, inCode }: App): readonly string[] {
  const coded = (wide: number) =>
    inCode.length === 0
      ? []
      : [
          '',
          `${count(inCode.length, 'place')} decided in code`,
          ...inCode.map(({ cell, what }) => `  ${placeText(cell).padEnd(wide)}  ${what}`),
        ]
  if (gaps.length + assumptions.length === 0) return ['Nothing is left open.', ...coded(0)]
  const places = [...gaps, ...assumptions, ...inCode].map(({ cell }) => placeText(cell).length)
  const wide = Math.max(...places)
  return [
    ...(gaps.length === 0 ? [] : [`${count(gaps.length, 'gap')}: left open by the document`]),
    ...gaps.map(gap => `  ${placeText(gap.cell).padEnd(wide)}  ${gapText(gap)}`),
    ...(gaps.length > 0 && assumptions.length > 0 ? [''] : []),
    ...(assumptions.length === 0
      ? []
      : [
          `${count(assumptions.length, 'assumption')}: say it in the document, or accept it under heading 1 with \`- **Assume:** …\``,
        ]),
    ...assumptions.map(assumption => `  ${placeText(assumption.cell).padEnd(wide)}  ${assumptionText(assumption)}`),
    ...coded(wide),
  ]
}

/** The same as values. */
export const openIn = ({ gaps, assumptions, inCode }: App) => ({
  gaps: gaps.map(gap => ({ ...placeOf(gap.cell), ...gapTexts(gap), owner: gap.owner, note: gap.note })),
  assumptions: assumptions.map(({ name, what, cell, accepted }) => ({
    ...placeOf(cell),
    name,
    what,
    accepted: accepted !== null,
  })),
  inCode: inCode.map(({ cell, what }) => ({ ...placeOf(cell), what })),
})

/** Assumptions that the document does not accept, as errors: what `ninefold check --strict` adds. */
export function unaccepted({ assumptions }: App): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { name, what, cell, section, accepted } of assumptions)
    if (accepted === null) reporter(commonCodes, section, found).report('N1003', cell, { name, what })
  return found
}

function gapText(gap: Gap): string {
  const { what, consequence } = gapTexts(gap)
  const by = [gap.owner, gap.note].filter(text => text !== null).join(', ')
  return `${what}: ${consequence}${by === '' ? '' : ` (${by})`}`
}

const assumptionText = ({ name, what, accepted }: Assumption): string =>
  `${name}: ${what}${accepted === null ? '' : ' (accepted)'}`

function placeText({ file, start }: Cell): string {
  const { line, column } = position(file, start)
  return `${file.path}:${line}:${column}`
}

/** `1 gap`, `2 gaps`. */
export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`
