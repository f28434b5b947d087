/** `ninefold import sheet`: the tables of a workbook as a document, with their rows. */
import { keyOf } from '../../expression/names.ts'
import { type DraftEntity, Drafting, sentence, singular } from '../draft.ts'
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

/** `file` is what the sheets were read from: `shop.xlsx`; `others` are those of its sheets that are no tables. Never throws for what they hold. */
export function importSheets(
  sheets: readonly Sheet[],
  file: string,
  others: readonly { readonly name: string; readonly why: string }[] = [],
): ImportedSheets {
  const drafting = new Drafting()
  for (const { name, why } of others) drafting.note(null, name, why)
  const tables = sheets.flatMap(given => {
    const { sheet, totals } = withoutTotals(given)
    for (const cell of totals) drafting.note(null, cell, 'begins a row that adds up the others, and is no record')
    if (sheet.rows.length === 0) return []
    const several = severalName(sheet, file)
    const entity = drafting.entity(singular(several))
    if (entity.name === singular(several) && /^\p{L}[\p{L}\p{N} ]*$/u.test(several)) entity.several = several
    entity.data = `data/${keyOf(entity.name).replaceAll('_', '-')}.csv`
    entity.evidence.of = `the ${sheet.rows.length} rows of ${sheet.name}`
    notePlace(drafting, entity, sheet)
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

/** What nobody would see in the rows: what of the sheet is not among them, and what they have that the sheet does not show. */
function notePlace(drafting: Drafting, entity: DraftEntity, { name, place }: Sheet): void {
  const { heading, above, hidden, merged } = place
  if (above > 0)
    drafting.note(
      entity,
      name,
      `its headings stand in row ${heading}; what stands above, in ${counted(above, 'row')}, is left out`,
    )
  if (hidden > 0) drafting.note(entity, name, `${counted(hidden, 'row')} that it hides came along, too`)
  if (merged > 0)
    drafting.note(
      entity,
      name,
      `merged cells: ${counted(merged, 'cell')} without a value of its own took that of the cell above`,
    )
}

const counted = (count: number, what: string): string => (count === 1 ? `1 ${what}` : `${count} ${what}s`)
