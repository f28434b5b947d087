/** JSON whose numbers stay as they are written. Those that JavaScript would round are kept by their text, and written by it again. */

interface Raw {
  readonly rawJSON: string
}

/** What JavaScript has for it, and TypeScript does not know yet. */
const exact = JSON as unknown as {
  readonly rawJSON: (text: string) => Raw
  readonly isRawJSON: (value: unknown) => value is Raw
  readonly parse: (
    text: string,
    revive: (key: string, value: unknown, of: { readonly source?: string }) => unknown,
  ) => unknown
}

/** Shorter numbers are never rounded. */
const mayRound = /[\d.]{16}|[\d.][eE][+-]?\d{3}/

/** As `JSON.parse`, which it throws like. */
export function parseExact(text: string): unknown {
  if (!mayRound.test(text)) return JSON.parse(text)
  return exact.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && numberText(String(value)) !== numberText(source) ? exact.rawJSON(source) : value,
  )
}

/** The text of a number that JavaScript would round; null for everything else. */
export const roundedNumber = (value: unknown): string | null => (exact.isRawJSON(value) ? value.rawJSON : null)

/** Digits beyond which nobody means a number. */
const longest = 400

/** Without an exponent or needless zeros; null for what is none, or longer than anybody means. */
export function numberText(written: string): string | null {
  const [, sign, first = '', rest = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const by = Number(exponent)
  if (sign === undefined || Math.abs(by) > longest || first.length + rest.length > longest) return null
  const digits = `${'0'.repeat(Math.max(0, 1 - first.length - by))}${first}${rest}`
  const point = Math.max(1, first.length + by)
  const whole = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '')
  const fraction = digits.slice(point).replace(/0+$/, '')
  if (whole === '0' && fraction === '') return '0'
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
