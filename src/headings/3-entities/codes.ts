/** Heading 3: N13xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const entityCodes = {
  N1301: {
    severity: 'error',
    declaredIn: 3,
    message: 'there is no entity `{name}`{meant}',
    help: 'The entities are: {known}.',
  },
  N1302: {
    severity: 'error',
    message: 'the entity `{name}` is declared twice',
    help: 'Put all its fields in one place, or rename one of them.',
  },
  N1303: { severity: 'error', message: '{entity} has the field `{field}` twice', help: 'Keep one of the two rows.' },
  N1304: {
    severity: 'error',
    declaredIn: 3,
    message: '{entity} has no field `{field}`{meant}',
    help: 'Its fields are: {known}.',
  },
  N1305: { severity: 'error', declaredIn: 3, message: '`{type}` is not a type: {wrong}', help: '{help}' },
  N1306: {
    severity: 'error',
    message: '`{rule}` is not a rule of a field{meant}',
    help: 'The rules are: {known}. Separate them with semicolons.',
  },
  N1307: { severity: 'error', message: '`{rule}` appears twice', help: 'Keep one of the two.' },
  N1308: {
    severity: 'error',
    message: '`{first}` and `{second}` contradict each other: {why}',
    help: 'Remove one of them.',
  },
  N1309: {
    severity: 'error',
    message: '`{name}` cannot be a name: {why}',
    help: 'Fields are lower-case words joined by `_`, entities start with a capital; both use a to z and digits.',
  },
  N1310: { severity: 'error', message: '`{rule}` does not fit {type}', help: '{help}' },
  N1311: {
    severity: 'error',
    message: 'this is not a pattern: {wrong}',
    help: 'A pattern is a picture such as AA-9999, or a portable regular expression.',
  },
  N1312: {
    severity: 'error',
    message: 'nobody can ever fill in `{field}`: it is required, but {why}',
    help: 'Remove `required`: the rules decide who fills it in, and it is empty until then.',
  },
  N1314: {
    severity: 'error',
    message: 'these entities are part of each other: {circle}',
    help: 'Remove one `(part of …)`.',
  },
  N1315: {
    severity: 'warning',
    message: '{parent} has no `list of {entity}`, so nobody can enter its rows',
    help: 'Add a field of type `list of {entity}` to {parent}.',
  },
  N1316: {
    severity: 'error',
    declaredIn: 3,
    message: '{entity} is not part of {parent}, so there can be no list of it here',
    help: '{instead}',
  },
  N1317: {
    severity: 'error',
    older: 'the name was free',
    message: '`{name}` is built in: {what}',
    help: 'Remove the row, or give the field another name.',
  },
  N1318: {
    severity: 'error',
    message: 'the computed value has the type {found}, but the field has the type {declared}',
    help: '{help}',
  },
  N1319: {
    severity: 'error',
    message: 'sample data cannot have the column `{field}`: {why}',
    help: 'Sample data has columns for fields that hold a value of their own.',
  },
  N1320: {
    severity: 'error',
    message: 'a default cannot read `{field}`: a new record has no values yet',
    help: 'Compute the field with `= …`, copy the value with `copied from … on create`, or fill in what is still empty with an effect: `| created | Bug | assignee is empty | set assignee = component.lead |`.',
  },
  N1321: {
    severity: 'error',
    message: '`{rule}` refuses nothing, so it cannot have an `else`',
    help: 'Only rules that refuse can name an error: `required`, `unique`, `min`, `max`, `pattern`, `only when`, `choose from`, `no overlap of` …',
  },
  N1322: {
    severity: 'error',
    message: '`while` reads {reads}, which is not stored in the record itself',
    help: 'The database enforces this rule and sees only the fields and the state of the record. Write `while state in (…)`, or a rule under heading 5.',
  },
  N1323: { severity: 'error', message: 'this is not a stretch of time that can overlap: {wrong}', help: '{help}' },
  N1324: {
    severity: 'error',
    message: '`{field}` refers to {is}, so it cannot be {rule} {entity}',
    help: 'Write `{rule} {is}`, or give the field the type `{entity}`.',
  },
  N1331: {
    severity: 'error',
    message: '`{name}` is not a known kind of file{meant}',
    help: 'The kinds are: {known}.',
  },
  N1332: {
    severity: 'error',
    message: '`{size}` is not a file size',
    help: 'Write it like `at most 5 MB`, in kB, MB or GB.',
  },
  N1325: {
    severity: 'error',
    message: 'a field rule cannot search for what is saved together with it: `{written}`: {why}',
    help: '{instead} a rule under heading 5: it is checked when everything is saved, even if several people save at once.',
  },
  N1333: {
    severity: 'error',
    message: '`{type}` is not possible here: {why}',
    help: 'Give the field or the entity another name, or make the link an entity of its own.',
  },
  N1334: {
    severity: 'error',
    message: 'the rows of {entity} have no comments of their own: people comment on their {parent}',
    help: 'Write `Comments` below the heading of {parent}, or remove it.',
  },
  N1335: {
    severity: 'error',
    message: '`{field}` is computed by code when its record is saved, and cannot read `{reads}` then',
    help: 'It can read only its own record and the rows that are part of it, because anything else may change without it. Copy what it needs first (`copied from`), or let an effect set the field: its When says when.',
  },
  N1340: {
    severity: 'error',
    message: '`{field}` cannot be personal: {why}',
    help: '{help}',
  },
  N1341: {
    severity: 'error',
    message: '`{written}` does not say how long records are kept: {wrong}',
    help: 'Write `5 years after Closed` or `5 years after Closed or Declined` (states), `2 years after left_on` (a date or moment), `1 year after created_at`, or `forever`.',
  },
  N1342: {
    severity: 'error',
    message: 'the rows of {entity} have no `{key}` of their own: it is that of their {parent}',
    help: 'Write `{key}` below the heading of {parent}.',
  },
  N1343: {
    severity: 'error',
    message: 'nothing in {entity} is personal, so nothing would be erased',
    help: 'Mark its personal fields with the rule `personal`, or delete the records: `, then delete`.',
  },
  N1344: {
    severity: 'error',
    message: '`{written}` is not possible here: the read log is either on or off',
    help: 'Write `- **Read log:** yes`, or remove the line.',
  },
  N1345: {
    severity: 'error',
    message: 'records of {entity} cannot be deleted when their time is over: `{field}` is `gapless`',
    help: 'Take out `, then delete`: what is personal is erased, and the record stays in the series.',
  },
  N1350: {
    severity: 'error',
    message: '`{written}` is not possible here: an entity only says whether its records belong to tenants',
    help: 'Write `- **Tenant:** none` if they belong to everybody, or remove the line. Heading 1 says who the tenants are.',
  },
  N1351: {
    severity: 'error',
    message: 'nobody would belong to a tenant: Person is left out, and has no field `{field}`',
    help: 'Add the row `| {field} | {entity} | |` to Person; heading 6 says who may fill it in. Or remove `Tenant: none`.',
  },
  N1352: {
    severity: 'error',
    message: '`{name}` cannot name a group of fields: {why}',
    help: 'Write `#### Fields: medical`, with a name that nothing else in this entity has.',
  },
  N1353: {
    severity: 'error',
    message: 'this is not a file of sample data: {why}',
    help: 'Write a link to a CSV file, `[items.csv](data/items.csv)`; its first line names the fields.',
  },
  N1354: {
    severity: 'warning',
    message: 'there is no file `{path}`, so `dev` shows none of its data',
    help: 'The link is relative to the folder of the root file. The application itself needs no sample data.',
  },
  N1355: {
    severity: 'error',
    message: 'two rows of the sample data of {entity} are named `{name}`',
    help: 'Other rows refer to a row by this name, so each name must be unique. Leave it empty if nothing refers to the row.',
  },
  N1356: {
    severity: 'error',
    message: 'the sample data of {entity} needs a column `{parent}`, which says which {name} a row is part of',
    help: 'Add the column, and write the title of the {name} into it, or the name of its row.',
  },
  N1357: {
    severity: 'error',
    message: '`{field}` is a secret, and {entity} are rows of another record',
    help: 'Rows are rewritten with their record, so Ninefold could not tell which secret to keep. Move it to an entity of its own.',
  },
  N1358: {
    severity: 'error',
    message: '`Delete: {written}` is not possible here: {why}',
    help: 'Write `- **Delete:** archives` if deleted records should be archived and can be restored, or remove the line.',
  },
  N1359: {
    severity: 'warning',
    message: 'nobody may delete {entity}, so none of its records is ever archived',
    help: 'Give a role `Delete` under heading 6, or remove the line.',
  },
  N1360: {
    severity: 'error',
    message: '{entity} cannot have a step `restore`: that is how archived records are brought back',
    help: 'Rename the step, or remove `Delete: archives`.',
  },
  N1361: {
    severity: 'error',
    message: 'this `Order` is not possible: {why}',
    help: 'Order an entity that is not part of another, by fields that people may read.',
  },
  N1362: {
    severity: 'error',
    message: '`Append only: {written}` is not possible here: {why}',
    help: 'Write `- **Append only:** yes` below an entity whose records are added and never changed, or remove the line.',
  },
  N1378: {
    severity: 'error',
    message: 'this `Once per` is not possible: {why}',
    help: 'Write a field that programs give with a new record, and that is the same when they send it again: `- **Once per:** reference`.',
  },
  N1366: {
    severity: 'error',
    message:
      'the rows of {entity} have no timeline of their own: what happens to them stands in that of their {parent}',
    help: 'Write it below the heading of {parent}, or remove it.',
  },
  N1368: {
    severity: 'error',
    message: 'this `Mark` is not possible: {why}',
    help: 'Write a word, when a record has it, and perhaps a tone: `- **Mark:** Late where due_back < today; bad`.',
  },
  N1364: {
    severity: 'error',
    message: 'this `Sign-in when` is not possible: {why}',
    help: 'Write it below `### Person`, about fields of the person: `- **Sign-in when:** left_on is empty or left_on > today`.',
  },
  N1363: {
    severity: 'error',
    message: '{entity} is append only: {does}',
    help: 'Correct a record by adding another one, or remove `Append only`.',
  },
  N1365: {
    severity: 'error',
    message: '`{field}` is copied from itself: {way}',
    help: 'One of them has to come from somewhere else: a field that people fill, another record, or a `default`.',
  },
  N1367: {
    severity: 'error',
    message: '{role} is the role of whoever opens a link, and no person has it',
    help: 'Name a role that people have, or choose from all of them: `choose from Person where …`.',
  },
  N1369: {
    severity: 'error',
    message: '`{field}` can hold no value: it {must} {least} and {most}',
    help: 'Change one of the two.',
  },
  N1370: {
    severity: 'error',
    message: 'the default of `{field}` is always refused: {why}',
    help: 'Write a default that the field takes, or change what refuses it.',
  },
  N1371: {
    severity: 'error',
    message: '{entity} lies too deep: {parent} is the third level of rows below {top}, and can have none',
    help: 'Make {entity} part of {over}, or an entity of its own with a field that refers to what it belongs to: `| {field} | {parent} | required |`.',
  },
  N1372: {
    severity: 'warning',
    message: 'this row of the sample data of {entity} is refused: `{field}` is filled in, and only there when {when}',
    help: 'Empty the cell, or change the others so that the condition holds.',
  },
  N1373: {
    severity: 'error',
    message: '`{field}` would be worked out before the record has its `{reads}`',
    help: 'A number is given when the record is stored. Write a computed field without code (`= {reads}`), which is worked out whenever it is read, or let an effect of heading 4 set the field when the record is created: `set {field} = {reads}`.',
  },
  N1374: {
    severity: 'warning',
    message: 'this row of the sample data of {entity} is refused: `{field}` is empty, and required{when}',
    help: 'Fill in the cell.',
  },
  N1377: {
    severity: 'error',
    message: 'this `Face` is not possible: {why}',
    help: 'Write parts behind semicolons, each with its fields: `- **Face:** title subject; facts net, supplier; person requester; date needed_on`.',
  },
  N1375: {
    severity: 'warning',
    message: 'this row of the sample data of {entity} is refused: {why}',
    help: 'Change the row, or what refuses it.',
  },
  N1379: {
    severity: 'error',
    message: 'the currency of `{field}` is not always known: {why}',
    help: 'The field behind `money in` is a choice of currencies that is never empty: `| {of} | choice: EUR, USD | required |`, of the record itself, of the one that it is a row of (`order.currency`), or of one that a required reference leads to. A constant of heading 9 may say it, too (`money in limits.house_currency`), a text like `"EUR"` that nobody changes.',
  },
  N1380: {
    severity: 'error',
    message: 'no exchange rates can be read from this: {why}',
    help: 'Write `- **Exchange rates:** 1 EUR = rate currency since valid_from` where the rate says how much of the other currency one euro is; `1 currency = rate EUR since valid_from` where it says how many euros one of the other currency is. One entity has them, with a required choice of currencies, a required decimal and a required date.',
  },
  N1381: {
    severity: 'hint',
    message:
      '`with {gap}` counts from `{end}`, which is free for the next record: of the days between, {free} stays empty',
    help: 'Write `through {end}{stillApart}`, which takes up that day, too, and means the same; or more days between, where some are to stay empty.',
  },
  N1376: {
    severity: 'error',
    message: 'this is frozen by no step: {why}',
    help: 'Name the steps: `frozen on submit`, `frozen on submit until send back`; of all that a record holds `- **Frozen:** on submit, except remarks`.',
  },
} as const satisfies CodeTable
