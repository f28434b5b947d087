/** Whether an assistant may come in: asked of whoever is signed in, answered with a key that nobody is shown, or not at all. */
import { HiddenInputs, Submit } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/form.tsx'
import { Note, PageHead } from '../../ui/page.tsx'
import type { AskedFor } from '../assistants/oauth.ts'
import { isClosed } from '../assistants/route.ts'
import { keyNameLetters } from '../bounds.ts'
import { formsLeadTo } from '../headers.ts'
import { csrfInput, notFound, pageOf, problemPage } from '../pages.tsx'
import { consentPath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Account, accountById } from '../sign-in/accounts.ts'
import { connectAssistant, keysOf } from '../sign-in/api-keys.ts'
import type { Refusal } from '../sign-in/confirm.ts'
import { CurrentPassword } from './current-password.tsx'
import { atControl, KeyFields, makeOwn } from './keys.tsx'
import { postedForm } from './sign-in.tsx'

interface Asking {
  readonly asked: AskedFor
  readonly account: Account
  /** Roles of theirs that assistants may act in. */
  readonly roles: readonly string[]
}

/** Who asks whom, and for what; or what to say where nobody does. */
async function asking(context: RequestContext): Promise<Asking | HttpResponse> {
  const { runtime, request, site } = context
  const account = request.actor.id === null ? null : await accountById(runtime.store, request.actor.id)
  if (account === null || isClosed(context)) return notFound(context)
  const asked = await (await import('../assistants/oauth.ts')).askedFor(context)
  if (asked === null) return problemPage(context, { status: 404, why: say(site, 'letInGone') })
  if (asked.answered !== null) return seeOther(asked.answered)
  const allowed = site.app.assistants?.roles
  return { asked, account, roles: request.actor.roles.filter(role => allowed?.includes(role) !== false) }
}

export async function letInPage(context: RequestContext): Promise<HttpResponse> {
  const found = await asking(context)
  return 'status' in found ? found : render(context, found, [])
}

export async function letIn(context: RequestContext): Promise<HttpResponse> {
  const found = await asking(context)
  if ('status' in found) return found
  const { asked, account, roles } = found
  const form = postedForm(context)
  if (form.get('answer') !== 'yes') return seeOther(await asked.answer(null))
  const made = await makeOwn(context, account, form, { what: 'assistant', roles }, connectAssistant)
  return 'refusals' in made ? render(context, found, made.refusals, form) : seeOther(await asked.answer(made.connected))
}

async function render(
  context: RequestContext,
  { asked, account, roles }: Asking,
  refusals: readonly Refusal[],
  typed?: URLSearchParams,
): Promise<HttpResponse> {
  const { site, runtime } = context
  const name = [...asked.name].slice(0, keyNameLetters - 3).join('')
  const taken = new Set((await keysOf(runtime.store, account.person)).map(key => key.name))
  const proposed = new URLSearchParams({
    name: freeName(name, taken),
    ...(roles.length === 1 && { role: roles[0]! }),
  })
  const title = say(site, 'letIn', { name })
  const page = await pageOf(context, {
    title: [title],
    faults: refusals,
    content: (
      <>
        <ErrorSummary faults={refusals.filter(({ control }) => control === null)} />
        <PageHead title={title} />
        <div className="sheet">
          <form method="post" action={consentPath} className="body stack" noValidate>
            <HiddenInputs inputs={[csrfInput(context)]} />
            <p>{say(site, 'letInText', { name, app: site.app.name, keys: say(site, 'keys') })}</p>
            <Note icon="info">{say(site, 'letInWhere', { where: asked.leadsTo })}</Note>
            {roles.length === 0 ? (
              <p>{say(site, 'letInNobody')}</p>
            ) : (
              <>
                <KeyFields context={context} roles={roles} refusals={refusals} typed={typed ?? proposed} />
                <CurrentPassword context={context} account={account} refusal={atControl(refusals, 'current')} />
              </>
            )}
            <div className="acts">
              {roles.length > 0 && (
                <Submit tone="primary" name="answer" value="yes">
                  {say(site, 'letInYes')}
                </Submit>
              )}
              <Submit name="answer" value="no" unchecked>
                {say(site, 'letInNo')}
              </Submit>
            </div>
          </form>
        </div>
      </>
    ),
  })
  return { ...page, headers: { ...page.headers, 'content-security-policy': formsLeadTo(asked.leadsTo) } }
}

/** `Claude`, and where that is taken `Claude 2`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}
