/**
 * All that field types refuse, by code. `headings/8-errors/built-in.ts` and `run/problems/german.ts` take it into theirs; a document may word a code
 * anew in its error catalogue. A kind that refuses something of its own has it in its folder, and a line here: without, its `invalid` does not compile.
 */
import { choiceRefusals } from './choice/refusals.ts'
import { durationRefusals } from './duration/refusals.ts'
import { eMailRefusals } from './e-mail/refusals.ts'
import { fileRefusals } from './file/refusals.ts'
import { linkRefusals } from './link/refusals.ts'
import { phoneRefusals } from './phone/refusals.ts'
import { referenceRefusals } from './reference/refusals.ts'
import { secretRefusals } from './secret/refusals.ts'
import { severalOfRefusals } from './several-of/refusals.ts'
import { dateRefusals, inputRefusals, numberRefusals, textRefusals } from './shared-refusals.ts'
import { yesNoRefusals } from './yes-no/refusals.ts'

export const refusals = {
  ...textRefusals,
  ...secretRefusals,
  ...numberRefusals,
  ...yesNoRefusals,
  ...dateRefusals,
  ...durationRefusals,
  ...choiceRefusals,
  ...severalOfRefusals,
  ...eMailRefusals,
  ...phoneRefusals,
  ...linkRefusals,
  ...referenceRefusals,
  ...inputRefusals,
  ...fileRefusals,
}

export type RefusalCode = keyof typeof refusals

type English = { readonly [Code in RefusalCode]: (typeof refusals)[Code]['en'] & { readonly status: number } }
type German = { readonly [Code in RefusalCode]: (typeof refusals)[Code]['de'] }

const codes = Object.entries(refusals)

export const englishRefusals = Object.fromEntries(
  codes.map(([code, { en, status }]) => [code, { ...en, status }]),
) as English

export const germanRefusals = Object.fromEntries(codes.map(([code, { de }]) => [code, de])) as German
