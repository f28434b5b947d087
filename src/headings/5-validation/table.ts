/** The columns of heading 5, as data. */

export const rules = {
  name: 'rules',
  columns: [
    { name: 'Rule', required: true, meaning: 'Its name: `V-2`.' },
    {
      name: 'Applies to',
      required: true,
      meaning: 'An entity, perhaps with the occasion: `Loan on submit`, `Loan line on create`.',
    },
    { name: 'Must hold', required: true, meaning: 'An expression over the record.' },
    {
      name: 'Error',
      required: true,
      meaning: 'The code in the error catalogue that is shown where it does not hold.',
      others: ['Message', 'Text'],
    },
    { name: 'Field', required: false, meaning: 'The field beside which the message stands.' },
    {
      name: 'Severity',
      required: false,
      meaning: '`error` (or nothing) refuses; `warning` asks whoever saves to confirm.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const severities = ['error', 'warning'] as const

/** Occasions that every entity has, besides its steps. */
export const occasions = ['create', 'change', 'delete'] as const
