/**
 * What Ninefold itself refuses, as data: code, message, what to do, status. A document may word any of these anew in its error
 * catalogue under the same code. `{…}` holes are filled by whoever raises the problem; `run/problems/german.ts` has the same in German.
 */
import type { Holes } from '../../expression/holes.ts'
import { englishRefusals } from '../../kinds/fields/refusals.ts'

export interface BuiltIn {
  readonly message: string
  readonly whatToDo: string
  readonly status: number
}

export const builtIn = {
  ...englishRefusals,
  'NF-REQUIRED': { message: '{label} is missing.', whatToDo: 'Fill it in.', status: 422 },
  'NF-MIN': {
    message: '{label} must be at least {limit}; this is {value}.',
    whatToDo: 'Enter a higher value.',
    status: 422,
  },
  'NF-MAX': {
    message: '{label} must be at most {limit}; this is {value}.',
    whatToDo: 'Enter a lower value.',
    status: 422,
  },
  'NF-SHORT': {
    message: '{label} must have at least {limit} {limit|character|characters}; this has {found}.',
    whatToDo: 'Write more.',
    status: 422,
  },
  'NF-LONG': {
    message: '{label} may have at most {limit} {limit|character|characters}; this has {found}.',
    whatToDo: 'Write less.',
    status: 422,
  },
  'NF-PATTERN': { message: '{label} must look like {pattern}.', whatToDo: 'Check what was typed.', status: 422 },
  'NF-UNIQUE': {
    message: '{label} is taken: there is another {entity} with this {fields}.',
    whatToDo: 'Enter something else.',
    status: 422,
  },
  'NF-UNIQUE-ARCHIVED': {
    message: '{label} is taken: an archived {entity} has this {fields}.',
    whatToDo: 'Enter something else, or restore the archived one.',
    status: 422,
  },
  'NF-TWICE': { message: '{label} appears in more than one row.', whatToDo: 'Remove one of the rows.', status: 422 },
  'NF-OVERLAP': {
    message: '{label} is taken at that time.',
    whatToDo: 'Choose another time or another entry.',
    status: 422,
  },
  'NF-CIRCLE': {
    message: '{label}: this {entity} would be above itself.',
    whatToDo: 'Choose one that is not below it.',
    status: 422,
  },
  'NF-NONE-FREE': {
    message: 'No {label} is free for this.',
    whatToDo: 'Change what it depends on, or try later.',
    status: 422,
  },
  'NF-RATE': {
    message: '{label} cannot be worked out: there is no exchange rate for that day.',
    whatToDo: 'Enter the rate first, or choose another day or currency.',
    status: 422,
  },
  'NF-NOT-OFFERED': {
    message: '{label} names a record that cannot be chosen here.',
    whatToDo: 'Choose one from the list.',
    status: 422,
  },
  'NF-NOT-ALL-OFFERED': {
    message: '{label}: {records} cannot be chosen here.',
    whatToDo: 'Leave out what cannot be chosen.',
    status: 422,
  },
  'NF-ONLY-WHEN': {
    message: '{label} does not apply with these values.',
    whatToDo: 'Leave it empty.',
    status: 422,
  },
  'NF-READ-ONLY': {
    message: '{label} cannot be changed with these values.',
    whatToDo: 'Leave it as it is.',
    status: 422,
  },
  'NF-GAPLESS': {
    message: 'This {entity} cannot be deleted: its {label} would be missing from the series.',
    whatToDo: 'Keep it, and use a step such as cancel instead.',
    status: 409,
  },
  'NF-APPEND-ONLY': {
    message: 'Records of {entity} cannot be changed or deleted.',
    whatToDo: 'Add another one that corrects it.',
    status: 409,
  },
  'NF-APPEND-ONLY-ROWS': {
    message: 'This {entity} cannot be deleted: its {rows} cannot be deleted either.',
    whatToDo: 'Keep it.',
    status: 409,
  },
  'NF-FEW': {
    message: '{label} needs at least {limit}; this has {found}.',
    whatToDo: 'Add what is missing.',
    status: 422,
  },
  'NF-MANY': { message: '{label} may have at most {limit}; this has {found}.', whatToDo: 'Remove rows.', status: 422 },
  'NF-NO-RECORD': {
    message: '{label} was not found: it does not exist, or you may not see it.',
    whatToDo: 'Choose one from the list.',
    status: 422,
  },
  'NF-NO-FIELD': {
    message: 'There is no {label} that you can set here.',
    whatToDo: 'Leave it out.',
    status: 422,
  },
  'NF-IMPORT-WIDE': {
    message: '{cells} {count|has|have} no heading above: {text}.',
    whatToDo: 'Put a text in quotes if it has a separator in it, name the column, or empty {count|the cell|the cells}.',
    status: 422,
  },
  'NF-IMPORT-ERROR': {
    message: '{label} is {text}, an error of the spreadsheet and no value.',
    whatToDo: 'Correct the cell, or empty it.',
    status: 422,
  },
  'NF-IMPORT-FORMULA': {
    message: '{label} is a formula whose result is not in the file: {text}.',
    whatToDo: 'Open the file in a spreadsheet, which works it out, and save it again.',
    status: 422,
  },
  'NF-IMPORT-TWICE': {
    message: 'Row {row} of the file is about the same record.',
    whatToDo: 'Remove one of the two rows.',
    status: 422,
  },
  'NF-IMPORT-DIFFERS': {
    message: '{label} is another one than in row {row}, which is about the same.',
    whatToDo: 'Write the same in both rows, or leave it empty in this one.',
    status: 422,
  },
  'NF-IMPORT-BESIDE': {
    message: 'This row is about the same record as row {row}, in which something is wrong.',
    whatToDo: 'Correct that row.',
    status: 422,
  },
  'NF-IMPORT-KEY': {
    message: '{label} is empty, so it is unclear which record this row is about.',
    whatToDo: 'Fill it in.',
    status: 422,
  },
  'NF-IMPORT-GIVEN': {
    message: 'There is no {entity} {text}, or you may not see it. New ones get their {label} from the application.',
    whatToDo: 'Correct it, or bring new ones in with a file that leaves this column out.',
    status: 422,
  },
  'NF-IMPORT-SEVERAL': {
    message: 'More than one record is called {text}.',
    whatToDo: 'Write what only one of them has: a number, a code, or a unique name.',
    status: 422,
  },
  'NF-ROW-FAILED': {
    message: 'Something went wrong with this record. The fault is ours and has been logged.',
    whatToDo: 'Try it again later, or tell whoever runs the application.',
    status: 500,
  },
  'NF-FIXED': { message: '{label} cannot be set by hand here.', whatToDo: 'Leave it out.', status: 422 },
  'NF-FIELD-DENIED': { message: 'You may not change {label} here.', whatToDo: 'Leave it as it is.', status: 403 },
  'NF-NOT-ASKED': { message: '{step} does not ask for {label}.', whatToDo: 'Leave it out.', status: 422 },
  'NF-LOCKED': {
    message: '{label} cannot be changed in state {state}.',
    whatToDo: 'Leave it as it is.',
    status: 409,
  },
  'NF-LOCKED-DELETE': {
    message: 'This {entity} cannot be deleted in state {state}.',
    whatToDo: 'Move it to another state first, if there is a step for that.',
    status: 409,
  },
  'NF-FROZEN': {
    message: '{label} stays as it was with {step}.',
    whatToDo: 'Leave it as it is, or take a step back, if there is one.',
    status: 409,
  },
  'NF-FROZEN-DELETE': {
    message: 'This {entity} stays since {step}.',
    whatToDo: 'Take a step back first, if there is one.',
    status: 409,
  },
  'NF-RULE': {
    message: 'A rule of this application ({rule}) is not met.',
    whatToDo: 'Check the values.',
    status: 422,
  },
  'NF-CODE': {
    message: '{label} could not be worked out: {function} in {file} failed.',
    whatToDo: 'Tell whoever looks after the application: its log says why.',
    status: 422,
  },
  'NF-CHECK': {
    message: '{label}: the values do not fit together.',
    whatToDo: 'Check them and try again.',
    status: 422,
  },
  'NF-NOT-KEPT': {
    message: '{label}: this cannot be kept as it was written.',
    whatToDo:
      'Write fewer digits, or in another form. If the page was open for long, load it again: what fits may have changed.',
    status: 422,
  },
  'NF-NOT-FOUND': {
    message: 'This does not exist, or you may not see it.',
    whatToDo: 'Check the address.',
    status: 404,
  },
  'NF-STALE': {
    message: 'Somebody changed this while you were working on it. Your entries are not lost.',
    whatToDo: 'Compare the two versions and choose.',
    status: 409,
  },
  'NF-UNDO': {
    message: 'This was changed again since, so it cannot be undone.',
    whatToDo: 'Open it and change it by hand.',
    status: 409,
  },
  'NF-UNDO-SENT': {
    message: 'Others have been told of it by now, or something followed from it, so it cannot be undone.',
    whatToDo: 'Tell them, and change it by hand.',
    status: 409,
  },
  'NF-UNDO-LATE': {
    message: 'It is too long ago to be undone.',
    whatToDo: 'Open it and change it by hand.',
    status: 409,
  },
  'NF-CREATE-DENIED': { message: 'You may not create {entity}.', whatToDo: 'Ask somebody who may.', status: 403 },
  'NF-CHANGE-DENIED': {
    message: 'You may not change this {entity} now.',
    whatToDo: 'Ask somebody who may.',
    status: 403,
  },
  'NF-CHANGE-OUT': {
    message: 'You may change this {entity}, but not to what it would be then.',
    whatToDo: 'Leave it as one that you may change, or ask somebody who may do this.',
    status: 403,
  },
  'NF-DELETE-DENIED': {
    message: 'You may not delete this {entity} now.',
    whatToDo: 'Ask somebody who may.',
    status: 403,
  },
  'NF-IN-USE': {
    message: 'This {entity} cannot be deleted: {by} refers to it.',
    whatToDo: 'Delete or change what refers to it first.',
    status: 409,
  },
  'NF-ARCHIVED': {
    message: 'This {entity} is archived.',
    whatToDo: 'Restore it first.',
    status: 409,
  },
  'NF-NOT-ARCHIVED': { message: 'This {entity} is not archived.', whatToDo: 'Reload the page.', status: 409 },
  'NF-RESTORE-DENIED': {
    message: 'You may not restore this {entity}.',
    whatToDo: 'Ask somebody who may.',
    status: 403,
  },
  'NF-NO-STEP': { message: 'There is no step named {step} here.', whatToDo: 'Check the address.', status: 404 },
  'NF-STEP-STATE': {
    message: '“{step}” is not possible from {state}; it starts from {from}.',
    whatToDo: 'Reload the page: somebody may have been faster.',
    status: 409,
  },
  'NF-STEP-DENIED': {
    message: '{actor} may not {step} this {entity}.',
    whatToDo: 'Ask somebody who may.',
    status: 403,
  },
  'NF-STEP-WHEN': {
    message: '{step} is closed now, in state {state}: its condition does not hold for {actor}.',
    whatToDo: 'See the line of the document that decides.',
    status: 403,
  },
  'NF-STEP-UNKNOWN': {
    message: '{step} is closed now, in state {state}: {missing} is empty, so its condition cannot be decided.',
    whatToDo: 'Fill it in first.',
    status: 409,
  },
  'NF-STEP-DECIDED': {
    message: '{actor} has decided already: {step} of this {entity} waits for others.',
    whatToDo: 'You need not do anything: it happens once the others have decided, too.',
    status: 409,
  },
  'NF-STEP-UNSPECIFIED': {
    message: '{step} is closed: the document leaves open what it needs.',
    whatToDo: 'Ask the owner of the document.',
    status: 409,
  },
  'NF-EFFECTS': {
    message: 'This would change more than {limit} other records at once.',
    whatToDo: 'Do it in smaller parts.',
    status: 409,
  },
  'NF-NO-LIMIT': { message: 'There is no limit named {label}.', whatToDo: 'Check the address.', status: 404 },
  'NF-LIMIT-FIXED': { message: '{label} is fixed in the document.', whatToDo: 'Change the document.', status: 403 },
  'NF-LIMIT-DENIED': { message: 'You may not change {label}.', whatToDo: 'Ask somebody who may.', status: 403 },
  'NF-LIMIT-DAY': {
    message: '{label} cannot change on {day}: that day is not in the future.',
    whatToDo: 'Choose a day from tomorrow on, or none to change it now.',
    status: 422,
  },
  'NF-LIMIT-RANGE': {
    message: '{label} must be between {min} and {max}.',
    whatToDo: 'Enter a value in the range.',
    status: 422,
  },
  'NF-APPOINT-DENIED': {
    message: 'You may not give or take away the role {role}.',
    whatToDo: 'Ask somebody who may.',
    status: 403,
  },
  'NF-ROLE-DAYS': {
    message: 'The last day of the role lies before the first, or is past.',
    whatToDo: 'Give a last day from today on, or none: then the role is held for good.',
    status: 422,
  },
  'NF-SHARE-DENIED': {
    message: 'You may not share this {entity} as {role}.',
    whatToDo: 'Ask somebody who may, and who may do with it what {role} may.',
    status: 403,
  },
  'NF-SHARE-LONG': {
    message: 'As {role}, it is shared until {last} at the longest.',
    whatToDo: 'Choose an earlier day, or none.',
    status: 422,
  },
  'NF-ROLES-APART': {
    message: 'Nobody may have the roles {role} and {other}.',
    whatToDo: 'Take {other} away first, or give {role} to somebody else.',
    status: 409,
  },
  'NF-LAST-HOLDER': {
    message: 'Nobody would be left who has the role {role} and can sign in.',
    whatToDo: 'Give it to somebody else first.',
    status: 409,
  },
  'NF-SIGN-IN-CLOSED': {
    message: 'You cannot sign in here any more, or not yet.',
    whatToDo: 'Ask whoever runs the application.',
    status: 403,
  },
  'NF-SIGN-UP-ADDRESS': {
    message: 'An account here needs an address at {domains}.',
    whatToDo: 'Give such an address, or ask somebody to invite you.',
    status: 422,
  },
  'NF-SIGN-ON': {
    message: 'Signing in with {name} did not work.',
    whatToDo: 'Try again. If it keeps failing, tell whoever runs the application.',
    status: 403,
  },
  'NF-SIGN-ON-UNKNOWN': {
    message: 'Nobody is known here as {email}.',
    whatToDo: 'Ask somebody to invite you.',
    status: 403,
  },
  'NF-SIGN-ON-ADDRESS': {
    message: 'Nobody is known here as {email}. An account here needs an address at {domains}.',
    whatToDo: 'Sign in there with such an address, or ask somebody to invite you.',
    status: 403,
  },
  'NF-SIGN-ON-UNVERIFIED': {
    message: '{name} has not verified your e-mail address, so it is unclear who you are here.',
    whatToDo: 'Have the address confirmed there, or follow an invitation.',
    status: 403,
  },
  'NF-SIGN-ON-OTHER': {
    message: 'Your account here is connected with somebody else at {name}.',
    whatToDo: 'Sign in another way and disconnect it on the account page, or tell whoever runs the application.',
    status: 403,
  },
  'NF-PASSKEY': {
    message: 'This passkey was not accepted.',
    whatToDo: 'Try again, or sign in another way.',
    status: 403,
  },
  'NF-PRINT-MANY': {
    message: 'At most {most} records are printed at once.',
    whatToDo: 'Narrow the list with its filters, or choose fewer rows.',
    status: 422,
  },
  'NF-CASE-CODE': {
    message: 'The number and the code do not fit together, or were wrong too often.',
    whatToDo:
      'Check both. After several wrong codes a number is closed for a while, whatever is typed; a link from a mail still works.',
    status: 403,
  },
  'NF-PRESENCE': {
    message: 'You signed in too long ago for this.',
    whatToDo: 'Confirm that it is you on the page of your account, then try again right away.',
    status: 403,
  },
  'NF-KEY-SIGN-IN': {
    message: 'This key was not made for changing how people sign in.',
    whatToDo: 'Make a key that may, on the page of your account, or have somebody change it in the application.',
    status: 403,
  },
  'NF-ASK-PERSON': {
    message: 'An assistant does not do this by itself.',
    whatToDo: 'Give your person this address, where they do it: {address}',
    status: 403,
  },
  'NF-HIGHER': {
    message: 'This decides how somebody signs in who may do more than you.',
    whatToDo: 'Ask somebody who could give them their roles, or have them change it themselves.',
    status: 403,
  },
  'NF-SECOND-FACTOR': {
    message: 'A role of yours is only for people with a second factor.',
    whatToDo: 'Set one up on the account page, then try again.',
    status: 403,
  },
  'NF-ACTING': {
    message: 'You cannot do this while acting as somebody else.',
    whatToDo: 'Stop acting as them first.',
    status: 403,
  },
  'NF-PREVIEW': {
    message: 'You are only viewing the application as {role}: nothing is saved.',
    whatToDo: 'Stop looking first.',
    status: 403,
  },
  'NF-BODY': {
    message: 'This is more than can be accepted at once.',
    whatToDo: 'Send smaller files, or fewer of them.',
    status: 413,
  },
  'NF-BUSY': {
    message: 'Somebody else is saving the same thing right now, and it is taking too long. Nothing was saved.',
    whatToDo: 'Try again in a moment.',
    status: 503,
  },
  'NF-UNAVAILABLE': {
    message:
      'More was asked for than can be answered at once, or the database is away, is being restarted, or takes no changes. Nothing was saved.',
    whatToDo: 'Try again in a moment.',
    status: 503,
  },
  'NF-UNSURE': {
    message: 'The connection to the database broke: it is not known whether this was saved.',
    whatToDo: 'Look before you send it again; programs send an Idempotency-Key with it.',
    status: 504,
  },
} as const satisfies Readonly<Record<string, BuiltIn>>

export type BuiltInCode = keyof typeof builtIn

/** What a code's message needs; a forgotten hole does not compile. */
export type Detail<Code extends BuiltInCode> = Readonly<
  Record<Holes<(typeof builtIn)[Code]['message']>, string | number>
>
