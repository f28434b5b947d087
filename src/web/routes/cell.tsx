/**
 * One cell of a list, changed where it stands: `/-/cell?of=/loans/LN-1/edit&field=due_back`. GET gives the control as a piece of a
 * page, POST writes that one field with the version that was seen. Only scripts come here; without them there is the form of the record.
 */

import type { ReactElement } from 'react'
import { wordFor } from '../../headings/translate.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { Control } from '../../kinds/screens/form/control.tsx'
import { errorText } from '../../kinds/screens/value.tsx'
import type { Outcome, Problem } from '../../run/outcome.ts'
import { raise } from '../../run/problems/raise.ts'
import { type FormData, readForm } from '../../run/read/form.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { closedField } from '../../run/write/input.ts'
import { type Done, noting } from '../../run/write/undo.ts'
import { change } from '../../run/write/writes.ts'
import { CellClosed, CellForm } from '../../ui/cell.tsx'
import { Island } from '../../ui/island.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { FlashMessage, renderPiece } from '../../ui/shell.tsx'
import { mayEnter } from '../access.ts'
import { parseForm } from '../form-body.ts'
import { flashOf, notFound } from '../pages.tsx'
import { isLookup } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, html } from '../response.ts'
import type { EntityRoutes } from '../routes.ts'
import { building, titleOf, versionInput } from '../screens/common.ts'
import { formView, type Search } from '../screens/form.ts'
import { type Typed, typedOf } from '../screens/typed.ts'
import { textOf } from '../screens/values.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { type FieldInfo, fieldInfo } from '../site.ts'
import { formVersion, idempotentForm, inputOf, statusOf } from '../write.ts'
import { choicesOf, searched, standingIn } from './choices.ts'

interface Cell {
  readonly place: EntityRoutes
  /** Of the record, with this one field. */
  readonly form: FormData
  readonly info: FieldInfo
  readonly name: string
}

export async function cell(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query, method } = context
  const match = site.routes.match(query.get('of') ?? '')
  const key = query.get('field') ?? ''
  if (match?.kind !== 'edit' || !mayEnter(match.place, request.actor) || !isLookup(match.record))
    return notFound(context)
  const { place } = match
  const entity = place.entity.key
  const info = fieldInfo(site.app, entity, key)
  const all = await readForm(runtime, request, entity, { field: place.by, value: match.record })
  const field = all?.fields.find(one => one.key === key)
  const isOne = info !== null && info.type.kind !== 'file' && info.type.kind !== 'list'
  if (all === null || all.id === null || field === undefined || !isOne) return notFound(context)
  if (!all.verdict.open || !field.settable) {
    const { message } = all.verdict.open
      ? closedField(site.app, request, entity, key, all.locks)
      : raise(site.app, 'NF-CHANGE-DENIED', { entity: place.entity.name })
    return piece(context, <CellClosed why={message} />, 403)
  }
  const found: Cell = {
    place,
    info,
    form: { ...all, fields: [field] },
    name: titleOf(site, entity, { ...all, id: all.id }),
  }
  return method === 'POST' ? sent(context, found) : control(context, found, { typed: null })
}

async function sent(context: RequestContext, found: Cell): Promise<HttpResponse> {
  const { site, request, runtime, query } = context
  const { place, info, form: stored, name } = found
  const { key } = info
  const body = parseForm(context.headers['content-type'], context.body)
  const form = 'value' in body ? body.value : new URLSearchParams()
  const typed = typedOf(form, place.entity, site)
  if (form.has('_pick'))
    return control(context, found, {
      typed,
      searches: await searched(context, place, form, key, stored.values),
      sent: form,
    })
  const known = knownTo(context)
  const all = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: new Set([key]),
    zone: request.zone,
  })
  const decoded = {
    values: key in all.values ? { [key]: all.values[key] ?? null } : {},
    children: {},
    invalidValues: all.invalidValues.filter(({ path }) => path === key),
  }
  let done: Done | null = null
  const outcome: Outcome = await change(
    accompanied(
      runtime,
      idempotentForm(context, form, place.entity.key),
      noting(runtime, request, what => {
        done = what
      }),
    ),
    request,
    place.entity.key,
    stored.id!,
    formVersion(form),
    inputOf(context, decoded),
  )
  switch (outcome.kind) {
    case 'done': {
      const text = say(site, 'cellSaved', { field: info.label, name })
      return piece(
        context,
        <div data-saved={query.get('field')}>
          <FlashMessage flash={flashOf(context, { text, tone: 'good', done })} beside />
        </div>,
      )
    }
    case 'not found':
      return notFound(context)
    case 'refused':
      return control(context, found, {
        typed,
        problems: outcome.problems,
        sent: form,
        status: statusOf(outcome.problems),
      })
    case 'stale':
      return control(context, found, { typed, stale: outcome, status: 409 })
  }
}

