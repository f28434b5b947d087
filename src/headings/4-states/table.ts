/** The columns of heading 4, as data. */

export const states = {
  name: 'states',
  columns: [
    { name: 'State', required: true, meaning: 'Its name, capitalised.' },
    {
      name: 'Kind',
      required: false,
      meaning:
        '`start` for the first, `start when urgent` where there are several, `end` for those that nothing leaves; `good end` and `bad end` where it does not show by itself which it is.',
    },
    {
      name: 'Locks',
      required: false,
      meaning: 'Fields that people cannot change in this state: `all`, `all except remarks`, or their names.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const transitions = {
  name: 'transitions',
  columns: [
    {
      name: 'Transition',
      required: true,
      meaning: 'The step, as its button says: `hand out`. Rows with one name are branches.',
    },
    { name: 'From', required: true, meaning: 'States in which it can be taken.' },
    { name: 'To', required: true, meaning: 'The state it leads to.' },
    {
      name: 'Who',
      required: true,
      meaning:
        'Roles, fields that name people, or everyone signed in; `except` and fields that name who may not; `none`: only the application.',
    },
    { name: 'When', required: false, meaning: 'What must hold; otherwise the button is closed.' },
    {
      name: 'Asks',
      required: false,
      meaning: 'Fields that the form of the step asks for: `reason required, remarks`.',
    },
    { name: 'Then', required: false, meaning: 'What happens with it: `set approved_by = me; send mail new_request`.' },
    {
      name: 'Error',
      required: false,
      meaning:
        'The code in the error catalogue that refuses it where When does, or Who if its status is 403 or the row has no When; `E-CUT in Closed`, `E-GONE in other states`: where the state does.',
    },
    {
      name: 'Undo',
      required: false,
      meaning: 'Undone within `30 seconds`.',
    },
    { name: 'Meaning', required: false, meaning: 'What it is for: stands beside its button, before where it leads.' },
  ],
} as const

export const approvals = {
  name: 'approvals',
  columns: [
    { name: 'Approval', required: true, meaning: 'Its name.' },
    { name: 'Of', required: true, meaning: 'The step that waits for it.' },
    {
      name: 'After',
      required: false,
      meaning: 'Approvals above it that come first: `manager, finance`; empty: it is asked for at once.',
    },
    {
      name: 'When',
      required: false,
      meaning: 'For which records it is needed: `net > limits.finance_above`; empty: for all.',
    },
    { name: 'Needs', required: true, meaning: 'How many people: `1 of`, `2 of`, `all of`, `majority of`, `60% of`.' },
    {
      name: 'From',
      required: true,
      meaning:
        'Who they are: roles, fields that name people (`cost_centre.keeper`, `departments.reviewer`, `track.committee`), and whoever meets a condition (`Head where department = this.department`).',
    },
    { name: 'Except', required: false, meaning: 'Fields that name who never counts: `requester`.' },
    {
      name: 'Deputy',
      required: false,
      meaning: 'Who may decide for them: `named` (whom they name themselves), or fields that name people.',
    },
    {
      name: 'Survives',
      required: false,
      meaning:
        'Changes that decisions outlast: fields, and steps with all that they change (`remarks, ask, answer`); empty: none.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const timers = {
  name: 'timers',
  columns: [
    { name: 'Timer', required: true, meaning: 'Its name.' },
    {
      name: 'While',
      required: false,
      meaning:
        'States in which it is armed, perhaps with those in which its clock stands (`Open; stands in Waiting`), or `waiting for` an approval; not needed behind `for each`, and left out where the entity has none.',
    },
    {
      name: 'At',
      required: true,
      meaning:
        'When it fires: `due_back + 1 day` at 08:00, a moment, `every working day at 09:00`, `every month on the last working day at 18:00`, `every 15 minutes`, `3 days after entering`, `2 working days after entering`, `4 working hours after reported_at`, `every weekday at 06:00 for each Loan where late`; before the first heading 3 also `every Monday at 08:00`. At its end, what becomes of a missed time: `, skip if missed by 2 hours`, `, each missed`.',
    },
    {
      name: 'When',
      required: false,
      meaning: 'Asked when it fires; where it does not hold, nothing happens this time.',
    },
    { name: 'Then', required: true, meaning: 'What happens: `go to Overdue; send mail overdue`.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const effects = {
  name: 'effects',
  columns: [
    {
      name: 'On',
      required: true,
      meaning: '`created`, `changed`, `deleted`, or steps: what happens to a record, whoever or whatever causes it.',
    },
    { name: 'Of', required: true, meaning: 'The entity whose record it happens to.' },
    { name: 'When', required: false, meaning: 'What must hold of it; `old.` is the record before.' },
    { name: 'Then', required: true, meaning: 'What follows, in the same transaction: `create Fine with loan = this`.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

/** What happens to every record, whatever its steps are. */
export const eventNames = ['created', 'changed', 'deleted'] as const

/** What may stand in a Then cell. */
export const acts = [
  {
    name: 'set',
    written:
      'set <field> = <expression>, … · set <path>.<field> = <expression>, … · set first(<Entity> where <condition> order by <fields>).<field> = <expression>, …',
    meaning: 'Writes fields of the record, of the record that a path leads to, or of the first of several.',
  },
  {
    name: 'let',
    written: 'let <name> = <expression>',
    meaning: 'Gives a name to a value, or to a record, for the acts behind it.',
  },
  { name: 'go to', written: 'go to <State>', meaning: 'Changes the state (timers and effects).' },
  {
    name: 'assign',
    written: 'assign <field>',
    meaning: 'Chooses anew for a field that is `assigned from` records; it is empty where none is free.',
  },
  {
    name: 'create',
    written:
      'create <Entity> with <field> = <expression>, … · create <Entity> with …, <list> = for each <list>: (<field> = <expression>, …)',
    meaning: 'Creates a record; what is not given gets its default. A row of a list goes to its end.',
  },
  {
    name: 'delete',
    written:
      'delete · delete <path> · delete <list> · delete (<Entity> where <condition>) · delete first(<Entity> where <condition> order by <fields>)',
    meaning: 'Deletes the record itself, or others; they are archived where their entity says so.',
  },
  {
    name: 'do',
    written:
      'do <step> on <path> · do <step> on (<Entity> where <condition>) · do <step> on first(<Entity> where <condition> order by <fields>)',
    meaning: 'Takes a step of another record, as the application: its When and the rules hold, its Who is not asked.',
  },
  {
    name: 'for each',
    written:
      'for each <list>: … · for each (<Entity> where <condition> order by <fields>): … · for each first(…): … · for each <name> in <list>: …',
    meaning: 'Does it with each of the records, which its bare names are then about; `this` stays the record itself.',
  },
  {
    name: 'send mail',
    written: 'send mail <mail> [to <person>]',
    meaning: 'Sends a mail of heading 7 after the change is stored.',
  },
  { name: 'call', written: 'call <call>', meaning: 'Makes a call of heading 7 after the change is stored.' },
  {
    name: 'withdraw',
    written: 'withdraw <call>',
    meaning: 'Takes back the calls of that name about the record that nobody has tried to send yet.',
  },
  {
    name: 'report',
    written: 'report <error>',
    meaning: 'Records an error of heading 8 in the history of the record.',
  },
] as const
