/** The small form of a record that is made in a dialog over the form that needs it. */

import { matches } from '../../headings/3-entities/matching.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import type { Problem } from '../../run/outcome.ts'
import { type FormData, readForm } from '../../run/read/form.ts'
import { read } from '../../run/read/read.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { create } from '../../run/write/writes.ts'
import { parseForm } from '../form-body.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { building, titleOf } from '../screens/common.ts'
import { creatable, quickFields } from '../screens/create.ts'
import { formView } from '../screens/form.ts'
import { type Typed, typedFrom, typedOf } from '../screens/typed.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { confirming, confirmSubmit } from '../warnings.ts'
import { idempotentForm, inputOf } from '../write.ts'
import { choicesOf, standingIn } from './choices.ts'
import { shownBoxes } from './form-page.tsx'

/** `/customers/new?quick=1`: the small form as data; sent, the new record as an option, or the form with what is wrong. */
export async function quickForm(context: RequestContext, place: EntityRoutes): Promise<HttpResponse> {
  const { runtime, request, site, method, query } = context
  const entity = place.entity.key
  const form = await readForm(runtime, request, entity, null)
  const keys = quickFields(site.app, entity)
  if (form === null || keys === null || creatable(context, entity) === null) return json({}, 404)
  const small = { ...form, fields: form.fields.filter(({ key }) => keys.includes(key)) }
  if (method !== 'POST') return json({ view: await quickView(context, place, small, begun(context, place, small), []) })
  const body = parseForm(context.headers['content-type'], context.body)
  const sent = 'value' in body ? body.value : new URLSearchParams()
  const known = knownTo(context)
  const decoded = decodeForm(known.entity(place.entity), known, sent, site.reader.locale, {
    shown: shownBoxes(site.app, entity, small.fields),
    zone: request.zone,
  })
  const outcome = await create(
    accompanied(runtime, idempotentForm(context, sent, entity)),
    confirming(request, sent),
    entity,
    inputOf(context, decoded),
  )
  if (outcome.kind === 'refused') {
    const view = await quickView(context, place, small, typedOf(sent, place.entity, site), outcome.problems, sent)
    return json({ view }, 422)
  }
  if (outcome.kind !== 'done') return json({}, 404)
  const by = { field: 'id', value: outcome.id } as const
  const data = await read(runtime, request, { kind: 'one', entity, by, history: 0 })
  const label = data === null ? (query.get('text') ?? place.entity.name) : titleOf(site, entity, data.row)
  return json({ option: { value: outcome.id, label } })
}

/** What was looked for is what it is called; a name is no code with a pattern of its own. */
function begun(context: RequestContext, { entity }: EntityRoutes, form: FormData): Typed {
  const { texts, lists } = typedFrom(building(context), entity.key, form)
  const text = context.query.get('text') ?? ''
  const named = entity.title.find(
    key =>
      key in texts &&
      entity.fields.some(
        ({ key: own, kind, pattern }) =>
          own === key && kind === 'text' && (pattern === null || matches(pattern.source, text)),
      ),
  )
  return { lists, texts: named === undefined || text === '' ? texts : { ...texts, [named]: text.slice(0, 500) } }
}

async function quickView(
  context: RequestContext,
  { entity }: EntityRoutes,
  form: FormData,
  typed: Typed,
  problems: readonly Problem[],
  sent: URLSearchParams | null = null,
): Promise<unknown> {
  const build = building(readingAtOnce(context))
  const [choices, { titles: chosen }] = await Promise.all([
    choicesOf(build.context, entity.key, form, typed),
    standingIn(build, entity.key, form, typed),
  ])
  const view = formView(build, {
    entity: entity.key,
    form,
    typed,
    problems,
    choices,
    searches: new Map(),
    chosen,
    confirm: confirmSubmit(say(build.site, 'saveAnyway'), problems, sent),
  })
  const { hidden, errors, confirm, parts, submit } = view
  // Lines of the document are for the pages that show them.
  return JSON.parse(
    JSON.stringify(
      { hidden, errors, confirm, submit, fields: parts.flatMap(part => (part.kind === 'field' ? [part.field] : [])) },
      (key, value) => (key === 'mark' ? null : value),
    ),
  )
}
