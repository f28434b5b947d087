/** Why an entered text is refused by its field's type, as data. */
import type { Holes } from '../../expression/holes.ts'
import type { InvalidValue } from './field-kind.ts'
import type { RefusalCode, refusals } from './refusals.ts'

/** What a code's message needs besides the label. */
type Detail<Code extends RefusalCode> = Readonly<
  Record<Exclude<Holes<(typeof refusals)[Code]['en']['message']>, 'label'>, string | number>
>

/** A refusal with the detail that its message needs; a forgotten one does not compile. */
export function invalidValue<Code extends RefusalCode>(
  code: Code,
  detail: Detail<Code>,
): { readonly invalid: InvalidValue } {
  return { invalid: { code, detail } }
}
