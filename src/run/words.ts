/** The few words that stand inside messages of `run`: German has exactly the keys of English. */
import { languageOf } from '../headings/translate.ts'

const english = { yes: 'yes', no: 'no', visitor: 'A visitor', application: 'The application', comment: 'The comment' }

const german: typeof english = {
  yes: 'ja',
  no: 'nein',
  visitor: 'Ein Gast',
  application: 'Die Anwendung',
  comment: 'Der Kommentar',
}

/** The words of a language (a tag or locale); English where it has none. */
export const wordsIn = (language: string): typeof english => (languageOf(language) === 'de' ? german : english)
