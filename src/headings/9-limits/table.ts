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
    {
      name: 'Since',
      required: false,
      meaning: 'The day from which the value holds, in a further row of the same name: `2027-01-01`.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

/** The keys of `### Working time`, in the order in which the reference lists them. */
export const workingTime = {
  name: 'working time',
  columns: [
    {
      name: 'Days',
      required: false,
      meaning: 'Working days: `Monday to Friday` (the default), `Monday, Thursday`, `every day`.',
    },
    {
      name: 'Hours',
      required: false,
      meaning:
        'From opening to closing: `09:00 to 17:00`; or by day: `Monday to Thursday 08:00 to 17:00, Friday 08:00 to 14:00`.',
    },
    {
      name: 'Closed on',
      required: false,
      meaning:
        'Days without work, as records of an entity that have a date: `Closing day.day`; and whose they are: `Closing day.day of site`.',
    },
  ],
} as const
