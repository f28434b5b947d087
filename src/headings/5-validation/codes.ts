/** Heading 5: N15xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const ruleCodes = {
  N1501: { severity: 'error', message: 'the rule `{name}` stands here twice', help: 'Give one of them another name.' },
  N1502: {
    severity: 'error',
    message: '`{occasion}` is not an occasion of {entity}{meant}',
    help: 'Write create, change, delete or one of its steps: {known}.',
  },
  N1503: { severity: 'error', message: 'there is no rule `{name}`{meant}', help: 'The rules are: {known}.' },
  N1504: {
    severity: 'warning',
    message: 'the message of {rule} stands beside `{field}`, which is in no form',
    help: 'Name a field that people enter, or leave the Field column empty: the message then stands above the form.',
  },
} as const satisfies CodeTable
