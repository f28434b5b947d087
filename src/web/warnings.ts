/** Warnings: what does not hold, yet may be confirmed by whoever was shown it. */
import type { Problem } from '../run/outcome.ts'
import type { Request } from '../run/request.ts'
import type { FormSubmit } from '../ui/form.tsx'

const confirmName = '_confirm'

/** So many codes are looked at. */
const mostCodes = 100

/** The request with what a form, or a header of the API, confirms: codes, parted by blanks or commas. */
export function confirming(request: Request, given: URLSearchParams | string | undefined): Request {
  const text = typeof given === 'string' ? given : (given?.get(confirmName) ?? '')
  const codes = codesIn(text)
  return codes.length === 0 ? request : { ...request, confirmed: new Set(codes) }
}

/** The button that confirms all that was shown, and what had been confirmed before; null: something else is wrong, too. */
export function confirmSubmit(
  label: string,
  problems: readonly Problem[],
  sent: URLSearchParams | null,
): Required<FormSubmit> | null {
  const codes = confirmable(problems)
  if (codes === null) return null
  const value = [...new Set([...codesIn(sent?.get(confirmName) ?? ''), ...codes])].join(' ')
  return { label, name: confirmName, value }
}

/** Codes that would let it happen; null where there is nothing to confirm or something refuses. */
export function confirmable(problems: readonly Problem[]): readonly string[] | null {
  if (problems.length === 0 || problems.some(({ warning }) => warning !== true)) return null
  return [...new Set(problems.map(({ code }) => code))]
}

const codesIn = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .filter(code => code !== '')
    .slice(0, mostCodes)
