/** What is said of a field beside its label. */
import type { Field } from '../../headings/3-entities/model.ts'
import { fileLimit } from '../../run/read/files.ts'
import { say } from '../sentences.ts'
import type { Building } from './common.ts'

/** One hint of several; null where there is none. */
export const joined = (hints: readonly (string | null | undefined)[]): string | null =>
  hints.filter(hint => hint != null).join(' ') || null

/** What the document says of the field; of a file, which ones are taken, too. */
export function hintOf({ site, context }: Building, { meaning, type, types, most }: Field): string | null {
  const own = meaning?.text ?? null
  if (type.kind !== 'file') return own
  const limit = fileLimit(context.request.limits, most).shown
  const kinds =
    types === null ? say(site, 'anyFile', { limit }) : say(site, 'someFiles', { types: types.names.join(', '), limit })
  return own === null ? kinds : `${own} ${kinds}`
}
