import type { Wire } from '../../../expression/type.ts'
import { linked } from '../several/links.ts'

/** What a reader is given in place of the id of a record that they may not see: there is one, and nothing more. No record has this id. */
export const unseen = '00000000-0000-0000-0000-000000000000'

/** Whether a field that names one record, or several, names one that its reader may not see. */
export const namesUnseen = (wire: Wire | undefined): boolean => linked(wire).includes(unseen)

/** Of several, those that they may see. */
export function withoutUnseen(wire: Wire): Wire {
  const seen = linked(wire).filter(id => id !== unseen)
  return seen.length === 0 ? null : seen.join(' ')
}
