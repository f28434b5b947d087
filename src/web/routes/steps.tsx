/** Steps and deletion: a page that asks (which works without scripts), and a POST that does it once and leads on. */

import type { Entity } from '../../headings/3-entities/model.ts'
import { specified } from '../../headings/specified.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { ConfirmScreen } from '../../kinds/screens/confirm.tsx'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { ActionView, ConfirmView, FieldView } from '../../kinds/screens/view-model.ts'
import { approvalsOf } from '../../run/approvals/approvals.ts'
import { reasonIn } from '../../run/approvals/decide.ts'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { readRecord } from '../../run/read/read.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { environmentOf, relatedNothing } from '../../run/write/environment.ts'
import { trying } from '../../run/write/trying.ts'
import { noting, type Undoable } from '../../run/write/undo.ts'
import { isAbsent } from '../../run/write/validate.ts'
import { remove, restore, takeStep } from '../../run/write/writes.ts'
import { countsFor } from '../counts.ts'
import { parseForm } from '../form-body.ts'
import { withList } from '../from-list.ts'
import { flashCookie, notFound, problemPage, viewPage, whyAction } from '../pages.tsx'
import { backTo, findRecord, listOf } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { type EntityRoutes, recordHref } from '../routes.ts'
import { reasonField } from '../screens/approvals.ts'
import {
  actionsOf,
  addressValue,
  type Building,
  building,
  nextName,
  removeAction,
  restoreAction,
  thingOf,
  titleOf,
  whyLink,
} from '../screens/common.ts'
import { faceFields, factsOf } from '../screens/face.ts'
import { errorView, type Search } from '../screens/form.ts'
import { stateSentence } from '../screens/history.ts'
import { crumbsOf } from '../screens/record.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { keptForm } from '../sign-in/kept-posts.ts'
import { safeNext } from '../sign-in/next.ts'
import { askedBy, branchesOf, capital, stateView } from '../site.ts'
import { confirming, confirmSubmit } from '../warnings.ts'
import { formVersion, idempotentForm, inputOf, statusOf } from '../write.ts'
import { askedFields } from './asked-fields.ts'
import { searched } from './choices.ts'

type Done = Extract<Outcome, { kind: 'done' }>

/** `/loans/LN-1/do/hand_out`; `?_next=/inbox` leads there when it is taken or left. */
export async function step(
  context: RequestContext,
  place: EntityRoutes,
  record: string,
  key: string,
): Promise<HttpResponse> {
  const { site, runtime, request, method } = context
  const entity = place.entity.key
  const [branch] = branchesOf(site.app, entity, key)
  const row = await findRecord(context, place, record, columnsOf(site, entity, key))
  if (branch === undefined) return notFound(context)
  if (row === null) return method === 'POST' ? goneMeanwhile(context) : notFound(context)
  if (method !== 'POST') {
    const action = actionsOf(building(context), null, entity, row).find(one => one.key === key)
    if (action === undefined) return closedStep(context, place, row, key)
    const told = action.open ? action : { ...action, why: await wordsOfRefusal(context, place, row, action) }
    const asked = askedBy(site.app, entity, key, null).some(({ field }) => context.query.has(field))
    return asking(context, place, row, told, { kept: await keptForm(context), ...(asked && { sent: context.query }) })
  }
  const form = formOf(context)
  const picking = form.get('_pick')
  if (picking !== null) {
    const action = actionsOf(building(context), null, entity, row).find(one => one.key === key)
    const searches = await searched(context, place, form, picking, row.values)
    if (action === undefined) return closedStep(context, place, row, key)
    return asking(context, place, row, action, { sent: form, searches })
  }
  const keys = askedBy(site.app, entity, key, null).map(({ field }) => field)
  const known = knownTo(context, { of: entity, fields: keys })
  // A box that does not come back was not ticked, on the page that shows it.
  const shown = new Set((form.get('_asked') ?? '').split(' '))
  const decoded = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown,
    zone: request.zone,
  })
  let undoable: Undoable | null = null
  const outcome = await takeStep(
    accompanied(
      runtime,
      idempotentForm(context, form, entity),
      branchesOf(site.app, entity, key).every(({ undo }) => undo === null)
        ? null
        : noting(runtime, request, what => {
            undoable = what
          }),
    ),
    confirming(request, form),
    entity,
    row.id,
    key,
    formVersion(form),
    {
      ...inputOf(context, decoded),
      reason: reasonIn(form.get('_reason')),
    },
  )
  if (outcome.kind !== 'done') return refusedStep(context, place, row, key, outcome, form)
  const done = await saidOf(context, place, row, outcome, capital(branch.name))
  const next = safeNext(form.get(nextName), backTo(context, place, record))
  const isLeft = outcome.gone === true && next.startsWith(recordHref(place, record))
  const said = heldSaid(site, done, undoable)
  return seeOther(isLeft ? listOf(context, place) : next, [flashCookie(context.web, said, 'good', undoable)])
}

