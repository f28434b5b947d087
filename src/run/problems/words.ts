/** The few words that stand inside messages of `run`: German has exactly the keys of English. */
import { catalogueOf, languageOf } from '../../expression/catalogue.ts'
import { namedThing } from '../../headings/3-entities/titles.ts'
import type { App } from '../../headings/app.ts'
import { wordFor } from '../../headings/translate.ts'
import type { NoticeKind } from '../people/told.ts'

const english = {
  yes: 'yes',
  no: 'no',
  visitor: 'A visitor',
  application: 'The application',
  other: 'something else',
  assistant: 'assistant',
  unseen: 'not visible to you',
  comment: 'The comment',
  mention: '{who} mentioned you',
  replied: '{who} replied to you',
  commented: '{who} commented',
  owner: '{who} put you down as {field}',
  decide: 'Please decide',
  moved: '{who} changed it to {state}',
  signInChanged: 'Your account was changed',
  credential: {
    address:
      'Your e-mail address, to which links for signing in go, was {before} and is {address} now. Your sessions have ended.',
    password: 'Your password is a new one. All other sessions, links and keys for programs have ended.',
    'factor on': 'A second factor was turned on. All other sessions have ended.',
    'factor off': 'The second factor was turned off. All other sessions have ended.',
    codes: 'New recovery codes were made; the old ones are worth nothing.',
    key: 'A key for programs was made: {name}.',
    assistant: 'You let an assistant in, which acts as you: {name}.',
    passkey: 'A passkey was added: {name}.',
    'passkey removed': 'A passkey was removed. All other sessions have ended.',
    connected: 'You can sign in with {name} now.',
    disconnected: 'You cannot sign in with {name} any more. All other sessions have ended.',
    role: 'You have the role {name} now.',
    'role taken': 'You do not have the role {name} any more.',
    deputy: '{name} may decide for you, on the days that you named.',
    'deputy taken back': '{name} does not decide for you any more.',
    sessions: 'You were signed out everywhere.',
  },
  byYou: 'By yourself',
  byOther: 'By somebody who looks after people here',
  notYou: 'If this was neither you nor agreed with you, set a new password, and tell those who run {app} at once.',
  reply: 'Write above this line: your answer becomes a comment',
  notTaken: 'Your answer became no comment',
  unread: 'What you have not read yet',
  others: 'There are older ones, too: the page of your notices has all of them.',
  why: 'You get this mail because you want to be told of such things by mail. Your account’s page has a switch for it.',
}

const german: typeof english = {
  yes: 'ja',
  no: 'nein',
  visitor: 'Ein Gast',
  application: 'Die Anwendung',
  other: 'etwas anderes',
  assistant: 'Assistent',
  unseen: 'für Sie nicht sichtbar',
  comment: 'Der Kommentar',
  mention: '{who} hat Sie erwähnt',
  replied: '{who} hat Ihnen geantwortet',
  commented: '{who} hat kommentiert',
  owner: '{who} hat Sie als {field} eingetragen',
  decide: 'Bitte entscheiden Sie',
  moved: '{who} hat es auf {state} gesetzt',
  signInChanged: 'Ihr Konto wurde geändert',
  credential: {
    address:
      'Ihre E-Mail-Adresse, an die Links zum Anmelden gehen, war {before} und ist jetzt {address}. Ihre Sitzungen sind beendet.',
    password: 'Ihr Passwort ist ein neues. Alle anderen Sitzungen, Links und Schlüssel für Programme sind beendet.',
    'factor on': 'Ein zweiter Faktor wurde eingeschaltet. Alle anderen Sitzungen sind beendet.',
    'factor off': 'Der zweite Faktor wurde ausgeschaltet. Alle anderen Sitzungen sind beendet.',
    codes: 'Neue Wiederherstellungscodes wurden erstellt; die alten gelten nicht mehr.',
    key: 'Ein Schlüssel für Programme wurde erstellt: {name}.',
    assistant: 'Sie haben einen Assistenten zugelassen, der als Sie handelt: {name}.',
    passkey: 'Ein Passkey kam hinzu: {name}.',
    'passkey removed': 'Ein Passkey wurde entfernt. Alle anderen Sitzungen sind beendet.',
    connected: 'Sie können sich jetzt mit {name} anmelden.',
    disconnected: 'Sie können sich nicht mehr mit {name} anmelden. Alle anderen Sitzungen sind beendet.',
    role: 'Sie haben jetzt die Rolle {name}.',
    'role taken': 'Sie haben die Rolle {name} nicht mehr.',
    deputy: '{name} darf an den genannten Tagen für Sie entscheiden.',
    'deputy taken back': '{name} entscheidet nicht mehr für Sie.',
    sessions: 'Sie wurden überall abgemeldet.',
  },
  byYou: 'Von Ihnen selbst',
  byOther: 'Von jemandem, der sich hier um Personen kümmert',
  notYou:
    'Wenn das weder von Ihnen noch mit Ihnen vereinbart war, setzen Sie ein neues Passwort und sagen Sie es gleich denen, die {app} betreiben.',
  reply: 'Schreiben Sie über diese Zeile: Ihre Antwort wird ein Kommentar',
  notTaken: 'Ihre Antwort wurde kein Kommentar',
  unread: 'Was Sie noch nicht gelesen haben',
  others: 'Es gibt noch ältere: Auf der Seite Ihrer Benachrichtigungen stehen alle.',
  why: 'Sie bekommen diese E-Mail, weil Sie über solche Dinge auch per E-Mail benachrichtigt werden. Auf der Seite Ihres Kontos lässt sich das abstellen.',
}

/** The words of a language (a tag or locale); English where it has none. */
export function wordsIn(language: string): typeof english {
  if (languageOf(language) === 'de') return german
  const own = catalogueOf(language)
  if (own === null) return english
  return { ...english, ...own.messages, credential: { ...english.credential, ...own.credentials } } as typeof english
}

/** For the test that compares the languages. */
export const { credential: englishCredentials, ...englishMessages } = english

/** What somebody is told of; `who` null: somebody whom they may not be told of, or the application. */
interface Told {
  readonly kind: NoticeKind
  readonly entity: string
  readonly title: string | null
  readonly who: string | null
  readonly field: string | null
  readonly state: string | null
}

/** `Cleo mentioned you`, `Please decide` */
export function noticed(app: App, words: typeof english, { kind, entity, who, field, state }: Told): string {
  const label = app.entities.get(entity)?.fields.find(({ key }) => key === field)?.label ?? ''
  const parts: Readonly<Record<string, string>> = {
    who: who ?? app.name,
    field: label,
    state: wordFor(app, state ?? ''),
  }
  const said = words[kind === 'comment' ? 'commented' : kind === 'reply' ? 'replied' : kind]
  return said.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
}

/** What it is about, by its face's title: `Standing desks · PR-12`. */
export function noticedThing({ entities }: App, { entity, title }: Told): string {
  const of = entities.get(entity)
  return of === undefined ? entity : title === null ? of.name : namedThing(of, title)
}
