/** A step or an edit for many records: those whose boxes are ticked, or all that the list's filters let through. First it is tried for each. */
import type { Wire } from '../../expression/type.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { ConfirmScreen } from '../../kinds/screens/confirm.tsx'
import type { RowsData } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import type { ConfirmView, FieldView, Hidden } from '../../kinds/screens/view-model.ts'
import { editable, editableAtOnce } from '../../run/access/editable.ts'
import { policyFor } from '../../run/access/policy.ts'
import { makeJob, type NewRow } from '../../run/many/jobs.ts'
import type { Problem } from '../../run/outcome.ts'
import { createVerdict, read } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import { pastedRows } from '../../ui/pasted.ts'
import { jobRecords } from '../bounds.ts'
import { listShown } from '../from-list.ts'
import { notFound, problemPage, viewPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { building, namingFields, titleOf } from '../screens/common.ts'
import { errorView, type Search } from '../screens/form.ts'
import { thingsOf } from '../screens/things.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { askedBy, branchesOf, capital } from '../site.ts'
import { inputOf, statusOf } from '../write.ts'
import { askedFields } from './asked-fields.ts'
import { searched } from './choices.ts'
import { workOn } from './jobs.tsx'
import { postedForm } from './sign-in.tsx'

/** Rows of a selection that one statement reads. */
const rowsPerRead = 500

export async function bulk(context: RequestContext): Promise<HttpResponse> {
  const { site, query, request } = context
  const place = site.routes.places.get(query.get('entity') ?? '')
  if (place === undefined || !site.app.entities.has(place.entity.key)) return notFound(context)
  const form = postedForm(context)
  const step = query.get('step')
  if (step === null) return bulkEdit(context, place, form)
  const policy = policyFor(site.app, request.actor)
  const isOffered = branchesOf(site.app, place.entity.key, step).some(branch => policy.offers(place.entity.key, branch))
  return isOffered ? bulkStep(context, place, form, step) : notFound(context)
}

/** What the step asks for is asked once, for all of them. */
function bulkStep(
  context: RequestContext,
  place: EntityRoutes,
  form: URLSearchParams,
  step: string,
): Promise<HttpResponse> {
  const { site } = context
  const asked = askedBy(site.app, place.entity.key, step, null)
  const name = capital(branchesOf(site.app, place.entity.key, step)[0]?.name ?? step)
  const title = `${name}: ${thingsOf(site, place.entity.key)}`
  return asked.length === 0
    ? started(context, place, form, { kind: 'step', step, values: {} })
    : filled(context, place, form, { title, asked, work: values => ({ kind: 'step', step, values }) })
}

/** First which field, then its value. */
async function bulkEdit(context: RequestContext, place: EntityRoutes, form: URLSearchParams): Promise<HttpResponse> {
  const { site, request } = context
  const fields = editableAtOnce(site.app, request.actor, place.entity.key)
  if (fields.length === 0) return notFound(context)
  if (form.has('_pasted')) return pasted(context, place, form)
  const title = say(site, 'editMany', { things: thingsOf(site, place.entity.key) })
  const field = form.get('_field')
  if (field !== null) {
    if (!fields.some(({ key }) => key === field)) return notFound(context)
    const asked = [{ field, required: fields.some(one => one.key === field && one.required?.when === null) }]
    return filled(context, place, form, { title, asked, work: values => ({ kind: 'edit', values }) })
  }
  const options = fields.map(({ key, label }) => ({ value: key, label }))
  const select: FieldView = {
    key: '_field',
    name: '_field',
    id: 'bulk-field',
    label: say(site, 'bulkField'),
    hint: null,
    required: true,
    value: '',
    errors: [],
    mark: null,
    control: { kind: 'select', options, empty: site.reader.words('choose') },
  }
  return asking(context, place, form, { title, fields: [select], next: say(site, 'bulkValue') })
}

/** A range of a spreadsheet over the cells of a list: each row is changed by values of its own. `field` empty: none that can be changed. */
async function pasted(context: RequestContext, { entity }: EntityRoutes, form: URLSearchParams): Promise<HttpResponse> {
  const { runtime, request, site } = context
  const known = new Set(editable(site.app, request.actor, entity.key).map(({ key }) => key))
  const need = chosen(entity.key, form.getAll('id'))
  const found = new Map((need === null ? [] : await selected(context, need)).map(row => [row.record, row]))
  if (found.size === 0) return nothingChosen(context)
  const ids = form.getAll('id')
  const lines = pastedRows(form.get('_pasted') ?? '').slice(0, rowsPerRead)
  const width = Math.max(...lines.map(cells => cells.length))
  const columns = form.getAll('column').slice(0, width)
  const mapping = form.getAll('field').map(key => (known.has(key) ? key : null))
  const what = { columns, mapping: mapping.slice(0, width), written: request.locale, back: safeNext(form.get('_list')) }
  const rows = lines.map((cells, at): NewRow => ({ ...found.get(ids[at] ?? ''), cells }))
  return workOn(
    context,
    await makeJob(runtime, request, { kind: 'edit', entity: entity.key, what, state: 'checking' }, rows),
  )
}

interface Work {
  readonly kind: 'step' | 'edit'
  readonly step?: string
  readonly values: Readonly<Record<string, Wire>>
}

interface Wanted {
  readonly title: string
  readonly asked: readonly { readonly field: string; readonly required: boolean }[]
  readonly work: (values: Work['values']) => Work
}

/** With everything that is asked for in the form it begins; until then it is asked. */
async function filled(
  context: RequestContext,
  place: EntityRoutes,
  form: URLSearchParams,
  wanted: Wanted,
): Promise<HttpResponse> {
  const { site, request } = context
  const entity = place.entity.key
  const keys = wanted.asked.map(({ field }) => field)
  const show = async (
    sent: URLSearchParams | null,
    problems: readonly Problem[],
    searches = new Map<string, Search>(),
  ) =>
    asking(context, place, form, {
      title: wanted.title,
      problems,
      fields: await fieldsOf(context, place, wanted, { sent, problems, searches }),
      next: say(site, 'bulkTry'),
    })
  if (!form.has('_asked')) return show(null, [])
  const picking = form.get('_pick')
  if (picking !== null) return show(form, [], new Map(await searched(context, place, form, picking, {})))
  const known = knownTo(context, { of: entity, fields: wanted.work({}).kind === 'step' ? keys : [] })
  const { values, invalidValues } = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: new Set(keys),
    zone: request.zone,
  })
  const { invalidValues: problems } = inputOf(context, { values, children: {}, invalidValues })
  if (problems.length > 0) return show(form, problems)
  const given = Object.fromEntries(keys.map(key => [key, values[key] ?? null]))
  return started(context, place, form, wanted.work(given))
}

