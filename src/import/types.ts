/** Types that importers have in common. */
const mostText = 500
export const mostLongText = 100_000

/** Only text: one line up to 500 characters, several lines beyond. */
export function textOf(length: number): { readonly type: string; readonly note: string | null } {
  if (length <= mostText) return { type: `text ${length}`, note: null }
  const note = length > mostLongText ? 'a text has at most 100,000 characters here' : null
  return { type: `long text ${Math.min(length, mostLongText)}`, note }
}
