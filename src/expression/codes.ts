/** What the expression language has to say: N01xx syntax, N02xx meaning. Numbers are never reused. */
import type { CodeTable } from '../document/diagnostic.ts'

const syntaxCodes = {
  N0101: {
    severity: 'error',
    message: 'an expression is missing {where}',
    help: 'Write a value, a field or a condition there.',
  },
  N0102: {
    severity: 'error',
    message: '`{word}` does not belong here; {expected} is expected',
  },
  N0103: {
    severity: 'error',
    message: '`{word}` is not a word of this language; write `{instead}`',
  },
  N0104: {
    severity: 'error',
    message: 'comparisons do not chain',
    help: 'Say both: `{instead}`.',
  },
  N0105: {
    severity: 'error',
    message: 'this text has no closing quote',
    help: 'Close it with `"`; a quote inside of a text cannot be written.',
  },
  N0106: {
    severity: 'error',
    message: '`{word}` is not a {kind}',
    help: '{help}',
  },
  N0107: {
    severity: 'error',
    message: 'this expression has more than {most} parts',
    help: 'Give a part of it a name of its own: a computed field.',
  },
  N0108: {
    severity: 'error',
    message: 'this expression is nested too deeply; {most} levels are read',
    help: 'Give a part of it a name of its own: a computed field.',
  },
  N0109: {
    severity: 'error',
    message: 'there is no unit `{word}`{meant}',
    help: 'Units are seconds, minutes, hours; days, weeks, months, years; and %.',
  },
  N0110: {
    severity: 'error',
    message: 'this bracket is never closed',
    help: 'Write `)` where it ends.',
  },
  N0111: {
    severity: 'error',
    message: 'the character {character} cannot be stored',
    help: 'Take it out; it often comes from copying.',
  },
  N0112: {
    severity: 'error',
    message: 'a text without characters is empty; write `{instead}`',
  },
  N0113: {
    severity: 'error',
    message: 'this brace is never closed',
    help: 'Write `}` after the expression; for a brace itself write it twice.',
  },
  N0114: {
    severity: 'error',
    message: 'there is no format `{word}`{meant}',
    help: 'Formats are {known}.',
  },
  N0115: {
    severity: 'error',
    message: '`{word}` is missing',
    help: 'An `if` says both: `if late then 5 else 0`.',
  },
} as const satisfies CodeTable

