/** What people call their own things: keys, passkeys. */
import { composed } from '../../kinds/fields/texts.ts'
import { keyNameLetters } from '../bounds.ts'

/** Null: it is empty, too long, or has letters that nobody could type. */
export function givenName(form: URLSearchParams): string | null {
  const name = composed(form.get('name') ?? '').trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  const isOdd = /[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(name)
  return name === '' || [...name].length > keyNameLetters || isOdd ? null : name
}
