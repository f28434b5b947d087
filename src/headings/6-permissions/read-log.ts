/** Who reads the log of what was read. */
import { readProperties } from '../../document/columns.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { type Context, documentReporter, readSaid, sectionsOf } from '../context.ts'
import { isUnspecified } from '../said.ts'
import { readRoles } from './declare.ts'
import { appointing } from './held.ts'
import type { ReadLog, Role } from './model.ts'
import { sectionKeys } from './table.ts'

const section = 6

/** `- **Read log for:** Auditor`. Where heading 6 does not say it, whoever appoints people reads it. */
export function readReadLog(context: Context, title: Cell, roles: ReadonlyMap<string, Role>): ReadLog {
  const sections = sectionsOf(context, section)
  const place = sections[0]?.title ?? title
  const written = sections.flatMap(({ properties }) => properties)
  const cell = readProperties(written, sectionKeys, place, documentReporter(context, section)).cell('Read log for')
  if (cell === null || nothing(cell) === 'empty') return { cell: place, roles: appointing(roles) }
  if (nothing(cell) === 'none') return { cell, roles: [] }
  const open = { section, what: 'who sees which records were read', consequence: 'nobody does' }
  const said = readSaid(context, cell, open, one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell, roles: [] } : said
}
