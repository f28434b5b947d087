/** What several kinds refuse, and what the reading of forms and JSON refuses whatever the kind. */
import type { Refusals } from './refusal.ts'

export const textRefusals = {
  'NF-TEXT': {
    status: 422,
    en: {
      message: '{label} contains a character that cannot be saved ({character}).',
      whatToDo: 'Delete it or type the text again; such characters come with copied text.',
    },
    de: {
      message: '{label} enthält ein Zeichen, das nicht gespeichert werden kann ({character}).',
      whatToDo: 'Löschen Sie es oder tippen Sie den Text neu; solche Zeichen kommen mit kopiertem Text.',
    },
  },
  'NF-TOO-LONG': {
    status: 422,
    en: {
      message: '{label} must have at most {max} {max|character|characters}; this has {length}.',
      whatToDo: 'Shorten it.',
    },
    de: {
      message: '{label} darf höchstens {max} {max|Zeichen|Zeichen} haben; dies hat {length}.',
      whatToDo: 'Kürzen Sie es.',
    },
  },
} as const satisfies Refusals

export const numberRefusals = {
  'NF-NUMBER': {
    status: 422,
    en: {
      message: '{label} must be a number, like {example}.',
      whatToDo: 'Use digits only, with at most one decimal separator.',
    },
    de: {
      message: '{label} muss eine Zahl sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie nur Ziffern, mit höchstens einem Dezimaltrennzeichen.',
    },
  },
  'NF-WHOLE': {
    status: 422,
    en: { message: '{label} must be a whole number.', whatToDo: 'Remove the digits after the decimal separator.' },
    de: { message: '{label} muss eine ganze Zahl sein.', whatToDo: 'Lassen Sie die Stellen nach dem Komma weg.' },
  },
  'NF-DECIMALS': {
    status: 422,
    en: {
      message: '{label} must have at most {scale} {scale|decimal|decimals}; this has {found}.',
      whatToDo: 'Round the number; it is not rounded automatically.',
    },
    de: {
      message: '{label} darf höchstens {scale} {scale|Nachkommastelle|Nachkommastellen} haben; dies hat {found}.',
      whatToDo: 'Runden Sie den Wert; automatisch wird nicht gerundet.',
    },
  },
  'NF-RANGE': {
    status: 422,
    en: { message: '{label} must be between {min} and {max}.', whatToDo: 'Check the number of digits.' },
    de: { message: '{label} muss zwischen {min} und {max} liegen.', whatToDo: 'Prüfen Sie die Zahl der Stellen.' },
  },
  'NF-AMBIGUOUS': {
    status: 422,
    en: { message: '{label} can mean {first} or {second}.', whatToDo: 'Write it so that it has only one meaning.' },
    de: {
      message: '{label} kann {first} oder {second} bedeuten.',
      whatToDo: 'Schreiben Sie es so, dass es nur eine Bedeutung hat.',
    },
  },
} as const satisfies Refusals

export const dateRefusals = {
  'NF-DATE': {
    status: 422,
    en: {
      message: '{label} must be a date in a form that is known here, like {example}.',
      whatToDo: 'Write day, month and year (four digits) like that, or as 2026-03-28; a month may have its name.',
    },
    de: {
      message: '{label} muss ein Datum in einer Form sein, die hier bekannt ist, zum Beispiel {example}.',
      whatToDo:
        'Schreiben Sie Tag, Monat und Jahr (vierstellig) so oder als 2026-03-28; ein Monat darf seinen Namen haben.',
    },
  },
  'NF-NO-SUCH-DATE': {
    status: 422,
    en: { message: '{label}: there is no day {text}, read like {example}.', whatToDo: 'Check day, month and year.' },
    de: {
      message: '{label}: Den Tag {text} gibt es nicht, gelesen wie {example}.',
      whatToDo: 'Prüfen Sie Tag, Monat und Jahr.',
    },
  },
  'NF-MOMENT': {
    status: 422,
    en: { message: '{label} must be a date and a time, like {example}.', whatToDo: 'Write both the day and the time.' },
    de: {
      message: '{label} muss Datum und Uhrzeit sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie Tag und Uhrzeit.',
    },
  },
  'NF-NO-SUCH-TIME': {
    status: 422,
    en: {
      message: '{label}: on {date} there is no {time}, because the clocks change.',
      whatToDo: 'Choose a time before or after the change.',
    },
    de: {
      message: '{label}: Am {date} gibt es {time} nicht, weil die Uhr umgestellt wird.',
      whatToDo: 'Wählen Sie eine Zeit vor oder nach der Umstellung.',
    },
  },
  'NF-TIME': {
    status: 422,
    en: { message: '{label} must be a time of day, like {example}.', whatToDo: 'Write hours and minutes.' },
    de: {
      message: '{label} muss eine Uhrzeit sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie Stunden und Minuten.',
    },
  },
} as const satisfies Refusals

export const inputRefusals = {
  'NF-FILLED': {
    status: 422,
    en: { message: '{label} is filled in by the application.', whatToDo: 'Leave it out.' },
    de: { message: '{label} füllt die Anwendung aus.', whatToDo: 'Lassen Sie es weg.' },
  },
  'NF-LIST': {
    status: 422,
    en: { message: '{label} must be a list of records.', whatToDo: 'Send an array of objects.' },
    de: { message: '{label} muss eine Liste von Datensätzen sein.', whatToDo: 'Senden Sie ein Array von Objekten.' },
  },
  'NF-TOO-MANY': {
    status: 422,
    en: {
      message: '{label} has {found} {found|row|rows}; at most {max} can be sent at once.',
      whatToDo: 'Send fewer rows.',
    },
    de: {
      message: '{label} hat {found} {found|Zeile|Zeilen}; auf einmal können höchstens {max} gesendet werden.',
      whatToDo: 'Senden Sie weniger Zeilen.',
    },
  },
  'NF-JSON': {
    status: 422,
    en: { message: '{label} must be {expected}, not {found}.', whatToDo: 'See the description of the API.' },
    de: {
      message: '{label}: erwartet wird {expected}, gesendet wurde {found}.',
      whatToDo: 'Siehe die Beschreibung der API.',
    },
  },
  'NF-JSON-NUMBER': {
    status: 422,
    en: {
      message: '{label}: {found} has more digits than the 15 that a JSON number surely keeps.',
      whatToDo: 'Send the number as a text, in quotes.',
    },
    de: {
      message: '{label}: {found} hat mehr Ziffern als die 15, die eine JSON-Zahl sicher behält.',
      whatToDo: 'Senden Sie die Zahl als Text, in Anführungszeichen.',
    },
  },
  'NF-UNKNOWN-FIELD': {
    status: 422,
    en: { message: 'There is no field named {label} here.', whatToDo: 'See the description of the API for the names.' },
    de: {
      message: 'Ein Feld mit dem Namen {label} gibt es hier nicht.',
      whatToDo: 'Die Namen stehen in der Beschreibung der API.',
    },
  },
} as const satisfies Refusals
