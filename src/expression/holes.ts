/** Built-in texts with named values: `{label} must have at most {max} {max|character|characters}.` */

/** The names in a text, as a type. */
export type Holes<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? (Hole extends `${infer Name}|${string}` ? Name : Hole) | Holes<Rest>
  : never

/** Names of the values that a built-in text has: `label`, `limit`; of a text with forms `{max|character|characters}`, `max`. */
export const holesOf = (text: string): readonly string[] => Array.from(text.matchAll(hole), ([, name]) => name!)

const hole = /\{(\w+)((?:\|[^{}|]*){2,})?\}/g

/** Fills a built-in text, or a document's own wording of it. What it has no value for stays as it is written. */
export function fillHoles(text: string, detail: Readonly<Record<string, string | number>>, language: string): string {
  return text.replace(hole, (whole, name: string, forms?: string) => {
    const value = detail[name]
    if (value === undefined) return whole
    return forms === undefined ? String(value) : formFor(value, forms.slice(1).split('|'), language)
  })
}

const rules = new Map<string, { readonly select: Intl.PluralRules; readonly forms: readonly string[] }>()
const order = ['zero', 'one', 'two', 'few', 'many']

function rulesOf(language: string) {
  let known = rules.get(language)
  if (known === undefined) {
    const select = new Intl.PluralRules(language)
    const { pluralCategories } = select.resolvedOptions()
    known = { select, forms: order.filter(form => (pluralCategories as readonly string[]).includes(form)) }
    rules.set(language, known)
  }
  return known
}

/** The word that a language says with this number: its forms in the order of Unicode (zero, one, two, few, many), the last for all others. */
export function formFor(value: string | number, words: readonly string[], language: string): string {
  const { select, forms } = rulesOf(language)
  const at = forms.indexOf(select.select(Number(value)))
  return words[at === -1 ? words.length - 1 : Math.min(at, words.length - 1)]!
}

/** Forms by their category of Unicode; `other` stands for what has none of its own. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export const formOf = (forms: Forms, value: string | number, language: string): string =>
  forms[rulesOf(language).select.select(Number(value))] ?? forms.other
