/** `/-/place?entity=task`: a record is put elsewhere in an order by hand. A script is answered with a piece of a page, a form with the list that it came from. */
import type { Outcome } from '../../run/outcome.ts'
import { readNeighbours } from '../../run/read/neighbours.ts'
import { readRecord } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import type { Moved, Place } from '../../run/write/place.ts'
import { place as put } from '../../run/write/writes.ts'
import { ReaderProvider } from '../../ui/reader.tsx'
import { FlashMessage, renderPiece } from '../../ui/shell.tsx'
import { listShown } from '../from-list.ts'
import { flashCookie, flashOf, notFound, type Undoing } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, html, seeOther } from '../response.ts'
import { thingOf } from '../screens/common.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { statusOf } from '../write.ts'
import { formOf } from './submit.tsx'

export async function place(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, query } = context
  const form = formOf(context)
  const entity = query.get('entity') ?? ''
  const [id = '', way = '', of = ''] = (form.get('_move') ?? '').split('.')
  const model = site.app.entities.get(entity)
  if (model === undefined || !isId(id)) return notFound(context)
  const here = safeNext(form.get('_list'))
  const need = { kind: 'one', entity, by: { field: 'id', value: id }, history: 0 } as const
  const order = listShown(context, here, entity)?.need
  const one = (await readRecord(runtime, request, order === undefined ? need : { ...need, order }))?.one
  if (one === undefined) return notFound(context)
  const beside = async (side: 'before' | 'after'): Promise<Place | null> => {
    if (order === undefined || one.place === null) return null
    const { previous, next } = await readNeighbours(runtime, request, order, 'id', one.place)
    const neighbour = side === 'before' ? previous : next
    return neighbour && { side, of: neighbour.id }
  }
  const to = way === 'up' ? await beside('before') : way === 'down' ? await beside('after') : placeOf(way, of)
  let done: Undoing | null = null
  const tell = (moved: Moved) => {
    done = { entity, id, ...moved }
  }
  const outcome: Outcome =
    to === null ? { kind: 'done', id, version: 1 } : await put(runtime, request, entity, id, to, tell)
  if (outcome.kind === 'not found' || outcome.kind === 'stale') return notFound(context)
  const [text, tone, status] =
    outcome.kind === 'refused'
      ? ([outcome.problems.map(({ message }) => message).join(' '), 'bad', statusOf(outcome.problems)] as const)
      : ([say(site, 'moved', { thing: thingOf(site, entity, one.row) }), 'good', 200] as const)
  if (form.get('_piece') === null) return seeOther(here, [flashCookie(web, text, tone, done)])
  return html(
    renderPiece(
      <ReaderProvider reader={site.reader}>
        <div data-saved="">
          <FlashMessage flash={flashOf(context, { text, tone, done })} beside />
        </div>
      </ReaderProvider>,
    ),
    status,
  )
}

/** Null: it stays where it is. */
const placeOf = (way: string, of: string): Place | null =>
  way === 'top' ? 'first' : way === 'before' || way === 'after' ? { side: way, of } : null
