/**
 * Text with places in it. Everything the document says is kept together with where it was written,
 * so that a diagnostic, a refusal or a button can show the line that decides it.
 */

/** One file of a document. `path` is as the user would name it (relative to the root file's folder, `/` separators). */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** A half-open range of UTF-16 offsets in a file. */
export interface Span {
  readonly file: SourceFile
  readonly start: number
  readonly end: number
}

/**
 * What a cell (heading, property value, table cell) says, trimmed, `\|` unescaped, a whole-cell code span's backticks dropped,
 * together with where it was written. `gaps` are the offsets *in text* before which the source has one character more (a backslash).
 */
export interface Cell extends Span {
  readonly text: string
  readonly gaps: readonly number[]
}

/** 1-based line and 1-based column (UTF-16 units, as editors and language servers count). */
export interface Position {
  readonly line: number
  readonly column: number
}
