/** Heading 3: N13xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const entityCodes = {
  N1301: { severity: 'error', message: 'there is no entity `{name}`{meant}', help: 'The entities are: {known}.' },
  N1302: {
    severity: 'error',
    message: 'the entity `{name}` stands here twice',
    help: 'Put the fields in one place, or give one another name.',
  },
  N1303: { severity: 'error', message: '{entity} has the field `{field}` twice', help: 'Keep one of the two rows.' },
  N1304: { severity: 'error', message: '{entity} has no field `{field}`{meant}', help: 'Its fields are: {known}.' },
  N1305: { severity: 'error', message: '`{type}` is not a type: {wrong}', help: '{help}' },
  N1306: {
    severity: 'error',
    message: '`{rule}` is not a rule of a field{meant}',
    help: 'The rules are: {known}; they are parted by semicolons.',
  },
  N1307: { severity: 'error', message: '`{rule}` is said twice', help: 'Keep one of the two.' },
  N1308: {
    severity: 'error',
    message: '`{first}` and `{second}` cannot both hold: {why}',
    help: 'Take one of them out.',
  },
  N1309: {
    severity: 'error',
    message: '`{name}` cannot be a name: {why}',
    help: 'Names of fields are lower-case words joined by `_`, those of entities begin with a capital; both use a to z and digits.',
  },
  N1310: { severity: 'error', message: '`{rule}` does not go with {type}', help: '{help}' },
  N1311: {
    severity: 'error',
    message: 'this is not a pattern: {wrong}',
    help: 'A pattern is a picture such as AA-9999, or a portable regular expression.',
  },
  N1312: {
    severity: 'error',
    message: 'nobody can ever fill `{field}`: it is required, but {why}',
    help: 'Take `required` out: the rules say who fills it, and it is empty until then.',
  },
  N1314: {
    severity: 'error',
    message: 'these entities are part of each other: {circle}',
    help: 'Take out one `(part of …)`.',
  },
  N1315: {
    severity: 'warning',
    message: '{parent} has no `list of {entity}`, so its rows can be entered nowhere',
    help: 'Add a field of type `list of {entity}` to {parent}.',
  },
  N1316: {
    severity: 'error',
    message: '{entity} is not part of {parent}, so there can be no list of it here',
    help: 'Write the heading as `### {entity} (part of {parent})`, or `several {entity}` for links to records of their own.',
  },
  N1317: {
    severity: 'error',
    message: '`{name}` is built in: {what}',
    help: 'Take the row out, or give the field another name.',
  },
  N1318: {
    severity: 'error',
    message: 'the computed value is of type {found}, the field of type {declared}',
    help: 'Change the type or the expression.',
  },
  N1319: {
    severity: 'error',
    message: 'sample data has no column `{field}`: {why}',
    help: 'Sample data has columns for fields that hold a value of their own.',
  },
  N1320: {
    severity: 'error',
    message: 'a default cannot read `{field}`: a new record has no values yet',
    help: 'Compute the field with `= …`, take the value over with `copied from … on create`, or fill what was left empty by an effect: `| created | Bug | assignee is empty | set assignee = component.lead |`.',
  },
  N1321: {
    severity: 'error',
    message: '`{rule}` refuses nothing, so it has no `else`',
    help: 'An error stands behind rules that refuse: `required`, `unique`, `min`, `max`, `pattern`, `only when`, `choose from`, `no overlap of` …',
  },
  N1322: {
    severity: 'error',
    message: '`while` reads {reads}, which is not kept in the record itself',
    help: 'The database holds this rule, and sees only the fields and the state of the record: write `while state in (…)`, or a rule under heading 5.',
  },
  N1323: { severity: 'error', message: 'this is no stretch of time that could overlap: {wrong}', help: '{help}' },
  N1324: {
    severity: 'error',
    message: '`{field}` refers to {is}, so it cannot be {rule} {entity}',
    help: 'Write `{rule} {is}`, or give the field the type `{entity}`.',
  },
  N1331: {
    severity: 'error',
    message: '`{name}` is no kind of file that can be told apart{meant}',
    help: 'The kinds are: {known}.',
  },
  N1332: {
    severity: 'error',
    message: '`{size}` is not the size of a file',
    help: 'Write it like `at most 5 MB`; kB, MB and GB are known.',
  },
  N1325: {
    severity: 'error',
    message: 'a rule of a field cannot look at all records of an entity: `{written}`',
    help: 'Write a rule under heading 5: it is asked when the record is saved, and holds for everybody at once.',
  },
  N1333: {
    severity: 'error',
    message: '`{type}` cannot stand here: {why}',
    help: 'Give the field or the entity another name, or make the link an entity of its own.',
  },
  N1334: {
    severity: 'error',
    message: 'the rows of {entity} have no comments of their own: people talk about their {parent}',
    help: 'Write `Comments` below the heading of {parent}, or take it out.',
  },
  N1335: {
    severity: 'error',
    message: '`{field}` is worked out by code when its record is written, and cannot read `{reads}` then',
    help: 'It reads what is written into its record and the rows of that, nothing else: everything else changes without it. Copy what it needs first (`copied from`), or let an effect set the field: its When says when.',
  },
  N1340: {
    severity: 'error',
    message: '`{field}` cannot be personal: {why}',
    help: '{help}',
  },
  N1341: {
    severity: 'error',
    message: '`{written}` does not say how long something is kept: {wrong}',
    help: 'Write `5 years after Closed` (a state), `2 years after left_on` (a date or moment), `1 year after created_at`, or `forever`.',
  },
  N1342: {
    severity: 'error',
    message: 'the rows of {entity} have no `{key}` of their own: it is that of their {parent}',
    help: 'Write `{key}` below the heading of {parent}.',
  },
  N1343: {
    severity: 'error',
    message: 'nothing in {entity} is personal, so nothing would be erased',
    help: 'Mark its fields with the rule `personal`, or let the records go: `, then delete`.',
  },
  N1344: {
    severity: 'error',
    message: '`{written}` cannot stand here: who is shown a record is written down, or not',
    help: 'Write `- **Read log:** yes`, or take the line out.',
  },
  N1350: {
    severity: 'error',
    message: '`{written}` cannot stand here: an entity only says whether its records belong to tenants',
    help: "Write `- **Tenant:** none` where they are everybody's, or take the line out; who the tenants are, heading 1 says.",
  },
  N1351: {
    severity: 'error',
    message: 'nobody would belong to a tenant: Person is left out, and has no field `{field}`',
    help: 'Give Person the row `| {field} | {entity} | |`; who may fill it, heading 6 says. Or take `Tenant: none` out.',
  },
  N1352: {
    severity: 'error',
    message: '`{name}` cannot name a group of fields: {why}',
    help: 'Write `#### Fields: medical`, with a name of its own in this entity.',
  },
  N1353: {
    severity: 'error',
    message: 'this is no file of sample data: {why}',
    help: 'Write a link to a CSV file, `[items.csv](data/items.csv)`; its first line names the fields.',
  },
  N1354: {
    severity: 'warning',
    message: 'there is no file `{path}`, so `dev` shows nothing of it',
    help: 'The link begins at the folder of the root file. The application itself needs no sample data.',
  },
  N1355: {
    severity: 'error',
    message: 'two rows of the sample data of {entity} are called `{name}`',
    help: 'Other rows name a row by this, so each has a name of its own; leave it empty where nothing names it.',
  },
  N1356: {
    severity: 'error',
    message: 'the sample data of {entity} lack the column `{parent}`: which {name} a row is part of',
    help: 'Write the column, and in it what names the {name}: its title, or what its row is called.',
  },
  N1357: {
    severity: 'error',
    message: '`{field}` is a secret, and {entity} are rows of another record',
    help: 'Rows are written anew with their record, and nobody could tell which secret to keep. Give it to an entity of its own.',
  },
  N1358: {
    severity: 'error',
    message: '`Delete: {written}` cannot stand here: {why}',
    help: 'Write `- **Delete:** archives` where what is deleted is put aside and can be brought back, or take the line out.',
  },
  N1359: {
    severity: 'warning',
    message: 'nobody may delete {entity}, so nothing of it is ever archived',
    help: 'Give a role `Delete` under heading 6, or take the line out.',
  },
  N1360: {
    severity: 'error',
    message: '{entity} cannot have a step `restore`: archived records are brought back under that name',
    help: 'Call the step something else, or take `Delete: archives` out.',
  },
  N1361: {
    severity: 'error',
    message: '`Order` cannot say that: {why}',
    help: 'Order an entity that is no part of another by fields that people may read.',
  },
  N1362: {
    severity: 'error',
    message: '`Append only: {written}` cannot stand here: {why}',
    help: 'Write `- **Append only:** yes` below an entity whose records are added and never changed, or take the line out.',
  },
  N1364: {
    severity: 'error',
    message: '`Sign-in when` cannot say that: {why}',
    help: 'Write it below `### Person`, over fields of the person: `- **Sign-in when:** left_on is empty or left_on > today`.',
  },
  N1363: {
    severity: 'error',
    message: '{entity} is append only: {does}',
    help: 'Add a record that corrects the earlier one, or take `Append only` out.',
  },
} as const satisfies CodeTable
