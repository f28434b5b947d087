/** The document as text, while it is being written: what `dev` gives to its editor. */
import type { Reading } from '../headings/app.ts'

/** What a file said when it was read: the text, and a mark that changes with it. */
export interface EditedFile {
  readonly text: string
  readonly seen: string
}

export interface Editing {
  /** The files of the document, the root file first; as the document names them. */
  readonly files: () => readonly string[]
  /** Null: it is none of the document's. */
  readonly read: (path: string) => EditedFile | null
  /** Writes the file where it still says what was seen; else gives what it says now. */
  readonly write: (path: string, text: string, seen: string) => { readonly written: boolean; readonly now: EditedFile }
  /** The document as it would be with this text; nothing is written. */
  readonly check: (path: string, text: string) => Reading
}
