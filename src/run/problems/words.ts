/** The few words that stand inside messages of `run`: German has exactly the keys of English. */
import { languageOf } from '../../headings/translate.ts'

const english = {
  yes: 'yes',
  no: 'no',
  visitor: 'A visitor',
  application: 'The application',
  other: 'something else',
  comment: 'The comment',
  mention: '{who} mentioned you',
  commented: '{who} commented on something that you follow',
  unread: 'What you have not read yet',
  why: 'You get this mail because you want to be told of comments by mail. Your account’s page has a switch for it.',
}

const german: typeof english = {
  yes: 'ja',
  no: 'nein',
  visitor: 'Ein Gast',
  application: 'Die Anwendung',
  other: 'etwas anderes',
  comment: 'Der Kommentar',
  mention: '{who} hat Sie erwähnt',
  commented: '{who} hat etwas kommentiert, dem Sie folgen',
  unread: 'Was Sie noch nicht gelesen haben',
  why: 'Sie bekommen diese E-Mail, weil Sie über Kommentare auch per E-Mail benachrichtigt werden. Auf der Seite Ihres Kontos lässt sich das abstellen.',
}

/** The words of a language (a tag or locale); English where it has none. */
export const wordsIn = (language: string): typeof english => (languageOf(language) === 'de' ? german : english)

/** `Cleo mentioned you` */
export const noticed = (words: typeof english, kind: 'mention' | 'comment', who: string): string =>
  (kind === 'mention' ? words.mention : words.commented).replace('{who}', () => who)
