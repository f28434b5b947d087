/** The link that confirms what was sent by a form for everyone. */
import { PostButton } from '../../ui/buttons.tsx'
import { csrfInput, pageOf } from '../pages.tsx'
import { confirmPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { onceInput } from '../screens/common.ts'
import { say } from '../sentences.ts'
import { pathDoneWith } from '../write.ts'
import { toConfirmation } from './confirmation.tsx'
import { provenName } from './form-page.tsx'
import { publicForm } from './forms.tsx'
import { postedForm } from './sign-in.tsx'
import { asSender, formAt, linkGone, waiting } from './unconfirmed.ts'

/** The link only asks: programs that look at mails follow links, and must not confirm anything. */
export async function confirmPage(arrived: RequestContext): Promise<HttpResponse> {
  const token = arrived.query.get('token')
  const found = await waiting(arrived, token)
  if (found === null) return linkGone(arrived)
  const context = asSender(arrived, found)
  const form = formAt(context, found.path)
  if (form === null) return linkGone(context)
  const { site } = context
  const hidden = [csrfInput(context), onceInput(context), { name: 'token', value: token! }]
  return pageOf(context, {
    title: [say(site, 'confirmAsk')],
    content: (
      <section className="sheet">
        <div className="body stack">
          <h1>{say(site, 'confirmAsk')}</h1>
          <p>{say(site, 'confirmText', { form: form.screen.name.text, app: site.app.name })}</p>
          <PostButton action={confirmPath} hidden={hidden} tone="primary">
            {say(site, 'confirmGo')}
          </PostButton>
        </div>
      </section>
    ),
  })
}

/** As if it were sent just now, by somebody whose address is known: what no longer fits is said in the form, with all that was typed. */
export async function confirmForm(arrived: RequestContext): Promise<HttpResponse> {
  const posted = postedForm(arrived)
  const token = posted.get('token')
  const found = await waiting(arrived, token)
  const form = found === null ? null : formAt(arrived, found.path)
  if (found === null || form === null) {
    // Sent twice, it happens once, and both are told so.
    const before = await pathDoneWith(arrived, posted.get('_once'))
    return before !== null && formAt(arrived, before) !== null
      ? toConfirmation({ ...arrived, path: before })
      : linkGone(arrived)
  }
  const body = new URLSearchParams(found.form)
  body.set(provenName, token!)
  body.set('_once', posted.get('_once') ?? '')
  const headers = { ...arrived.headers, 'content-type': 'application/x-www-form-urlencoded' }
  return publicForm(
    { ...arrived, path: found.path, query: new URLSearchParams(), headers, body: Buffer.from(body.toString()) },
    form.place,
    form.screen,
    found,
  )
}
