/** What built-in functions take. */
import type { Ast } from './ast.ts'
import type { Checked } from './checked.ts'
import { isAmount } from './fit.ts'
import type { Parameter } from './functions.ts'
import { isShown } from './written-value.ts'

/** What a parameter takes, for messages. */
export const parameterWords: Readonly<Record<Parameter, string>> = {
  text: 'a text',
  written: 'a text in quotes, of 100 characters at most,',
  number: 'a number or an amount of money',
  amount: 'an amount of money',
  currency: 'a currency, as `EUR`, or a choice of currencies',
  whole: 'a whole number',
  count: 'a number',
  date: 'a date',
  time: 'a time of day',
  moment: 'a date and time',
  day: 'a date, or a date and time',
  shown: 'a date, a time, a length of time, a number, an amount, yes/no or a choice',
  'places?': 'a written number of places, 0 to 10,',
  'whose?': 'a record that has closed days of its own',
}

/** Whether a value may be given for a parameter of a built-in function. */
export function fits(parameter: Parameter, ast: Ast, { type }: Checked): boolean {
  switch (parameter) {
    case 'text':
      return type.kind === 'text'
    case 'written':
      return ast.kind === 'text' && ast.value.length <= 100
    case 'number':
      return isAmount(type)
    case 'amount':
      return type.kind === 'money'
    case 'currency':
      return type.kind === 'choice'
    case 'whole':
      return type.kind === 'integer'
    case 'count':
      return type.kind === 'integer' || type.kind === 'decimal'
    case 'date':
    case 'time':
    case 'moment':
      return type.kind === parameter
    case 'shown':
      return isShown(type)
    case 'day':
      return type.kind === 'date' || type.kind === 'moment'
    case 'whose?':
      return true
    case 'places?':
      return ast.kind === 'number' && /^(?:\d|10)$/.test(ast.value)
  }
}
