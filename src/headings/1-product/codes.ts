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
    help: 'The ways are: e-mail link, password.',
  },
  N1104: {
    severity: 'warning',
    message: 'nothing is assumed under the name `{name}`{meant}',
    help: 'Take the line out: the document says it by now, or the name is misspelt.',
  },
} as const satisfies CodeTable
