/** `ninefold import prisma`: a Prisma schema into a document. */
import type { Imported } from '../jdl/import.ts'
import { listNotes, writeDocument } from '../write.ts'
import { parsePrisma } from './parse.ts'
import { draftOfPrisma } from './translate.ts'

/** `file` is what the text was read from: `schema.prisma`. Never throws for what the text says. */
export function importPrisma(text: string, file: string): Imported {
  const reading = parsePrisma(text)
  if ('mistake' in reading) return reading
  const draft = draftOfPrisma(reading.schema, file)
  return { document: writeDocument(draft), notes: listNotes(draft.notes) }
}
