/** Heading 1: N11xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const productCodes = {
  N1101: {
    severity: 'error',
    message: '`{zone}` is not a time zone{meant}',
    help: 'Write a name from the IANA list, such as Europe/Berlin or UTC.',
  },
  N1102: {
    severity: 'error',
    message: '`{language}` is not a language{meant}',
    help: 'Write its English name or its tag: English, German, de, pt-BR.',
  },
  N1113: {
    severity: 'error',
    message: '`{language}` is none of the languages of this application, which are {known}',
    help: 'Add it to `- **Languages:** …`, behind the first, or write one of them.',
  },
  N1103: {
    severity: 'error',
    message: '`{way}` is not a way to sign in{meant}',
    help: 'The ways are: e-mail link, password, single sign-on, passkey.',
  },
  N1104: {
    severity: 'warning',
    message: 'there is no assumption named `{name}`{meant}',
    help: 'Remove the line if the document now says what was assumed, or correct the name.',
  },
  N1105: {
    severity: 'error',
    message: '`{language}` is not another language of this application; the others are {languages}',
    help: 'Add it to `- **Languages:** …`, after the first one, or remove the table.',
  },
  N1106: {
    severity: 'warning',
    message: '`{text}` is not a text in the document{meant}',
    help: 'Write the text exactly as in the document, or remove the row.',
  },
  N1107: { severity: 'error', message: '`{text}` is translated twice', help: 'Keep one of the two rows.' },
  N1108: {
    severity: 'warning',
    message: 'there is no warning `{name}` to accept',
    help: '{help}',
  },
  N1109: {
    severity: 'error',
    message: '`{text}` is not a domain of e-mail addresses',
    help: 'Write domains, separated by commas, such as example.org; or everyone. Roles stand behind `as`: `example.org as Borrower`.',
  },
  N1110: {
    severity: 'error',
    message: 'nobody can sign up: {why}',
    help: 'Give the field a default, or do not require it; or remove the line and invite people.',
  },
  N1112: {
    severity: 'error',
    message: 'whoever signs up cannot have the role {role}: {why}',
    help: 'Whoever comes may sign up. Behind `as` name roles that are `appointed by` others, decide nothing about people and go by nothing that people say of themselves; give the others in the application.',
  },
  N1111: {
    severity: 'error',
    message:
      'nobody could sign in: only somebody who is signed in can add a passkey, and there is no other way to sign in',
    help: 'Add another way: `e-mail link, passkey`.',
  },
  N1130: {
    severity: 'error',
    message: '`{colour}` is not a colour',
    help: 'Write it as `#0b6e4f`, or by its CSS name, such as teal.',
  },
  N1131: {
    severity: 'warning',
    message: '`{colour}` is too light to read: light pages use {instead} instead',
    help: 'White text on it, or it on white, has a contrast below 4.5 or 3 to 1. Choose a darker colour, or accept the warning.',
  },
  N1132: {
    severity: 'error',
    message: '`{path}` cannot be the logo: {why}',
    help: 'Link an image beside the document: `[logo](brand/logo.svg)`.',
  },
  N1133: {
    severity: 'error',
    message: '`{day}` is not a day of the week{meant}',
    help: 'Write the day on which weeks begin: Monday, Saturday or Sunday.',
  },
  N1134: {
    severity: 'error',
    message: '`{path}` cannot be the theme: {why}',
    help: 'Link a style sheet beside the document: `[look](brand/theme.css)`.',
  },
  N1135: {
    severity: 'error',
    message: '`{path}` cannot be the catalogue of a language: {why}',
    help: 'Copy a file of `languages/` beside the document, translate it and link it: `[Portuguese](words/pt.json)`.',
  },
  N1136: {
    severity: 'warning',
    message: '`{path}` says {count} of Ninefold’s texts so that they cannot be used: {texts}',
    help: 'Until they are mended, people read them {instead}.',
  },
  N1137: {
    severity: 'warning',
    message: '`{path}` lacks {count} of Ninefold’s texts: {texts}',
    help: 'People read these in English. Take their keys from a file of `languages/`, and translate them.',
  },
  N1138: {
    severity: 'warning',
    message: '`{path}` says {count} texts that nothing reads: {texts}',
    help: 'Compare their keys with a file of `languages/`, or remove them.',
  },
  N1120: {
    severity: 'error',
    message: '{entity} cannot be the tenant: {why}',
    help: 'Name an independent entity of heading 3 that people belong to: Company, Club, School.',
  },
} as const satisfies CodeTable