export const meaningCodes = {
  N0201: {
    severity: 'error',
    message: 'no field named `{name}`{where}{meant}',
    help: '{known}A name is a field of the record, or begins with one of me, my, today, now, limits, old, this.',
  },
  N0202: {
    severity: 'error',
    message: 'no function named `{name}`{meant}',
    help: 'Functions are {known}.',
  },
  N0203: {
    severity: 'error',
    message: 'no constant named `{name}`{meant}',
    help: 'Constants are declared under heading 9.',
  },
  N0204: {
    severity: 'error',
    message: 'no entity named `{name}`{meant}',
    help: 'Entities are declared under heading 3; spaces are written `_`.',
  },
  N0205: {
    severity: 'error',
    message: 'no setting named `{name}`{meant}',
    help: 'Settings are declared under heading 7.',
  },
  N0207: {
    severity: 'error',
    message: '`{name}` is not one of {known}',
  },
  N0208: {
    severity: 'error',
    message: '`{name}` stands alone; a choice says something only beside a field that has it',
    help: 'Compare it: `state = {name}`. A text is written in quotes.',
  },
  N0210: {
    severity: 'error',
    message: '{left} and {right} do not compare',
    help: 'Both sides must be of one type; only whole numbers and decimals mix.',
  },
  N0211: {
    severity: 'error',
    message: '`{sign}` does not take {left} and {right}',
    help: '{help}',
  },
  N0212: {
    severity: 'error',
    message: '{type} has no order, so `{sign}` says nothing',
    help: 'Only numbers, money, dates, times and durations have an order; `=` and `is` compare values of every type.',
  },
  N0213: {
    severity: 'error',
    message: 'this is {found}; {expected} is needed here',
  },
  N0214: {
    severity: 'error',
    message: 'this is {found}; a condition is needed here',
    help: 'A condition is a comparison, a yes/no field, or several of them with `and`, `or`, `not`.',
  },
  N0215: {
    severity: 'error',
    message: '`{name}` takes {takes}; {given} given',
    help: 'Write it so: {written}.',
  },
  N0216: {
    severity: 'error',
    message: '`{name}` takes {takes} here, not {found}',
    help: 'Write it so: {written}.',
  },
  N0217: {
    severity: 'error',
    message: 'this path takes {count} steps from record to record; at most {most} are allowed',
    help: 'Give the record on the way a computed field, and read that.',
  },
  N0218: {
    severity: 'error',
    message: '`{name}` is {found}, so nothing can be read from it',
    help: 'Only a reference to a record can be followed with a dot.',
  },
  N0219: {
    severity: 'error',
    message: '`{name}` is a list; say what of it is meant',
    help: 'Write `count({name})`, `sum({name}.…)`, `any({name} where …)` or the like.',
  },
  N0220: {
    severity: 'error',
    message: '`{name}` is not known here{why}',
  },
  N0221: {
    severity: 'error',
    message: 'a moment has a time zone, and so no {unit} of fixed length',
    help: 'Add seconds, minutes or hours to a moment; days, weeks, months and years to a date.',
  },
  N0222: {
    severity: 'error',
    message: '{left} and {right} are different currencies or none',
    help: 'Only amounts of one currency can be added or compared; a literal number takes the currency of the other side.',
  },
  N0223: {
    severity: 'error',
    message: 'months and days do not compare: a month has no fixed number of days',
    help: 'Compare dates (`due_back <= out_on + 1 month`), or count days as a whole number.',
  },
  N0224: {
    severity: 'error',
    message: 'the list after `in` has a member that may be empty, so `in` would never be certain',
    help: 'Leave it out and say `or {name} is …` beside it.',
  },
  N0225: {
    severity: 'error',
    message: 'the field `{name}` is computed from itself',
    help: 'A computed field may read other fields only, also by way of other computed fields.',
  },
  N0226: {
    severity: 'error',
    message: '`{name}` is computed from other records, and their earlier values are not kept at hand',
    help: 'After `old.` stand fields that are stored in the record.',
  },
  N0227: {
    severity: 'error',
    message: 'this expression costs too much with the computed fields that it reads: {count} parts, at most {most}',
    help: 'Read fewer computed fields in it, or simpler ones.',
  },
  N0228: {
    severity: 'error',
    message: '{type} is too large a duration',
    help: 'Durations reach up to 4,000 years, calendar ones in whole units.',
  },
  N0229: {
    severity: 'error',
    message: '`{name}` has no single reference to its own kind, so there is no tree',
    help: '`within` needs exactly one field of `{name}` that refers to the `{name}` above it; with several, one called `parent`.',
  },
  N0230: {
    severity: 'error',
    message: '`where` belongs to a list or to records of an entity',
    help: 'Write `count(lines where damaged)` or `any(Loan where borrower = this.borrower)`.',
  },
  N0231: {
    severity: 'error',
    message: '`{name}` needs working hours, and the document has none',
    help: 'Write `### Working time` under heading 9, with `- **Days:** Monday to Friday` and `- **Hours:** 09:00 to 17:00`.',
  },
  N0233: {
    severity: 'error',
    message: '{wrong}',
    help: 'Write `first(Reading where meter = this order by taken_at down).value`: which records, in which order, and what of the first one.',
  },
  N0232: {
    severity: 'error',
    message: '`{name}` is a secret: nothing reads it',
    help: 'Only its hash is kept, and no condition, calculation or text may depend on it. Take it out here.',
  },
  N0240: {
    severity: 'error',
    message: 'this report asks for nothing named `{name}`{meant}',
    help: 'What a report asks its reader is declared below its heading: `- **Asks:** from: date`.',
  },
  N0241: {
    severity: 'error',
    message: '`{name}` is written in TypeScript, and here the database decides',
    help: 'Functions are asked in `Must hold`, in defaults, in the values of `set` and `create`, in the When of steps, approvals, `On` and timers, and in what a call sends. Let a field be `= {name}(…)`, which is stored each time its record is written, and read that field here.',
  },
  N0242: {
    severity: 'error',
    message: '`{name}` is written in TypeScript, and the rest of this expression needs all records of an entity',
    help: 'Only the database sees them all. Make two of it: two rules, or a field that is set first; in the When of a step or approval, part them by `and`.',
  },
  N0251: {
    severity: 'error',
    message: '{name} may be empty, and this says nothing about it then',
    help: 'While the value is empty, this is neither true nor false but unknown: say which is meant.',
  },
} as const satisfies CodeTable

/** All codes of expressions. */
export const expressionCodes = { ...syntaxCodes, ...meaningCodes } as const
