/** `ninefold import database`: the tables of a PostgreSQL database as a document. */
import { sql } from '../../expression/sql.ts'
import type { Reader } from '../../store/pool.ts'
import { listNotes } from '../write.ts'
import { readCatalogue } from './catalogue.ts'
import { settled } from './settle.ts'
import { draftOfDatabase } from './translate.ts'

type ImportedDatabase =
  /** Root file first. One file, unless Ninefold made the database from a document of several. */
  | { readonly files: readonly { readonly path: string; readonly text: string }[]; readonly notes: readonly string[] }
  | { readonly mistake: string }

/** Reads, and changes nothing. Rejects with `Unavailable` where the database cannot be reached. */
export async function importDatabase(reader: Reader, schemas: readonly string[]): Promise<ImportedDatabase> {
  const own = await documentOf(reader)
  if (own !== null)
    return {
      files: own,
      notes: ['Ninefold made this database: this is the document that was applied to it last, as it was written'],
    }
  const catalogue = await readCatalogue(reader, schemas)
  if ('missing' in catalogue) return { mistake: `There is no schema '${catalogue.missing}' in this database.` }
  if (catalogue.tables.length === 0)
    return { mistake: `The schema '${schemas.join("', '")}' of the database '${catalogue.name}' has no tables.` }
  const { draft, importing } = draftOfDatabase(catalogue)
  const text = settled(draft, importing)
  return { files: [{ path: 'app.md', text }], notes: listNotes(draft.notes) }
}

/** The document that the tables were made from, where Ninefold made them. */
async function documentOf(reader: Reader) {
  const [made] = await reader.query<{ there: boolean }>(
    sql`select to_regclass('ninefold.document') is not null as there`,
  )
  if (!made!.there) return null
  const [row] = await reader.query<{ files: readonly { readonly path: string; readonly text: string }[] }>(
    sql`select files from ninefold.document order by number desc limit 1`,
  )
  return row?.files ?? null
}
