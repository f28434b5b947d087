/** Built-in texts with named values: `{label} must have at most {max} {max|character|characters}.` */

/** The names in a text, as a type. */
export type Holes<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? (Hole extends `${infer Name}|${string}` ? Name : Hole) | Holes<Rest>
  : never

/** Names of the values that a built-in text has: `label`, `limit`; of a text with forms `{max|character|characters}`, `max`. */
export const holesOf = (text: string): readonly string[] => Array.from(text.matchAll(hole), ([, name]) => name!)

const hole = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g

/** Fills a built-in text, or a document's own wording of it. What it has no value for stays as it is written. */
export function fillHoles(text: string, detail: Readonly<Record<string, string | number>>, language: string): string {
  return text.replace(hole, (whole, name: string, one?: string, other?: string) => {
    const value = detail[name]
    if (value === undefined) return whole
    return one === undefined ? String(value) : isOne(value, language) ? one : other!
  })
}

const rules = new Map<string, Intl.PluralRules>()

/** Whether a language says its word for one with this number. */
export function isOne(value: string | number, language: string): boolean {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(Number(value)) === 'one'
}
