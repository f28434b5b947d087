import type { Refusals } from '../refusal.ts'

export const fileRefusals = {
  'NF-FILE': {
    status: 422,
    en: { message: '{label} does not name a file that you sent.', whatToDo: 'Choose the file again.' },
    de: {
      message: '{label} nennt keine Datei, die Sie gesendet haben.',
      whatToDo: 'Wählen Sie die Datei noch einmal.',
    },
  },
  'NF-FILE-EMPTY': {
    status: 422,
    en: { message: '{label}: the file is empty.', whatToDo: 'Choose another file.' },
    de: { message: '{label}: Die Datei ist leer.', whatToDo: 'Wählen Sie eine andere Datei.' },
  },
  'NF-FILE-TYPE': {
    status: 422,
    en: {
      message: '{label} must be a file of the kind {types}; this one is {found}.',
      whatToDo: 'Choose another file. Its content decides, not its name.',
    },
    de: {
      message: '{label} muss eine Datei der Art {types} sein; diese ist {found}.',
      whatToDo: 'Wählen Sie eine andere Datei. Es zählt der Inhalt, nicht der Name.',
    },
  },
  'NF-FILE-SIZE': {
    status: 422,
    en: {
      message: '{label} must be a file of at most {limit}; this one is larger.',
      whatToDo: 'Choose a smaller one, or make it smaller.',
    },
    de: {
      message: '{label} muss eine Datei von höchstens {limit} sein; diese ist größer.',
      whatToDo: 'Wählen Sie eine kleinere, oder verkleinern Sie sie.',
    },
  },
  'NF-FILE-STORAGE': {
    status: 422,
    en: {
      message: '{label}: all files together may take {limit}, and this one does not fit any more.',
      whatToDo: 'Take away files that nobody needs, or ask whoever looks after the application.',
    },
    de: {
      message: '{label}: Alle Dateien zusammen dürfen {limit} einnehmen; diese passt nicht mehr dazu.',
      whatToDo:
        'Nehmen Sie Dateien weg, die niemand mehr braucht, oder wenden Sie sich an die, die die Anwendung betreuen.',
    },
  },
  'NF-FILE-VIRUS': {
    status: 422,
    en: {
      message: '{label}: the virus scanner found {found} in this file, so it was not accepted.',
      whatToDo: 'Choose another file.',
    },
    de: {
      message: '{label}: Der Virenscanner hat in dieser Datei {found} gefunden; sie wurde nicht angenommen.',
      whatToDo: 'Wählen Sie eine andere Datei.',
    },
  },
  'NF-FILE-UNSCANNED': {
    status: 503,
    en: {
      message: '{label}: files cannot be checked for viruses at the moment, so this one was not accepted.',
      whatToDo: 'Choose it again in a few minutes.',
    },
    de: {
      message: '{label}: Dateien können gerade nicht auf Viren geprüft werden; diese wurde nicht angenommen.',
      whatToDo: 'Wählen Sie sie in einigen Minuten noch einmal.',
    },
  },
  'NF-FILE-WAIT': {
    status: 429,
    en: {
      message: '{label}: too many files were sent from here, so this one was not accepted.',
      whatToDo: 'Choose it again in {seconds} {seconds|second|seconds}.',
    },
    de: {
      message: '{label}: Von hier wurden zu viele Dateien gesendet; diese wurde nicht angenommen.',
      whatToDo: 'Wählen Sie sie in {seconds} {seconds|Sekunde|Sekunden} noch einmal.',
    },
  },
} as const satisfies Refusals
