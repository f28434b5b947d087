/** A step for many records: those whose boxes are ticked, or all that the list's filters let through. First it is tried for each. */
import { isUnspecified } from '../../headings/said.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import type { RowsData, RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { allowFor } from '../../run/allow.ts'
import { makeJob, type NewRow } from '../../run/jobs.ts'
import { read } from '../../run/read.ts'
import { isId } from '../../run/values.ts'
import { mayOpen } from '../access.ts'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { safeNext } from '../next.ts'
import { notFound, problemPage } from '../pages.tsx'
import { namingFields, titleOf } from '../screens/common.ts'
import { seesOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { jobRecords } from '../settings.ts'
import { branchesOf } from '../site.ts'
import { beginJob, jobHref } from './jobs.tsx'
import { postedForm } from './sign-in.tsx'

const rowsAtOnce = 500

export async function bulkStep(exchange: Exchange): Promise<Answer> {
  const { site, query, runtime, request, web } = exchange
  const entity = query.get('entity') ?? ''
  const step = query.get('step') ?? ''
  const allow = allowFor(site.app, request.actor)
  const isOffered =
    site.app.entities.has(entity) && branchesOf(site.app, entity, step).some(branch => allow.offers(entity, branch))
  if (!isOffered) return notFound(exchange)
  const form = postedForm(exchange)
  const list = safeNext(form.get('_list'))
  const need = form.get('_all') === 'yes' ? shownBy(exchange, list, entity) : chosen(entity, form.getAll('id'))
  const rows = need === null ? [] : await selected(exchange, need)
  if (rows.length === 0) return problemPage(exchange, { status: 422, why: say(site, 'bulkNone') })
  const job = await makeJob(
    runtime,
    request,
    { kind: 'step', entity, what: { step, back: list }, state: 'checking' },
    rows,
  )
  await beginJob(exchange, job)
  web.options.wake?.()
  return seeOther(jobHref(job))
}

const everything = {
  where: null,
  search: null,
  sort: [],
  after: null,
  before: null,
  limit: rowsAtOnce,
  countTo: 0,
} as const

function chosen(entity: string, ids: readonly string[]): RowsNeed | null {
  const value = ids.filter(isId).slice(0, rowsAtOnce)
  if (value.length === 0) return null
  return { ...everything, kind: 'rows', entity, columns: [], filters: [{ field: 'id', comparison: 'any of', value }] }
}

/** What the list at this address shows to this person, on all its pages. Null: there is no such list for them. */
function shownBy(exchange: Exchange, address: string, entity: string): RowsNeed | null {
  const { site, request, web } = exchange
  const url = URL.parse(address, web.origin)
  const match = url === null ? null : site.routes.match(url.pathname)
  if (url === null || match?.kind !== 'screen' || !mayOpen(match.screen, request.actor)) return null
  const { screen, segments } = match
  const kind = isUnspecified(screen.shows) ? undefined : screenKinds.get(screen.shows.kind)
  const asked = kind?.need(screen, site.app, {
    segments,
    query: url.searchParams,
    locale: site.reader.locale,
    zone: site.reader.format.zone,
    sees: seesOf(exchange),
    today: request.today,
  })
  const need = asked?.need
  if (need?.kind !== 'rows' || need.entity !== entity) return null
  return { ...need, columns: [], after: null, before: null, limit: rowsAtOnce, countTo: 0 }
}

/** Ids and names, as far as this person sees the records; at most {@link jobRecords}. */
async function selected({ runtime, request, site }: Exchange, need: RowsNeed): Promise<readonly NewRow[]> {
  const rows: NewRow[] = []
  const columns = namingFields(site, need.entity)
  for (let after: string | null = null; ; ) {
    const page: RowsData | null = await read(runtime, request, { ...need, columns, after })
    for (const row of page?.rows ?? []) rows.push({ record: row.id, title: titleOf(site, need.entity, row) })
    after = page?.next ?? null
    if (after === null || rows.length >= jobRecords) return rows.slice(0, jobRecords)
  }
}
