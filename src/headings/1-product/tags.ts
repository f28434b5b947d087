/** Languages by their English names and tags, as the platform knows them. */

let englishNames: ReadonlyMap<string, string> | undefined

/** English names of languages, in small letters → tags. The platform's own list, asked for once. */
export function languageNames(): ReadonlyMap<string, string> {
  if (englishNames === undefined) {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
    const tags = letters.flatMap(first => letters.map(second => first + second))
    englishNames = new Map(
      tags.flatMap(tag => {
        const name = display.of(tag)
        return name === undefined ? [] : [[name.toLowerCase(), tag] as const]
      }),
    )
  }
  return englishNames
}

/** Which of these languages (tags) a value names: by its tag, or by its name in English or in one of them. Null: none. */
export function languageCalled(tags: readonly string[], value: string): string | null {
  const text = value.toLowerCase()
  const called = (tag: string, reader: string) =>
    new Intl.DisplayNames(reader, { type: 'language' }).of(new Intl.Locale(tag).language)?.toLowerCase()
  const names = (tag: string) => [tag.toLowerCase(), ...['en', ...tags].map(reader => called(tag, reader))]
  return tags.find(tag => names(tag).includes(text)) ?? null
}

/** The tag of an English name (`German`) or of a BCP 47 tag, in canonical form; null for what the platform does not know. */
export const tagOfLanguage = (text: string): string | null => languageNames().get(text.toLowerCase()) ?? tagOf(text)

function tagOf(text: string): string | null {
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    const language = tag === undefined ? undefined : new Intl.Locale(tag).language
    const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language ?? '')
    return known === undefined ? null : tag!
  } catch {
    return null
  }
}
