/** Roles that heading 1 names: who reads the document inside the application, and in which assistants may act. */
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { readRoles } from '../6-permissions/declare.ts'
import type { NamedRoles } from '../6-permissions/model.ts'
import { type Context, readSpecified } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { isUnspecified } from '../specified.ts'

const section = 1

/** `- **Document for:** Manager`. Where heading 1 does not say it, nobody does. */
export const readDocumentFor = (context: Context, written: Cell | null, place: Cell): NamedRoles =>
  readNamed(context, written, 'documentFor') ?? { cell: place, roles: [] }

/** `- **Assistants:** none`. Where heading 1 does not say it, in every role. */
export const readAssistants = (context: Context, written: Cell | null): NamedRoles | null =>
  readNamed(context, written, 'assistants')

/** What is left open is nobody, as `none` is. */
function readNamed(context: Context, written: Cell | null, gap: 'documentFor' | 'assistants'): NamedRoles | null {
  if (written === null || nothing(written) === 'empty') return null
  if (nothing(written) === 'none') return { cell: written, roles: [] }
  const said = readSpecified(context, written, open(section, gap), one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell: written, roles: [] } : said
}
