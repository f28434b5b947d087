/** Who reads the document inside the application. */
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { readRoles } from '../6-permissions/declare.ts'
import type { NamedRoles } from '../6-permissions/model.ts'
import { type Context, readSpecified } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { isUnspecified } from '../specified.ts'

const section = 1

/** `- **Document for:** Manager`. Where heading 1 does not say it, nobody does. */
export function readDocumentFor(context: Context, written: Cell | null, place: Cell): NamedRoles {
  if (written === null || nothing(written) === 'empty') return { cell: place, roles: [] }
  if (nothing(written) === 'none') return { cell: written, roles: [] }
  const said = readSpecified(context, written, open(section, 'documentFor'), one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell: written, roles: [] } : said
}
