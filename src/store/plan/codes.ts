/** What stands between a document and the data that is already there: N09xx. Numbers are never reused. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const migrationCodes = {
  N0901: {
    severity: 'error',
    message: '{count} of `{entity}` would break this: {rule}',
    help: 'Change these records first, or loosen the rule. Records: {examples}.',
  },
  N0902: {
    severity: 'error',
    message: '{count} of `{entity}` have no value for `{field}`, which is required',
    help: 'Give it a `default` with a fixed value, which these records then get, or leave it optional until every record has a value. Records: {examples}.',
  },
  N0903: {
    severity: 'error',
    message: '{count} of `{entity}` have the same {fields} as another one, but must be unique',
    help: 'Change these records first, or remove `unique`. Records: {examples}.',
  },
  N0904: {
    severity: 'error',
    message: '{count} of `{entity}` name no {target} in `{field}`',
    help: 'A field with values cannot refer to another entity. Give the new one another name. Records: {examples}.',
  },
  N0905: {
    severity: 'error',
    message: '{count} of `{entity}` have a `{field}` that cannot become {type}',
    help: 'Change these values first, or give the new field another name. Records: {examples}.',
  },
  N0906: {
    severity: 'error',
    message: '{count} of `{entity}` are in a state or have a choice that was removed: {values}',
    help: 'Say what replaces it: `Closed (was {value})` renames a state, or moves its records to an existing one. Records: {examples}.',
  },
  N0907: {
    severity: 'error',
    message: 'the database has a table `{table}` that Ninefold did not make',
    help: 'Rename the entity or that table, or use a separate database for this application. To leave the records where they are, write `- **Table:** {table}` below the heading of the entity. To take the table over with its records, use `--adopt {table}` or `--adopt all`.',
  },
  N0908: {
    severity: 'error',
    message: '`{name}` cannot be dropped: {why}',
    help: 'You can drop only what was removed from the document. Name it as `entity` or `entity.field`.',
  },
  N0910: {
    severity: 'warning',
    message: '`{name}` is no longer in the document; its data is kept ({count})',
    help: 'Rename with `{example}`, or drop it for good with `npx ninefold apply FILE --drop {name}`.',
  },
  N0911: {
    severity: 'warning',
    message: '`{old}` and `{new}` both exist, so `(was {old})` renames nothing',
    help: 'Remove `(was {old})`, and drop `{old}` by name if you no longer need it.',
  },
  N0912: {
    severity: 'error',
    message: '{count} of `{entity}` overlap with another one: {rule}',
    help: 'Change these records first, or remove `no overlap`. Records: {examples}.',
  },
  N0913: {
    severity: 'error',
    message: 'this database server lacks the extension `{extension}`, which is needed for {serves}',
    help: 'It comes with PostgreSQL: install the package of additional modules (`postgresql-contrib`), or use the embedded server.',
  },
  N0914: {
    severity: 'hint',
    message: 'this database server lacks the extension `{extension}`, so that {serves} reads every record',
    help: 'Everything works without it, only more slowly. It comes with PostgreSQL: install the package of additional modules (`postgresql-contrib`).',
  },
  N0915: {
    severity: 'error',
    message: 'the table `{name}` cannot be taken over: {why}',
    help: 'Name all tables that belong together, or use a separate database for this application.',
  },
  N0916: {
    severity: 'warning',
    message: '{count} of `{entity}` do not meet {rule} as it is now',
    help: 'They stay as they are; whoever changes one has to correct it. Records: {examples}.',
  },
  N0917: {
    severity: 'error',
    message: 'the records cannot stay in the table `{name}` of another application: {why}',
    help: 'Add it to the table, remove it from the document, or take the table over with `--adopt`.',
  },
  N0918: {
    severity: 'error',
    message: '{count} of `{entity}` are archived and would reappear among the others',
    help: 'Write `- **Delete:** archives` again; or bring them back for good with `npx ninefold apply FILE --drop {name}`. Records: {examples}.',
  },
  N0919: {
    severity: 'warning',
    message: 'what is kept of `{field}` in {count} of `{entity}` is not what it is computed from',
    help: 'The triggers that keep it were switched off for a while. Work it out anew: `drop function {functions} cascade` in the database, then `npx ninefold apply FILE`. Records: {examples}.',
  },
  N0920: {
    severity: 'warning',
    message: '{count} of `{entity}` keep their number in `{field}`, but it means something else: {change}',
    help: 'If the numbers should mean what they meant, work them out anew: {convert}. If they were meant like this all along, nothing needs to be done.',
  },
  N0921: {
    severity: 'error',
    message: '{count} of `{entity}` are above themselves by `{field}`, which leads upwards',
    help: 'Empty `{field}` in one record of each circle first. Records: {examples}.',
  },
  N0922: {
    severity: 'error',
    message: 'this database server does not know the time zone `{zone}`',
    help: 'Its table of time zones is older than that of Ninefold: bring PostgreSQL up to date (where it uses the system’s table, the package `tzdata`), or write the name of a city with the same clock that it knows.',
  },
  N0923: {
    severity: 'error',
    message:
      'a newer Ninefold has set up this database: since {day} it has system steps that this program does not know ({steps}; its last one is {last})',
    help: 'Nothing was changed. Use the Ninefold that set it up, or a newer one, on every machine; or restore a backup from before that day.',
  },
  N0924: {
    severity: 'error',
    message: 'people who sign in are kept in a table `person`, and the database has one that Ninefold did not make',
    help: 'Rename that table where it is used, and name it so behind `Table`; or use a separate database for this application.',
  },
  N0925: {
    severity: 'error',
    message: 'the table `{table}` cannot be made: the database has {what} that is called `{name}`',
    help: 'Give that another name (`alter index {name} rename to …` where it is an index), or use a separate database for this application.',
  },
  N0926: {
    severity: 'error',
    message:
      '`{name}` is on its way to what version {begun} of the document makes of it: its `apply` began and did not end, and version {running} may still run; this document wants something else of it',
    help: 'Nothing was changed. Apply version {begun} again, so that it ends, and then this one; or go back by applying version {running}, and then this one.',
  },
} as const satisfies CodeTable
