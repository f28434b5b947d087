/** The columns of heading 8, as data. */

export const errors = {
  name: 'errors',
  columns: [
    { name: 'Code', required: true, meaning: 'Its name: `E-DUE-1`; permanent.' },
    { name: 'Message', required: true, meaning: 'What people read; `{fields}` are filled in.' },
    { name: 'What to do', required: false, meaning: 'The way out.' },
    { name: 'Status', required: false, meaning: 'HTTP status of the API, 400 to 599; 422 where it is absent.' },
  ],
} as const
