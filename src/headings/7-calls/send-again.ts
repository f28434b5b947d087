/** Who looks after what could not be delivered. */
import { type ColumnName, type NamedRow, readProperties } from '../../document/columns.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { appointing } from '../6-permissions/held.ts'
import type { NamedRoles, Role } from '../6-permissions/model.ts'
import { type Context, documentReporter, readSpecified, sectionsOf } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { isUnspecified } from '../specified.ts'
import { sectionKeys } from './table.ts'

const section = 7

/** The bold keys under heading 7 itself. A mistake in them is reported once, however often they are read. */
export function callKeys(context: Context, title: Cell): NamedRow<ColumnName<typeof sectionKeys>> {
  const known = keysOf.get(context)
  if (known !== undefined) return known
  const sections = sectionsOf(context, section)
  const written = sections.flatMap(({ properties }) => properties)
  const place = sections[0]?.title ?? title
  const keys = readProperties(written, sectionKeys, place, documentReporter(context, section))
  keysOf.set(context, keys)
  return keys
}

const keysOf = new WeakMap<Context, NamedRow<ColumnName<typeof sectionKeys>>>()

/** `- **Send again:** Manager`; without it, the roles that appoint people. */
export function readSendAgain(context: Context, title: Cell, roles: ReadonlyMap<string, Role>): NamedRoles {
  const place = sectionsOf(context, section)[0]?.title ?? title
  const cell = callKeys(context, title).cell('Send again')
  if (cell === null || nothing(cell) === 'empty') return { cell: place, roles: appointing(roles) }
  if (nothing(cell) === 'none') return { cell, roles: [] }
  const said = readSpecified(context, cell, open(section, 'sendAgain'), one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell, roles: [] } : said
}
