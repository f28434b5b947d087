/** `/-/share?entity=case&id=…`: with whom one record is shared, and with whom else. */
import { dateOf, dayNumber } from '../../expression/dates.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { sharedBy } from '../../headings/6-permissions/shares.ts'
import { wordFor } from '../../headings/translate.ts'
import { parseDate } from '../../kinds/fields/dates.ts'
import type { OneData } from '../../kinds/screens/read-data.ts'
import type { Problem } from '../../run/outcome.ts'
import { mostOffered } from '../../run/people/find.ts'
import { endShare, offeredTo, share } from '../../run/people/shares.ts'
import { raiseInvalidValue } from '../../run/problems/raise.ts'
import { read } from '../../run/read/read.ts'
import { rolesToShare } from '../../run/read/shares.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { SelectControl, TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { csrfInput, flashCookie, notFound, pageOf, refusalPage } from '../pages.tsx'
import { sharePath } from '../paths.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { titleOf } from '../screens/common.ts'
import { sharesView } from '../screens/shares.ts'
import { say } from '../sentences.ts'
import { statusOf } from '../write.ts'
import { postedForm } from './sign-in.tsx'
import { SomebodyField } from './somebody.tsx'

interface Shared {
  readonly entity: Entity
  readonly data: OneData
  /** In which whoever asks shares it. */
  readonly roles: readonly string[]
}

/** Null: it is not there, or not to be shared by whoever asks. */
async function sharedOf({ site, runtime, request }: RequestContext, form: URLSearchParams): Promise<Shared | null> {
  const entity = site.app.entities.get(form.get('entity') ?? '')
  const roles = entity === undefined ? [] : rolesToShare(site.app, request.actor, entity.key)
  if (entity === undefined || roles.length === 0) return null
  const by = { field: 'id', value: form.get('id') ?? '' }
  const data = await read(runtime, request, { kind: 'one', entity: entity.key, by, history: 0 })
  return data === null || data.row.archivedAt !== undefined ? null : { entity, data, roles }
}

export async function sharePage(context: RequestContext): Promise<HttpResponse> {
  const shared = await sharedOf(context, context.query)
  return shared === null ? notFound(context) : form(context, shared, null)
}

async function form(
  context: RequestContext,
  { entity, data, roles }: Shared,
  problem: Problem | null,
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const { app } = site
  const { id } = data.row
  const title = say(site, 'shareTitle', { thing: titleOf(site, entity.key, data.row) })
  const sent = problem === null ? null : postedForm(context)
  const people = await offeredTo(runtime.store, app, request, roles)
  const at = problem?.field === 'until' ? 'until' : 'with'
  const errorAt = (control: string) => (problem !== null && at === control ? problem.message : null)
  const hidden = [csrfInput(context), { name: 'entity', value: entity.key }, { name: 'id', value: id }]
  const days = roles.map(role => sharedBy(app, role)!.days)
  const most = days.includes(null) ? null : Math.max(...days.map(Number))
  const last = most === null ? null : dateOf(dayNumber(request.today)! + most)
  const untilHint =
    last === null ? say(site, 'shareOpen') : say(site, 'shareLast', { last: site.reader.format.date(last) })
  return pageOf(context, {
    title: [title],
    status: problem === null ? 200 : statusOf([problem]),
    faults: problem === null ? [] : [{ control: at, text: problem.message }],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={title} />
        <Sheet title={say(site, 'shareNow')}>
          {data.shares.length === 0 ? (
            <p className="muted">{say(site, 'shareNone')}</p>
          ) : (
            <ul className="sessions">
              {data.shares.map(one => (
                <li key={one.id}>
                  <span>{sharesView(site, request.actor.id, [one])}</span>
                  {roles.includes(one.role) && (
                    <PostButton
                      action={sharePath}
                      hidden={hidden}
                      name="end"
                      value={one.id}
                      small
                      object={one.name ?? ''}
                    >
                      {say(site, 'shareEnd')}
                    </PostButton>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Sheet>
        <form method="post" action={sharePath} className="stack" noValidate>
          {hidden.map(({ name, value }) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <SomebodyField
            site={site}
            name="with"
            label={say(site, 'shareWith')}
            value={sent?.get('with') ?? ''}
            error={errorAt('with')}
            people={people}
          />
          {roles.length > 1 && (
            <Field id="role" label={say(site, 'shareAs')} width="medium">
              {aid => (
                <SelectControl
                  aid={aid}
                  name="role"
                  value={sent?.get('role') ?? roles[0]!}
                  options={roles.map(role => ({ value: role, label: wordFor(app, role) }))}
                />
              )}
            </Field>
          )}
          <Field id="until" label={say(site, 'shareUntil')} hint={untilHint} error={errorAt('until')} width="small">
            {aid => <TextControl aid={aid} name="until" type="date" value={sent?.get('until') ?? ''} />}
          </Field>
          <div className="acts">
            <button type="submit" className="btn pri">
              {say(site, 'shareIt')}
            </button>
            <LinkButton href={recordOf(entity.key, id)}>{site.reader.words('cancel')}</LinkButton>
          </div>
        </form>
      </ReaderProvider>
    ),
  })
}

const recordOf = (entity: string, id: string): string => `/-/record?${new URLSearchParams({ entity, id })}`

/** Shares it, or ends a share. */
export async function changeShares(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const posted = postedForm(context)
  const shared = await sharedOf(context, posted)
  if (shared === null) return notFound(context)
  const [entity, record] = [shared.entity.key, shared.data.row.id]
  const end = posted.get('end')
  if (end !== null) {
    const ended = await endShare(runtime, request, { entity, record, id: end })
    if (ended.kind === 'done') return seeOther(recordOf(entity, record), [flashCookie(web, say(site, 'shareEnded'))])
    return ended.kind === 'refused' ? refusalPage(context, ended.problems[0]!) : notFound(context)
  }
  const day = (posted.get('until') ?? '').trim()
  const until = day === '' ? { value: null } : parseDate(day, request.locale)
  if ('invalid' in until) {
    const place = { field: 'until', because: null }
    return form(context, shared, raiseInvalidValue(site.app, until.invalid, say(site, 'shareUntil'), place))
  }
  const typed = posted.get('with') ?? ''
  const people = await offeredTo(runtime.store, site.app, request, shared.roles)
  const meant =
    people.length > mostOffered ? await offeredTo(runtime.store, site.app, request, shared.roles, typed) : []
  const to = meant.length === 1 ? meant[0]!.id : typed
  const role = posted.get('role') ?? shared.roles[0]!
  const sharing = { entity, record, role, to, until: until.value as string | null }
  const outcome = await share(runtime, request, sharing)
  if (outcome.kind === 'refused') return form(context, shared, outcome.problems[0]!)
  if (outcome.kind !== 'done') return notFound(context)
  return seeOther(recordOf(entity, record), [flashCookie(web, say(site, 'shareDone'))])
}
