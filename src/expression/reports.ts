/** Reports about parts of a cell: places are offsets in its text until here, and places in the file from here on. */
import { within } from '../document/cell.ts'
import { type Diagnostic, type Fix, type Parameters, reporter } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import type { TextRange } from './ast.ts'
import { expressionCodes } from './codes.ts'

/** An edit of the cell's text. */
export interface TextEdit extends TextRange {
  readonly text: string
}

export interface TextFix extends Omit<Fix, 'edits'> {
  readonly edits: readonly TextEdit[]
}

type Codes = typeof expressionCodes

export interface Reports {
  readonly report: <Name extends keyof Codes & string>(
    code: Name,
    place: TextRange,
    parameters: Readonly<Record<Parameters<Codes[Name]>, string | number>>,
    fixes?: readonly TextFix[],
  ) => void
}

/** A reporter whose places are offsets in a cell's text. */
export function reports(cell: Cell, section: number, found: Diagnostic[]): Reports {
  const { report } = reporter(expressionCodes, section, found)
  const spanOf = ({ from, to }: TextRange) => within(cell, from, to)
  const fixOf = ({ edits, ...fix }: TextFix): Fix => ({
    ...fix,
    edits: edits.map(edit => ({ span: spanOf(edit), text: edit.text.replaceAll('|', '\\|') })),
  })
  return {
    report(code, place, parameters, fixes = []) {
      report(code, spanOf(place), parameters, { fixes: fixes.map(fixOf) })
    },
  }
}

/** The fix that writes something else at a place. */
export const writeInstead = ({ from, to }: TextRange, text: string): TextFix => ({
  title: `write \`${text}\``,
  kind: 'write',
  edits: [{ from, to, text }],
})
