/**
 * Whether values of a form are free, and what else other records decide of them, asked while it is filled in: the form as it stands is tried like a save and undone. So it says
 * what saving would say to this person, and nothing else; and each of them may ask so often in a minute only.
 */
import { type Decoded, decodeForm } from '../../kinds/fields/input.ts'
import { declared } from '../../run/names.ts'
import type { Problem } from '../../run/outcome.ts'
import type { LiveProblem } from '../../run/write/live.ts'
import { searchingRules } from '../../run/write/searches.ts'
import { trying } from '../../run/write/trying.ts'
import { change, create } from '../../run/write/writes.ts'
import { takenInMinute } from '../bounds.ts'
import { countInMinute } from '../rate-limit/per-minute.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { knownTo } from '../seen.ts'
import { formVersion, inputOf } from '../write.ts'
import { type FormPage, shownBoxes } from './form-page.tsx'

/** In a form that is only asked about. */
export const takenName = '_taken'

export async function taken(
  context: RequestContext,
  { place, form: stored }: FormPage,
  form: URLSearchParams,
): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const entity = place.entity.key
  const who = request.actor.id ?? context.network
  const seconds = await countInMinute(runtime.store, { what: 'taken', who, most: takenInMinute, now: request.now })
  if (seconds > 0) return json({ problems: [] }, 429)
  const known = knownTo(context)
  const decoded = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, entity, stored.fields),
    zone: request.zone,
  })
  const input = inputOf(context, decoded)
  const outcome =
    stored.id === null
      ? await create(trying(runtime), request, entity, input)
      : await change(trying(runtime), request, entity, stored.id, formVersion(form), input)
  const problems = outcome.kind === 'refused' ? outcome.problems : []
  const told = problems.flatMap((problem): LiveProblem[] => {
    const { code, message, whatToDo, field, because } = problem
    if (field === null || !isTaken(context, entity, problem)) return []
    const name = writtenAs(decoded.children, field)
    return [{ code, message, whatToDo, name, reads: [name], mark: because === null ? null : site.mark(because) }]
  })
  return json({ problems: told })
}

/** `lines.0.item` as the form writes it: by the number of the row in its names. */
function writtenAs(children: Decoded['children'], path: string): string {
  const [list = '', index, ...rest] = path.split('.')
  const row = rest.length === 0 ? undefined : children[list]?.[Number(index)]
  return row === undefined ? path : `${list}.${row.written}.${writtenAs(row.children, rest.join('.'))}`
}

/** Other records decide it. What only the rows of the form say of each other, the browser knows by itself. */
function isTaken({ site: { app } }: RequestContext, entity: string, { field, code, because }: Problem): boolean {
  const keys = (field ?? '').split('.').filter((_, at) => at % 2 === 0)
  const of = keys
    .slice(1)
    .reduce(
      (list, key) => (list?.type.kind === 'list' ? declared(app, list.type.entity, key) : list),
      declared(app, entity, keys[0]!),
    )
  if (of === undefined || because === null || code === (of.refusals.get('NF-TWICE')?.code ?? 'NF-TWICE')) return false
  const elsewhere = [of.unique?.cell, of.noOverlap?.cell, ...searchingRules(of).map(({ cell }) => cell)]
  return elsewhere.includes(because)
}
