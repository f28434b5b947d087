/** The built-in refusals in German: as `headings/8-errors/built-in.ts` has them in English, with the same holes. */
import type { BuiltInCode } from '../../headings/8-errors/built-in.ts'
import type { EngineKey } from '../../headings/9-limits/engine.ts'
import { germanRefusals } from '../../kinds/fields/refusals.ts'

export const germanLimits: Readonly<Record<EngineKey, Readonly<Record<'name' | 'unit' | 'meaning', string>>>> = {
  draft_days: {
    name: 'Aufbewahrung von Entwürfen',
    unit: 'Tage',
    meaning: 'Wie lange der Entwurf eines Formulars nach der letzten Eingabe aufbewahrt wird.',
  },
  emergency_access: {
    name: 'Zugang im Notfall',
    unit: 'Minuten',
    meaning: 'Wie lange ein Datensatz lesbar bleibt, den jemand im Notfall geöffnet hat.',
  },
  history_days: {
    name: 'Aufbewahrung des Verlaufs',
    unit: 'Tage',
    meaning: 'Wie lange der Verlauf zeigt, was geschehen ist.',
  },
  job_days: {
    name: 'Aufbewahrung von Importen',
    unit: 'Tage',
    meaning: 'Wie lange Importe und Schritte für viele Datensätze nach ihrem Ende zu sehen sind.',
  },
  max_file_size: {
    name: 'Größe einer Datei',
    unit: 'MB',
    meaning: 'Wie groß eine Datei sein darf, wenn ihr Feld kein „at most“ hat.',
  },
  max_key_days: {
    name: 'Dauer eines Schlüssels',
    unit: 'Tage',
    meaning: 'Wie lange ein Schlüssel für ein Programm gelten darf.',
  },
  max_key_requests: {
    name: 'Anfragen mit Schlüsseln',
    unit: 'Anfragen',
    meaning: 'Wie viele Anfragen alle Schlüssel einer Person in einer Minute stellen dürfen.',
  },
  max_storage: {
    name: 'Platz für Dateien',
    unit: 'MB',
    meaning: 'Wie viel alle Dateien zusammen einnehmen dürfen; wo Mandanten getrennt sind, die jedes einzelnen.',
  },
  page_size: {
    name: 'Länge einer Seite',
    unit: 'Datensätze',
    meaning:
      'Wie viele Datensätze eine Seite einer Liste zeigt und eine Antwort der API enthält, wenn die Anfrage keine Zahl nennt.',
  },
  sent_days: {
    name: 'Aufbewahrung des Versandten',
    unit: 'Tage',
    meaning:
      'Wie lange Mails und Aufrufe zu sehen sind, die zugestellt oder zurückgezogen wurden oder keinen Empfänger hatten; was nicht zugestellt wurde, bleibt.',
  },
  session_idle: {
    name: 'Abmeldung ohne Nutzung',
    unit: 'Minuten',
    meaning: 'Nach welcher Zeit ohne Anfrage jemand abgemeldet wird.',
  },
  session_length: {
    name: 'Dauer einer Anmeldung',
    unit: 'Stunden',
    meaning: 'Nach welcher Zeit jemand in jedem Fall abgemeldet wird.',
  },
  code_attempts: {
    name: 'Versuche mit Codes',
    unit: 'Versuche',
    meaning:
      'Wie viele falsche Codes einen Datensatz eine Weile für Codes aus einem Netz schließen; eine Viertelstunde ohne setzt es zurück.',
  },
  code_pause: {
    name: 'Pause nach falschen Codes',
    unit: 'Minuten',
    meaning: 'Wie lange ein Datensatz nach zu vielen falschen Codes für Codes geschlossen ist.',
  },
  link_days: {
    name: 'Gültigkeit von Links',
    unit: 'Tage',
    meaning: 'Wie lange ein Link oder ein Code für Leute ohne Konto zu seinem Datensatz führt.',
  },
  sign_in_attempts: {
    name: 'Versuche bei der Anmeldung',
    unit: 'Versuche',
    meaning: 'Wie oft ein Passwort falsch sein darf, bevor warten muss, wer es eingibt, jedes Mal länger.',
  },
  acting_as: {
    name: 'Handeln als jemand anders',
    unit: 'Minuten',
    meaning: 'Wie lange jemand als eine andere Person handeln darf, ohne neu zu fragen.',
  },
  confirm_hours: {
    name: 'Gültigkeit von Bestätigungen',
    unit: 'Stunden',
    meaning:
      'Wie lange ein Link bestätigt, was Besucher mit einem Formular gesendet haben, oder ein Konto, um das sie gebeten haben.',
  },
  invitation_days: {
    name: 'Gültigkeit von Einladungen',
    unit: 'Tage',
    meaning: 'Wie lange eine Einladung jemanden zum ersten Mal hereinlässt.',
  },
  password_link: {
    name: 'Links für ein neues Passwort',
    unit: 'Minuten',
    meaning: 'Wie lange ein Link gilt, mit dem jemand ein neues Passwort setzt.',
  },
  sign_in_link: {
    name: 'Links zur Anmeldung',
    unit: 'Minuten',
    meaning: 'Wie lange ein Link gilt, mit dem sich jemand anmeldet.',
  },
  visitor_files: {
    name: 'Dateien von Besuchern',
    unit: 'Dateien',
    meaning:
      'Wie viele Dateien Besucher von einer Netzadresse schicken dürfen, bevor sie warten müssen; eine Stunde ohne setzt es zurück.',
  },
  visitor_forms: {
    name: 'Formulare von Besuchern',
    unit: 'Formulare',
    meaning:
      'Wie viele Formulare für alle von einer Netzadresse kommen dürfen, bevor sie warten muss, wenn das Formular kein „At most“ hat; eine Stunde ohne setzt es zurück.',
  },
}

