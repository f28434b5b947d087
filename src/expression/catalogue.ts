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
/** What a document brings itself. */
const own = new Map<string, Catalogue>()

/** Where catalogues come from: that of a language (`fr`), null where there is none. Each is asked for once. */
export function cataloguesBy(from: (language: string) => Catalogue | null): void {
  read = from
  known.clear()
}

/** `de-AT` → `de`. */
export const languageOf = (tag: string): string => tag.split('-')[0]!.toLowerCase()

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv'])

/** How text of a locale runs. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(languageOf(locale)) ? 'rtl' : 'ltr')

/** That of a tag or locale, of its region if there is one; null: English or German, or nothing is said in it. */
export function catalogueOf(locale: string): Catalogue | null {
  const language = languageOf(locale)
  if (language === 'en' || language === 'de') return null
  const found = known.get(locale)
  if (found !== undefined) return found
  const shipped = read(locale) ?? (locale === language ? null : catalogueOf(language))
  const brought = own.get(locale)
  const made = brought === undefined ? shipped : joined(shipped ?? {}, brought)
  known.set(locale, made)
  return made
}

/** The catalogues of the document that is served, by tag: their texts stand before those that are there already. */
export function speakAlso(catalogues: ReadonlyMap<string, Catalogue>): void {
  if (own.size + catalogues.size === 0) return
  own.clear()
  for (const [tag, catalogue] of catalogues) own.set(tag, catalogue)
  known.clear()
}

const joined = (first: Catalogue, more: Catalogue): Catalogue =>
  Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(more)])].map(name => [name, { ...first[name], ...more[name] }]),
  )
