/** What may follow a kind's name in a type cell. */
import type { FieldParameters, WrongType } from './field-kind.ts'

/** A whole number from 1 to `most`; nothing: `usual`. */
export function readLength(
  argument: string,
  usual: number,
  most: number,
  otherwise: string,
): FieldParameters | WrongType {
  if (argument === '') return { length: usual }
  const digits = /^\d[\d_,]*$/.test(argument) ? argument.replace(/[_,]/g, '') : ''
  if (digits === '')
    return {
      wrong: `\`${argument}\` is not a length; write a number of characters`,
      at: [0, argument.length],
      ...(/^\d+ /.test(argument) ? { suggestion: argument.replace(/ .*/, '') } : {}),
    }
  const length = Number(digits)
  if (length < 1 || length > most)
    return {
      wrong: `the length must be between 1 and ${most.toLocaleString('en')}; ${otherwise}`,
      at: [0, argument.length],
    }
  return { length }
}

/** For kinds that take nothing. `hint` says what may have been meant. */
export function noArgument(kind: string, argument: string, hint = ''): FieldParameters | WrongType {
  return argument === '' ? {} : { wrong: `nothing follows \`${kind}\`${hint}`, at: [0, argument.length] }
}
