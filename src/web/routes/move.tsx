/** `/-/move?of=/bookings/BK-1/edit`: the time or the lane of a record, from a script; without it there is the form. It answers with a piece of a page. */
import { decodeForm } from '../../kinds/fields/input.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { type Done, noting } from '../../run/write/undo.ts'
import { change } from '../../run/write/writes.ts'
import { ReaderProvider } from '../../ui/reader.tsx'
import { FlashMessage, renderPiece } from '../../ui/shell.tsx'
import { mayEnter } from '../access.ts'
import { flashOf, notFound } from '../pages.tsx'
import { findRecord, isLookup } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, html } from '../response.ts'
import { thingOf } from '../screens/common.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { formVersion, idempotentForm, inputOf, statusOf } from '../write.ts'
import { formOf } from './submit.tsx'

export async function move(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  const match = site.routes.match(query.get('of') ?? '')
  if (match?.kind !== 'edit' || !mayEnter(match.place, request.actor) || !isLookup(match.record))
    return notFound(context)
  const { place, record } = match
  const entity = place.entity.key
  const row = await findRecord(context, place, record, place.entity.title)
  if (row === null) return notFound(context)
  const form = formOf(context)
  const known = knownTo(context)
  const decoded = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: new Set(),
    zone: request.zone,
  })
  let done: Done | null = null
  const noted = noting(runtime, request, what => {
    done = what
  })
  const outcome = await change(
    accompanied(runtime, idempotentForm(context, form, entity), noted),
    request,
    entity,
    row.id,
    formVersion(form),
    inputOf(context, decoded),
  )
  const answer = (text: string, tone: 'good' | 'bad', status: number) =>
    html(
      renderPiece(
        <ReaderProvider reader={site.reader}>
          <div data-saved="">
            <FlashMessage flash={flashOf(context, { text, tone, done })} beside />
          </div>
        </ReaderProvider>,
      ),
      status,
    )
  const thing = thingOf(site, entity, row)
  switch (outcome.kind) {
    case 'done':
      return answer(say(site, 'moved', { thing }), 'good', 200)
    case 'not found':
      return notFound(context)
    case 'refused':
      return answer(outcome.problems.map(({ message }) => message).join(' '), 'bad', statusOf(outcome.problems))
    case 'stale':
      return answer(say(site, 'movedMeanwhile', { thing }), 'bad', 409)
  }
}
