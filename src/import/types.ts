/** Types that importers have in common. */
import { fieldKinds } from '../kinds/fields/index.ts'

const mostText = 500
export const mostLongText = 100_000

/** Only text: one line up to 500 characters, several lines beyond. */
export function textOf(length: number): { readonly type: string; readonly note: string | null } {
  if (length <= mostText) return { type: `text ${length}`, note: null }
  const note = length > mostLongText ? 'a text has at most 100,000 characters here' : null
  return { type: `long text ${Math.min(length, mostLongText)}`, note }
}

/** A file or an image; where this Ninefold cannot store one yet, the link to one. */
export function stored(kind: 'file' | 'image'): { readonly type: string; readonly note: string | null } {
  if (fieldKinds.get(kind)?.planned === undefined) return { type: kind, note: null }
  const what = kind === 'file' ? 'a file' : 'an image'
  return { type: 'link', note: `the address of ${what} instead of ${what} itself` }
}
