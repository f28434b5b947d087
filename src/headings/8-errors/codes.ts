/** Heading 8: N18xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const errorCodes = {
  N1801: {
    severity: 'error',
    message: 'the error catalogue has no `{code}`{meant}',
    help: 'Add a row to heading 8: `| {code} | What is wrong. | What to do. |`.',
  },
  N1802: { severity: 'error', message: 'the code `{code}` stands here twice', help: 'Keep one of the two rows.' },
  N1803: {
    severity: 'error',
    message: '`{status}` is not a status of a refusal',
    help: 'Write a number from 400 to 599; 422 where the column is empty.',
  },
  N1804: {
    severity: 'warning',
    message: 'nothing gives the error {code}',
    help: 'Name it in the Error column of a rule or after `report`, or take the row out.',
  },
  N1805: {
    severity: 'error',
    message: 'Ninefold has no refusal `{code}`{meant}',
    help: 'Codes that begin with NF- are its own; give yours another beginning, or take one of the list of refusals.',
  },
  N1806: {
    severity: 'error',
    message: '`{hole}` is not known in the words of {code}{meant}',
    help: 'Known are: {known}.',
  },
} as const satisfies CodeTable
