/** The form of a POST: only from where it may come (CSRF), and with the files that its fields take. */
import { raise } from '../../run/problems/raise.ts'
import { formFields } from '../bounds.ts'
import { parseForm } from '../form-body.ts'
import type { Sent } from '../given-back.tsx'
import { problemPage, refusalPage } from '../pages.tsx'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { isAutomatic } from '../routes/drafts.ts'
import { say } from '../sentences.ts'
import { isOwnForm, originOf } from '../sign-in/csrf.ts'
import { type Unread, withFiles } from '../uploads.ts'

/** What came: the request with its form as texts. */
export interface Received {
  readonly context: RequestContext
  readonly sent: Sent
  /** False: its token is of a session that has ended, so that nothing is done. */
  readonly isCurrent: boolean
}

/** A response: it is not taken. */
export async function receiveForm(arrived: RequestContext): Promise<Received | HttpResponse> {
  const { web, site, embedded } = arrived
  const origin = originOf(arrived.headers, web.origin)
  // In a frame there is no cookie that a token could be held against: where it comes from has to be known.
  if (origin === 'foreign' || (embedded && origin !== 'own'))
    return problemPage(arrived, { status: 403, why: say(site, 'wrongOrigin') })
  const whole = await withFiles(arrived)
  if ('status' in whole) return unread(arrived, whole)
  const context = whole.value
  const form = parseForm(context.headers['content-type'], context.body)
  if ('status' in form)
    return problemPage(context, { status: form.status, why: say(site, form.why, { count: formFields }) })
  const fits = isOwnForm(context, form.value)
  if (!fits && (embedded || isSignedIn(context)))
    return problemPage(context, { status: 403, why: say(site, 'formTooOld') })
  if (!fits && isAutomatic(context, form.value)) return json({}, 401)
  return { context, sent: { form: form.value, lost: context.table === null ? [] : ['file'] }, isCurrent: fits }
}

/** The connection ends with it: there may be more to come than anybody wants to read. */
async function unread(context: RequestContext, { status, why }: Unread): Promise<HttpResponse> {
  const { site } = context
  const page = await (why === 'tooLarge'
    ? refusalPage(context, raise(site.app, 'NF-BODY', {}))
    : problemPage(context, {
        status,
        why: say(site, why === 'brokenForm' ? 'notAForm' : why, { count: formFields }),
      }))
  return { ...page, headers: { ...page.headers, connection: 'close' } }
}
