/** Screens of heading 2: what the kind says it needs is read, built and shown. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { isUnspecified, specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { recordNeed } from '../../kinds/screens/one/screen.ts'
import { OneScreen } from '../../kinds/screens/one/view.tsx'
import { screenPages } from '../../kinds/screens/pages.ts'
import type { Address, OneNeed } from '../../kinds/screens/screen-kind.ts'
import type { ScreenPage } from '../../kinds/screens/screen-page.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { readNeighbours } from '../../run/read/neighbours.ts'
import { readRecord } from '../../run/read/read.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { blocksOf } from '../blocks.ts'
import { listBefore } from '../from-list.ts'
import { notFound, pageOf, problemPage, viewPage } from '../pages.tsx'
import { presenterOf } from '../presenter.ts'
import { isStorable } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { emergencyHref } from '../routes.ts'
import { building } from '../screens/common.ts'
import { nearOf, oneView, shownOf } from '../screens/one.ts'
import { relatedLists } from '../screens/related.ts'
import { addressOf } from '../seen.ts'
import { say } from '../sentences.ts'
import { waitingFor } from '../waiting.ts'
import { exportList } from './export.ts'
import { figuresFile } from './figures-file.ts'
import { createForm, editForm, publicForm } from './forms.tsx'
import { wizardScreen } from './wizard.tsx'

export async function screenPage(
  context: RequestContext,
  screen: Screen,
  segments: Address['segments'],
): Promise<HttpResponse> {
  const { site, query, method } = context
  const kind = kindOf(screen)
  if (kind === null) return unspecifiedPage(context, screen)
  if (kind.entry === 'page') return formScreen(context, screen, segments)
  if (kind.entry === 'steps') {
    const place = site.routes.places.get(specified(screen.shows)?.entity ?? '')
    return place === undefined ? notFound(context) : wizardScreen(context, place, screen, segments)
  }
  if (method === 'POST') return problemPage(context, { status: 405 })
  if (kind.isSpecified?.(screen) === false) return unspecifiedPage(context, screen)
  const room = screenPages.get(kind.name)
  if (room !== undefined) return roomPage(context, room, screen, segments)
  const need = recordNeed(screen, site.app, addressOf(context, { segments, query }))
  return need === null ? notFound(context) : onePage(context, screen, need)
}

/** Of a kind that is a whole room: it reads, formats and draws. */
async function roomPage(
  context: RequestContext,
  room: ScreenPage,
  screen: Screen,
  segments: Address['segments'],
): Promise<HttpResponse> {
  const page = await room.get(screen, presenterOf(context, segments))
  if (page === null) return absent(context, specified(screen.shows)?.entity ?? null, Object.values(segments).at(-1))
  if ('seeOther' in page) return seeOther(page.seeOther)
  if ('out' in page) return exportList(context, screen, page.out)
  if ('rows' in page) return figuresFile(context, screen, page)
  const { view, content, scripts, paper } = page
  return viewPage(context, view, content, scripts, paper && { paper })
}

export async function onePage(context: RequestContext, screen: Screen, need: OneNeed): Promise<HttpResponse> {
  const { runtime, request } = context
  if (!isStorable(need.by.value)) return notFound(context)
  const { entity } = need
  const list = listBefore(context, entity)
  const order = list === null ? {} : { order: list.need.sort }
  // Of few kinds, further back.
  // What happened names those who work here, and is theirs.
  const many = shownOf(context) === null ? need.history : need.history * 4
  const history = request.actor.link === undefined ? many : 0
  const found = await readRecord(runtime, request, { ...need, ...order, history, shown: 'page' })
  if (found === null) return absent(context, entity, need.by.value)
  const { one } = found
  const by = context.site.routes.places.get(entity)?.by ?? 'id'
  const reading = readingAtOnce(context)
  const [happened, neighbours, related] = await Promise.all([
    found.history(reading.runtime),
    list === null || one.place === null || one.opened !== null
      ? null
      : readNeighbours(reading.runtime, request, list.need, by, one.place),
    relatedLists(building(reading), screen, entity, one.row.id),
    waitingFor(reading),
  ])
  const data = { ...one, history: happened }
  const build = building(context)
  const near = neighbours === null ? null : nearOf(build, entity, neighbours)
  const plain = oneView(build, { screen, entity, data, related, near })
  const { views: blocks, scripts } = blocksOf(context, screen, entity, data, plain)
  const view = { ...plain, blocks }
  return viewPage(context, view, <OneScreen view={view} />, ['one.js', ...scripts])
}

/**
 * Whether there is such a record is not said: who may open records in an emergency is told how to ask for one, whatever the address
 * names. `value`: what it names it by; undefined: it names none.
 */
function absent(context: RequestContext, entity: string | null, value: string | undefined): Promise<HttpResponse> {
  const { site, request } = context
  if (entity === null || value === undefined || !isStorable(value) || !opensIn(site.app, request.actor, entity))
    return notFound(context)
  return problemPage(context, {
    status: 404,
    now: say(site, 'emergencyWay'),
    actions: (
      <LinkButton href={emergencyHref(entity, value)} icon="alert">
        {say(site, 'emergency')}
      </LinkButton>
    ),
  })
}

/** `form for Entity`: for a new record, or for the one that its address names. */
async function formScreen(
  context: RequestContext,
  screen: Screen,
  segments: Address['segments'],
): Promise<HttpResponse> {
  const { site } = context
  const entity = isUnspecified(screen.shows) ? null : screen.shows.entity
  const place = entity === null ? undefined : site.routes.places.get(entity)
  if (place === undefined) return notFound(context)
  const [field] = Object.keys(segments)
  if (field === undefined && specified(screen.for)?.kind === 'everyone') return publicForm(context, place, screen)
  if (field === undefined) return createForm(context, place, context.method, screen)
  return editForm(context, { ...place, by: field }, segments[field] ?? '', screen)
}

/** The document names the screen and leaves open what it shows: that is what the page says, with the line. */
function unspecifiedPage(context: RequestContext, screen: Screen): Promise<HttpResponse> {
  const { site } = context
  const mark = site.mark(screen.shows.cell)
  return pageOf(context, {
    title: [screen.name.text],
    decidedBy: [mark],
    content: (
      <>
        <PageHead title={screen.name.text} />
        <div className="sheet">
          <EmptyState
            title={say(site, 'unspecifiedScreen')}
            text={say(site, 'unspecifiedText', { name: screen.name.text })}
            line={mark}
          />
        </div>
      </>
    ),
  })
}
