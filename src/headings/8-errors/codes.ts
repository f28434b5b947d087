/** Heading 8: N18xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const errorCodes = {
  N1801: {
    severity: 'error',
    declaredIn: 8,
    message: 'the error catalogue has no `{code}`{meant}',
    help: 'Add a row to heading 8: `| {code} | What is wrong. | What to do. |`.',
  },
  N1802: { severity: 'error', message: 'the code `{code}` is declared twice', help: 'Keep one of the two rows.' },
  N1803: {
    severity: 'error',
    message: '`{status}` is not a status for an error',
    help: 'Write a number from 400 to 599. An empty cell means 422.',
  },
  N1804: {
    severity: 'warning',
    message: 'nothing raises the error {code}',
    help: 'Name it in the Error column of a rule or after `report`, or remove the row.',
  },
  N1805: {
    severity: 'error',
    message: 'Ninefold has no built-in refusal `{code}`{meant}',
    help: 'Codes that start with NF- are built in. Choose another beginning for your own, or take one from the list of refusals.',
  },
  N1806: {
    severity: 'error',
    message: '`{hole}` is not available in the text of {code}{meant}',
    help: 'Available are: {known}.',
  },
  N1807: {
    severity: 'warning',
    message:
      '{code} shows `{field}` of {entity}, which nobody may see who could be refused: nothing stands in its place',
    help: 'Say it without, remove `hidden`, or let them see the field under heading 6.',
  },
  N1808: {
    severity: 'error',
    declaredIn: 8,
    message: '`{text}` is a message; here stands the code of one',
    help: 'Write a code such as `E-DAY` here, and what people read in a row of heading 8: `| E-DAY | {text} |`.',
  },
} as const satisfies CodeTable
