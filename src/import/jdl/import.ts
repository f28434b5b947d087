/** `ninefold import jdl`: JDL text into a document. */
import { listNotes, writeDocument } from '../write.ts'
import type { TextRange } from './model.ts'
import { parseJdl } from './parse.ts'
import { draftOfJdl } from './translate.ts'

export type Imported =
  | { readonly document: string; readonly notes: readonly string[] }
  /** The text cannot be understood; nothing is imported. */
  | { readonly mistake: string; readonly place: TextRange }

/** `file` is what the text was read from: `library.jh`. Never throws for what the text says. */
export function importJdl(text: string, file: string): Imported {
  const reading = parseJdl(text)
  if ('mistake' in reading) return reading
  const draft = draftOfJdl(reading.model, file)
  return { document: writeDocument(draft), notes: listNotes(draft.notes) }
}
