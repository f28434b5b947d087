/**
 * Texts in several languages. English decides which keys there are; every other language has exactly the same, or does not compile.
 * `{name}` is filled in; a text with forms is chosen by `count`, as the language's plural rules say, and so is a word inside a text that
 * counts several things: `{done} {done|row|rows} done, {left} left`.
 */
import { languageOf } from '../headings/translate.ts'

type Plural = { readonly one: string; readonly other: string }
export type Text = string | Plural
export type Texts = Readonly<Record<string, Text>>

type Names<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}`
  ? (Hole extends `${infer Name}|${string}` ? Name : Hole) | Names<Rest>
  : never
type FormsOf<T> = T extends string ? T : T extends Plural ? T['one'] | T['other'] : never
/** The parameters that an English text needs; a text with forms always needs `count`. */
type ParametersOf<T> = Names<FormsOf<T>> | (T extends Plural ? 'count' : never)

/** What follows the key: nothing, or the parameters that its text needs. */
export type Filling<T> = [ParametersOf<T>] extends [never]
  ? []
  : [parameters: Readonly<Record<ParametersOf<T>, string | number>>]

/** `words('select', { object: 'LN-2026-00007' })`. Numbers are written as the language writes them; a forgotten parameter does not compile. */
export type Speak<English extends Texts> = <K extends keyof English & string>(
  key: K,
  ...filling: Filling<English[K]>
) => string

interface Spoken<English extends Texts> {
  /** The texts for a locale (`de-DE`, `en-GB`); English where the language has none. */
  readonly in: (locale: string) => Speak<English>
  /** Of each language: its tag, and all its texts by key. */
  readonly languages: Readonly<Record<string, Texts>>
}

/** `german`: by the same keys as English, else it does not compile. */
export function spoken<const English extends Texts>(
  english: English,
  german: { readonly [K in keyof English]: Text },
): Spoken<English> {
  const languages: Readonly<Record<string, Texts>> = { en: english, de: german }
  const made = new Map<string, Speak<English>>()
  return {
    languages,
    in(locale) {
      const known = made.get(locale)
      if (known !== undefined) return known
      const language = languageOf(locale) in languages ? languageOf(locale) : 'en'
      const speak = speaker(languages[language]!, language, locale)
      made.set(locale, speak)
      return speak
    },
  }
}

function speaker(table: Texts, language: string, locale: string): Speak<Texts> {
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(locale)
  return (key: string, parameters: Readonly<Record<string, string | number>> = {}) => {
    const entry = table[key]!
    const text =
      typeof entry === 'string' ? entry : plural.select(Number(parameters.count)) === 'one' ? entry.one : entry.other
    if (!text.includes('{')) return text
    return text.replace(/\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g, (_, name: string, one?: string, other?: string) => {
      const value = parameters[name]
      if (one !== undefined) return plural.select(Number(value)) === 'one' ? one : other!
      return typeof value === 'number' ? number.format(value) : String(value)
    })
  }
}
