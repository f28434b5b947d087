/** `ninefold import sheet`: the tables of a workbook as a document, with their rows. */
import { keyOf } from '../../expression/names.ts'
import { Drafting, sentence, singular } from '../draft.ts'
import { listNotes, writeDocument } from '../write.ts'
import { withoutRefused } from './data.ts'
import { fillTables } from './fields.ts'
import type { Sheet } from './sheet.ts'
import { columnsOf, severalName, withoutTotals } from './table.ts'

/** Root file first; each of the others holds the rows of an entity. */
interface ImportedSheets {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly notes: readonly string[]
}

/** `file` is what the sheets were read from: `shop.xlsx`. Never throws for what they hold. */
export function importSheets(sheets: readonly Sheet[], file: string): ImportedSheets {
  const drafting = new Drafting()
  const tables = sheets.flatMap(given => {
    const { sheet, totals } = withoutTotals(given)
    for (const cell of totals) drafting.note(null, cell, 'begins a row that adds up the others, and is no record')
    if (sheet.rows.length === 0) return []
    const several = severalName(sheet, file)
    const entity = drafting.entity(singular(several))
    if (entity.name === singular(several) && /^\p{L}[\p{L}\p{N} ]*$/u.test(several)) entity.several = several
    entity.data = `data/${keyOf(entity.name).replaceAll('_', '-')}.csv`
    entity.evidence.of = `the ${sheet.rows.length} rows of ${sheet.name}`
    return [{ sheet, entity, columns: columnsOf(sheet) }]
  })
  const filled = fillTables(drafting, tables)
  const draft = {
    title: sentence(file.replace(/\.[^.]*$/, '')),
    origin: `Imported from ${file}.`,
    entities: drafting.entities,
    rules: [],
    notes: drafting.notes,
  }
  const files = withoutRefused(drafting, filled, () => writeDocument(draft))
  return { files, notes: listNotes(draft.notes) }
}
