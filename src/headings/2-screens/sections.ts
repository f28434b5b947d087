/** The sections of a record on its page and in its form: headings 4 below the screen. */
import { readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { blockKind } from '../blocks.ts'
import { type Context, cellOrNull, documentReporter } from '../context.ts'
import { screenCodes } from './codes.ts'
import { readColumns } from './fields.ts'
import type { Section } from './model.ts'
import { sectionKeys } from './table.ts'

const section = 2

/** A field stands in one section at most: where it stands again it is reported, and left out there. */
export function readSections(context: Context, entity: string, { blocks }: Subject): readonly Section[] {
  const { report } = reporter(screenCodes, section, context.found)
  const first = new Map<string, Section>()
  return blocks
    .filter(block => blockKind(block.title) === 'other')
    .map(block => {
      const found = readSection(context, entity, block)
      const fields = found.fields.filter(({ field, cell }) => {
        const before = first.get(field)
        if (before === undefined) first.set(field, found)
        else {
          const related = [{ span: before.name, message: 'it stands here' }]
          report('N1245', cell, { field, section: before.name.text }, { related })
        }
        return before === undefined
      })
      return { ...found, fields }
    })
}

function readSection(context: Context, entity: string, { title, properties }: Block): Section {
  const keys = readProperties(properties, sectionKeys, title, documentReporter(context, section)).cell
  const written = cellOrNull(keys('Columns'))
  if (written === null) reporter(screenCodes, section, context.found).report('N1244', title, { section: title.text })
  return {
    name: title,
    fields: readColumns(context, entity, written),
    tab: cellOrNull(keys('Tab')),
    meaning: cellOrNull(keys('Meaning')),
  }
}
