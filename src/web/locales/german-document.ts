/** Sentences that only those read who write the document, in German. */
import type { Text } from '../../ui/speak.ts'
import type { englishDocument } from './english-document.ts'

export const germanDocument: { readonly [K in keyof typeof englishDocument]: Text } = {
  entityDiagram: 'Diagramm der Datenarten',
  commentsOfAll: 'alle Angemeldeten, die den Datensatz sehen',
  permissionMatrix: 'Wer was darf',
  versionsApplied: 'Angewandte Fassungen',
  version: 'Fassung',
  applied: 'Angewandt',
  versionNow: 'gilt jetzt',
  accessParent: 'Es folgt dem Datensatz, zu dem es gehört.',
  accessAssumed: 'Überschrift 6 erwähnt es nicht: Alle Angemeldeten sehen es, niemand ändert es.',
  editor: 'Bearbeiten',
  editorText: 'Text von {file}',
  editorSave: 'Speichern',
  editorCheck: 'Prüfen',
  editorSaved: '{file} ist gespeichert.',
  editorUnsaved: 'Noch nicht gespeichert.',
  editorBeside: 'Die Anwendung',
  editorChanged:
    'Die Datei wurde geändert, nachdem Sie sie geöffnet haben. Nichts wurde gespeichert. Ihr Text steht unten: noch einmal speichern ersetzt, was jetzt in der Datei steht.',
  editorDisk: 'Was jetzt in der Datei steht',
  editorTakeDisk: 'Den Stand der Datei nehmen und den eigenen Text verwerfen',
  tryMake: '{person} legt an: {thing}.',
  tryDecide: {
    one: '{person} entscheidet über das eine, was wartet.',
    other: '{person} entscheidet, was wartet: {count}.',
  },
  tryLook: '{person} sieht an: {screen}.',
  'heading.2': { one: '{count} Seite', other: '{count} Seiten' },
  'heading.3': { one: '{count} Entität', other: '{count} Entitäten' },
  'heading.4': { one: '{count} Ablauf', other: '{count} Abläufe' },
  'heading.5': { one: '{count} Regel', other: '{count} Regeln' },
  'heading.6': { one: '{count} Rolle', other: '{count} Rollen' },
  'heading.7': { one: '{count} Aufruf oder E-Mail', other: '{count} Aufrufe und E-Mails' },
  'heading.8': { one: '{count} Fehler', other: '{count} Fehler' },
  'heading.9': { one: '{count} Konstante', other: '{count} Konstanten' },
  clock: 'Uhr',
  clockText: 'Die Zeit, nach der die Anwendung geht. Wird sie vorgestellt, laufen Fristen ab.',
  clockSet: 'Uhr stellen',
  'assumption.see':
    'wer angemeldet ist, darf {entity} sehen, weil andere Datensätze darauf verweisen; niemand darf einen anlegen, ändern oder löschen',
  'assumption.screens':
    '{entity} hat eine Liste und eine Seite für jeden Datensatz, weil keine Seite des Dokuments sie zeigt',
  'assumption.keep': 'was in {entity} personenbezogen ist, bleibt, bis es jemand löscht, weil nichts sagt, wie lange',
  'assumption.zone': 'Tage beginnen und Fristen laufen nach UTC',
  'assumption.language': 'die Seiten sind auf Englisch',
  'assumption.signIn': 'angemeldet wird mit E-Mail-Adresse und Passwort',
  'assumption.people':
    'wer Personen ernennen darf, sieht Namen und E-Mail-Adressen aller, weil keine Zeilen für Person sagen, wen sie sehen',
}
