/** The pages of a wizard: its headings 4. */
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { blockKind } from '../blocks.ts'
import { type Context, cellOrNull, documentReporter } from '../context.ts'
import { screenCodes } from './codes.ts'
import { readFormColumns } from './fields.ts'
import type { Page } from './model.ts'
import { pageKeys } from './table.ts'

const section = 2

/** The pages of a wizard, in order; none is an error (`N1241`). */
export function readPages(
  context: Context,
  entity: string,
  { subject, name }: { readonly subject: Subject | null; readonly name: Cell },
): readonly Page[] {
  const { report } = reporter(screenCodes, section, context.found)
  const blocks = (subject?.blocks ?? []).filter(block => blockKind(block.title) === 'other')
  if (blocks.length === 0) report('N1241', name, { name: name.text })
  const pages = blocks.map(block => readPage(context, entity, block))
  const first = new Map<string, Page>()
  for (const page of pages)
    for (const { field, cell } of page.fields) {
      const before = first.get(field)
      if (before === undefined) first.set(field, page)
      else {
        const related = [{ span: before.name, message: 'it is asked for here' }]
        report('N1243', cell, { field, page: before.name.text }, { related })
      }
    }
  return pages
}

function readPage(context: Context, entity: string, { title, properties }: Block): Page {
  const keys = readProperties(properties, pageKeys, title, documentReporter(context, section)).cell
  const written = cellOrNull(keys('Columns'))
  const fields = readFormColumns(context, entity, written)
  if (written === null) reporter(screenCodes, section, context.found).report('N1242', title, { page: title.text })
  return { name: title, fields, meaning: cellOrNull(keys('Meaning')) }
}
