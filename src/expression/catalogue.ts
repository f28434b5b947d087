/**
 * What Ninefold says itself in languages besides English and German, which stand in the code: a catalogue for each, that a translator can
 * edit. Servers read them from `languages/` when somebody first reads that language; a browser has that of its page.
 */
/** A text, its plural forms by category (`one`, `few`), or the parts of what has several (`message`, `whatToDo`). */
export type Entry = string | Readonly<Record<string, string>>

/** By section (`pages`, `refusals`), then by key. What it lacks is said in English. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, Entry>>>>

let read: (language: string) => Catalogue | null = () => null
const known = new Map<string, Catalogue | null>()

/** Where catalogues come from: that of a language (`fr`), null where there is none. Each is asked for once. */
export function cataloguesBy(from: (language: string) => Catalogue | null): void {
  read = from
  known.clear()
}

/** `de-AT` → `de`. */
export const languageOf = (tag: string): string => tag.split('-')[0]!.toLowerCase()

/** That of a tag or locale, of its region if there is one; null: English or German, or nothing is said in it. */
export function catalogueOf(locale: string): Catalogue | null {
  const language = languageOf(locale)
  if (language === 'en' || language === 'de') return null
  const found = known.get(locale)
  if (found !== undefined) return found
  const made = read(locale) ?? (locale === language ? null : catalogueOf(language))
  known.set(locale, made)
  return made
}
