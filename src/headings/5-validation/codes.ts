/** Heading 5: N15xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const ruleCodes = {
  N1501: { severity: 'error', message: 'the rule `{name}` is declared twice', help: 'Give one of them another name.' },
  N1502: {
    severity: 'error',
    declaredIn: 4,
    message: '`{occasion}` is not an occasion of {entity}{meant}',
    help: 'Write create, change, delete or one of its steps: {known}.',
  },
  N1503: {
    severity: 'error',
    declaredIn: 5,
    message: 'there is no rule `{name}`{meant}',
    help: 'The rules are: {known}.',
  },
  N1504: {
    severity: 'warning',
    message: 'the message of {rule} belongs to `{field}`, which is in no form',
    help: 'Name a field that people enter, or leave the Field column empty: the message then appears above the form.',
  },
  N1505: {
    severity: 'warning',
    message: '{rule} is never checked: nobody and nothing can {occasions} {entity}{after}',
    help: 'Let somebody do it under heading 6, name another occasion, or remove the rule.',
  },
  N1506: {
    severity: 'error',
    message: '`{severity}` is not a severity{meant}',
    help: 'Write error, or warning for a rule that people may confirm and save anyway.',
  },
  N1507: {
    severity: 'warning',
    message: '{rule} lets an empty `{field}` pass: an empty text has no length',
    help: 'Write `{field} is not empty and …`, or `{field} required` under Asks of the step. If it may stay empty, accept the warning: `- **Accept:** N1507 {field}`.',
  },
  N1508: {
    severity: 'warning',
    message: '{rule} can never hold{beside}: {refused}',
    help: '{proof}Change what must hold, or when it is asked.',
  },
} as const satisfies CodeTable
