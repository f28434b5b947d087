/** Heading 2: N12xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const screenCodes = {
  N1201: {
    severity: 'error',
    message: 'the screen `{name}` is declared twice',
    help: 'Give one of them another name.',
  },
  N1202: {
    severity: 'error',
    message: 'two screens have the address `{route}`',
    help: 'Give one of them another address; parts in braces do not tell addresses apart.',
  },
  N1203: {
    severity: 'error',
    message: '`{route}` is not an address: {why}',
    help: 'Write it like `/loans` or `/loans/{example}`: lower-case words, digits and hyphens, or one field in braces.',
  },
  N1204: {
    severity: 'error',
    message: '`{field}` does not tell the records of {entity} apart',
    help: 'In an address use an auto number or a required field that is unique.',
  },
  N1205: {
    severity: 'error',
    declaredIn: 3,
    message: '{entity} has no field `{field}`{meant}',
    help: 'Its fields are: {known}.',
  },
  N1206: {
    severity: 'error',
    message: '`{shows}` is not a kind of screen{meant}',
    help: 'Write one of: {known}.',
  },
  N1207: {
    severity: 'error',
    message: 'this screen has two different values for `{key}`',
    help: 'Keep one of them, in the table or below the heading of the screen.',
  },
  N1208: {
    severity: 'warning',
    message: '`{field}` is hidden, so it is never shown here',
    help: 'Remove it here, or remove `hidden` from its rules.',
  },
  N1209: {
    severity: 'error',
    message: 'a board cannot use `{field}`: it has no fixed list of values',
    help: 'Use `state`, or a field of type `choice`.',
  },
  N1210: {
    severity: 'error',
    declaredIn: 4,
    message: '{entity} has no step `{step}`{meant}',
    help: 'Its steps are: {known}.',
  },
  N1211: {
    severity: 'warning',
    message: 'nobody can open this screen: {why}',
    help: 'Name a role that somebody has, or say under heading 6 who has this one.',
  },
  N1212: {
    severity: 'warning',
    message: '{role} can open this screen, but may see no {entity}',
    help: 'Let the role see it under heading 6, or remove the role here.',
  },
  N1213: {
    severity: 'error',
    message: 'a screen that shows one {entity} needs a field in braces in its address',
    help: 'Write it like `{route}/{example}`.',
  },
  N1214: {
    severity: 'error',
    message: 'a `{kind}` does not read `{field}` from its address',
    help: 'Braces belong only in the address of a screen that shows one record.',
  },
  N1215: {
    severity: 'error',
    message: '`{kind}` needs {what}',
    help: 'Write it like `{written}`.',
  },
  N1216: {
    severity: 'error',
    message: 'the address `{route}` is reserved by Ninefold',
    help: 'Addresses that start with {taken} are reserved; choose another.',
  },
  N1217: {
    severity: 'error',
    message: 'records of {entity} cannot be sorted by `{field}`',
    help: 'Sort by a field with a value of its own; lists and files have no order.',
  },
  N1218: {
    severity: 'error',
    message: 'the table of routes has no screen `{name}`{meant}',
    help: 'Write the name as in the table, or give the screen its own route: `- **Route:** /desk`.',
  },
  N1219: {
    severity: 'error',
    message: 'a {kind} cannot use `{field}`: it is not a date',
    help: 'Use a field of type `date` or `date and time`.',
  },
  N1220: {
    severity: 'error',
    message: 'a {kind} cannot run from `{from}` to `{to}`: one is a date, the other a date and time',
    help: 'Use two fields of the same type.',
  },
  N1221: {
    severity: 'error',
    message: '`{measure}` is not a measure: {why}',
    help: 'Write it like `count of Loan where state = Out`, `sum of fee of Loan as Fees` or `share of count of Loan where damaged out of count of Loan`; a report names no entity.',
  },
  N1222: {
    severity: 'error',
    message: 'the {kind} of {type} is not a number',
    help: 'Sums and averages need numbers, amounts or durations; the smallest and the largest also work with dates.',
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
    message: '`{asks}` is not a question: {why}',
    help: 'Write it like `from: date default today - 30`.',
  },
  N1227: {
    severity: 'error',
    declaredIn: 4,
    message: 'nothing has a step `{step}`{meant}',
    help: 'The steps are: {known}.',
  },
  N1228: {
    severity: 'error',
    looksAt: [2, 3],
    message: 'the form `{name}` is for everyone but does not list its fields',
    help: 'List them: `- **Columns:** {example}`. People who are not signed in can fill in nothing else.',
  },
  N1229: {
    severity: 'error',
    message: '`{field}` is required, but the form `{name}` for everyone does not list it',
    help: 'Add it to its `Columns`, give it a default, or let a step set it.',
  },
  N1230: {
    severity: 'error',
    message: 'the form `{name}` for everyone cannot change a stored record',
    help: 'Remove the braces from its address, or say which roles it is for.',
  },
  N1231: {
    severity: 'error',
    looksAt: [3, 6],
    message: 'the form `{name}` is for everyone, but nobody may create {entity} without signing in',
    help: 'Give a role that is `everyone` the right to create it under heading 6.',
  },
  N1232: {
    severity: 'error',
    message: '`{view}` is not a view: {why}',
    help: 'Write it like `Late where state = Overdue; columns number, due_back; sort due_back down`.',
  },
  N1233: {
    severity: 'error',
    message: 'the view `{name}` is declared twice',
    help: 'Give one of them another name. `All`, the view of all records, always exists.',
  },
  N1234: {
    severity: 'error',
    message: '{related} {why}, so none of its records can be listed here',
    help: 'These refer to {entity}: {known}.',
  },
  N1235: {
    severity: 'warning',
    message: 'the form `{name}` for everyone can never be sent: {rule} needs `{field}`, which it does not list',
    help: 'Add `{field}` to its `Columns`, give it a default, or let the rule hold while it is empty.',
  },
  N1236: {
    severity: 'warning',
    message: '`{name}` shows `{field}`, which none of {roles} may see',
    help: 'Let one of them see it under heading 6, or remove it here.',
  },
  N1237: {
    severity: 'warning',
    message: '{role} opens `{name}`, but may not see `{field}`: {use}',
    help: 'Let the role see it under heading 6, or use another field to sort and filter.',
  },
  N1238: {
    severity: 'error',
    message: '`{field}` is required, but no page of the wizard `{name}` asks for it',
    help: 'Add it to the `Columns` of a page, give it a default, or let a step set it.',
  },
  N1239: {
    severity: 'error',
    message: 'the wizard `{name}` is for people without an account, but only people who are signed in can use a wizard',
    help: 'Say `everyone signed in` or which roles it is for, or use a `form for` with all fields on one page.',
  },
  N1241: {
    severity: 'error',
    message: 'the wizard `{name}` has no pages',
    help: 'Add a heading 4 for each page, and below it the fields that the page asks for: `- **Columns:** …`.',
  },
  N1242: {
    severity: 'error',
    message: 'the page `{page}` asks for nothing',
    help: 'List its fields: `- **Columns:** …`.',
  },
  N1243: {
    severity: 'error',
    message: 'the page `{page}` already asks for `{field}`',
    help: 'Ask for each field on one page only; the last page shows them all.',
  },
  N1244: {
    severity: 'error',
    message: 'the section `{section}` has no fields',
    help: 'List them: `- **Columns:** …`.',
  },
  N1245: {
    severity: 'error',
    message: '`{field}` is already in the section `{section}`',
    help: 'Put each field into one section only; fields without a section come first.',
  },
  N1246: {
    severity: 'error',
    looksAt: [2, 6],
    message: '`{name}` is the home of {role}, who may not open it',
    help: 'Add the role to its `For`, or remove it here.',
  },
  N1247: {
    severity: 'error',
    message: '`{name}` shows a single record, so it cannot be a home',
    help: 'Choose a screen without a field in braces in its address.',
  },
  N1248: {
    severity: 'error',
    message: 'the home of {role} is already `{first}`',
    help: 'Keep it on one of the two screens. Somebody with several roles lands on the first of their homes.',
  },
  N1249: {
    severity: 'error',
    message: '`{field}` cannot be a filter above a list: {why}',
    help: '{instead}',
  },
  N1250: {
    severity: 'error',
    message: '`{key}` does not belong to a screen: {why}',
    help: '{instead}',
  },
  N1251: {
    severity: 'error',
    message: '`{field}` is a secret: {why}',
    help: 'Remove it here. It is entered in the form of its record.',
  },
  N1252: {
    severity: 'error',
    message: '`{key}` is only for forms for everyone, and `{name}` is not one',
    help: 'Remove it, or open the form to everyone. The address of people who are signed in is known.',
  },
  N1253: {
    severity: 'error',
    message: '`{field}` cannot receive the confirmation link: {why}',
    help: '{instead}',
  },
  N1254: {
    severity: 'error',
    message: '`{site}` is not the address of a site',
    help: 'Write it without a path, like `https://www.example.org`; separate several with commas.',
  },
  N1255: {
    severity: 'error',
    message: '`{text}` is not a limit on how often a form can be sent',
    help: 'Write a number up to {max} and a span (a minute, an hour or a day): `5 per hour`, `20 per day else E-LATER`.',
  },
  N1256: {
    severity: 'warning',
    message: '`{name}` takes up to {files} files at once, of which a visitor may send {most}',
    help: 'Raise the constant `visitor_files` under heading 9, with the unit `files`, or let the list take fewer rows.',
  },
  N1257: {
    severity: 'error',
    message:
      'nobody could send the form `{name}`: it is for everyone, each {entity} belongs to a {tenant}, and visitors belong to none',
    help: 'Write `- **Tenant:** none` below the heading of {entity}, so that its records belong to everybody, or make the form for people who sign in.',
  },
  N1260: {
    severity: 'error',
    message: '`{field}` cannot be printed: {why}',
    help: 'Name a field of the record (`net`), a field of a record it refers to (`supplier.name`), or a column of its rows (`lines.net`).',
  },
  N1261: {
    severity: 'error',
    looksAt: [2],
    message: 'the print `{name}` is empty',
    help: 'Below its heading 3, write what it shows: `- **Columns:** …`, `- **Text:** …`, or headings 4 with these.',
  },
  N1262: {
    severity: 'error',
    message: 'the part `{part}` has neither fields nor a text',
    help: 'Write `- **Columns:** …` or `- **Text:** …` below it, or remove it.',
  },
  N1263: {
    severity: 'warning',
    message:
      'visitors see nothing on `{name}`: it is for everyone, each {entity} belongs to a {tenant}, and visitors belong to none',
    help: 'Write `- **Tenant:** none` below the heading of {entity}, so that its records belong to everybody, or make the screen for people who sign in: `everyone signed in`.',
  },
  N1264: {
    severity: 'error',
    message: 'a {kind} cannot have its lanes by `{field}`: it is neither a choice nor a reference to records',
    help: 'Use a field of type `choice`, `state`, or one that refers to what the lanes are: `by room`.',
  },
  N1265: {
    severity: 'error',
    message: 'this cannot be one card: {why}',
    help: 'Make another card of it, with a heading 4 of its own.',
  },
  N1266: {
    severity: 'warning',
    message: 'nothing goes by `{keys}`: {why}',
    help: 'Take the line out, or write beside it what it needs.',
  },
} as const satisfies CodeTable
