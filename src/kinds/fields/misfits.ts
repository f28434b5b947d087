/**
 * Why an entered text is refused by its field's type, as data: the built-in codes, what they say and what to do.
 * `{label}` is the field's label, filled in by whoever shows the message; the other holes are filled by the kind.
 * `run` takes this table into its own of built-in problems; a document may word a code anew in its error catalogue.
 */
import type { Holes } from '../../expression/holes.ts'
import type { Misfit } from './field-kind.ts'

/** A row of the table. `status` is the HTTP status of an answer that says so. */
interface MisfitCode {
  readonly message: string
  readonly whatToDo: string
  readonly status: number
}

export const misfits = {
  'NF-TEXT': {
    message: '{label} contains a character that cannot be saved ({character}).',
    whatToDo: 'Delete it or type the text again; such characters come with copied text.',
    status: 422,
  },
  'NF-TOO-LONG': {
    message: '{label} must have at most {max} {max|character|characters}; this has {length}.',
    whatToDo: 'Shorten it.',
    status: 422,
  },
  'NF-SECRET': {
    message: '{label} must have at least {min} characters.',
    whatToDo: 'Choose a longer one.',
    status: 422,
  },
  'NF-NUMBER': {
    message: '{label} must be a number, like {example}.',
    whatToDo: 'Use digits only, with at most one decimal separator.',
    status: 422,
  },
  'NF-WHOLE': {
    message: '{label} must be a whole number.',
    whatToDo: 'Remove the digits after the decimal separator.',
    status: 422,
  },
  'NF-DECIMALS': {
    message: '{label} must have at most {scale} {scale|decimal|decimals}; this has {found}.',
    whatToDo: 'Round the number; it is not rounded automatically.',
    status: 422,
  },
  'NF-RANGE': {
    message: '{label} must be between {min} and {max}.',
    whatToDo: 'Check the number of digits.',
    status: 422,
  },
  'NF-AMBIGUOUS': {
    message: '{label} can mean {first} or {second}.',
    whatToDo: 'Write it so that it has only one meaning.',
    status: 422,
  },
  'NF-YES-NO': {
    message: '{label} must be yes or no.',
    whatToDo: 'Choose one of the two.',
    status: 422,
  },
  'NF-DATE': {
    message: '{label} must be a date in a form that is known here, like {example}.',
    whatToDo: 'Write day, month and year (four digits) like that, or as 2026-03-28; a month may have its name.',
    status: 422,
  },
  'NF-NO-SUCH-DATE': {
    message: '{label}: there is no day {text}, read like {example}.',
    whatToDo: 'Check day, month and year.',
    status: 422,
  },
  'NF-MOMENT': {
    message: '{label} must be a date and a time, like {example}.',
    whatToDo: 'Write both the day and the time.',
    status: 422,
  },
  'NF-NO-SUCH-TIME': {
    message: '{label}: on {date} there is no {time}, because the clocks change.',
    whatToDo: 'Choose a time before or after the change.',
    status: 422,
  },
  'NF-TIME': {
    message: '{label} must be a time of day, like {example}.',
    whatToDo: 'Write hours and minutes.',
    status: 422,
  },
  'NF-DURATION': {
    message: '{label} must be a length of time in hours and minutes, like {example}.',
    whatToDo: 'Write hours and minutes.',
    status: 422,
  },
  'NF-DAYS': {
    message: '{label} must be a number of days, weeks, months or years, like {example}.',
    whatToDo: 'Write a whole number and its unit.',
    status: 422,
  },
  'NF-CHOICE': {
    message: '{label} must be one of {choices}.',
    whatToDo: 'Choose one of them.',
    status: 422,
  },
  'NF-CHOICES': {
    message: '{label} takes any of {choices}.',
    whatToDo: 'Choose one or more of them.',
    status: 422,
  },
  'NF-EMAIL': {
    message: '{label} must be an e-mail address, like {example}.',
    whatToDo: 'Check the part before and after the @.',
    status: 422,
  },
  'NF-PHONE': {
    message: '{label} must be a phone number, like {example}.',
    whatToDo: 'Write 3 to 15 digits; spaces, hyphens and a + at the start are allowed.',
    status: 422,
  },
  'NF-LINK': {
    message: '{label} must be a web address that begins with https:// or http://.',
    whatToDo: 'Copy it from the address bar of the browser; it must not contain a user name or password.',
    status: 422,
  },
  'NF-REFERENCE': {
    message: '{label} does not name a record.',
    whatToDo: 'Choose one from the list.',
    status: 422,
  },
  'NF-FILLED': {
    message: '{label} is filled in by the application.',
    whatToDo: 'Leave it out.',
    status: 422,
  },
  'NF-LIST': {
    message: '{label} must be a list of records.',
    whatToDo: 'Send an array of objects.',
    status: 422,
  },
  'NF-TOO-MANY': {
    message: '{label} has {found} {found|row|rows}; at most {max} can be sent at once.',
    whatToDo: 'Send fewer rows.',
    status: 422,
  },
  'NF-JSON': {
    message: '{label} must be {expected}, not {found}.',
    whatToDo: 'See the description of the API.',
    status: 422,
  },
  'NF-JSON-NUMBER': {
    message: '{label}: {found} has more digits than the 15 that a JSON number surely keeps.',
    whatToDo: 'Send the number as a text, in quotes.',
    status: 422,
  },
  'NF-UNKNOWN-FIELD': {
    message: 'There is no field named {label} here.',
    whatToDo: 'See the description of the API for the names.',
    status: 422,
  },
  'NF-FILE': {
    message: '{label} does not name a file that you sent.',
    whatToDo: 'Choose the file again.',
    status: 422,
  },
  'NF-FILE-EMPTY': {
    message: '{label}: the file is empty.',
    whatToDo: 'Choose another file.',
    status: 422,
  },
  'NF-FILE-TYPE': {
    message: '{label} must be a file of the kind {types}; this one is {found}.',
    whatToDo: 'Choose another file. Its content decides, not its name.',
    status: 422,
  },
  'NF-FILE-SIZE': {
    message: '{label} must be a file of at most {limit}; this one is larger.',
    whatToDo: 'Choose a smaller one, or make it smaller.',
    status: 422,
  },
  'NF-FILE-STORAGE': {
    message: '{label}: all files together may take {limit}, and this one does not fit any more.',
    whatToDo: 'Take away files that nobody needs, or ask whoever looks after the application.',
    status: 422,
  },
  'NF-FILE-VIRUS': {
    message: '{label}: the virus scanner found {found} in this file, so it was not accepted.',
    whatToDo: 'Choose another file.',
    status: 422,
  },
  'NF-FILE-UNSCANNED': {
    message: '{label}: files cannot be checked for viruses at the moment, so this one was not accepted.',
    whatToDo: 'Choose it again in a few minutes.',
    status: 503,
  },
  'NF-FILE-WAIT': {
    message: '{label}: too many files were sent from here, so this one was not accepted.',
    whatToDo: 'Choose it again in {seconds} {seconds|second|seconds}.',
    status: 429,
  },
} as const satisfies Readonly<Record<string, MisfitCode>>

export type MisfitName = keyof typeof misfits

/** What a code's message needs besides the label. */
type Detail<Name extends MisfitName> = Readonly<
  Record<Exclude<Holes<(typeof misfits)[Name]['message']>, 'label'>, string | number>
>

/** A refusal with the detail that its message needs; a forgotten one does not compile. */
export function misfit<Name extends MisfitName>(code: Name, detail: Detail<Name>): { readonly misfit: Misfit } {
  return { misfit: { code, detail } }
}
