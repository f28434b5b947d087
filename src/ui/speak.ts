/**
 * Texts in several languages. English decides which keys there are; German has exactly the same, or does not compile, and a test looks that
 * the catalogues of all others do. `{name}` is filled in; a text with forms is chosen by `count`, as the language's plural rules say, and so
 * is a word inside a text that counts several things: `{done} {done|row|rows} done, {left} left`.
 */
import { type Catalogue, catalogueOf, directionOf, languageOf } from '../expression/catalogue.ts'
import { formFor, formOf } from '../expression/holes.ts'

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

export interface Spoken<English extends Texts> {
  /** The texts for a locale (`de-DE`, `en-GB`); English where the language has none. */
  readonly in: (locale: string) => Speak<English>
  /** Where catalogues of further languages have them. */
  readonly section: string
  /** Of the languages that stand in the code: tag, and all texts by key. */
  readonly languages: Readonly<Record<'en' | 'de', Texts>>
}

/** `german`: by the same keys as English, else it does not compile. */
export function spoken<const English extends Texts>(
  section: string,
  english: English,
  german: { readonly [K in keyof English]: Text },
): Spoken<English> {
  /** With the catalogue that each was made of: a document may bring another one. */
  const made = new Map<string, { readonly speak: Speak<English>; readonly of: Catalogue | null }>()
  return {
    section,
    languages: { en: english, de: german },
    in(locale) {
      const known = made.get(locale)
      const of = catalogueOf(locale)
      if (known?.of === of) return known.speak
      const speak = speaker(english, languageOf(locale) === 'de' ? german : of?.[section], locale)
      made.set(locale, { speak, of })
      return speak
    },
  }
}

function speaker(english: Texts, own: Catalogue[string] = {}, locale: string): Speak<Texts> {
  const number = new Intl.NumberFormat(locale)
  const isMixed = directionOf(locale) === 'rtl'
  return (key: string, parameters: Readonly<Record<string, string | number>> = {}) => {
    const [entry, language] = own[key] === undefined ? [english[key]!, 'en'] : [own[key], languageOf(locale)]
    const text = typeof entry === 'string' ? entry : formOf(entry as Plural, parameters.count ?? 0, language)
    if (!text.includes('{')) return text
    return text.replace(/\{(\w+)((?:\|[^{}|]*){2,})?\}/g, (_, name: string, forms?: string) => {
      const value = parameters[name]
      if (forms !== undefined) return formFor(value ?? 0, forms.slice(1).split('|'), language)
      if (typeof value === 'number') return number.format(value)
      return isMixed ? isolated(String(value)) : String(value)
    })
  }
}

/** What is filled in keeps the direction that it has by itself: a name in Latin letters, with its brackets and its number, amid Arabic. */
const isolated = (text: string): string => (/\p{L}/u.test(text) ? `\u2068${text}\u2069` : text)
