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
    message: '`{word}` is not part of this language; write `{instead}`',
  },
  N0104: {
    severity: 'error',
    message: 'comparisons cannot be chained',
    help: 'Write both: `{instead}`.',
  },
  N0105: {
    severity: 'error',
    message: 'this text has no closing quote',
    help: 'Close it with `"`. A text cannot contain a quote.',
  },
  N0106: {
    severity: 'error',
    message: '`{word}` is not a {kind}',
    help: '{help}',
  },
  N0107: {
    severity: 'error',
    message: 'this expression has more than {most} parts',
    help: 'Move a part of it into a computed field.',
  },
  N0108: {
    severity: 'error',
    message: 'this expression is nested too deeply; at most {most} levels are allowed',
    help: 'Move a part of it into a computed field.',
  },
  N0109: {
    severity: 'error',
    message: 'there is no unit `{word}`{meant}',
    help: 'Units are seconds, minutes, hours; days, weeks, months, years; and %. Working days are counted by timers (`2 working days after entering`) and by functions (`working_days_after(day, 2)`).',
  },
  N0110: {
    severity: 'error',
    message: 'this bracket is never closed',
    help: 'Write `)` where it ends.',
  },
  N0111: {
    severity: 'error',
    message: 'the character {character} cannot be stored',
    help: 'Remove it; it often comes from copying.',
  },
  N0112: {
    severity: 'error',
    message: 'an empty text is stored as no value; write `{instead}`',
    help: 'Compare with `is empty` or `is not empty`; as a value, no value is `empty`: `if urgent then note else empty`.',
  },
  N0113: {
    severity: 'error',
    message: 'this brace is never closed',
    help: 'Write `}` after the expression. To write a brace itself, double it.',
  },
  N0114: {
    severity: 'error',
    message: 'there is no format `{word}`{meant}',
    help: 'Formats are {known}.',
  },
  N0115: {
    severity: 'error',
    message: '`{word}` is missing',
    help: 'An `if` needs both `then` and `else`: `if late then 5 else 0`.',
  },
  N0116: {
    severity: 'error',
    message: 'this backtick has no partner',
    help: 'Put an expression between two backticks, or write it without any.',
  },
} as const satisfies CodeTable

