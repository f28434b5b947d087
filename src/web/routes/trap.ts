/**
 * The box of forms for everyone that nobody sees (a honeypot): programs that fill in everything fill it in, too. So, now and then, does the
 * browser of somebody honest, and so it condemns nobody: the form comes back with all that was typed, says so, and has no such box. Who
 * sends it again is taken; the programs in question do not.
 */
import type { FormView } from '../../kinds/screens/form/view-model.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'

/** A name that means nothing to what fills in names and addresses. */
const trapName = '_blank'

export const trapFor = (site: Site): FormView['trap'] => ({ name: trapName, label: say(site, 'formTrap') })

export const isSprung = (form: URLSearchParams): boolean => (form.get(trapName) ?? '') !== ''

/** What somebody reads whose form was caught, which the log counts; null: it was not. */
export function caught({ web, request, site, path }: RequestContext, form: URLSearchParams) {
  if (!isSprung(form)) return null
  web.options.log({ level: 'warn', event: 'form held back', request: request.id, detail: { path } })
  return { note: say(site, 'formCaught'), status: 422 }
}