/** With how long what it sends waits. */
const heldSaid = (site: RequestContext['site'], said: string, done: Undoable | null): string =>
  done === null || done.holds === null
    ? said
    : say(site, 'undoHeld', { said, wait: site.reader.format.wait(done.holds) })

/** What a step has done: the state that the record is in now, where it is another one that may be seen, else the step's name. */
async function saidOf(
  context: RequestContext,
  place: EntityRoutes,
  before: ReadRow,
  outcome: Done,
  step: string,
): Promise<string> {
  const { site } = context
  const thing = titleOf(site, place.entity.key, before)
  if (outcome.waits === true) return say(site, 'decided', { step, thing })
  const was = before.values.state
  const value = addressValue(place, before)
  const isKnown = typeof was === 'string' && typeof value === 'string' && outcome.gone !== true
  const state = isKnown ? (await findRecord(context, place, value))?.values.state : undefined
  if (typeof state !== 'string' || state === was) return say(site, 'done', { step, thing })
  return say(site, 'nowInState', { thing, state: stateView(site, place.entity.key, state).label })
}

/** `/loans/LN-1/delete`. */
export async function removal(context: RequestContext, place: EntityRoutes, record: string): Promise<HttpResponse> {
  const { site, runtime, request, method } = context
  const entity = place.entity.key
  const row = await findRecord(context, place, record, faceFields(site, entity))
  if (row === null) return notFound(context)
  if (method !== 'POST') {
    const action = removeAction(building(context), entity, row)
    if (action === null) {
      const { because } = row.may.delete
      return problemPage(context, {
        status: 403,
        because,
        actions: whyAction(context, entity, row.id, 'verb-delete'),
      })
    }
    return asking(context, place, row, action)
  }
  const form = formOf(context)
  let undoable: Undoable | null = null
  const outcome = await remove(
    accompanied(
      runtime,
      idempotentForm(context, form, entity),
      noting(runtime, request, what => {
        undoable = what
      }),
    ),
    confirming(request, form),
    entity,
    row.id,
    formVersion(form),
  )
  if (outcome.kind !== 'done') return refusedStep(context, place, row, 'delete', outcome, form)
  const thing = thingOf(site, entity, row)
  const done = say(site, place.entity.archives === null ? 'deleted' : 'archived', { thing })
  return seeOther(listOf(context, place), [flashCookie(context.web, done, 'good', undoable)])
}

