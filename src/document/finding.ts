/** A diagnostic as programs get it: `check --format json`, and `findings` of the package. */

/** Lines and columns begin at 1 and count UTF-16 units, as in language servers; `endLine` and `endColumn` are behind the last character. */
export interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export interface Finding extends Place {
  /** `N` and four digits; docs/codes has an article on each. */
  readonly code: string
  readonly severity: 'error' | 'warning' | 'gap' | 'hint'
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string
  /** Why it matters or what to write instead. */
  readonly help: string | null
  /** The heading (1 to 9) that it belongs to; 0 for the file as a whole. */
  readonly section: number
  readonly related: readonly (Place & { readonly message: string })[]
  /** Changes of the document that cure it. The edits of one do not overlap and are given in source order. */
  readonly fixes: readonly { readonly title: string; readonly edits: readonly (Place & { readonly text: string })[] }[]
}