interface Filled {
  readonly sent: URLSearchParams | null
  readonly problems: readonly Problem[]
  readonly searches: ReadonlyMap<string, Search>
}

/** The controls, empty at first. */
async function fieldsOf(
  context: RequestContext,
  place: EntityRoutes,
  { asked }: Wanted,
  filled: Filled,
): Promise<readonly FieldView[]> {
  const verdict = createVerdict(policyFor(context.site.app, context.request.actor), place.entity.key)
  const record = { id: null, version: null, values: {}, labels: {}, verdict }
  const keys = asked.map(({ field }) => field)
  const fields = await askedFields(building(context), place, keys, record, filled)
  return fields.map(one => ({ ...one, required: asked.some(({ field, required }) => field === one.key && required) }))
}

interface Asking {
  readonly title: string
  readonly fields: readonly FieldView[]
  readonly next: string
  readonly problems?: readonly Problem[]
}

/** The page that asks; the selection goes along with it. */
async function asking(
  context: RequestContext,
  place: EntityRoutes,
  form: URLSearchParams,
  { title, fields, next, problems = [] }: Asking,
): Promise<HttpResponse> {
  const { site, path, query } = context
  const count = await countOf(context, needOf(context, form, place.entity.key))
  if (count === 0) return nothingChosen(context)
  const build = building(context)
  const list = safeNext(form.get('_list'))
  const isValue = fields.some(({ name }) => name !== '_field')
  const field = isValue ? form.get('_field') : null
  const hidden = [
    ...build.tokens.filter(({ name }) => name === '_csrf'),
    ...selectionOf(form),
    { name: '_list', value: list },
    ...(isValue ? [{ name: '_asked', value: 'yes' }] : []),
    ...(field === null ? [] : [{ name: '_field', value: field }]),
  ]
  const known = new Set(fields.map(({ id }) => id))
  const view: ConfirmView = {
    kind: 'confirm',
    edit: null,
    why: null,
    title,
    pageTitle: title,
    crumbs: [
      { label: capital(thingsOf(site, place.entity.key)), href: list },
      { label: title, href: null },
    ],
    mark: null,
    assumed: [],
    text: [say(site, 'bulkChosen', { count }), say(site, 'bulkTried')],
    facts: [],
    fields,
    action: {
      key: 'bulk',
      label: next,
      open: true,
      why: '',
      danger: false,
      primary: true,
      action: `${path}?${query}`,
      hidden,
      confirm: null,
      asks: false,
      to: null,
      mark: site.mark(place.entity.cell),
    },
    cancel: list,
    errors: problems.map(problem => errorView(build, problem, known)),
    confirm: null,
  }
  const status = problems.length > 0 ? statusOf(problems) : 200
  return viewPage(context, view, <ConfirmScreen view={view} />, [], { status, error: problems.length > 0 })
}

