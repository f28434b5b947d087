/** Whom one names to decide for oneself, from one day to another: a sheet of the account page. */
import { parseDate } from '../../kinds/fields/dates.ts'
import { deputiesOf, endDeputy, hasDeputies, nameDeputy, type StandIn } from '../../run/approvals/deputies.ts'
import { otherPeople, personMeant, type Somebody } from '../../run/people/find.ts'
import { raiseInvalidValue } from '../../run/problems/raise.ts'
import { atOnce } from '../../store/at-once.ts'
import { PostButton } from '../../ui/buttons.tsx'
import { TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { Sheet } from '../../ui/page.tsx'
import { csrfInput, flashCookie, notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { say } from '../sentences.ts'
import { type Refusal, refusalFor } from '../sign-in/confirm.ts'
import { postedForm } from './sign-in.tsx'
import { SomebodyField } from './somebody.tsx'

const deputiesPath = '/-/account/deputies'
const ends = ['from', 'until'] as const
const labels = { from: 'deputyFrom', until: 'deputyUntil' } as const

const refusals = {
  nobody: { control: 'deputy', text: 'deputyNobody' },
  days: { control: 'until', text: 'deputyWrongDays' },
  twice: { control: 'deputy', text: 'deputyTwice' },
} as const

export interface Deputies {
  readonly own: readonly StandIn[]
  readonly people: readonly Somebody[]
}

/** Null: no step of the document waits for people whose deputies may decide. */
export async function readDeputies({ site, runtime, request }: RequestContext): Promise<Deputies | null> {
  if (!hasDeputies(site.app)) return null
  const store = atOnce(runtime.store)
  const [own, people] = await Promise.all([
    deputiesOf({ ...runtime, store }, request),
    otherPeople(store, site.app, request),
  ])
  return { own, people }
}

interface Props {
  readonly context: RequestContext
  readonly deputies: Deputies
  readonly refusal: Refusal | null
}

export function DeputySheet({ context, deputies, refusal }: Props) {
  const { site, request } = context
  const errorAt = (control: string) => (refusal?.control === control ? refusal.text : null)
  // What was refused is still there.
  const sent = refusal !== null && context.path === deputiesPath ? postedForm(context) : null
  const { format } = site.reader
  const hidden = [csrfInput(context)]
  return (
    <Sheet title={say(site, 'deputies')}>
      <p className="muted">{say(site, 'deputiesHint')}</p>
      {deputies.own.length > 0 && (
        <ul className="sessions">
          {deputies.own.map(({ id, name, from, until }) => (
            <li key={id}>
              <span>{say(site, 'deputyDays', { name, from: format.date(from), until: format.date(until) })}</span>
              <PostButton action={deputiesPath} hidden={hidden} name="end" value={id} small object={name}>
                {say(site, 'endDeputy')}
              </PostButton>
            </li>
          ))}
        </ul>
      )}
      <form method="post" action={deputiesPath} className="stack">
        <input type="hidden" name="_csrf" value={csrfInput(context).value} />
        <SomebodyField
          site={site}
          name="deputy"
          label={say(site, 'deputy')}
          value={sent?.get('deputy') ?? ''}
          error={errorAt('deputy')}
          people={deputies.people}
        />
        {ends.map(name => (
          <Field key={name} id={name} label={say(site, labels[name])} error={errorAt(name)} width="small">
            {aid => <TextControl aid={aid} name={name} type="date" value={sent?.get(name) ?? request.today} />}
          </Field>
        ))}
        <div>
          <button type="submit" className="btn">
            {say(site, 'nameDeputy')}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** Names somebody, or takes that back. `refuse` shows the account page with what is wrong. */
export async function changeDeputies(
  context: RequestContext,
  refuse: (context: RequestContext, refusal: Refusal) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { site, web, runtime, request } = context
  if (request.actor.id === null || !hasDeputies(site.app)) return notFound(context)
  const form = postedForm(context)
  const end = form.get('end')
  if (end !== null) {
    const denied = await endDeputy(runtime, request, end)
    if (denied === 'nobody') return notFound(context)
    if (denied !== null) return refuse(context, refusalFor(denied))
    web.options.wake?.()
    return seeOther('/-/account', [flashCookie(web, say(site, 'deputyEnded'))])
  }
  const typed = form.get('deputy') ?? ''
  const somebody = await personMeant(runtime.store, site.app, request, typed)
  if (somebody === null && typed !== '')
    return refuse(context, { control: 'deputy', text: say(site, 'personDataNone'), status: 422 })
  const days: Partial<Record<(typeof ends)[number], string | null>> = {}
  for (const name of ends) {
    const read = parseDate(form.get(name) ?? '', request.locale)
    if ('invalid' in read) {
      const label = say(site, labels[name])
      return refuse(context, {
        control: name,
        text: raiseInvalidValue(site.app, read.invalid, label, { field: null, because: null }).message,
        status: 422,
      })
    }
    days[name] = read.value as string | null
  }
  const { from = null, until = null } = days
  const wrong = await nameDeputy(runtime, request, { deputy: somebody?.id ?? '', from, until })
  if (typeof wrong === 'object' && wrong !== null) return refuse(context, refusalFor(wrong))
  if (wrong !== null) {
    const { control, text } = refusals[wrong]
    return refuse(context, { control, text: say(site, text), status: 422 })
  }
  web.options.wake?.()
  return seeOther('/-/account', [flashCookie(web, say(site, 'deputyNamed', { name: somebody?.name ?? '' }))])
}
