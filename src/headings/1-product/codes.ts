/** Heading 1: N11xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const productCodes = {
  N1101: {
    severity: 'error',
    message: '`{zone}` is not a time zone{meant}',
    help: 'Write a name of the IANA list, such as Europe/Berlin or UTC.',
  },
  N1102: {
    severity: 'error',
    message: '`{language}` is not a language{meant}',
    help: 'Write its English name or its tag: English, German, de, pt-BR.',
  },
  N1103: {
    severity: 'error',
    message: '`{way}` is not a way to sign in{meant}',
    help: 'The ways are: e-mail link, password, single sign-on, passkey.',
  },
  N1104: {
    severity: 'warning',
    message: 'nothing is assumed under the name `{name}`{meant}',
    help: 'Take the line out: the document says it by now, or the name is misspelt.',
  },
  N1105: {
    severity: 'error',
    message: '`{language}` is not another language of this application; the others are {languages}',
    help: 'Add it to `- **Languages:** …`, behind the first, or take the table out.',
  },
  N1106: {
    severity: 'warning',
    message: 'nothing in the document says `{text}`{meant}',
    help: 'Write the text as it stands in the document, or take the row out.',
  },
  N1107: { severity: 'error', message: '`{text}` is translated twice', help: 'Keep one of the two rows.' },
  N1108: {
    severity: 'warning',
    message: 'there is no warning `{name}` to accept',
    help: 'Write the code of a warning, and the words that it stands at where there are several: `N1404 Lost`. Take the line out where the warning is gone.',
  },
  N1109: {
    severity: 'error',
    message: '`{text}` is not a domain of e-mail addresses',
    help: 'Write domains, parted by commas, such as example.org; or everyone.',
  },
  N1110: {
    severity: 'error',
    message: 'nobody can sign up: {why}',
    help: 'People sign up at their first single sign-on, with name and e-mail address; nothing else is known of them. Let the rest have a default, or take the line out and invite people.',
  },
  N1111: {
    severity: 'error',
    message:
      'nobody could get in: a passkey is added by somebody who is signed in, and there is no other way to sign in',
    help: 'Name another way beside it: `e-mail link, passkey`.',
  },
  N1130: {
    severity: 'error',
    message: '`{colour}` is not a colour',
    help: 'Write it as `#0b6e4f`, or by its CSS name, such as teal.',
  },
  N1131: {
    severity: 'warning',
    message: '`{colour}` is too light to be read: {instead} is taken for it on light pages',
    help: 'Write white text on it, or it on white: the contrast is below 4.5 or 3 to 1. Choose a darker colour, or accept the warning.',
  },
  N1132: {
    severity: 'error',
    message: '`{path}` cannot be the logo: {why}',
    help: 'Link an image beside the document: `[logo](brand/logo.svg)`.',
  },
  N1120: {
    severity: 'error',
    message: '{entity} cannot be the tenant: {why}',
    help: 'Name an entity of heading 3 that stands for itself and that people belong to: Company, Club, School.',
  },
} as const satisfies CodeTable