/** `/items/CA-0001/restore`: of what was archived. */
export async function bringingBack(
  context: RequestContext,
  place: EntityRoutes,
  record: string,
): Promise<HttpResponse> {
  const { site, runtime, request, method } = context
  const entity = place.entity.key
  const row = await archivedRow(context, place, record)
  const action = row === null ? null : restoreAction(building(context), entity, row)
  if (row === null || action === null) return notFound(context)
  if (method !== 'POST') return asking(context, place, row, action)
  const form = formOf(context)
  const outcome = await restore(
    accompanied(runtime, idempotentForm(context, form, entity)),
    confirming(request, form),
    entity,
    row.id,
    formVersion(form),
  )
  if (outcome.kind !== 'done') return refusedStep(context, place, row, 'restore', outcome, form)
  const thing = thingOf(site, entity, row)
  return seeOther(backTo(context, place, record), [flashCookie(context.web, say(site, 'restored', { thing }))])
}

/** What the page of a step shows of the record; all of it where the step asks for some. */
const columnsOf = (site: RequestContext['site'], entity: string, key: string): readonly string[] => [
  ...faceFields(site, entity),
  ...(askedBy(site.app, entity, key, null).length === 0 ? [] : site.app.entities.get(entity)!.fields.map(of => of.key)),
]

const archivedRow = (context: RequestContext, place: EntityRoutes, record: string): Promise<ReadRow | null> =>
  findRecord(context, place, record, faceFields(context.site, place.entity.key), { archived: true })

/** The reason of a page stands under the verb that decides: whoever may delete may restore. */
const whyKey = (key: string): string => (key === 'delete' || key === 'restore' ? 'verb-delete' : `step-${key}`)

/** Who sees the record is told why the step is none of theirs, asked or sent; who does not, that nothing is there. */
async function closedStep(
  context: RequestContext,
  place: EntityRoutes,
  row: ReadRow,
  key: string,
): Promise<HttpResponse> {
  if (!row.may.steps.some(({ step }) => step === key)) return notFound(context)
  const problems = await refusalOf(context, place, row, key)
  return closedPage(context, place, row, key, problems, await happenedTo(context, place, row, key))
}

/** Whoever sends it has seen it, or made it up: the answer is the same. */
const goneMeanwhile = (context: RequestContext): Promise<HttpResponse> =>
  problemPage(context, { status: 404, why: say(context.site, 'goneMeanwhile') })

/** Where the record is in no state that the step starts from: who brought it there, and how. */
async function happenedTo(
  context: RequestContext,
  place: EntityRoutes,
  { id, values }: ReadRow,
  key: string,
): Promise<string | null> {
  // What happened names those who work here, and is theirs.
  if (context.request.actor.link !== undefined) return null
  const { site, runtime, request } = context
  const entity = place.entity.key
  const starts = branchesOf(site.app, entity, key).flatMap(({ from }) => specified(from) ?? [])
  if (typeof values.state !== 'string' || starts.length === 0 || starts.includes(values.state)) return null
  const need = { kind: 'one', entity, by: { field: 'id', value: id }, history: entriesLookedAt } as const
  const found = await readRecord(runtime, request, need)
  const history = (await found?.history(runtime)) ?? []
  return stateSentence(building(context), entity, history, id)
}

/** Far enough back to find the last change of a state behind comments and mails. */
const entriesLookedAt = 40

/** What refuses a closed step, as it does where that is sent. */
async function refusalOf({ runtime, request }: RequestContext, place: EntityRoutes, row: ReadRow, key: string) {
  const outcome = await takeStep(trying(runtime), request, place.entity.key, row.id, key, null)
  return outcome.kind === 'refused' ? outcome.problems : []
}

/** Those of the document, with what they say of the record; where it has none for this, those of the button. */
async function wordsOfRefusal(context: RequestContext, place: EntityRoutes, row: ReadRow, { key, why }: ActionView) {
  const branches = branchesOf(context.site.app, place.entity.key, key)
  if (branches.every(({ error, elsewhere }) => error === null && elsewhere.length === 0)) return why
  const [problem] = await refusalOf(context, place, row, key)
  return problem === undefined || problem.code.startsWith('NF-') ? why : problem.message
}

