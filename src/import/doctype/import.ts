/** `ninefold import doctype`: DocTypes of Frappe, with their permissions and workflows, into a document. */
import { listNotes, writeDocument } from '../write.ts'
import { docTypesIn } from './model.ts'
import { draftOfDocTypes } from './translate.ts'

/** `files`: what was parsed of each file. Null where none of them is a DocType. */
export function importDocTypes(
  files: readonly unknown[],
  from: string,
): { readonly document: string; readonly notes: readonly string[] } | null {
  const all = docTypesIn(files)
  if (all.types.length === 0) return null
  const draft = draftOfDocTypes(all, from)
  return { document: writeDocument(draft), notes: listNotes(draft.notes) }
}
