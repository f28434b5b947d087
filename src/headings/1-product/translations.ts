/** `### German` under heading 1: the document's own texts in another of its languages. */
import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { type Context, cellOrNull, listed, readTables, sectionsOf } from '../context.ts'
import { bothPlaces } from '../names.ts'
import { productCodes } from './codes.ts'
import type { Product, Translation } from './model.ts'
import { translations } from './table.ts'
import { tagOfLanguage } from './tags.ts'

const section = 1

/** By the tag of each language but the first. A table under a title that is none of them is reported. */
export function readTranslations(
  context: Context,
  languages: Product['languages'],
): ReadonlyMap<string, ReadonlyMap<string, Translation>> {
  const { report } = reporter(productCodes, section, context.found)
  const others = languages.slice(1)
  const read = new Map<string, Map<string, Translation>>(others.map(({ tag }) => [tag, new Map()]))
  for (const subject of sectionsOf(context, section).flatMap(({ subjects }) => subjects)) {
    const rows = readTables(context, subject, section, [translations]).rows(translations)
    if (rows.length === 0) continue
    const into = read.get(tagOfLanguage(subject.title.text) ?? '')
    if (into === undefined)
      report('N1105', subject.title, {
        language: subject.title.text,
        languages: listed(others.map(({ cell, tag }) => cell?.text ?? tag)),
      })
    else for (const row of rows) readRow(context, row, into)
  }
  return read
}

function readRow(context: Context, row: NamedRow<'Text' | 'Translation'>, into: Map<string, Translation>): void {
  const text = row.cell('Text')!
  const words = cellOrNull(row.cell('Translation'))
  const first = into.get(text.text)
  if (text.text === '' || words === null) return
  if (first === undefined) into.set(text.text, { text, words })
  else
    reporter(productCodes, section, context.found).report(
      'N1107',
      text,
      { text: text.text },
      bothPlaces(text, first.text),
    )
}
