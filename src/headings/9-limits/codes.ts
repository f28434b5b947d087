/** Heading 9: N19xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const limitCodes = {
  N1901: {
    severity: 'error',
    message: '`{name}` cannot be the name of a constant',
    help: 'Write lower-case words joined by `_`: `max_loan_days`.',
  },
  N1902: { severity: 'error', message: 'the constant `{name}` is declared twice', help: 'Keep one of the two rows.' },
  N1903: {
    severity: 'error',
    message: '`{value}` is not a value of a constant: {why}',
    help: 'Write a number, an amount with its currency as unit, a date, a time, a length of time, yes or no, or a text in quotes.',
  },
  N1904: { severity: 'error', message: '`{range}` is not a range: {why}', help: 'Write it like `1 to 60`.' },
  N1905: {
    severity: 'error',
    message: '`{value}` is outside its range, {range}',
    help: 'Change the value or the range.',
  },
  N1906: {
    severity: 'warning',
    message: 'nothing reads the constant {name}',
    help: 'Write `limits.{name}` where you need it, or remove the row.',
  },
  N1907: {
    severity: 'error',
    message: '`{day}` is not a day of the week{meant}',
    help: 'Write `Monday to Friday`, `Monday, Thursday`, or `every day`.',
  },
  N1908: {
    severity: 'error',
    message: '`{hours}` are not working hours: {why}',
    help: 'Write them like `09:00 to 17:00`, or by day: `Monday to Thursday 08:00 to 17:00, Friday 08:00 to 14:00`.',
  },
  N1909: {
    severity: 'error',
    message: '`{field}` does not say on which days nobody works: {why}',
    help: 'Write an entity and a date that its records have: `Closing day.day`; where they belong to one site each, `Closing day.day of site`.',
  },
  N1910: { severity: 'error', message: 'the working time is declared in two places', help: 'Keep one of the two.' },
  N1911: {
    severity: 'error',
    message: '{name} is a built-in limit, which counts {unit} {bounds}',
    help: 'Write a whole number {bounds}, with {unit} as its unit, or give the constant another name.',
  },
  N1912: {
    severity: 'error',
    message: '`{name}` cannot change like this: {why}',
    help: 'Write a row without a day for the first value, and below it a row with the same name, the new value, and the day in Since.',
  },
  N1940: {
    severity: 'error',
    message: '{entity} belongs to tenants, but closed days apply to the whole application',
    help: 'Write `- **Tenant:** none` under the entity; or name the field of the tenant, so that each has its own: `of <field>`.',
  },
} as const satisfies CodeTable
