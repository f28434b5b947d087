/** Who reads the document inside the application, in which roles assistants may act, and what they leave to a person. */
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import { readSteps } from '../2-screens/fields.ts'
import type { AwaitedStep } from '../2-screens/model.ts'
import { readRoles } from '../6-permissions/declare.ts'
import type { NamedRoles } from '../6-permissions/model.ts'
import { answerOf, type Context, readSpecified } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { isUnspecified } from '../specified.ts'

const section = 1

/** Stands among steps for what is no step. */
export const deleting = 'delete'

/** `- **Document for:** Manager`. Where heading 1 does not say it, nobody does. */
export const readDocumentFor = (context: Context, written: Cell | null, place: Cell): NamedRoles =>
  readNamed(context, written, 'documentFor') ?? { cell: place, roles: [] }

/** `- **Assistants:** none`. Where heading 1 does not say it, in every role. */
export const readAssistants = (context: Context, written: Cell | null): NamedRoles | null =>
  readNamed(context, written, 'assistants')

/** `- **Assistants ask before:** pay of Order, delete`. What is left open is asked before nothing. */
export const readAssistantsAsk = (context: Context, written: Cell | null): readonly AwaitedStep[] => {
  const said = written === null ? null : answerOf(context, written, open(section, 'assistantsAsk'))
  return readSteps(context, said, [deleting]) ?? []
}

/** What is left open is nobody, as `none` is. */
function readNamed(context: Context, written: Cell | null, gap: 'documentFor' | 'assistants'): NamedRoles | null {
  if (written === null || nothing(written) === 'empty') return null
  if (nothing(written) === 'none') return { cell: written, roles: [] }
  const said = readSpecified(context, written, open(section, gap), one => readRoles(context, one, section))
  return isUnspecified(said) ? { cell: written, roles: [] } : said
}
