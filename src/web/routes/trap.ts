/**
 * The box of forms for everyone that nobody sees (a honeypot): programs that fill in everything fill it in, too. So, now and then, does the
 * browser of somebody honest, and so it condemns nobody: the form comes back with all that was typed, says so, and has no such box. Who
 * sends it again is taken; the programs in question do not.
 */
import type { Only } from '../../headings/2-screens/public-forms.ts'
import type { FormView } from '../../kinds/screens/form/view-model.ts'
import { isSealed } from '../../run/names.ts'
import { dropHeld, holdForm } from '../../run/write/held-forms.ts'
import { formsPerAddress } from '../rate-limit/allowances.ts'
import { attempt } from '../rate-limit/backoff.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import { hashOf, isToken, newToken } from '../sign-in/session.ts'
import { fieldInfo, type Site } from '../site.ts'

/** A name that means nothing to what fills in names and addresses. */
const trapName = '_blank'

/** In the form that comes back: what of it was kept. */
export const heldName = '_held'

export const trapFor = (site: Site): FormView['trap'] => ({ name: trapName, label: say(site, 'formTrap') })

export const isSprung = (form: URLSearchParams): boolean => (form.get(trapName) ?? '') !== ''

/**
 * What somebody reads whose form was caught; null: it was not. The log counts it, and what was written is kept for whoever looks after such
 * records (`held.tsx`), unless too much comes from here. Nobody keeps what only a hash is kept of.
 */
export async function caught(
  context: RequestContext,
  form: URLSearchParams,
  of: { readonly entity: string; readonly only: Only } | null,
) {
  const { web, runtime, request, site, path, network } = context
  if (!isSprung(form)) return null
  const known = form.get(heldName)
  const token = isToken(known ?? undefined) ? known! : newToken(web.options.random)
  web.options.log({ level: 'warn', event: 'form held back', request: request.id, detail: { path } })
  if (of !== null) {
    const { entity, only } = of
    const wait = await attempt(runtime.store, formsPerAddress(request), network, request.now)
    if (wait > 0)
      return { sent: form, note: say(site, 'formWait', { wait: site.reader.format.wait(wait) }), status: 429 }
    const isKept = ([name]: readonly [string, string]) => {
      const [first = '', , ...inner] = name.split('.')
      const isSecret = (of: string, [key = '', , ...rest]: readonly string[]): boolean => {
        const type = fieldInfo(site.app, of, key)?.type
        return rest.length > 0 && type?.kind === 'list' ? isSecret(type.entity, rest) : isSealed(site.app, of, key)
      }
      return only.has(first) && !isSecret(entity, [first, '', ...inner])
    }
    const held = {
      entity,
      key: hashOf(token),
      path,
      form: new URLSearchParams([...form].filter(isKept)),
      sender: request.actor.id ?? request.senders![0]!,
      language: site.app.language,
    }
    await holdForm(runtime.store, held, request)
  }
  const sent = new URLSearchParams([...form, [heldName, token]])
  return { sent, note: say(site, 'formCaught'), status: 422 }
}

/** It has arrived after all: whoever was caught has sent once more what came back to them. */
export async function letGo({ runtime }: RequestContext, form: URLSearchParams): Promise<void> {
  const token = form.get(heldName)
  if (isToken(token ?? undefined)) await dropHeld(runtime.store, { key: hashOf(token!) })
}
