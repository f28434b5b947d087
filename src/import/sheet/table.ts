/** A sheet with what is found out about its columns before any field has a type. */
import { type DraftEntity, sentence } from '../draft.ts'
import { type Column, columnOf, placeOf, type Sheet } from './sheet.ts'

export interface SheetTable {
  readonly sheet: Sheet
  readonly entity: DraftEntity
  readonly columns: readonly Column[]
}

/** Headings of columns that identify a record. */
const keyHeading =
  /(?:^|[^\p{L}])(?:ids?|no|nr|num|number|nummer|code|key|sku|isbn|ean|barcode|e-?mail|reference|ref|serial)\.?$|(?:nr|nummer|kürzel|kennzeichen)\.?$/iu

export const namesKey = (heading: string): boolean =>
  keyHeading.test(sentence(heading)) || /#$/.test(heading) || /[a-z](?:ID|Id|No|Nr)$/.test(heading)

/** Where each row has a value and most have one of their own: in which rows one stands that an earlier row has; none where that is too often to be a mistake. */
export function doubled({ texts }: Column): readonly number[] {
  const first = new Map<string, number>()
  for (const [row, text] of texts.entries()) if (text !== null && !first.has(folded(text))) first.set(folded(text), row)
  if (texts.includes(null) || (texts.length - first.size) * 10 > texts.length) return []
  return texts.flatMap((text, row) => (first.get(folded(text!)) === row ? [] : [row]))
}

/** Whether each row has a value there, and none has one twice, whatever its capitals. */
export function isDistinct({ texts }: Column): boolean {
  const filled = texts.filter(text => text !== null)
  return filled.length > 1 && filled.length === texts.length && new Set(filled.map(folded)).size === filled.length
}

export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

const total = /^(?:(?:grand|sub)?\s*-?total|sums?|summe|gesamt(?:summe)?|zwischensumme)\b/i

/** Without the rows that add up the others: they stand last, and begin with the word. `totals` are their places. */
export function withoutTotals(sheet: Sheet): { readonly sheet: Sheet; readonly totals: readonly string[] } {
  const isTotal = ({ cells }: Sheet['rows'][number]) => {
    const first = cells.find(cell => cell !== '')
    return typeof first === 'string' && total.test(first)
  }
  const end = sheet.rows.findLastIndex(row => !isTotal(row)) + 1
  const totals = sheet.rows.slice(end).map((_, index) => placeOf(sheet, end + index, 0))
  return { sheet: { ...sheet, rows: sheet.rows.slice(0, end) }, totals }
}

/** Columns in which anything stands; one without a heading is called by its letter. */
export function columnsOf(sheet: Sheet): readonly Column[] {
  const widest = Math.max(sheet.columns.length, ...sheet.rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length: widest }, (_, at) => sheet.columns[at] ?? '').map((heading, at) =>
    heading === '' ? `Column ${placeOf(sheet, 0, at).replace(/^.*!|\d+$/g, '')}` : heading,
  )
  return columns
    .map((_, at) => columnOf({ ...sheet, columns }, at))
    .filter(({ cells }) => cells.some(cell => cell !== null))
}

/** What its records are called: the sheet's name, unless that is the one that spreadsheets give. */
export function severalName({ name }: Sheet, file: string): string {
  const isGiven = /^(?:sheet|table|tabelle|feuil|hoja|foglio|blad|arkusz)\s*\d*$/i.test(name)
  return sentence(isGiven ? file.replace(/\.[^.]*$/, '') : name)
}
