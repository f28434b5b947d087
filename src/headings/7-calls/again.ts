/** Who looks after what could not be delivered. */
import { readProperties } from '../../document/columns.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { appointing } from '../6-permissions/held.ts'
import type { Role } from '../6-permissions/model.ts'
import { type Context, documentReporter, readSaid, sectionsOf } from '../context.ts'
import { isUnspecified } from '../said.ts'
import type { SendAgain } from './model.ts'
import { sectionKeys } from './table.ts'

const section = 7

/** `- **Send again:** Manager`. Where heading 7 does not say it, whoever appoints people looks after it. */
export function readSendAgain(context: Context, title: Cell, roles: ReadonlyMap<string, Role>): SendAgain {
  const sections = sectionsOf(context, section)
  const place = sections[0]?.title ?? title
  const written = sections.flatMap(({ properties }) => properties)
  const cell = readProperties(written, sectionKeys, place, documentReporter(context, section)).cell('Send again')
  if (cell === null || nothing(cell) === 'empty') return { cell: place, roles: appointing(roles) }
  if (nothing(cell) === 'none') return { cell, roles: [] }
  const open = {
    section,
    what: 'who sends again what was not delivered',
    consequence: 'nobody may, and nobody sees it',
  }
  const said = readSaid(context, cell, open, one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell, roles: [] } : said
}