interface Filled {
  readonly typed: Typed | null
  readonly problems?: readonly Problem[]
  readonly searches?: ReadonlyMap<string, Search>
  readonly stale?: Extract<Outcome, { kind: 'stale' }>
  /** It comes back with the version that it was made from. */
  readonly sent?: URLSearchParams
  readonly status?: number
}

async function control(
  context: RequestContext,
  { place, form, info, name }: Cell,
  filled: Filled,
): Promise<HttpResponse> {
  const { path, query } = context
  const build = building(readingAtOnce(context))
  const entity = place.entity.key
  const [choices, { titles: chosen }] = await Promise.all([
    choicesOf(build.context, entity, form, filled.typed),
    standingIn(build, entity, form, filled.typed),
  ])
  const action = `${path}?${query}`
  const { parts, errors } = formView(build, {
    entity,
    form,
    typed: filled.typed,
    problems: filled.problems ?? [],
    choices,
    searches: filled.searches ?? new Map(),
    chosen,
    title: name,
    action,
  })
  const [part] = parts
  if (part?.kind !== 'field') return notFound(context)
  // After a conflict, whoever saves again knows what they write over.
  const version = filled.stale?.version ?? (filled.sent === undefined ? null : formVersion(filled.sent)) ?? form.version
  const error =
    filled.stale === undefined
      ? [
          ...errors.map(errorText),
          ...(errors.some(({ warning }) => warning === true) ? [say(context.site, 'confirmElsewhere')] : []),
        ].join(' ')
      : meanwhile(context, entity, info, filled.stale)
  const label = `${info.label}, ${name}`
  return piece(
    context,
    <CellForm
      id={`cell-${info.key}`}
      action={action}
      hidden={[...build.tokens, ...(version === null ? [] : [versionInput(version)])]}
      label={label}
      error={error === '' ? null : error}
    >
      {aid =>
        part.field.control.kind === 'pick' ? (
          <Island
            name="cell"
            data={{ aid, label, name: part.field.name, value: part.field.value, ...part.field.control }}
          >
            <Control field={part.field} aid={aid} label={label} />
          </Island>
        ) : (
          <Control field={part.field} aid={aid} label={label} />
        )
      }
    </CellForm>,
    filled.status,
  )
}

/** Who was faster, and what stands there now. */
function meanwhile(
  { site, request }: RequestContext,
  entity: string,
  info: FieldInfo,
  stale: NonNullable<Filled['stale']>,
): string {
  const { words, format } = site.reader
  const wire = stale.theirs[info.key]
  const now = Array.isArray(wire)
    ? ''
    : textOf(site, entity, info, wire as string | boolean | null, stale.labels[info.key])
  const when = stale.at === null ? '' : format.relative(stale.at, request.now)
  const who = stale.by === '' ? say(site, 'somebody') : (stale.by ?? site.app.name)
  const by =
    stale.moved === null
      ? words('conflictBy', { who, when })
      : words('conflictMoved', { who, when, state: wordFor(site.app, stale.moved) })
  return `${by} ${say(site, 'cellStale', { value: now === '' ? words('empty') : now })}`
}

const piece = ({ site }: RequestContext, content: ReactElement, status = 200): HttpResponse =>
  html(renderPiece(<ReaderProvider reader={site.reader}>{content}</ReaderProvider>), status)
