/** The columns of heading 9, as data. */

export const constants = {
  name: 'constants',
  columns: [
    { name: 'Name', required: true, meaning: 'The name in expressions: `limits.max_loan_days`.' },
    { name: 'Value', required: true, meaning: 'A number, amount, date, time, duration, yes/no, or a text in quotes.' },
    { name: 'Unit', required: false, meaning: 'What is counted; three capitals are a currency, % makes 20 a fifth.' },
    { name: 'Range', required: false, meaning: 'Between which values it may be changed: `1 to 60`.' },
    {
      name: 'Who may change',
      required: false,
      meaning: 'Roles that may change it in the running application; fixed (the default) for nobody.',
    },
    { name: 'Since', required: false, planned: true, meaning: 'The day from which the value holds.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const
