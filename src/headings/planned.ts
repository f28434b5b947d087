/**
 * What the language has, but this Ninefold does not read yet. It is answered honestly (N1001) instead of being read as a
 * mistake, and never silently left out.
 */

/** Tables that are planned; they may stand under the headings named here. */
export const plannedTables = [
  {
    name: 'approvals',
    columns: [
      { name: 'Approval', required: true, meaning: 'Its name.' },
      { name: 'Of', required: true, meaning: 'The step that waits for it.' },
      { name: 'Needs', required: true, meaning: 'How many must agree.' },
      { name: 'From', required: true, meaning: 'Who may agree.' },
      { name: 'Except', required: false, meaning: 'Who may not.' },
      { name: 'Deputy', required: false, meaning: 'Who stands in.' },
    ],
  },
] as const
