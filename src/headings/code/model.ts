/** Functions that the document declares and TypeScript decides. */
import type { Cell, SourceFile } from '../../document/source.ts'
import type { Type } from '../../expression/type.ts'
import type { FieldParameters } from '../../kinds/fields/field-kind.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Field } from '../3-entities/model.ts'

/** A type as a function sees it: that of a field. */
export interface CodeType {
  readonly kind: string
  readonly parameters: FieldParameters
  readonly type: Type
}

export interface CodeFunction {
  /** Its name in expressions and the name of the export. */
  readonly name: string
  readonly cell: Cell
  readonly takes: readonly (CodeType & { readonly name: string })[]
  readonly gives: CodeType
  /** Null: the document leaves it open, and what it gives is unknown. */
  readonly file: SourceFile | null
  readonly meaning: Cell | null
}

/** A React component on a screen. */
export interface BlockLink {
  /** The name of the export. */
  readonly name: string
  readonly cell: Cell
  readonly file: SourceFile
}

/** A place where code decides instead of the document. */
export interface DecidedInCode {
  readonly cell: Cell
  /** Names of functions. */
  readonly asks: readonly string[]
  /** "`fee(lines) < 100` asks fee". */
  readonly what: string
}

/** Whether a record that code is given may have nothing in a field: where it is not required, and what the application itself fills later. */
export const mayBeNull = ({ optional, kind, type }: Field): boolean =>
  type.kind !== 'list' && (optional || !fieldKind(kind).entered)
