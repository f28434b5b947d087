/** Heading 8: the error catalogue. */
import type { Cell } from '../../document/source.ts'
import type { Template } from '../../expression/expression.ts'
import type { Specified } from '../specified.ts'

export interface ErrorEntry {
  /** `E-DUE-1`. */
  readonly code: string
  readonly cell: Cell
  readonly message: Specified<Cell>
  readonly whatToDo: Cell | null
  /** HTTP status, 422 where the column is empty. */
  readonly status: number
  /**
   * Message and what to do, read in the scope of each entity whose rules, steps or calls raise it, by entity key
   * (an error raised for `loan_line` may say `{item.name}`).
   */
  readonly templates: ReadonlyMap<string, ErrorTexts>
  /** The same in other languages, by tag, where either text is translated. */
  readonly translated: ReadonlyMap<string, Pick<ErrorEntry, 'message' | 'whatToDo' | 'templates'>>
}

export interface ErrorTexts {
  readonly message: Template
  readonly whatToDo: Template | null
}
