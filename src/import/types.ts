/** Types that importers have in common. */
export const mostText = 500
export const mostLongText = 100_000

/** Only text: one line up to 500 characters, several lines beyond. */
export function textOf(length: number): { readonly type: string; readonly note: string | null } {
  if (length <= mostText) return { type: `text ${length}`, note: null }
  const note = length > mostLongText ? 'a text has at most 100,000 characters here' : null
  return { type: `long text ${Math.min(length, mostLongText)}`, note }
}

/** Of an amount whose source names no currency. */
export const amountNote = 'an amount names its currency here: write `money EUR`, say'

/** `10, 2` as the argument of a type says it, undefined where it has none. */
export function decimalOf(argument: string | undefined): { readonly type: string; readonly note: string | null } {
  const most = 'has at most 18 digits before the point and 10 after it here'
  if (argument === undefined) return { type: 'decimal', note: most }
  const [precision, scale] = (argument.includes(',') ? argument : `${argument},0`).split(',').map(Number)
  return precision! <= 38 && scale! >= 0 && scale! < precision!
    ? { type: `decimal ${precision}.${scale}`, note: null }
    : { type: 'decimal', note: `is numeric(${argument}) there, and ${most}` }
}

export interface Choices {
  readonly type: string
  /** What the source could hold and the field cannot, or holds in another way. */
  readonly note: string | null
  /** Choices by the labels that the source has. */
  readonly choices: ReadonlyMap<string, string>
}

/** Null where the labels are none that a choice can have. */
export function choiceOf(labels: readonly string[]): Choices | null {
  const names = labels.map(label => label.trim().replace(/^./u, letter => letter.toUpperCase()))
  const distinct = new Set(names.map(name => name.toLowerCase()))
  const wrong = names.some(name => name === '' || name.length > 80 || /[\p{Cc}"|,;`\\]/u.test(name))
  if (names.length === 0 || names.length > 200 || distinct.size < names.length || wrong) return null
  const changed = labels.filter((label, index) => label !== names[index])
  return {
    type: `choice: ${names.join(', ')}`,
    note: changed.length === 0 ? null : `choices begin with a capital letter here: ${changed.join(', ')}`,
    choices: new Map(labels.map((label, index) => [label, names[index]!])),
  }
}

/** Names of fields that hold passwords, or what was made of them. */
const passwords = /^(?:hashed|encrypted)?(?:password|passwd|passphrase)(?:hash|hashed|digest)?$/i

export const isPassword = (name: string): boolean => passwords.test(name.replace(/[_\s-]/g, ''))

export const passwordNote =
  'is a secret here: written and never read, kept as a hash of its own. Whoever signs in is a Person, and needs no field for it'