/** What was ticked, as hidden inputs; all that the filters let through is one. */
function selectionOf(form: URLSearchParams): readonly Hidden[] {
  if (form.get('_all') === 'yes') return [{ name: '_all', value: 'yes' }]
  return form
    .getAll('id')
    .filter(isId)
    .slice(0, rowsPerRead)
    .map(value => ({ name: 'id', value }))
}

export const nothingChosen = (context: RequestContext): Promise<HttpResponse> =>
  problemPage(context, { status: 422, why: say(context.site, 'bulkNone') })

async function started(
  context: RequestContext,
  { entity }: EntityRoutes,
  form: URLSearchParams,
  work: Work,
): Promise<HttpResponse> {
  const { runtime, request } = context
  const list = safeNext(form.get('_list'))
  const need = needOf(context, form, entity.key)
  const rows = need === null ? [] : await selected(context, need)
  if (rows.length === 0) return nothingChosen(context)
  const { kind, ...what } = work
  const job = await makeJob(
    runtime,
    request,
    { kind, entity: entity.key, what: { ...what, back: list }, state: 'checking' },
    rows,
  )
  return workOn(context, job)
}

/** Null: nothing that this person may see is chosen. */
export const needOf = (context: RequestContext, form: URLSearchParams, entity: string): RowsNeed | null =>
  form.get('_all') === 'yes' ? shownBy(context, safeNext(form.get('_list')), entity) : chosen(entity, form.getAll('id'))

/** Of what is chosen, as far as this person sees it, as many as a job takes. */
async function countOf(context: RequestContext, need: RowsNeed | null): Promise<number> {
  if (need === null) return 0
  const page: RowsData | null = await read(context.runtime, context.request, {
    ...need,
    limit: 1,
    countTo: jobRecords,
  })
  return page?.count?.n ?? 0
}

const everything = {
  where: null,
  search: null,
  sort: [],
  after: null,
  before: null,
  limit: rowsPerRead,
  countTo: 0,
} as const

function chosen(entity: string, ids: readonly string[]): RowsNeed | null {
  const value = ids.filter(isId).slice(0, rowsPerRead)
  if (value.length === 0) return null
  return { ...everything, kind: 'rows', entity, columns: [], filters: [{ field: 'id', comparison: 'any of', value }] }
}

/** What the list at this address shows to this person, on all its pages. Null: there is no such list for them. */
function shownBy(context: RequestContext, address: string, entity: string): RowsNeed | null {
  const need = listShown(context, address, entity)?.need ?? null
  return need === null ? null : { ...need, columns: [], after: null, before: null, limit: rowsPerRead, countTo: 0 }
}

/** Ids and names, as far as this person sees the records; at most {@link jobRecords}. */
async function selected({ runtime, request, site }: RequestContext, need: RowsNeed): Promise<readonly NewRow[]> {
  const rows: NewRow[] = []
  const columns = namingFields(site, need.entity)
  for (let after: string | null = null; ; ) {
    const page: RowsData | null = await read(runtime, request, { ...need, columns, after })
    for (const row of page?.rows ?? []) rows.push({ record: row.id, title: titleOf(site, need.entity, row) })
    after = page?.next ?? null
    if (after === null || rows.length >= jobRecords) return rows.slice(0, jobRecords)
  }
}