function closedPage(
  context: RequestContext,
  place: EntityRoutes,
  row: ReadRow,
  key: string,
  problems: readonly Problem[],
  happened: string | null,
): Promise<HttpResponse> {
  const [first] = problems
  return problemPage(context, {
    status: statusOf(problems),
    because: first?.because ?? null,
    actions: whyAction(context, place.entity.key, row.id, whyKey(key)),
    code: first?.code ?? null,
    ...(first === undefined ? {} : { why: whyOf(first, happened), now: first.whatToDo }),
  })
}

/** What somebody did says more than which states a step starts from; what the document says of it stands before that. */
const whyOf = ({ code, message }: Problem, happened: string | null): string =>
  happened === null ? message : code.startsWith('NF-') ? happened : `${message} ${happened}`

/** The form was checked before: it can be read. */
function formOf(context: RequestContext): URLSearchParams {
  const form = parseForm(context.headers['content-type'], context.body)
  return 'value' in form ? form.value : new URLSearchParams()
}

/** What could not be done is said on the page that asks: with the reason, the line, and the state as it is now. */
async function refusedStep(
  context: RequestContext,
  place: EntityRoutes,
  before: ReadRow,
  key: string,
  outcome: Exclude<Outcome, { kind: 'done' }>,
  sent: URLSearchParams | null = null,
): Promise<HttpResponse> {
  if (outcome.kind === 'not found') return goneMeanwhile(context)
  const problems = outcome.kind === 'stale' ? [outcome.problem] : outcome.problems
  const reading = readingAtOnce(context)
  const value = addressValue(place, before)
  const columns = columnsOf(context.site, place.entity.key, key)
  const address = typeof value === 'string' ? value : before.id
  const [found, happened] = await Promise.all([
    key === 'restore' ? archivedRow(reading, place, address) : findRecord(reading, place, address, columns),
    happenedTo(reading, place, before, key),
    countsFor(reading),
  ])
  const row = found ?? before
  const build = building(context)
  const action =
    key === 'delete'
      ? removeAction(build, place.entity.key, row)
      : key === 'restore'
        ? restoreAction(build, place.entity.key, row)
        : (actionsOf(build, null, place.entity.key, row).find(one => one.key === key) ?? null)
  if (action === null) return closedPage(context, place, row, key, problems, happened)
  return asking(context, place, row, action, { problems, sent, happened })
}

interface Filled {
  /** What somebody else did meanwhile. */
  readonly happened?: string | null
  readonly problems?: readonly Problem[]
  /** What was typed. */
  readonly sent?: URLSearchParams | null
  /** The same, before a session had ended. */
  readonly kept?: URLSearchParams | null
  readonly searches?: ReadonlyMap<string, Search>
}

