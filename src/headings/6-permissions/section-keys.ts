/** What heading 6 says of roles in bullets of its own: who reads the log, handles personal data, needs a second factor, acts as others. */
import { readProperties } from '../../document/columns.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { type Context, documentReporter, readSpecified, sectionsOf } from '../context.ts'
import { type Open, open } from '../gaps/gap.ts'
import { isUnspecified } from '../specified.ts'
import { readRoles } from './declare.ts'
import { appointing } from './held.ts'
import type { NamedRoles, Role } from './model.ts'
import { sectionKeys } from './table.ts'

const section = 6

interface SectionKeys {
  /** Where heading 6 does not say it, whoever appoints people. */
  readonly readLog: NamedRoles
  /** Who gives out and erases what is held about people; where heading 6 does not say it, nobody. */
  readonly personalDataFor: NamedRoles
  readonly secondFactor: NamedRoles
  readonly actAs: NamedRoles
}

/** The bullets directly under heading 6. Roles must be known. */
export function readSectionKeys(context: Context, title: Cell, roles: ReadonlyMap<string, Role>): SectionKeys {
  const sections = sectionsOf(context, section)
  const place = sections[0]?.title ?? title
  const written = sections.flatMap(({ properties }) => properties)
  const keys = readProperties(written, sectionKeys, place, documentReporter(context, section))
  const named = (cell: Cell | null, usual: readonly string[], left: Open): NamedRoles => {
    if (cell === null || nothing(cell) === 'empty') return { cell: place, roles: usual }
    if (nothing(cell) === 'none') return { cell, roles: [] }
    const said = readSpecified(context, cell, left, one => readRoles(context, one, section))
    return isUnspecified(said) ? { cell, roles: [] } : said
  }
  return {
    readLog: named(keys.cell('Read log for'), appointing(roles), open(section, 'readLog')),
    personalDataFor: named(keys.cell('Personal data for'), [], open(section, 'personalData')),
    secondFactor: named(keys.cell('Second factor'), [], open(section, 'secondFactor')),
    actAs: named(keys.cell('Act as others'), [], open(section, 'actAs')),
  }
}
