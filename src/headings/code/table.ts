/** The columns of the table of functions, which may stand under every heading, as data. */
import type { Table } from '../../document/tree.ts'

export const functions = {
  name: 'functions written in TypeScript',
  columns: [
    { name: 'Function', required: true, meaning: 'Its name in expressions, and the name of the export: `loan_fee`.' },
    {
      name: 'Takes',
      required: true,
      meaning: 'What it is given: `lines: list of Loan line, days: integer`; none for nothing.',
    },
    { name: 'Gives', required: true, meaning: 'The type of its result: `money EUR`.' },
    {
      name: 'Code',
      required: true,
      meaning: 'A link to the file that exports it, seen from the folder of the root file.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

/** Whether a table declares functions; then no heading reads it. */
export const isFunctions = ({ header }: Pick<Table, 'header'>): boolean =>
  functions.columns.every(
    ({ name, required }) => !required || header.some(cell => cell.text.toLowerCase() === name.toLowerCase()),
  )
