/** `- **Sample data:** [items.csv](data/items.csv)`: a file with more than the document wants to show. */
import { link } from '../../document/cell.ts'
import { type CsvTable, readCsv } from '../../document/csv.ts'
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Context } from '../context.ts'
import { entityCodes } from './codes.ts'

/** Null after a report, and where nothing is said. A file that is not there takes nothing from the application. */
export function readSampleFile(
  context: Context,
  cell: Cell | null,
): { readonly cell: Cell; readonly table: CsvTable } | null {
  if (cell === null || nothing(cell) === 'none') return null
  const { report } = reporter(entityCodes, 3, context.found)
  const target = link(cell)?.target ?? null
  const wrong = (why: string) => {
    report('N1353', target ?? cell, { why })
    return null
  }
  if (target === null) return wrong('it is no link')
  const path = target.text
  if (!/\.csv$/i.test(path)) return wrong('its name does not end with .csv')
  const known = context.sampleFiles.get(path)
  const text = known?.text ?? context.load(path)
  if (text === null) {
    report('N1354', target, { path })
    return null
  }
  const file = known ?? { path, text }
  context.sampleFiles.set(path, file)
  const table = readCsv(file)
  if (table === null) return wrong('it is empty')
  const [row] = table.tooLong
  if (row === undefined) return { cell, table }
  const [values, names] = [row.cells.length, table.header.length]
  report('N1353', row, { why: `this line has ${values} values, and the first line names ${names}` })
  return null
}