export const meaningCodes = {
  N0201: {
    severity: 'error',
    declaredIn: 3,
    message: 'no field named `{name}`{where}{meant}',
    help: '{known}A name is a field of the record, or starts with one of me, my, today, now, limits, old, this.',
  },
  N0202: {
    severity: 'error',
    looksAt: [3, 4, 5, 6, 7, 9],
    message: 'no function named `{name}`{meant}',
    help: 'Functions are {known}.',
  },
  N0203: {
    severity: 'error',
    declaredIn: 9,
    message: 'no constant named `{name}`{meant}',
    help: 'Constants are declared under heading 9.',
  },
  N0204: {
    severity: 'error',
    declaredIn: 3,
    message: 'no entity named `{name}`{meant}',
    help: 'Entities are declared under heading 3. Write `_` for spaces.',
  },
  N0205: {
    severity: 'error',
    declaredIn: 7,
    message: 'no setting named `{name}`{meant}',
    help: 'Settings are declared under heading 7.',
  },
  N0207: {
    severity: 'error',
    declaredIn: 4,
    message: '`{name}` is not one of {known}',
  },
  N0208: {
    severity: 'error',
    message: '`{name}` stands alone; a choice must be compared with a field that can have it',
    help: 'Compare it: `state = {name}`. Put a text in quotes.',
  },
  N0210: {
    severity: 'error',
    message: '{left} and {right} cannot be compared',
    help: 'Both sides must have the same type; only whole numbers and decimals can be mixed.',
  },
  N0211: {
    severity: 'error',
    message: '`{sign}` does not work with {left} and {right}',
    help: '{help}',
  },
  N0212: {
    severity: 'error',
    message: '{type} has no order, so `{sign}` cannot compare it',
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
    help: 'Write it like this: {written}.',
  },
  N0216: {
    severity: 'error',
    message: '`{name}` takes {takes} here, not {found}',
    help: 'Write it like this: {written}.',
  },
  N0217: {
    severity: 'error',
    message: 'this path takes {count} steps from record to record; at most {most} are allowed',
    help: 'Add a computed field to a record along the way, and read that.',
  },
  N0218: {
    severity: 'error',
    declaredIn: 3,
    message: '`{name}` is {found}, so nothing can be read from it',
    help: 'Only a reference to a record can be followed with a dot.',
  },
  N0219: {
    severity: 'error',
    message: '`{name}` is a list; say which single value you need',
    help: 'Write `count({name})`, `any({name} where …)` or similar. What is reckoned for each row is a computed field of the rows, which can be summed: `amount = price * quantity`, `sum(lines.amount)`.',
  },
  N0220: {
    severity: 'error',
    message: '`{name}` is not available here{why}',
  },
  N0221: {
    severity: 'error',
    message: 'a moment has a time zone, in which {unit} have no fixed length',
    help: 'Add seconds, minutes or hours to a moment; days, weeks, months and years to a date.',
  },
  N0222: {
    severity: 'error',
    message: '{left} and {right} are different currencies or none',
    help: 'Only amounts of one currency can be added or compared; a literal number takes the currency of the other side.',
  },
  N0223: {
    severity: 'error',
    message: 'months and days cannot be compared: a month has no fixed number of days',
    help: 'Compare dates (`due_back <= out_on + 1 month`), or count days as a whole number.',
  },
  N0224: {
    severity: 'error',
    message: 'the list after `in` has a value that may be empty, so `in` could never be certain',
    help: 'Remove it, and add `or {name} is …`.',
  },
  N0225: {
    severity: 'error',
    message: 'the field `{name}` is computed from itself',
    help: 'A computed field can read only other fields, also through other computed fields.',
  },
  N0226: {
    severity: 'error',
    message: '`{name}` is computed from other records, whose earlier values are not stored',
    help: 'After `old.`, use a field that is stored in the record.',
  },
  N0227: {
    severity: 'error',
    message:
      'together with the computed fields that it reads, this expression has {count} parts; at most {most} are allowed',
    help: 'Read fewer computed fields in it, or simpler ones.',
  },
  N0228: {
    severity: 'error',
    message: '{type} is too large a duration',
    help: 'A duration is at most 4,000 years; days, weeks, months and years must be whole numbers.',
  },
  N0229: {
    severity: 'error',
    message: '`{name}` has no single reference to its own kind, so there is no tree',
    help: '`within` needs exactly one field of `{name}` that refers to the `{name}` above it; with several, one called `parent`.',
  },
  N0230: {
    severity: 'error',
    message: '`where` works only with a list or the records of an entity',
    help: 'Write `count(lines where damaged)` or `any(Loan where borrower = this.borrower)`.',
  },
  N0231: {
    severity: 'error',
    looksAt: [9],
    message: '`{name}` needs working hours, and the document has none',
    help: 'Write `### Working time` under heading 9, with `- **Days:** Monday to Friday` and `- **Hours:** 09:00 to 17:00`.',
  },
  N0233: {
    severity: 'error',
    message: '{wrong}',
    help: 'Write `first(Reading where meter = this order by taken_at down).value`: which records, in which order, and what of the first one; or `list(Reading.text order by taken_at)`.',
  },
  N0232: {
    severity: 'error',
    message: '`{name}` is a secret, and secrets cannot be read',
    help: 'Only its hash is stored, so no condition, calculation or text can depend on it. Remove it here.',
  },
  N0234: {
    severity: 'error',
    message: '`{written}` is {shown} % here; a percentage is written with its sign',
    help: '`19%` is 0.19. A number without the sign is the fraction: 0 is 0 %, 0.5 is 50 %, 1 is 100 %.',
  },
  N0235: {
    severity: 'error',
    message: 'this is {found}; {expected} is needed here',
    help: 'Nothing is rounded silently: write `{begin}…{end}`.',
  },
  N0240: {
    severity: 'error',
    message: 'this report asks for nothing named `{name}`{meant}',
    help: 'What a report asks its reader is declared below its heading: `- **Asks:** from: date`.',
  },
  N0241: {
    severity: 'error',
    message: '`{name}` is written in TypeScript and cannot be used here, where the database decides',
    help: 'Functions work in `Must hold`, in defaults, in the values of `set` and `create`, in the When of steps, approvals, `On` and timers, and in what a call sends. To use one here, store its value in a field, `= {name}(…)`, and read that field.',
  },
  N0242: {
    severity: 'error',
    message: '`{name}` is written in TypeScript, but the rest of this expression needs all records of an entity',
    help: 'Only the database can look at all of them. Split the expression into two rules, or store the value in a field first; in the When of a step or approval, join the two parts with `and`.',
  },
  N0251: {
    severity: 'error',
    message: '{name} may be empty, and this does not say what happens then',
    help: 'While the value is empty, this is neither true nor false but unknown. Say which you mean.',
  },
  N0252: {
    severity: 'error',
    message: '`{name}` has no closed days of one record: the document does not say whose they are',
    help: 'Leave the last value out, or write `- **Closed on:** Closing day.day of site` under `### Working time`, with a field `site` of Closing day.',
  },
  N0253: {
    severity: 'error',
    message:
      '`{whose}` cannot be looked at here: `{name}` takes a field of the record itself, or one that a reference of it leads to',
    help: 'Make it a computed field of the record that has the site (`open_days`: `= working_days(from, to, site)`), and read that field here.',
  },
  N0255: {
    severity: 'error',
    looksAt: [4],
    message: 'nobody decides `{name}` of {entity}: it is no step with approvals, and no approval',
    help: 'Decisions are of {known}.',
  },
  N0256: {
    severity: 'error',
    looksAt: [4],
    message: '`{name}` cannot stand here: {why}',
    help: 'Decisions are read of the record itself, within `count(…)`, `any(…)`, `none(…)`, `all(…)`, `first(…)`, `list(…)`, `min(…)` or `max(…)`: `any(decisions of approve where by = me)`. Elsewhere give what is meant a name as a computed field of the record, and read that.',
  },
  N0257: {
    severity: 'error',
    message: '{wrong}',
    help: 'Write `sum(lines.net by lines.rate)`: the figures, several of them with commas between, and behind `by` what the rows are grouped by; `where` stands before it. It gives a text with a line for each group.',
  },
  N0258: {
    severity: 'error',
    message: '`{name}` may be in several currencies: each record says its own',
    help: 'Convert them first, in a field of their own, and take that: `in_eur`, `money EUR`, `= convert(amount, EUR, bought_on)`. Rows in the currency of their record (`money in order.currency`) need none.',
  },
  N0259: {
    severity: 'error',
    message: 'nothing can be converted here: {why}',
    help: 'An entity says the rates, below its heading: `- **Exchange rates:** 1 EUR = rate currency since valid_from`. A field with `= convert(amount, EUR, bought_on)` has the amount; elsewhere read that field. `frozen on submit` keeps what it was.',
  },
} as const satisfies CodeTable

/** All codes of expressions. */
export const expressionCodes = { ...syntaxCodes, ...meaningCodes } as const
