/** What a document leaves open, in German; `ninefold gaps` and the editor say the same in English, which the model holds. */
import type { Gap } from '../../headings/app.ts'
import { languageOf } from '../../headings/translate.ts'
import type { Site } from '../site.ts'

/** English with holes → German with the same holes. A hole with a capital letter is said in German too, where there is a line for it. */
const lines: readonly (readonly [english: string, german: string])[] = [
  // what
  ['heading {n}, {title}', 'Überschrift {n}, {title}'],
  ['the words of Ninefold itself in {Language}', 'die Wörter von Ninefold selbst auf {Language}'],
  ['a text in {Language}: {texts}', 'ein Text auf {Language}: {texts}'],
  ['{n} texts in {Language}: {Texts}', '{n} Texte auf {Language}: {Texts}'],
  ['{texts} and {n} more', '{texts} und {n} weitere'],
  ['signing in by {way}', 'Anmelden mit {way}'],
  ['the screens of {entity}', 'die Seiten von {entity}'],
  ['{Part} of screen {screen}', '{Part} der Seite {screen}'],
  ['the card {name}', 'die Karte {name}'],
  ['a text of {screen}', 'ein Text von {screen}'],
  ['the fields of {entity}', 'die Felder von {entity}'],
  ['the type of {field}', 'der Typ von {field}'],
  ['how long {entity} is kept', 'wie lange {entity} aufbewahrt wird'],
  ['{Part} of timer {timer}', '{Part} des Zeitgebers {timer}'],
  ['{Part} of an effect', '{Part} einer Wirkung'],
  ['{Part} of *{step}*', '{Part} von *{step}*'],
  ['the error of *{step}*', 'die Meldung von *{step}*'],
  ['what *{step}* asks for', 'wonach *{step}* fragt'],
  ['the fields that a state locks', 'die Felder, die ein Zustand sperrt'],
  ['rule {rule}', 'Regel {rule}'],
  ['the error of {rule}', 'die Meldung von {rule}'],
  ['what {rule} applies to', 'worauf {rule} sich bezieht'],
  ['a role', 'eine Rolle'],
  ['role {role}', 'Rolle {role}'],
  ['who may see and change {entity}', 'wer {entity} sehen und ändern darf'],
  ['what {role} may {verb} of {entity}', 'was {role} von {entity} darf ({verb})'],
  ['when nobody may {verb} {entity}', 'wann niemand {entity} darf ({verb})'],
  ['the steps of {role}', 'die Schritte von {role}'],
  ['who is told what happened before to {entity}', 'wer erfährt, was mit {entity} geschehen ist'],
  ['who may see {field}', 'wer {field} sehen darf'],
  ['who may change {field}', 'wer {field} ändern darf'],
  ['{field} of {entity} is closed where it decides', 'wann {field} von {entity} offen ist'],
  ['who sees which records were read', 'wer sieht, welche Datensätze gelesen wurden'],
  [
    'who gives out and erases what is held about people',
    'wer herausgibt und löscht, was über Menschen gespeichert ist',
  ],
  ['who needs a second factor', 'wer einen zweiten Faktor braucht'],
  ['who may act as another person', 'wer als andere Person handeln darf'],
  ['who sends again what was not delivered', 'wer erneut sendet, was nicht zugestellt wurde'],
  ['{Part} of mail {mail}', '{Part} der E-Mail {mail}'],
  ['the recipients of mail {mail}', 'die Empfänger der E-Mail {mail}'],
  ['the request of {call}', 'die Anfrage von {call}'],
  ['the trigger of {call}', 'der Auslöser von {call}'],
  ['the order of {call}', 'die Reihenfolge von {call}'],
  ['what {call} sends as {name}', 'was {call} als {name} sendet'],
  ['what follows an answer of {call}', 'was auf eine Antwort von {call} folgt'],
  ['what it is about of {name}', 'worum es bei {name} geht'],
  ['by which field the record is found of {name}', 'an welchem Feld {name} den Datensatz findet'],
  ['the message of {code}', 'der Text von {code}'],
  ['limit {name}', 'Grenzwert {name}'],
  ['the code of {name}', 'der Code von {name}'],
  ['what {name} takes', 'was {name} entgegennimmt'],
  ['what {name} gives', 'was {name} liefert'],
  ['a block', 'ein Baustein'],
  // parts
  ['the content', 'der Inhalt'],
  ['the address', 'die Adresse'],
  ['the audience', 'das Publikum'],
  ['a measure', 'eine Messgröße'],
  ['the step', 'der Schritt'],
  ['the condition', 'die Bedingung'],
  ['the number', 'die Anzahl'],
  ['the people', 'die Personen'],
  ['the occasion', 'der Anlass'],
  ['the entity', 'die Art der Datensätze'],
  ['the states', 'die Zustände'],
  ['the goal', 'das Ziel'],
  ['the time', 'der Zeitpunkt'],
  ['the subject', 'der Betreff'],
  ['the body', 'der Text'],
  // consequences
  ['the start page tells nothing about the product', 'die Startseite sagt nichts über das Produkt'],
  ['there is no page beside the start page', 'es gibt keine Seite außer der Startseite'],
  ['nothing is stored', 'nichts wird gespeichert'],
  [
    'records have no states, and nothing can be done with them',
    'Datensätze haben keine Zustände, und nichts lässt sich mit ihnen tun',
  ],
  ['whatever fits the types of the fields is accepted', 'angenommen wird alles, was zu den Typen der Felder passt'],
  ['nobody may see or do anything', 'niemand darf etwas sehen oder tun'],
  ['nothing is called and no mail is sent', 'nichts wird aufgerufen und keine E-Mail gesendet'],
  ['refusals have only their built-in words', 'Ablehnungen haben nur ihre eingebauten Texte'],
  ['nothing is limited but by the engine itself', 'begrenzt wird nur, was Ninefold selbst begrenzt'],
  ['only assumed screens are served', 'gezeigt werden nur angenommene Seiten'],
  ['they are English', 'sie sind englisch'],
  ['people read {Language}', 'man liest {Language}'],
  ['English', 'Englisch'],
  ['German', 'Deutsch'],
  ['nobody can sign in that way', 'niemand kann sich so anmelden'],
  ['it shows that it is not decided', 'sie zeigt, dass es nicht entschieden ist'],
  ['it says that it is not decided', 'sie sagt, dass es nicht entschieden ist'],
  ['it cannot be opened', 'sie lässt sich nicht öffnen'],
  ['nobody can open it', 'niemand kann sie öffnen'],
  ['it is left out', 'es wird weggelassen'],
  ['it is not there', 'es ist nicht da'],
  [
    'it has no page of its own; `- **Assume:** screens` under heading 1 serves a list and a page',
    'es gibt keine eigene Seite; mit `- **Assume:** screens` unter Überschrift 1 gibt es eine Liste und eine Seite',
  ],
  ['its records hold nothing', 'die Datensätze enthalten nichts'],
  ['it holds any text', 'es nimmt jeden Text'],
  ['until somebody erases it', 'bis jemand es löscht'],
  ['its form does not ask for it', 'das Formular fragt nicht danach'],
  ['they can be changed in it', 'sie lassen sich dort ändern'],
  ['it never happens', 'sie tritt nie ein'],
  ['it never fires', 'er wird nie ausgelöst'],
  ['it can be taken in none', 'er ist in keinem möglich'],
  ['it stays closed', 'er bleibt geschlossen'],
  ['*{step}* stays closed', '*{step}* bleibt geschlossen'],
  ['nobody can take it', 'niemand kann ihn tun'],
  ['nothing waits for it', 'nichts wartet darauf'],
  ['people read a message that is always the same', 'man liest eine Meldung, die immer gleich ist'],
  ['people read only {code}', 'man liest nur {code}'],
  ['it is not applied', 'sie wird nicht angewandt'],
  ['nobody is let in by it', 'sie lässt niemanden ein'],
  ['nobody has it', 'niemand hat sie'],
  ['nobody may', 'niemand darf es'],
  ['nobody may at all', 'niemand darf es'],
  ['nobody may, and nobody sees it', 'niemand darf es, und niemand sieht es'],
  ['nobody does', 'niemand'],
  ['nobody has to have one', 'niemand braucht einen'],
  ['nobody sees it', 'niemand sieht es'],
  ['nobody sees its timeline', 'niemand sieht den Verlauf'],
  ['nobody', 'niemand'],
  ['nothing', 'nichts'],
  ['none', 'keine'],
  ['its name stands in its place', 'an seiner Stelle steht der Name'],
  ['it is sent with its subject and a link only', 'sie geht nur mit Betreff und Link hinaus'],
  ['it is not sent', 'sie wird nicht gesendet'],
  ['it is never made', 'sie wird nie gestellt'],
  ['nothing starts it', 'nichts löst ihn aus'],
  ['only calls about one record keep their order', 'nur Aufrufe zu einem Datensatz behalten ihre Reihenfolge'],
  ['it is not received', 'es wird nicht entgegengenommen'],
  ['only the document changes it', 'nur das Dokument ändert ihn'],
  ['what it gives is unknown', 'was es liefert, ist unbekannt'],
  ['unknown; nothing reads it yet', 'unbekannt; noch liest ihn nichts'],
  ['unknown, so {Uses}', 'unbekannt, darum: {Uses}'],
]

const patterns = lines.map(([english, german]) => {
  const plain = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return { pattern: new RegExp(`^${plain.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's'), german }
})

/** Null: there is no line for it. */
export function inGerman(text: string): string | null {
  for (const { pattern, german } of patterns) {
    const found = pattern.exec(text)
    if (found === null) continue
    return german.replace(/\{(\w+)\}/g, (_, hole: string) => {
      const own = found.groups![hole]!
      return /^[A-Z]/.test(hole) ? (inGerman(own) ?? own) : own
    })
  }
  // What is left open at the end of a list names it.
  const [, before, named] = /^(.+?): (.+)$/s.exec(text) ?? []
  const said = before === undefined ? null : inGerman(before)
  return said === null ? null : `${said}: ${named}`
}

/** `english`: the language that it is in, where that is not the page's. */
export function gapTexts(site: Site, { what, consequence }: Gap) {
  const isGerman = languageOf(site.reader.locale) === 'de'
  const said = (text: string) => {
    const german = isGerman ? inGerman(text) : null
    return { text: german ?? text, lang: isGerman && german === null ? 'en' : undefined }
  }
  return { what: said(what), consequence: said(consequence) }
}
