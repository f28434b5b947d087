/** What whoever sent a form for everyone is told: that it has arrived, or that a link was mailed to them. */

import type { Screen } from '../../headings/2-screens/model.ts'
import { linkRoles } from '../../headings/6-permissions/links.ts'
import { specified } from '../../headings/specified.ts'
import { formPart } from '../../kinds/screens/form/screen.ts'
import { policyFor } from '../../run/access/policy.ts'
import { visitorTo } from '../../run/people/people.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { hereHref, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { screenMark } from '../screens/common.ts'
import { say } from '../sentences.ts'
import { stateView } from '../site.ts'
import type { NewCase } from './case.tsx'
import type { FormPage } from './form-page.tsx'
import { confirmHours } from './unconfirmed.ts'

export const sentName = 'sent'

/** `confirm`: it has arrived when the link in the mail was followed. */
export const toConfirmation = (context: RequestContext, how: '1' | 'confirm' = '1'): HttpResponse =>
  seeOther(hereHref(context, `${sentName}=${how}`))

/** What leads to the record is shown on this page alone, which no address brings back. */
export const arrivedAs = (
  context: RequestContext,
  { screen }: FormPage,
  made: NewCase | null,
): HttpResponse | Promise<HttpResponse> =>
  made === null || screen === null ? toConfirmation(context) : confirmation(context, screen, made)

/** The states in which it may come, but for bad ends, for whoever sees them by the link. */
function wayOf({ site }: RequestContext, { shows }: Screen): readonly string[] {
  const entity = specified(shows)?.entity ?? ''
  const workflow = site.app.workflows.get(entity)
  if (workflow === undefined) return []
  const policy = policyFor(site.app, { ...visitorTo(site.app), roles: linkRoles(site.app, entity) })
  if (policy.field(entity, 'state', 't') === false) return []
  return workflow.states
    .filter(({ name }) => stateView(site, entity, name).ring.family !== 'bad')
    .toSorted((a, b) => Number(b.kind === 'start') - Number(a.kind === 'start'))
    .map(({ name }) => stateView(site, entity, name).label)
}

export function confirmation(
  context: RequestContext,
  screen: Screen,
  made: NewCase | null = null,
): Promise<HttpResponse> {
  const { site, query } = context
  const mark = screenMark(site, screen)
  const part = formPart(screen)
  const waits = query.get(sentName) === 'confirm' && part !== null && part.confirmTo !== null
  const title = waits ? say(site, 'confirmSent') : (part?.confirmationTitle?.text ?? say(site, 'formSent'))
  const text = waits ? say(site, 'confirmSentText', { hours: confirmHours(context) }) : (part?.confirmation?.text ?? '')
  const way = made === null ? [] : wayOf(context, screen)
  const again = <LinkButton href={hereHref(context)}>{say(site, 'formAgain')}</LinkButton>
  return pageOf(context, {
    title: [title],
    decidedBy: [mark],
    content: (
      <>
        <PageHead title={screen.name.text} />
        <div className="sheet">
          <EmptyState title={title} text={text} actions={made === null ? again : undefined} />
          {made !== null && (
            <div className="body stack">
              <p>{say(site, 'caseMade')}</p>
              <Field id="number" label={say(site, 'caseNumber')} width="medium">
                {aid => <TextControl aid={aid} name="number" value={made.name} readOnly />}
              </Field>
              <Field id="code" label={say(site, 'caseCode')} width="medium">
                {aid => <TextControl aid={aid} name="code" value={made.code} readOnly />}
              </Field>
              <p className="acts">
                <a
                  className="btn pri"
                  href={made.href}
                  target={context.embedded ? '_blank' : undefined}
                  rel="noreferrer"
                >
                  {say(site, 'caseLink', { name: made.name })}
                </a>
                {again}
              </p>
              {way.length > 1 && (
                <section>
                  <h2>{say(site, 'whatNext')}</h2>
                  <ol className="way">
                    {way.map((label, at) => (
                      <li key={label} aria-current={at === 0 ? 'step' : undefined}>
                        {label}
                      </li>
                    ))}
                  </ol>
                </section>
              )}
            </div>
          )}
        </div>
      </>
    ),
  })
}
