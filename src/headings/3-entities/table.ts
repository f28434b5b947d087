/** The columns of heading 3 and the rules that a field may have, as data. */

export const fields = {
  name: 'fields',
  columns: [
    {
      name: 'Field',
      required: true,
      meaning: 'The name in expressions: `due_back`. `due_back (was return_by)` renames.',
    },
    {
      name: 'Type',
      required: true,
      meaning: 'What values it has: `text 80`, `money EUR`, `choice: Small, Large`, an entity.',
    },
    { name: 'Rules', required: false, meaning: 'Rules, parted by semicolons: `required; unique; min 0`.' },
    { name: 'Label', required: false, meaning: 'What forms call it. Derived from the name where it is absent.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

/** Keys under an entity's heading 3. */
export const entityKeys = {
  name: 'entity',
  columns: [
    {
      name: 'Append only',
      required: false,
      meaning:
        '`yes`: its records are added, and nobody changes or deletes one; nor any of their rows. The database holds it. Absent: heading 6 says who may.',
    },
    {
      name: 'Comments',
      required: false,
      meaning:
        'Who talks about its records: roles, or `none`. They read and write comments on the records that they see. Absent: whoever is signed in and sees the record.',
    },
    {
      name: 'Delete',
      required: false,
      meaning:
        '`archives`: what is deleted stays as it is and is put aside, until somebody brings it back. Absent: it is gone.',
    },
    {
      name: 'Exchange rates',
      required: false,
      meaning:
        'Its records are the rates that `convert` takes: `1 EUR = rate currency since valid_from`, or `1 currency = rate EUR since valid_from`. Absent: they are none.',
    },
    {
      name: 'Face',
      required: false,
      meaning:
        'What is shown of a record among others, part by part: `title subject; reference number; facts net, supplier; person requester; date needed_on; picture photo`. `none` leaves a part out; one that is absent is derived.',
    },
    {
      name: 'Frozen',
      required: false,
      others: ['Freeze', 'Locked'],
      meaning:
        'Steps from which on nobody changes or deletes a record of it: `on submit`, `on submit until send back, except remarks`. Steps, timers and calls still set what they set.',
    },
    {
      name: 'Keep',
      required: false,
      meaning:
        'How long what is personal in it is kept: `5 years after Closed or Declined`, `2 years after left_on`, `forever`. With `, then delete` the records go as a whole.',
    },
    {
      name: 'Mark',
      required: false,
      many: true,
      others: ['Badge', 'Flag', 'Highlight', 'Indicator'],
      meaning:
        'A word beside its records, on screens, where a condition holds, and its tone (`bad`, `warning`, `good`, `plain`; absent: `warning`): `Late where due_back < today; bad`. May stand there several times.',
    },
    {
      name: 'Once per',
      required: false,
      meaning:
        'A field that is the same when a program sends a new record again: `reference`. The API then answers as the first time. Absent: only an `Idempotency-Key` tells.',
    },
    {
      name: 'Order',
      required: false,
      meaning:
        'The order of its records wherever nothing else says one: `name`, `priority, created_at down`; `by hand`: people move them. Absent: the newest first.',
    },
    {
      name: 'Read log',
      required: false,
      meaning: '`yes`: who is shown which record is written down. Absent: only what is read in an emergency.',
    },
    {
      name: 'Refused attempts',
      required: false,
      meaning:
        'Roles that see in the timeline who tried what with a record and was refused. Absent: nobody, and it is not kept.',
    },
    {
      name: 'Sample data',
      required: false,
      meaning:
        'A link to a CSV file with more of it, for `ninefold dev`: `[items.csv](data/items.csv)`. Its first line names the fields.',
    },
    {
      name: 'Sign-in when',
      required: false,
      meaning:
        'Under `### Person` alone: whoever it does not hold of cannot sign in, and is out with the next request: `left_on is empty or left_on > today`.',
    },
    {
      name: 'Table',
      required: false,
      meaning:
        'The table of another application, in the same database, that its records lie in: `order_details`, or `sales.order_details` where its schema is not `public`. It keeps its columns, types, keys and checks.',
    },
    {
      name: 'Tenant',
      required: false,
      meaning: '`none`: its records belong to no tenant but to everybody, as far as heading 6 lets them.',
    },
    {
      name: 'Timeline',
      required: false,
      others: ['History', 'Activity', 'Changes', 'Audit', 'Audit log', 'Audit trail'],
      meaning:
        'Who sees what happened to its records before: roles, or `none`. To anybody else a record is as it is now. Absent: whoever sees the record.',
    },
  ],
} as const

/** The rules of the Rules column: how each begins, how it is written, what it means. Longest beginnings first. */
export const rules = [
  {
    name: 'required',
    written: 'required · required when <condition>',
    meaning: 'Must be filled (when the condition holds).',
  },
  {
    name: 'unique',
    written: 'unique · unique without case and accents · unique within <fields> · unique while <condition>',
    meaning:
      'No two records have the same value (in capitals or not, `without case`; within the same parent or fields; counting only records of which it holds).',
  },
  {
    name: 'no overlap of',
    written:
      'no overlap of <field> to <field> within <fields> with <time> between while <condition> · no overlap of <field> through <field>',
    meaning: 'No two records take the same (a piece, a room) at the same time; `through`: the last day is taken, too.',
  },
  { name: 'default', written: 'default <expression>', meaning: 'What a new record begins with.' },
  {
    name: 'min',
    written: 'min <expression>',
    meaning: 'The smallest value; of a text the fewest characters, of a list the fewest rows.',
  },
  {
    name: 'max',
    written: 'max <expression>',
    meaning: 'The largest value; of a text the most characters, of a list the most rows.',
  },
  { name: 'from', written: 'from <expression> to <expression>', meaning: 'Smallest and largest value in one.' },
  {
    name: 'pattern',
    written: 'pattern AA-9999 · pattern [A-Z]{2}[0-9]+',
    meaning:
      'The whole text must look like this: a picture (A letter, 9 digit) or a regular expression. People are told the picture, or an example that fits.',
  },
  {
    name: 'only when',
    written: 'only when <condition>',
    meaning: 'It is there only when the condition holds: shown and accepted then, empty otherwise.',
  },
  {
    name: 'read-only when',
    written: 'read-only when <condition>',
    meaning: 'People cannot change it when the condition holds.',
  },
  {
    name: 'types',
    written: 'types <kind>, <kind>, …',
    meaning: 'Of a file or image: the kinds that are taken, found from the content: `types JPEG, PNG`.',
  },
  {
    name: 'at most',
    written: 'at most <size>',
    meaning: 'Of a file or image: how large it may be: `at most 5 MB`.',
  },
  {
    name: 'read-only',
    written: 'read-only · read-only after create',
    meaning: 'People cannot change it (after the record was created).',
  },
  {
    name: 'choose from',
    written: 'choose from <entity> where <condition> · choose from <role> where <condition>',
    meaning: 'Only such records may be chosen; of people, those who have the role.',
  },
  {
    name: 'assigned from',
    written: 'assigned from <entity> where <condition>',
    meaning:
      'The application chooses when the record is created: the first such record that breaks no rule of the field.',
  },
  { name: 'set by steps only', written: 'set by steps only', meaning: 'Only steps and timers write it.' },
  {
    name: 'set by calls only',
    written: 'set by calls only',
    meaning: 'Only answers of calls and received messages write it.',
  },
  { name: 'hidden', written: 'hidden', meaning: 'In no screen, form, list, export or API.' },
  {
    name: 'display',
    written: 'display',
    meaning:
      'It names the record to people, in lists, references and pickers; with several, all of them in their order.',
  },
  {
    name: 'searchable',
    written: 'searchable',
    meaning:
      'The search looks in it, in lists, pickers and over everything; an index serves it. In long texts it looks without.',
  },
  {
    name: 'copied from',
    written: 'copied from <expression> on create',
    meaning: 'Taken over from another record or worked out, once, when the record is created; frozen from then on.',
  },
  {
    name: 'frozen on',
    written: 'frozen on <steps> · frozen on <steps> until <steps>',
    meaning:
      'From one of these steps on it stays as it was then: people cannot change it, and what is computed is not worked out anew.',
  },
  {
    name: 'follows',
    written: 'follows <path>',
    meaning: 'Looked up in the other record wherever it is read; no column of its own.',
  },
  {
    name: 'gapless',
    written: 'gapless',
    meaning: 'No number of the series is ever missing: its records cannot be deleted.',
  },
  {
    name: 'given on',
    written: 'given on <steps>',
    meaning: 'The number is given by the first of these steps that is taken; before, it is empty.',
  },
  {
    name: 'personal',
    written: 'personal',
    meaning: 'It says something about a person: erased in time, or when they ask. Of a `Person`: whose record it is.',
  },
  { name: '=', written: '= <expression>', meaning: 'Computed; nobody enters it.' },
] as const
