/** Screens of heading 2: the page of its kind, in the shell; forms, which are a part of the application besides. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { isUnspecified, specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { screenPages } from '../../kinds/screens/pages.ts'
import type { Address } from '../../kinds/screens/screen-kind.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { notFound, pageOf, problemPage, viewPage } from '../pages.tsx'
import { presenterOf } from '../presenter.ts'
import { isLookup } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { emergencyHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { exportList } from './export.ts'
import { figuresFile } from './figures-file.ts'
import { createForm, editForm, publicForm } from './forms.tsx'
import { paperFile } from './paper.ts'
import { wizardScreen } from './wizard.tsx'

export async function screenPage(
  context: RequestContext,
  screen: Screen,
  segments: Address['segments'],
): Promise<HttpResponse> {
  const { site, method } = context
  const kind = kindOf(screen)
  if (kind === null) return unspecifiedPage(context, screen)
  if (kind.entry === 'page') return formScreen(context, screen, segments)
  if (kind.entry === 'steps') {
    const place = site.routes.places.get(specified(screen.shows)?.entity ?? '')
    return place === undefined ? notFound(context) : wizardScreen(context, place, screen, segments)
  }
  if (method === 'POST') return problemPage(context, { status: 405 })
  if (kind.isSpecified?.(screen) === false) return unspecifiedPage(context, screen)
  const page = await screenPages.get(kind.name)!.get(screen, presenterOf(context, segments))
  if (page === null) return absent(context, screen, segments)
  if ('seeOther' in page) return seeOther(page.seeOther)
  if ('sheets' in page) return paperFile(context, screen, page)
  if ('out' in page) return exportList(context, screen, page.out)
  if ('rows' in page) return figuresFile(context, screen, page)
  const { view, content, scripts, paper } = page
  return viewPage(context, view, content, scripts, paper && { paper })
}

/** Whether there is such a record is not said: who may open records in an emergency is told how to ask for one, whatever the address names. */
function absent(context: RequestContext, screen: Screen, segments: Address['segments']): Promise<HttpResponse> {
  const { site, request } = context
  const entity = specified(screen.shows)?.entity ?? null
  const value = Object.values(segments).at(-1)
  if (entity === null || value === undefined || !isLookup(value) || !opensIn(site.app, request.actor, entity))
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
