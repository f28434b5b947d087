/** Functions in TypeScript: N102x. Numbers are never reused. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const codeCodes = {
  N1020: {
    severity: 'error',
    message: '`{name}` cannot be the name of a function: {why}',
    help: 'Use one lower-case word, like `loan_fee`.',
  },
  N1021: {
    severity: 'error',
    message: 'there is no file `{path}`',
    help: 'Links are relative to the folder of the root file.',
  },
  N1022: {
    severity: 'error',
    message: '`{path}` exports no function `{name}`',
    help: 'Write `export function {name}(…)` there.',
  },
  N1023: {
    severity: 'error',
    message: '`{written}` is not understood: {wrong}',
    help: 'Write `days: integer, lines: list of Loan line`. A function takes values, records and lists of records, and returns one value.',
  },
  N1024: {
    severity: 'error',
    message: '`{written}` is not a link to a TypeScript file next to the document',
    help: 'Write it like this: `{example}`.',
  },
  N1025: {
    severity: 'error',
    message: '`{path}` imports `{module}`',
    help: 'Code receives everything it needs: it can import only types and, in a block, `react` and `ninefold/ui`. Keep what belongs together in one file.',
  },
  N1026: { severity: 'error', message: 'there are two functions named `{name}`' },
} as const satisfies CodeTable
