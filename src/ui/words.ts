/**
 * Translation (i18n) of what the document does not say on a screen, the words of the chrome. One key has one meaning; a language is a file
 * of `locales/`; German has exactly the keys of English, see `speak.ts`.
 */
import { english } from './locales/english.ts'
import { englishDocument } from './locales/english-document.ts'
import { german } from './locales/german.ts'
import { germanDocument } from './locales/german-document.ts'
import { type Speak, spoken } from './speak.ts'

const all = () => spoken('chrome', { ...english, ...englishDocument }, { ...german, ...germanDocument })
/** Nothing of it travels to browsers where nobody asks. */
const words = /* @__PURE__ */ all()

export type WordKey = keyof typeof english | keyof typeof englishDocument
export type Words = Speak<typeof english & typeof englishDocument>

/** The chrome's words for a locale (`de-DE`, `en-GB`); English where the language has no table. */
export const wordsFor = (locale: string): Words => words.in(locale)

/** Of each language with words of its own: its tag, and all its texts by key. For the test that compares the languages. */
export const languages = () => words.languages

/** `hand out` → `Hand out`: steps and fields are written small in a document and stand first on a button. */
export function sentence(text: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase() + text.slice(first.length)
}
