/** `/-/emergency?entity=patient&record=P-0001`: says which record, and why; then it is open for a while, and every reading is written down. */
import type { Entity } from '../../headings/3-entities/model.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { openInEmergency } from '../../run/access/emergency.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { reasonIn, reasonLimit } from '../../run/approvals/decide.ts'
import type { Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import { read } from '../../run/read/read.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { AreaControl, TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { Note, PageHead } from '../../ui/page.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { emergencyPath } from '../paths.ts'
import { isLookup, listOf } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { building, openHref } from '../screens/common.ts'
import { say } from '../sentences.ts'
import { statusOf } from '../write.ts'
import { postedForm } from './sign-in.tsx'

interface Typed {
  readonly record: string
  readonly reason: string
}

/** Null: there is none such, or none that this person may open in an emergency. */
function entityOf({ site, request }: RequestContext, key: string | null): Entity | null {
  const entity = site.app.entities.get(key ?? '')
  return entity?.partOf === null && opensIn(site.app, request.actor, entity.key) ? entity : null
}

export function emergencyPage(context: RequestContext): Promise<HttpResponse> {
  const { query } = context
  const entity = entityOf(context, query.get('entity'))
  return entity === null ? notFound(context) : form(context, entity, { record: query.get('record') ?? '', reason: '' })
}

function form(
  context: RequestContext,
  entity: Entity,
  typed: Typed,
  problems: readonly Problem[] = [],
): Promise<HttpResponse> {
  const { site, request } = context
  const place = site.routes.places.get(entity.key)
  const faults = problems.map(({ code, message, field }) => {
    const label = field === 'reason' ? say(site, 'reason') : entity.name
    return { control: field, text: code === 'NF-REQUIRED' ? raise(site.app, code, { label }).message : message }
  })
  const faultOf = (id: string) => faults.find(({ control }) => control === id)?.text ?? null
  return pageOf(context, {
    title: [say(site, 'emergencyTitle', { thing: entity.name })],
    status: problems.length === 0 ? 200 : statusOf(problems),
    faults,
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={say(site, 'emergencyTitle', { thing: entity.name })} />
        <form method="post" action={emergencyPath} className="stack" noValidate>
          <Note tone="wait" icon="alert">
            {say(site, 'emergencyText', { count: engineValue(request.limits, 'emergency_access') })}
          </Note>
          <input type="hidden" name="_csrf" value={csrfInput(context).value} />
          <input type="hidden" name="entity" value={entity.key} />
          <Field
            id="record"
            label={entity.name}
            hint={say(site, 'emergencyRecord')}
            error={faultOf('record')}
            width="medium"
          >
            {aid => <TextControl aid={aid} name="record" value={typed.record} />}
          </Field>
          <Field id="reason" label={say(site, 'reason')} hint={say(site, 'emergencyReason')} error={faultOf('reason')}>
            {aid => <AreaControl aid={aid} name="reason" value={typed.reason} maxLength={reasonLimit} />}
          </Field>
          <div className="acts">
            <button type="submit" className="btn pri">
              {say(site, 'emergencyOpen')}
            </button>
            <LinkButton href={place === undefined ? '/' : listOf(context, place)}>
              {site.reader.words('cancel')}
            </LinkButton>
          </div>
        </form>
      </ReaderProvider>
    ),
  })
}

export async function openRecord(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web } = context
  const posted = postedForm(context)
  const entity = entityOf(context, posted.get('entity'))
  if (entity === null) return notFound(context)
  const typed = { record: (posted.get('record') ?? '').trim(), reason: posted.get('reason') ?? '' }
  const record = isLookup(typed.record) ? typed.record : ''
  const opened = await openInEmergency(runtime, request, { entity: entity.key, record, reason: reasonIn(typed.reason) })
  if (opened.kind !== 'done')
    return form(context, entity, typed, opened.kind === 'refused' ? opened.problems : [opened.problem])
  const actor = opened.until === null ? request.actor : { ...request.actor, emergency: 'open' as const }
  const by = { field: 'id', value: opened.id }
  const data = await read(runtime, { ...request, actor }, { kind: 'one', entity: entity.key, by, history: 0 })
  const href = data === null ? null : openHref(building(context), entity.key, data.row)
  if (opened.until === null) return seeOther(href ?? '/')
  const until = site.reader.format.moment(opened.until)
  return seeOther(href ?? '/', [flashCookie(web, say(site, 'emergencyOpened', { until }))])
}
