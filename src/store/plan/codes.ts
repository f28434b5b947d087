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
    help: 'Give it a `default` with a fixed value, or leave it optional until every record has one. Records: {examples}.',
  },
  N0903: {
    severity: 'error',
    message: '{count} of `{entity}` have the same {fields} as another one, which must be unique',
    help: 'Change these records first, or leave out `unique`. Records: {examples}.',
  },
  N0904: {
    severity: 'error',
    message: '{count} of `{entity}` refer with `{field}` to no {target}',
    help: 'A field cannot change the entity that it refers to while it has values. Give the new one another name. Records: {examples}.',
  },
  N0905: {
    severity: 'error',
    message: '{count} of `{entity}` have a `{field}` that cannot become {type}',
    help: 'Change these values first, or give the new field another name. Records: {examples}.',
  },
  N0906: {
    severity: 'error',
    message: '{count} of `{entity}` are in a state or have a choice that is no longer there: {values}',
    help: 'Say where they go: `Closed (was {values})` renames a state, or brings its records to one that is there. Records: {examples}.',
  },
  N0907: {
    severity: 'error',
    message: 'the database has a table `{table}` that Ninefold did not make',
    help: 'Rename the entity or that table, use a database of its own for this application, or let Ninefold stand beside it: `- **Table:** {table}` below the heading of the entity. With `--adopt {table}` or `--adopt all` it takes the table over, with its records.',
  },
  N0908: {
    severity: 'error',
    message: '`{name}` cannot be dropped: {why}',
    help: 'Only what has vanished from the document can be dropped: name it as `entity` or `entity.field`.',
  },
  N0910: {
    severity: 'warning',
    message: '`{name}` is no longer in the document; its data is kept ({count})',
    help: 'Rename with `{example}`, or drop it for good with `npx ninefold apply FILE --drop {name}`.',
  },
  N0911: {
    severity: 'warning',
    message: '`{old}` and `{new}` both exist, so `(was {old})` renames nothing',
    help: 'Take `(was {old})` out, and drop `{old}` by name if it is not needed any more.',
  },
  N0912: {
    severity: 'error',
    message: '{count} of `{entity}` overlap with another one: {rule}',
    help: 'Change these records first, or leave out `no overlap`. Records: {examples}.',
  },
  N0913: {
    severity: 'error',
    message: 'this database server lacks the extension `{extension}`, which serves {serves}',
    help: 'It comes with PostgreSQL: install the package of its additional modules (`postgresql-contrib`), or use the embedded server.',
  },
  N0914: {
    severity: 'hint',
    message: 'this database server lacks the extension `{extension}`, so that {serves} reads every record',
    help: 'Nothing is lost but time. It comes with PostgreSQL: install the package of its additional modules (`postgresql-contrib`).',
  },
  N0915: {
    severity: 'error',
    message: 'the table `{name}` cannot be taken over: {why}',
    help: 'Name all tables that belong together, or use a database of its own for this application.',
  },
  N0916: {
    severity: 'warning',
    message: '{count} of `{entity}` do not fulfil {rule} as it is now',
    help: 'They stay as they are; whoever changes one has to mend it. Records: {examples}.',
  },
  N0917: {
    severity: 'error',
    message: 'the records cannot stay in the table `{name}` of another application: {why}',
    help: 'Let the table hold it, take it out of the document, or take the table over with `--adopt`.',
  },
  N0918: {
    severity: 'error',
    message: '{count} of `{entity}` are archived, and would be there again like all others',
    help: 'Write `- **Delete:** archives` again; or say that they are to be there, with `npx ninefold apply FILE --drop {name}`. Records: {examples}.',
  },
} as const satisfies CodeTable