async function asking(
  context: RequestContext,
  place: EntityRoutes,
  row: ReadRow,
  action: ActionView,
  { kept = null, ...more }: Filled = {},
): Promise<HttpResponse> {
  const { site } = context
  const filled = kept === null ? more : { ...more, sent: kept }
  const entity = place.entity.key
  const name = titleOf(site, entity, row)
  const isVerb = action.key === 'delete' || action.key === 'restore'
  const ask =
    action.key === 'restore' ? 'askRestore' : place.entity.archives === null ? 'askDelete' : ('askArchive' as const)
  const title = isVerb
    ? say(site, ask, { thing: thingOf(site, entity, row) })
    : say(site, 'askStep', { step: capital(action.label), thing: name })
  const build = building(context)
  const value = addressValue(place, row)
  const problems = filled.problems ?? []
  const fields = isVerb ? [] : await stepFields(build, place, row, action, filled)
  const known = new Set(fields.map(({ id }) => id))
  const errors = problems.map(problem => errorView(build, problem, known))
  // What is no matter of this page is put right in the record's own form, by whoever may.
  const isHere = ({ of }: Problem) => of === undefined || of.id === row.id
  const mends = !isVerb && row.may.change.open && errors.some(({ href }, at) => href === null && isHere(problems[at]!))
  const edit = mends && typeof value === 'string' ? withList(context, recordHref(place, value, '/edit')) : null
  const hidden = fields.length === 0 ? [] : [{ name: '_asked', value: fields.map(({ key }) => key).join(' ') }]
  const view: ConfirmView = {
    kind: 'confirm',
    title,
    pageTitle: title,
    crumbs: crumbsOf(build, entity, name, action.label),
    mark: action.mark,
    assumed: [],
    text: [
      ...(kept === null ? [] : [say(site, 'keptForm')]),
      ...(filled.happened ? [filled.happened] : []),
      action.why,
    ],
    facts: factsOf(build, entity, row).filter(({ key }) => !fields.some(field => field.key === key)),
    fields,
    action: { ...action, action: withNext(context, action.action), hidden: [...action.hidden, ...hidden] },
    cancel: safeNext(context.query.get(nextName), backTo(context, place, typeof value === 'string' ? value : row.id)),
    errors: errors.map((error, at) => {
      const field = problems[at]?.field ?? null
      if (edit === null || field === null || error.href !== null) return error
      return { ...error, href: `${edit}#${field.replaceAll('.', '-')}` }
    }),
    confirm: confirmSubmit(say(site, 'doAnyway'), problems, filled.sent ?? null),
    edit: edit === null ? null : { label: say(site, 'edit'), href: edit },
    why: (problems.length === 0 ? !action.open : problems.some(isHere))
      ? whyLink(build, entity, row.id, whyKey(action.key))
      : null,
  }
  const status = problems.length > 0 ? statusOf(problems) : 200
  return viewPage(context, view, <ConfirmScreen view={view} />, [], { status, error: problems.length > 0 })
}

/** A form that comes back refused still knows where it leads. */
function withNext({ query }: RequestContext, href: string): string {
  const next = query.get(nextName)
  return next === null ? href : `${href}?${new URLSearchParams({ [nextName]: next })}`
}

/** Not where it would be refused: its `only when` fails, whatever is answered here. */
function isAskedNow(
  { context: { request } }: Building,
  { fields }: Entity,
  asked: string,
  values: ReadRow['values'],
  inState: readonly { readonly field: string }[],
): boolean {
  const { onlyWhen } = fields.find(({ key }) => key === asked)!
  if (onlyWhen === null || onlyWhen.reads.some(path => inState.some(({ field }) => path.split('.')[0] === field)))
    return true
  // What stands in other records, or is not told to whoever asks, decides when the step is taken.
  const isKnown = (path: string) => /^(?:limits\.|me$|today$|now$)/.test(path) || values[path] !== undefined
  return !onlyWhen.reads.every(isKnown) || !isAbsent({ onlyWhen }, environmentOf(request, relatedNothing, values, null))
}

/** The fields that the step asks for, as they stand or as they were typed; of approvals the reason alone. */
async function stepFields(
  build: Building,
  place: EntityRoutes,
  row: ReadRow,
  action: ActionView,
  { problems = [], sent = null, searches = new Map() }: Filled,
): Promise<readonly FieldView[]> {
  const { site } = build
  const entity = place.entity.key
  if (approvalsOf(site.app, entity, action.key).length > 0) return [reasonField(site, sent?.get('_reason') ?? '')]
  if (askedBy(site.app, entity, action.key, null).length === 0) return []
  const { values, labels, version, may } = row
  const verdict = may.steps.find(({ step }) => step === action.key) ?? null
  const inState = askedBy(site.app, entity, action.key, values.state, verdict)
  const asked = inState.filter(({ field }) => isAskedNow(build, place.entity, field, values, inState))
  const keys = asked.map(({ field }) => field)
  const record = { id: row.id, version, values, labels, verdict: row.may.change }
  const fields = await askedFields(build, place, keys, record, { sent, problems, searches })
  return fields.map(one =>
    asked.some(({ field, required }) => field === one.key && required) ? { ...one, required: true } : one,
  )
}
