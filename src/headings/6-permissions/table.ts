/** The columns of heading 6, as data. */

export const roles = {
  name: 'roles',
  columns: [
    { name: 'Role', required: true, meaning: 'Its name, capitalised.' },
    {
      name: 'Who',
      required: true,
      meaning:
        'everyone, everyone signed in, either with `except` and roles, appointed by roles, `link of` an entity, `shared` an entity `by` roles, or a condition over the person: `my.kind = Student`.',
    },
    {
      name: 'Never with',
      required: false,
      meaning: 'Roles that nobody may hold beside it: `Purchaser`. Whoever appoints is refused.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const matrix = {
  name: 'permissions',
  columns: [
    {
      name: 'Role',
      required: true,
      meaning:
        'The role that the row is about; `never`: everybody, whatever their roles; `never Trainee`: whoever has this one.',
    },
    { name: 'See', required: true, meaning: 'yes, no, or a condition over the record.' },
    { name: 'Create', required: false, meaning: 'yes, no, or a condition over the new record.' },
    {
      name: 'Change',
      required: false,
      meaning: 'yes, no, or a condition over the record, as it is stored and as it would be.',
    },
    {
      name: 'Change to',
      required: false,
      meaning: 'yes, no, or a condition: what else a change may lead to, where Change would not hold any more.',
    },
    {
      name: 'Delete',
      required: false,
      meaning: 'yes, no, or a condition over the record. Where the entity archives, who may also restore.',
    },
    { name: 'Do', required: false, meaning: 'Steps that the role may take: names, all, or none.' },
    { name: 'Export', required: false, meaning: 'yes, no, or a condition: records that may be taken out as a file.' },
    {
      name: 'Import',
      required: false,
      meaning: 'yes or no: records may be brought in by a file; whole: all of its rows, or none.',
    },
    {
      name: 'Emergency',
      required: false,
      meaning:
        'yes, no, or a condition: records beyond See that may be read for a while, one by one, by whoever says why.',
    },
  ],
} as const

/** Keys of heading 6 itself. */
export const sectionKeys = {
  name: 'roles and permissions',
  columns: [
    {
      name: 'Read log for',
      required: false,
      meaning: 'Roles that see who read which record, and why: `Auditor`. Without it, the roles that appoint people.',
    },
    {
      name: 'Personal data for',
      required: false,
      meaning:
        'Roles that give out all that is held about a person, and erase it: `Data officer`. Without it, nobody does.',
    },
    {
      name: 'Second factor',
      required: false,
      meaning: 'Roles whose people need a second factor: until they have one, they reach nothing else. Default: none.',
    },
    {
      name: 'Act as others',
      required: false,
      meaning:
        'Roles that may act as another person, for a while and with a reason, never as one with more rights. Default: none.',
    },
  ],
} as const

export const fieldMatrix = {
  name: 'field permissions',
  columns: [
    { name: 'Field', required: true, meaning: 'The field that the row is about.' },
    { name: 'See', required: true, meaning: 'Roles that may see it on the rows that they may see; all; none.' },
    {
      name: 'Change',
      required: false,
      meaning: 'Roles that may change it on the rows that they may change; all; none.',
    },
    {
      name: 'When',
      required: false,
      meaning:
        'A condition over the record: only where it holds may those roles see and change the field. A new record is given it all the same.',
    },
  ],
} as const
