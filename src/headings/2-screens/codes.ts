/** Heading 2: N12xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const screenCodes = {
  N1201: {
    severity: 'error',
    message: 'the screen `{name}` stands here twice',
    help: 'Give one of them another name.',
  },
  N1202: {
    severity: 'error',
    message: 'the address `{route}` belongs to two screens',
    help: 'Give one of them another address; what stands in braces does not tell addresses apart.',
  },
  N1203: {
    severity: 'error',
    message: '`{route}` is not an address: {why}',
    help: 'Write it as `/loans` or `/loans/{example}`: lower-case words, digits and hyphens, or one field in braces.',
  },
  N1204: {
    severity: 'error',
    message: '`{field}` does not tell the records of {entity} apart',
    help: 'In an address use an auto number or a required field that is unique.',
  },
  N1205: { severity: 'error', message: '{entity} has no field `{field}`{meant}', help: 'Its fields are: {known}.' },
  N1206: {
    severity: 'error',
    message: '`{shows}` is not a kind of screen{meant}',
    help: 'Write one of: {known}.',
  },
  N1207: {
    severity: 'error',
    message: '`{key}` is said twice for this screen, and differently',
    help: 'Keep it either in the table or below the heading of the screen.',
  },
  N1208: {
    severity: 'warning',
    message: '`{field}` is hidden, so it is never shown here',
    help: 'Take it out here, or take `hidden` out of its rules.',
  },
  N1209: {
    severity: 'error',
    message: 'a board cannot stand by `{field}`: its values are not a closed list',
    help: 'Use `state`, or a field of type `choice`.',
  },
  N1210: { severity: 'error', message: '{entity} has no step `{step}`{meant}', help: 'Its steps are: {known}.' },
  N1211: {
    severity: 'warning',
    message: 'nobody can open this screen: {why}',
    help: 'Name a role that somebody has, or say under heading 6 who has it.',
  },
  N1212: {
    severity: 'warning',
    message: '{role} can open this screen, but may see no {entity}',
    help: 'Let the role see it under heading 6, or take the role out here.',
  },
  N1213: {
    severity: 'error',
    message: 'a screen that shows one {entity} needs a field in braces in its address',
    help: 'Write it as `{route}/{example}`.',
  },
  N1214: {
    severity: 'error',
    message: 'a `{kind}` does not read `{field}` from its address',
    help: 'Braces belong in the address of a screen that shows one record.',
  },
  N1215: {
    severity: 'error',
    message: '`{kind}` needs {what}',
    help: 'Write it as in `{written}`.',
  },
  N1216: {
    severity: 'error',
    message: 'the address `{route}` is taken by Ninefold itself',
    help: 'Addresses that begin with {taken} are taken; choose another.',
  },
  N1217: {
    severity: 'error',
    message: 'records of {entity} cannot be sorted by `{field}`',
    help: 'Sort by a field with a value of its own; lists and files have no order.',
  },
  N1218: {
    severity: 'error',
    message: 'no row of the routes names the screen `{name}`{meant}',
    help: 'Write the name as in the table, or give the screen a route of its own: `- **Route:** /desk`.',
  },
  N1219: {
    severity: 'error',
    message: 'a calendar cannot stand by `{field}`: it is no date',
    help: 'Use a field of type `date` or `date and time`.',
  },
  N1220: {
    severity: 'error',
    message: 'a calendar cannot reach from `{from}` to `{to}`: one is a date, the other a date and time',
    help: 'Use two fields of the same type.',
  },
  N1221: {
    severity: 'error',
    message: '`{measure}` is not a measure: {why}',
    help: 'Write it as `count of Loan where state = Out`, `sum of fee of Loan as Fees` or `share of count where damaged`.',
  },
  N1222: {
    severity: 'error',
    message: 'the {kind} of {type} is no number',
    help: 'Sums and averages are of numbers, amounts and durations; the smallest and the largest may be of dates, too.',
  },
  N1223: {
    severity: 'error',
    message: 'records cannot be grouped by {type}',
    help: 'Group by a text, a whole number, a choice, a yes/no, a reference or a date; a date and time by its `day of`, `month of` and so on.',
  },
  N1224: {
    severity: 'error',
    message: 'the {unit} of {type} does not exist',
    help: 'Units are of a date, or of a date and time; an hour is of a date and time.',
  },
  N1225: {
    severity: 'error',
    message: 'the card `{name}` shows nothing',
    help: 'Give it a `Measure`, or let it show a list: `- **Shows:** list of Loan`.',
  },
  N1226: {
    severity: 'error',
    message: '`{asks}` asks for nothing: {why}',
    help: 'Write it as `from: date default today - 30`.',
  },
  N1227: {
    severity: 'error',
    message: 'nothing has a step `{step}`{meant}',
    help: 'The steps are: {known}.',
  },
  N1228: {
    severity: 'error',
    message: 'the form `{name}` is for everyone, but does not say which fields it asks for',
    help: 'List them: `- **Columns:** {example}`. Nobody who is not signed in fills in anything else.',
  },
  N1229: {
    severity: 'error',
    message: '`{field}` is required, but the form `{name}` for everyone does not list it',
    help: 'Add it to its `Columns`, give it a default, or let a step set it.',
  },
  N1230: {
    severity: 'error',
    message: 'the form `{name}` for everyone cannot be one of a stored record',
    help: 'Take the braces out of its address, or say which roles it is for.',
  },
  N1231: {
    severity: 'error',
    message: 'the form `{name}` is for everyone, but nobody may create {entity} without signing in',
    help: 'Give a role that is `everyone` the right to create it under heading 6.',
  },
  N1232: {
    severity: 'error',
    message: '`{view}` is not a view: {why}',
    help: 'Write it as `Late where state = Overdue; columns number, due_back; sort due_back down`.',
  },
  N1233: {
    severity: 'error',
    message: 'the view `{name}` stands here twice',
    help: 'Give one of them another name; the view of all records is there already, as `All`.',
  },
  N1234: {
    severity: 'error',
    message: '{related} has no field that refers to {entity}, so none of its records can be listed here',
    help: 'What refers to {entity}: {known}.',
  },
  N1235: {
    severity: 'warning',
    message: 'the form `{name}` for everyone can never be sent: {rule} needs `{field}`, which it does not list',
    help: 'Add `{field}` to its `Columns`, give it a default, or let the rule hold where it is empty.',
  },
  N1236: {
    severity: 'warning',
    message: '`{name}` shows `{field}`, which none of {roles} may see',
    help: 'Let one of them see it under heading 6, or take it out here.',
  },
  N1237: {
    severity: 'warning',
    message: '{role} opens `{name}`, but may not see `{field}`: {use}',
    help: 'Let the role see it under heading 6, or sort and choose by something else.',
  },
  N1238: {
    severity: 'error',
    message: '`{field}` is required, but no page of the wizard `{name}` asks for it',
    help: 'Add it to the `Columns` of a page, give it a default, or let a step set it.',
  },
  N1239: {
    severity: 'error',
    message: 'the wizard `{name}` is for everyone, but what is typed into one is kept for people who are signed in',
    help: 'Say `everyone signed in` or which roles it is for, or use a `form for` with all fields on one page.',
  },
  N1241: {
    severity: 'error',
    message: 'the wizard `{name}` has no pages',
    help: 'Give it a heading 4 for each page, and the fields that the page asks for below: `- **Columns:** …`.',
  },
  N1242: {
    severity: 'error',
    message: 'the page `{page}` asks for nothing',
    help: 'List its fields: `- **Columns:** …`.',
  },
  N1243: {
    severity: 'error',
    message: '`{field}` is asked for on the page `{page}` already',
    help: 'Each field stands on one page; the last page shows them all.',
  },
  N1244: {
    severity: 'error',
    message: 'the section `{section}` has no fields',
    help: 'List them: `- **Columns:** …`.',
  },
  N1245: {
    severity: 'error',
    message: '`{field}` stands in the section `{section}` already',
    help: 'Each field stands in one section; those that stand in none come first.',
  },
  N1246: {
    severity: 'error',
    message: '`{name}` is the home of {role}, which may not open it',
    help: 'Add the role to its `For`, or take it out here.',
  },
  N1247: {
    severity: 'error',
    message: '`{name}` shows one record, so it is the home of nobody',
    help: 'Choose a screen without a field in braces in its address.',
  },
  N1248: {
    severity: 'error',
    message: 'the home of {role} is `{first}` already',
    help: 'Keep it at one of the two screens. Who has several roles comes to the first of their homes.',
  },
  N1249: {
    severity: 'error',
    message: '`{field}` cannot stand over a list as a filter: {why}',
    help: '{instead}',
  },
  N1250: {
    severity: 'error',
    message: '`{key}` is not said of a screen: {why}',
    help: '{instead}',
  },
  N1251: {
    severity: 'error',
    message: '`{field}` is a secret: {why}',
    help: 'Take it out here. It is typed in the form of its record.',
  },
  N1252: {
    severity: 'error',
    message: '`{key}` is said of a form for everyone, and `{name}` is none',
    help: 'Take it out, or let everyone open the form: those who sign in have a session, and an address that is known.',
  },
  N1253: {
    severity: 'error',
    message: 'nobody can be asked at `{field}` to confirm what was sent: {why}',
    help: '{instead}',
  },
  N1254: {
    severity: 'error',
    message: '`{site}` is not the address of a site',
    help: 'Write it without a path, as `https://www.example.org`; several are parted by commas.',
  },
  N1255: {
    severity: 'error',
    message: '`{text}` does not say how many are taken',
    help: 'Write a number up to {max} and a span, a minute, an hour or a day: `5 per hour`, `20 per day else E-LATER`.',
  },
  N1256: {
    severity: 'warning',
    message: '`{name}` takes up to {files} files at once, of which a visitor may send {most}',
    help: 'Raise the constant `visitor_files` under heading 9, with the unit `files`, or let the list take fewer rows.',
  },
  N1260: {
    severity: 'error',
    message: '`{field}` cannot stand on paper: {why}',
    help: 'Name a field of the record (`net`), of a record that it names (`supplier.name`), or a column of its rows (`lines.net`).',
  },
  N1261: {
    severity: 'error',
    message: 'nothing stands on the print `{name}`',
    help: 'Write below its heading 3 what stands on it: `- **Columns:** …`, `- **Text:** …`, or headings 4 with these.',
  },
  N1262: {
    severity: 'error',
    message: 'the part `{part}` has neither fields nor a text',
    help: 'Write below it `- **Columns:** …` or `- **Text:** …`, or take it out.',
  },
} as const satisfies CodeTable