export const german: Readonly<Record<BuiltInCode, { readonly message: string; readonly whatToDo: string }>> = {
  ...germanRefusals,
  'NF-REQUIRED': { message: '{label} fehlt.', whatToDo: 'Füllen Sie es aus.' },
  'NF-MIN': {
    message: '{label} muss mindestens {limit} sein; dies ist {value}.',
    whatToDo: 'Geben Sie einen höheren Wert ein.',
  },
  'NF-MAX': {
    message: '{label} darf höchstens {limit} sein; dies ist {value}.',
    whatToDo: 'Geben Sie einen niedrigeren Wert ein.',
  },
  'NF-SHORT': {
    message: '{label} muss mindestens {limit} {limit|Zeichen|Zeichen} haben; dies hat {found}.',
    whatToDo: 'Schreiben Sie mehr.',
  },
  'NF-LONG': {
    message: '{label} darf höchstens {limit} {limit|Zeichen|Zeichen} haben; dies hat {found}.',
    whatToDo: 'Schreiben Sie weniger.',
  },
  'NF-PATTERN': { message: '{label} muss aussehen wie {pattern}.', whatToDo: 'Prüfen Sie die Eingabe.' },
  'NF-UNIQUE': {
    message: '{label} ist vergeben: bei {entity} gibt es schon dieselbe Angabe für {fields}.',
    whatToDo: 'Geben Sie etwas anderes ein.',
  },
  'NF-UNIQUE-ARCHIVED': {
    message: '{label} ist vergeben: bei {entity} gibt es im Archiv schon dieselbe Angabe für {fields}.',
    whatToDo: 'Geben Sie etwas anderes ein, oder holen Sie den archivierten Eintrag zurück.',
  },
  'NF-TWICE': { message: '{label} steht in mehr als einer Zeile.', whatToDo: 'Entfernen Sie eine der Zeilen.' },
  'NF-FEW': { message: '{label} braucht mindestens {limit}; dies hat {found}.', whatToDo: 'Ergänzen Sie, was fehlt.' },
  'NF-MANY': { message: '{label} darf höchstens {limit} haben; dies hat {found}.', whatToDo: 'Entfernen Sie Zeilen.' },
  'NF-OVERLAP': {
    message: '{label} ist zu dieser Zeit vergeben.',
    whatToDo: 'Wählen Sie eine andere Zeit oder einen anderen Eintrag.',
  },
  'NF-CIRCLE': {
    message: '{label}: {entity} stünde damit über sich selbst.',
    whatToDo: 'Wählen Sie einen Eintrag, der nicht darunter steht.',
  },
  'NF-NONE-FREE': {
    message: 'Dafür ist kein Eintrag für {label} frei.',
    whatToDo: 'Ändern Sie, wovon es abhängt, oder versuchen Sie es später.',
  },
  'NF-RATE': {
    message: '{label} lässt sich nicht ausrechnen: Für diesen Tag gibt es keinen Wechselkurs.',
    whatToDo: 'Tragen Sie zuerst den Kurs ein, oder wählen Sie einen anderen Tag oder eine andere Währung.',
  },
  'NF-NOT-OFFERED': {
    message: '{label} nennt einen Eintrag, der hier nicht gewählt werden kann.',
    whatToDo: 'Wählen Sie einen aus der Liste.',
  },
  'NF-NOT-ALL-OFFERED': {
    message: '{label}: {records} kann hier nicht gewählt werden.',
    whatToDo: 'Lassen Sie weg, was nicht gewählt werden kann.',
  },
  'NF-ONLY-WHEN': {
    message: '{label} ist bei diesen Angaben nicht vorgesehen.',
    whatToDo: 'Lassen Sie es leer.',
  },
  'NF-READ-ONLY': {
    message: '{label} kann bei diesen Angaben nicht geändert werden.',
    whatToDo: 'Lassen Sie es, wie es ist.',
  },
  'NF-GAPLESS': {
    message: '{entity} kann nicht gelöscht werden: {label} würde in der Reihe fehlen.',
    whatToDo: 'Behalten Sie es und verwenden Sie stattdessen einen Schritt wie Stornieren.',
  },
  'NF-APPEND-ONLY': {
    message: 'Datensätze von {entity} können weder geändert noch gelöscht werden.',
    whatToDo: 'Legen Sie einen weiteren an, der ihn berichtigt.',
  },
  'NF-APPEND-ONLY-ROWS': {
    message: '{entity} kann nicht gelöscht werden: {rows} darin können auch nicht gelöscht werden.',
    whatToDo: 'Behalten Sie es.',
  },
  'NF-NO-RECORD': {
    message: '{label} wurde nicht gefunden: es gibt den Datensatz nicht, oder Sie dürfen ihn nicht sehen.',
    whatToDo: 'Wählen Sie einen aus der Liste.',
  },
  'NF-NO-FIELD': { message: 'Ein Feld {label} können Sie hier nicht setzen.', whatToDo: 'Lassen Sie es weg.' },
  'NF-IMPORT-WIDE': {
    message: 'Über {count|der Zelle|den Zellen} {cells} steht keine Überschrift: {text}.',
    whatToDo:
      'Setzen Sie einen Text mit einem Trennzeichen darin in Anführungszeichen, benennen Sie die Spalte, oder leeren Sie {count|die Zelle|die Zellen}.',
  },
  'NF-IMPORT-ERROR': {
    message: '{label} ist {text}, ein Fehler der Tabelle und kein Wert.',
    whatToDo: 'Berichtigen Sie die Zelle, oder leeren Sie sie.',
  },
  'NF-IMPORT-FORMULA': {
    message: '{label} ist eine Formel, deren Ergebnis nicht in der Datei steht: {text}.',
    whatToDo:
      'Öffnen Sie die Datei in einer Tabellenkalkulation, die es ausrechnet, und speichern Sie sie noch einmal.',
  },
  'NF-IMPORT-TWICE': {
    message: 'In Zeile {row} der Datei geht es um denselben Datensatz.',
    whatToDo: 'Entfernen Sie eine der beiden Zeilen.',
  },
  'NF-IMPORT-DIFFERS': {
    message: '{label} ist anders als in Zeile {row}, in der es um dasselbe geht.',
    whatToDo: 'Schreiben Sie in beide Zeilen dasselbe, oder lassen Sie es in dieser leer.',
  },
  'NF-IMPORT-BESIDE': {
    message: 'In dieser Zeile geht es um denselben Datensatz wie in Zeile {row}, in der etwas nicht stimmt.',
    whatToDo: 'Berichtigen Sie jene Zeile.',
  },
  'NF-IMPORT-KEY': {
    message: '{label} ist leer; daher ist unklar, um welchen Datensatz es in dieser Zeile geht.',
    whatToDo: 'Füllen Sie es aus.',
  },
  'NF-IMPORT-GIVEN': {
    message: '{entity} {text} gibt es nicht, oder Sie dürfen es nicht sehen. Neue bekommen {label} von der Anwendung.',
    whatToDo: 'Berichtigen Sie es, oder bringen Sie Neues mit einer Datei ein, in der diese Spalte fehlt.',
  },
  'NF-IMPORT-SEVERAL': {
    message: 'Mehr als ein Datensatz heißt {text}.',
    whatToDo: 'Schreiben Sie, was nur einer von ihnen hat: eine Nummer, einen Code oder einen eindeutigen Namen.',
  },
  'NF-ROW-FAILED': {
    message: 'Bei diesem Datensatz ist etwas schiefgegangen. Der Fehler liegt bei uns und wurde protokolliert.',
    whatToDo: 'Versuchen Sie es später noch einmal, oder sagen Sie es denen, die die Anwendung betreiben.',
  },
  'NF-FIXED': { message: '{label} kann hier nicht von Hand gesetzt werden.', whatToDo: 'Lassen Sie es weg.' },
  'NF-FIELD-DENIED': { message: '{label} dürfen Sie hier nicht ändern.', whatToDo: 'Lassen Sie es, wie es ist.' },
  'NF-NOT-ASKED': { message: '{step} fragt nicht nach {label}.', whatToDo: 'Lassen Sie es weg.' },
  'NF-LOCKED': {
    message: '{label} lässt sich im Zustand {state} nicht ändern.',
    whatToDo: 'Lassen Sie es, wie es ist.',
  },
  'NF-LOCKED-DELETE': {
    message: '{entity} lässt sich im Zustand {state} nicht löschen.',
    whatToDo: 'Bringen Sie es zuerst in einen anderen Zustand, wenn es einen Schritt dafür gibt.',
  },
  'NF-FROZEN': {
    message: '{label} bleibt, wie es bei {step} war.',
    whatToDo: 'Lassen Sie es, wie es ist, oder gehen Sie einen Schritt zurück, wenn es einen gibt.',
  },
  'NF-FROZEN-DELETE': {
    message: '{entity} bleibt seit {step} bestehen.',
    whatToDo: 'Gehen Sie zuerst einen Schritt zurück, wenn es einen gibt.',
  },
  'NF-RULE': {
    message: 'Eine Regel dieser Anwendung ({rule}) ist nicht erfüllt.',
    whatToDo: 'Prüfen Sie die Angaben.',
  },
  'NF-CODE': {
    message: '{label} konnte nicht ermittelt werden: {function} in {file} ist gescheitert.',
    whatToDo: 'Sagen Sie es denen, die die Anwendung betreuen: Ihr Protokoll sagt, warum.',
  },
  'NF-CHECK': {
    message: '{label}: Die Angaben passen nicht zusammen.',
    whatToDo: 'Prüfen Sie sie und versuchen Sie es noch einmal.',
  },
  'NF-NOT-KEPT': {
    message: '{label}: Das lässt sich nicht so speichern, wie es geschrieben ist.',
    whatToDo:
      'Schreiben Sie weniger Stellen, oder in einer anderen Form. War die Seite lange offen, laden Sie sie neu: Was passt, kann sich geändert haben.',
  },
  'NF-NOT-FOUND': {
    message: 'Das gibt es nicht, oder Sie dürfen es nicht sehen.',
    whatToDo: 'Prüfen Sie die Adresse.',
  },
  'NF-STALE': {
    message: 'Das wurde geändert, während Sie daran gearbeitet haben. Ihre Eingaben sind nicht verloren.',
    whatToDo: 'Vergleichen Sie beide Fassungen und wählen Sie.',
  },
  'NF-UNDO': {
    message: 'Das wurde seitdem wieder geändert und lässt sich nicht mehr rückgängig machen.',
    whatToDo: 'Öffnen Sie es, und ändern Sie es von Hand.',
  },
  'NF-UNDO-SENT': {
    message:
      'Andere wissen inzwischen davon, oder es ist etwas daraus gefolgt: Es lässt sich nicht mehr rückgängig machen.',
    whatToDo: 'Sagen Sie es ihnen, und ändern Sie es von Hand.',
  },
  'NF-UNDO-LATE': {
    message: 'Das ist zu lange her, um es rückgängig zu machen.',
    whatToDo: 'Öffnen Sie es, und ändern Sie es von Hand.',
  },
  'NF-BUSY': {
    message: 'Gerade speichert jemand anderes dasselbe, und das dauert zu lange. Es wurde nichts gespeichert.',
    whatToDo: 'Versuchen Sie es gleich noch einmal.',
  },
  'NF-UNAVAILABLE': {
    message:
      'Es wurde mehr gefragt, als auf einmal beantwortet werden kann, oder die Datenbank ist nicht erreichbar, startet gerade neu oder nimmt nichts an. Es wurde nichts gespeichert.',
    whatToDo: 'Versuchen Sie es gleich noch einmal.',
  },
  'NF-UNSURE': {
    message: 'Die Verbindung zur Datenbank ist abgebrochen: Es ist nicht bekannt, ob dies gespeichert wurde.',
    whatToDo: 'Sehen Sie nach, bevor Sie es noch einmal senden; Programme senden einen Idempotency-Key mit.',
  },
  'NF-CREATE-DENIED': { message: '{entity} dürfen Sie nicht anlegen.', whatToDo: 'Fragen Sie jemanden, der es darf.' },
  'NF-CHANGE-DENIED': {
    message: '{entity} dürfen Sie jetzt nicht ändern.',
    whatToDo: 'Fragen Sie jemanden, der es darf.',
  },
  'NF-CHANGE-OUT': {
    message: '{entity} dürfen Sie ändern, aber nicht in das, was es dann wäre.',
    whatToDo: 'Lassen Sie es so, dass Sie es ändern dürfen, oder fragen Sie jemanden, der das darf.',
  },
  'NF-DELETE-DENIED': {
    message: '{entity} dürfen Sie jetzt nicht löschen.',
    whatToDo: 'Fragen Sie jemanden, der es darf.',
  },
  'NF-IN-USE': {
    message: '{entity} lässt sich nicht löschen: {by} verweist darauf.',
    whatToDo: 'Löschen oder ändern Sie zuerst, was darauf verweist.',
  },
  'NF-ARCHIVED': {
    message: '{entity} ist archiviert.',
    whatToDo: 'Stellen Sie es zuerst wieder her.',
  },
  'NF-NOT-ARCHIVED': { message: '{entity} ist nicht archiviert.', whatToDo: 'Laden Sie die Seite neu.' },
  'NF-RESTORE-DENIED': {
    message: '{entity} dürfen Sie nicht wiederherstellen.',
    whatToDo: 'Fragen Sie jemanden, der es darf.',
  },
  'NF-NO-STEP': { message: 'Einen Schritt {step} gibt es hier nicht.', whatToDo: 'Prüfen Sie die Adresse.' },
  'NF-STEP-STATE': {
    message: '„{step}“ ist aus {state} nicht möglich; der Schritt beginnt in {from}.',
    whatToDo: 'Laden Sie die Seite neu: vielleicht war jemand schneller.',
  },
  'NF-STEP-DENIED': {
    message: '{actor} darf diesen Schritt hier nicht ausführen: {step} ({entity}).',
    whatToDo: 'Fragen Sie jemanden, der es darf.',
  },
  'NF-STEP-WHEN': {
    message: '{step} ist jetzt geschlossen, im Zustand {state}: die Bedingung gilt nicht für {actor}.',
    whatToDo: 'Siehe die Zeile des Dokuments, die entscheidet.',
  },
  'NF-STEP-UNKNOWN': {
    message:
      '{step} ist jetzt geschlossen, im Zustand {state}: {missing} ist leer, und so lässt sich die Bedingung nicht entscheiden.',
    whatToDo: 'Füllen Sie es zuerst aus.',
  },
  'NF-STEP-DECIDED': {
    message: '{actor} hat schon entschieden: {step} ({entity}) wartet auf andere.',
    whatToDo: 'Sie müssen nichts tun: Es geschieht, sobald auch die anderen entschieden haben.',
  },
  'NF-STEP-UNSPECIFIED': {
    message: '{step} ist geschlossen: das Dokument lässt offen, was dafür nötig ist.',
    whatToDo: 'Fragen Sie, wer für das Dokument zuständig ist.',
  },
  'NF-EFFECTS': {
    message: 'Das würde auf einmal mehr als {limit} andere Datensätze ändern.',
    whatToDo: 'Teilen Sie es in kleinere Schritte auf.',
  },
  'NF-SIGN-UP-ADDRESS': {
    message: 'Ein Konto gibt es hier nur mit einer Adresse bei {domains}.',
    whatToDo: 'Geben Sie eine solche Adresse an, oder lassen Sie sich einladen.',
  },
  'NF-SIGN-ON': {
    message: 'Die Anmeldung mit {name} ist nicht gelungen.',
    whatToDo: 'Versuchen Sie es noch einmal. Gelingt es weiter nicht, sagen Sie es denen, die die Anwendung betreiben.',
  },
  'NF-SIGN-IN-CLOSED': {
    message: 'Sie können sich hier nicht mehr oder noch nicht anmelden.',
    whatToDo: 'Fragen Sie bei denen nach, die die Anwendung betreiben.',
  },
  'NF-SIGN-ON-UNKNOWN': {
    message: 'Hier ist niemand als {email} bekannt.',
    whatToDo: 'Lassen Sie sich einladen.',
  },
  'NF-SIGN-ON-ADDRESS': {
    message: 'Hier ist niemand als {email} bekannt. Ein Konto gibt es hier nur mit einer Adresse bei {domains}.',
    whatToDo: 'Melden Sie sich dort mit einer solchen Adresse an, oder lassen Sie sich einladen.',
  },
  'NF-SIGN-ON-UNVERIFIED': {
    message: '{name} hat Ihre E-Mail-Adresse nicht bestätigt; daher ist unklar, wer Sie hier sind.',
    whatToDo: 'Lassen Sie die Adresse dort bestätigen, oder folgen Sie einer Einladung.',
  },
  'NF-SIGN-ON-OTHER': {
    message: 'Ihr Konto hier ist mit jemand anderem bei {name} verbunden.',
    whatToDo:
      'Melden Sie sich anders an und trennen Sie die Verbindung auf der Kontoseite, oder sagen Sie es denen, die die Anwendung betreiben.',
  },
  'NF-PASSKEY': {
    message: 'Dieser Passkey wurde nicht angenommen.',
    whatToDo: 'Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  },
  'NF-PRINT-MANY': {
    message: 'Auf einmal werden höchstens {most} Datensätze gedruckt.',
    whatToDo: 'Schränken Sie die Liste mit ihren Filtern ein, oder wählen Sie weniger Zeilen.',
  },
  'NF-CASE-CODE': {
    message: 'Nummer und Code passen nicht zusammen, oder sie waren zu oft falsch.',
    whatToDo:
      'Prüfen Sie beide. Nach mehreren falschen Codes ist eine Nummer eine Weile geschlossen, was auch getippt wird; ein Link aus einer E-Mail gilt weiter.',
  },
  'NF-PRESENCE': {
    message: 'Dafür liegt Ihre Anmeldung zu lange zurück.',
    whatToDo:
      'Bestätigen Sie auf der Seite Ihres Kontos, dass Sie es sind, und versuchen Sie es dann gleich noch einmal.',
  },
  'NF-KEY-SIGN-IN': {
    message: 'Dieser Schlüssel ist nicht dafür gemacht, zu ändern, wie sich jemand anmeldet.',
    whatToDo:
      'Erstellen Sie auf der Seite Ihres Kontos einen, der das darf, oder lassen Sie es jemanden in der Anwendung ändern.',
  },
  'NF-ASK-PERSON': {
    message: 'Das macht ein Assistent nicht von selbst.',
    whatToDo: 'Geben Sie Ihrer Person diese Adresse, unter der sie es macht: {address}',
  },
  'NF-HIGHER': {
    message: 'Das entscheidet, wie sich jemand anmeldet, der mehr darf als Sie.',
    whatToDo: 'Fragen Sie jemanden, der ihr die Rollen geben könnte, oder lassen Sie sie es selbst ändern.',
  },
  'NF-SECOND-FACTOR': {
    message: 'Eine Ihrer Rollen ist nur für Personen mit zweitem Faktor.',
    whatToDo: 'Richten Sie auf der Kontoseite einen ein und versuchen Sie es dann noch einmal.',
  },
  'NF-ACTING': {
    message: 'Das geht nicht, solange Sie als jemand anderes handeln.',
    whatToDo: 'Handeln Sie erst wieder als Sie selbst.',
  },
  'NF-PREVIEW': {
    message: 'Sie sehen die Anwendung nur so, wie {role} sie sieht: Gespeichert wird nichts.',
    whatToDo: 'Beenden Sie erst die Ansicht.',
  },
  'NF-BODY': {
    message: 'Das ist mehr, als auf einmal angenommen werden kann.',
    whatToDo: 'Senden Sie kleinere Dateien, oder weniger.',
  },
  'NF-NO-LIMIT': { message: 'Einen Grenzwert {label} gibt es nicht.', whatToDo: 'Prüfen Sie die Adresse.' },
  'NF-LIMIT-FIXED': { message: '{label} steht im Dokument fest.', whatToDo: 'Ändern Sie das Dokument.' },
  'NF-LIMIT-DENIED': { message: '{label} dürfen Sie nicht ändern.', whatToDo: 'Fragen Sie jemanden, der es darf.' },
  'NF-LIMIT-DAY': {
    message: '{label} kann sich nicht am {day} ändern: Der Tag liegt nicht in der Zukunft.',
    whatToDo: 'Wählen Sie einen Tag ab morgen, oder keinen, um sofort zu ändern.',
  },
  'NF-LIMIT-RANGE': {
    message: '{label} muss zwischen {min} und {max} liegen.',
    whatToDo: 'Geben Sie einen Wert aus dem Bereich ein.',
  },
  'NF-APPOINT-DENIED': {
    message: 'Die Rolle {role} dürfen Sie weder vergeben noch entziehen.',
    whatToDo: 'Fragen Sie jemanden, der es darf.',
  },
  'NF-ROLE-DAYS': {
    message: 'Der letzte Tag der Rolle liegt vor dem ersten oder ist vorbei.',
    whatToDo: 'Geben Sie einen letzten Tag ab heute an, oder keinen: dann gilt die Rolle auf Dauer.',
  },
  'NF-SHARE-DENIED': {
    message: '{entity} dürfen Sie nicht als {role} freigeben.',
    whatToDo: 'Fragen Sie jemanden, der es darf und selbst tun darf, was {role} darf.',
  },
  'NF-SHARE-LONG': {
    message: 'Als {role} wird längstens bis {last} freigegeben.',
    whatToDo: 'Wählen Sie einen früheren Tag, oder keinen.',
  },
  'NF-ROLES-APART': {
    message: 'Niemand darf die Rollen {role} und {other} zugleich haben.',
    whatToDo: 'Nehmen Sie erst {other} weg, oder geben Sie {role} jemand anderem.',
  },
  'NF-LAST-HOLDER': {
    message: 'Niemand, der sich anmelden kann, hätte dann noch die Rolle {role}.',
    whatToDo: 'Geben Sie sie zuerst jemand anderem.',
  },
}
