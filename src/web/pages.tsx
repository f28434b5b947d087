/** Pages: content in the shell, with navigation by role, what just happened, and in `dev` the strip that says so. */

import type { ReactElement, ReactNode } from 'react'
import { placeText } from '../document/print.ts'
import type { Cell } from '../document/source.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import { wordFor } from '../headings/translate.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { Page } from '../kinds/screens/screen-page.ts'
import type { Crumbs, Mark, ScreenView } from '../kinds/screens/view-model.ts'
import type { Problem as Refusal } from '../run/outcome.ts'
import type { Moved } from '../run/write/place.ts'
import type { Done } from '../run/write/undo.ts'
import { ActingBanner, DevBanner } from '../ui/banners.tsx'
import { type Hidden, LinkButton } from '../ui/buttons.tsx'
import { ErrorSummary, type Fault } from '../ui/form.tsx'
import { Stack } from '../ui/page.tsx'
import { PrintBar, type PrintBarProps } from '../ui/print.tsx'
import { Problem, type ProblemProps, problemTitle } from '../ui/problem.tsx'
import { type Flash, type Made, type Me, renderPage } from '../ui/shell.tsx'
import { countsFor, noCounts } from './counts.ts'
import { parseForm } from './form-body.ts'
import { GivenBack, type GivenBackProps, TypedInVain } from './given-back.tsx'
import { hereIn } from './navigation.ts'
import { actPath, casePath, editorPath, embedRoot, receivedPath, undoPath } from './paths.ts'
import { type RequestContext, readingAtOnce, type Web } from './request-context.ts'
import { type HttpResponse, html } from './response.ts'
import { whyHref } from './routes.ts'
import { say } from './sentences.ts'
import { exportName, paperFormat } from './sheets.ts'
import { bareShell, shellOf } from './shell.ts'
import { dropCookie, setCookie } from './sign-in/cookies.ts'
import { csrfToken, originOf } from './sign-in/csrf.ts'
import type { Site } from './site.ts'

interface PageFrame {
  readonly title: readonly string[]
  readonly crumbs?: Crumbs
  readonly decidedBy?: readonly (Mark | null)[]
  /** There are errors on the page; unsaid, where there are faults. */
  readonly error?: boolean
  /** Unsaid: that of the first fault, which is 422 if it has none; without faults 200. */
  readonly status?: number
  /** Entries of the browser bundle that this page needs, besides those of every page. */
  readonly scripts?: readonly string[]
  /** Needs room where nobody is signed in: texts of the document, the mailbox. */
  readonly wide?: boolean
  readonly paper?: Page['paper']
}

/** `faults`: why a form comes back, told above the content. */
type PageContent = PageFrame &
  (
    | { readonly faults?: undefined; readonly content: ReactNode | Made }
    | { readonly faults: readonly (Fault & { readonly status?: number })[]; readonly content: ReactNode }
  )

/** The thing, and the place that it belongs to, where that is another page. */
function titleOf({ title, crumbs = [] }: PageFrame): readonly string[] {
  const place = crumbs.find(({ href }) => href !== null)?.label
  return place === undefined || title.includes(place) ? title : [...title, place]
}

export async function pageOf(context: RequestContext, page: PageContent): Promise<HttpResponse> {
  const { web, site } = context
  const flash = takeFlash(context)
  const { embedded } = context
  const { faults = [], status = faults[0] === undefined ? 200 : (faults[0].status ?? 422) } = page
  const shell = shellOf(context, {
    paper: page.paper !== undefined,
    wide: page.wide === true,
    scripts: page.scripts ?? [],
  })
  const counts = shell.nav.length === 0 ? noCounts : await countsFor(readingAtOnce(context))
  const body = renderPage({
    reader: site.reader,
    shell,
    title: titleOf(page),
    error: page.error ?? faults.length > 0,
    crumbs: page.crumbs ?? [],
    here: hereIn(shell.nav, context.path),
    counts,
    ...(shell.me === null ? {} : { me: meOf(context) }),
    from: shell.find !== null && page.status === undefined && page.faults === undefined ? recordOf(context) : null,
    foot: page.paper?.foot ?? '',
    flash,
    banner: embedded ? null : (
      <>
        {actingBanner(context)}
        {caseBanner(context)}
        {bannerOf(context)}
        {page.paper && <PrintBar back={page.paper.back} file={paperLink(context, page.paper.sent ?? null)} />}
      </>
    ),
    decidedBy: embedded ? [] : (page.decidedBy ?? []).filter(mark => mark !== null),
    content:
      page.faults === undefined ? (
        page.content
      ) : (
        <>
          <ErrorSummary faults={page.faults} />
          {page.content}
        </>
      ),
  })
  const response = html(body, status)
  return flash === null ? response : { ...response, cookies: [dropCookie(web.jar, web.jar.flash)] }
}

/** The address of the page itself, in a frame that of the frame; `query` without `?`. */
export const hereHref = ({ embedded, path, visit, visitInAddress }: RequestContext, query = ''): string => {
  const all = [...(query === '' ? [] : [query]), ...(visitInAddress ? [`visit=${visit}`] : [])].join('&')
  return `${embedded ? embedRoot : ''}${path}${all === '' ? '' : `?${all}`}`
}

/** To the same page as a file for paper. */
function paperLink(context: RequestContext, sent: PrintBarProps['file']['sent']): PrintBarProps['file'] {
  const query = new URLSearchParams([...context.query, [exportName, paperFormat]])
  return { href: hereHref(context, query.toString()), sent }
}

/** A screen from its model. `scripts`: entries of the browser bundle. */
export function viewPage(
  context: RequestContext,
  view: ScreenView,
  content: ReactElement | Made,
  scripts: readonly string[],
  options: Partial<Pick<PageFrame, 'status' | 'error' | 'paper'>> = {},
): Promise<HttpResponse> {
  return pageOf(context, {
    title: [view.pageTitle],
    crumbs: view.crumbs,
    decidedBy: [view.mark],
    scripts,
    content,
    ...options,
  })
}

interface ProblemContent extends Omit<ProblemProps, 'reference' | 'line'> {
  readonly because?: Cell | null
  /** What was sent, to send it once more. */
  readonly back?: GivenBackProps | null
}

/** A page that says what could not be done, why, and what now. */
export function problemPage(
  context: RequestContext,
  { because = null, back = null, ...problem }: ProblemContent,
): Promise<HttpResponse> {
  const { site, request } = context
  return pageOf(context, {
    title: [problem.what ?? problemTitle(problem.status, site.reader.words)],
    status: problem.status,
    error: true,
    content: (
      <Stack>
        <Problem
          {...problem}
          reference={request.id}
          line={because === null ? null : site.mark(because)}
          actions={
            problem.actions ?? (
              <LinkButton href={context.embedded ? hereHref(context) : '/'}>{site.reader.words('toStart')}</LinkButton>
            )
          }
        />
        {isOwnPost(context) && (back === null ? <TypedHere context={context} /> : <SentHere {...back} />)}
      </Stack>
    ),
  })
}

/** Only what came from a page of ours: never what a page of others made up. */
const isOwnPost = ({ web, method, headers }: RequestContext): boolean =>
  method === 'POST' && originOf(headers, web.origin) === 'own'

function TypedHere({ context: { site, headers, body, path } }: { readonly context: RequestContext }) {
  const form = parseForm(headers['content-type'], body)
  return 'value' in form && <TypedInVain site={site} action={path} form={form.value} />
}

const SentHere = (back: GivenBackProps) => (
  <div className="sheet">
    <div className="body">
      <GivenBack {...back} />
    </div>
  </div>
)

/** Beside a refusal: what one may do with the record, and why not this. `at`: the part of that page. */
export const whyAction = ({ site }: RequestContext, entity: string, id: string, at: string): ReactNode => (
  <>
    <LinkButton href={whyHref(entity, id, at)}>{say(site, 'whyLink')}</LinkButton>
    <LinkButton href="/">{site.reader.words('toStart')}</LinkButton>
  </>
)

interface BareProblem extends Pick<ProblemProps, 'what' | 'why' | 'code'> {
  /** Where nothing was sent: the page that was asked for, to ask for it once more. */
  readonly again?: string | null
  /** What was sent, to send it once more. */
  readonly back?: GivenBackProps | null
  readonly embedded?: boolean
}

/** For failures where nothing is known of who asks, perhaps not even whether the database lives. */
export function bareProblemPage(
  web: Web,
  site: Site,
  status: number,
  id: string,
  { again = null, back = null, embedded = false, ...problem }: BareProblem = {},
): HttpResponse {
  const { reader } = site
  const body = renderPage({
    reader,
    shell: bareShell(web, site, embedded),
    title: [problem.what ?? problemTitle(status, reader.words)],
    error: true,
    content: (
      <>
        <Problem
          {...problem}
          status={status}
          reference={id}
          {...(again === null ? {} : { notDone: reader.words('problem.404.notDone') })}
          actions={
            back === null && (
              <>
                {again !== null && <LinkButton href={again}>{reader.words('tryAgain')}</LinkButton>}
                <LinkButton href="/">{reader.words('toStart')}</LinkButton>
              </>
            )
          }
        />
        {back !== null && <SentHere {...back} />}
      </>
    ),
  })
  return html(body, status)
}

/** There is nothing here, or nothing that this person may know of: the same page for both. */
export const notFound = (context: RequestContext): Promise<HttpResponse> => problemPage(context, { status: 404 })

/** In the words of a refusal. */
export const refusalPage = (
  context: RequestContext,
  { code, message, whatToDo, status }: Refusal,
): Promise<HttpResponse> => problemPage(context, { status, code, why: message, now: whatToDo })

/** The page is for other people. Which ones is said only to those who are signed in. */
export function forbidden(context: RequestContext, screen: Screen | null): Promise<HttpResponse> {
  const { site, request } = context
  const audience = screen === null ? null : specified(screen.for)
  if (screen === null || audience === null)
    return problemPage(context, {
      status: 403,
      because: screen?.for.cell ?? null,
      ...(screen === null ? {} : { why: say(site, 'unspecifiedFor') }),
    })
  const roles =
    audience.kind === 'roles'
      ? site.reader.format.anyOf(audience.roles.map(role => wordFor(site.app, role)))
      : say(site, 'forSignedIn')
  const mine =
    request.actor.roles.length === 0
      ? say(site, 'rolesNone')
      : site.reader.format.allOf(request.actor.roles.map(role => wordFor(site.app, role)))
  return problemPage(context, { status: 403, because: audience.cell, why: say(site, 'rolesOnly', { roles, mine }) })
}

/** The hidden input of every form: the token of the session, masked anew for each page. */
export function csrfInput(context: RequestContext): Hidden {
  let input = tokens.get(context)
  if (input === undefined) {
    input = { name: '_csrf', value: csrfToken(context.formSecret, context.web.options.random) }
    tokens.set(context, input)
  }
  return input
}

const tokens = new WeakMap<RequestContext, Hidden>()

/** A word for the next page. `done`: what the person who reads it can take back. */
export function flashCookie(web: Web, text: string, tone: Flash['tone'] = 'good', done: Undoing | null = null): string {
  const undo = done === null ? {} : { undo: writtenDone(done) }
  const value = Buffer.from(JSON.stringify({ text: text.slice(0, 300), tone, ...undo })).toString('base64url')
  return setCookie(web.jar, web.jar.flash, value, 60)
}

function takeFlash(context: RequestContext): Flash | null {
  const { web, cookies } = context
  const value = cookies.get(web.jar.flash)
  if (value === undefined || value === '') return null
  try {
    const { text, tone, undo } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Record<string, unknown>
    if (typeof text !== 'string') return null
    const done = typeof undo === 'string' ? readDone(undo) : null
    return flashOf(context, { text, tone: tone === 'bad' ? 'bad' : 'good', done })
  } catch {
    return null
  }
}

/** What was said, with the way back; it leads to this page again. */
export function flashOf(
  context: RequestContext,
  { done, ...said }: Pick<Flash, 'text' | 'tone'> & { readonly done: Undoing | null },
): Flash {
  if (done === null) return said
  const here = hereHref(context, String(context.query))
  const hidden = [csrfInput(context), { name: 'of', value: writtenDone(done) }, { name: '_next', value: here }]
  return { ...said, undo: { action: undoPath, hidden } }
}

/** A write; or a record that was put elsewhere in an order by hand. */
export type Undoing = Done | (Moved & Pick<Done, 'entity' | 'id'>)

const writtenDone = (done: Undoing): string =>
  'to' in done
    ? `@place ${done.entity} ${done.id} ${done.from ?? '-'} ${done.to}`
    : `${done.entity} ${done.id} ${done.version}`

const position = String.raw`-?\d{1,40}(?:\.\d{1,200})?`
const wasPut = new RegExp(String.raw`^@place (\w{1,100}) ([\da-f-]{36}) (-|${position}) (${position})$`)

/** From a form, or a cookie; whether it was so, is asked where it is undone. */
export function readDone(text: string | null): Undoing | null {
  const [, of, moved, from, to] = wasPut.exec(text ?? '') ?? []
  if (to !== undefined) return { entity: of!, id: moved!, from: from === '-' ? null : from!, to }
  const [, record, comment] =
    /^(?:(\w{1,100} [\da-f-]{36} \d{1,9})|(@comment [\da-f-]{36} \d{13}))$/.exec(text ?? '') ?? []
  const [entity, id, version] = (record ?? comment ?? '').split(' ')
  return id === undefined ? null : { entity: entity!, id, version: Number(version) }
}

/** The address, where it shows one record: its steps can be found. */
function recordOf({ site, path }: RequestContext): string | null {
  const match = site.routes.match(path)
  return match?.kind === 'screen' && kindOf(match.screen)?.isRecordPage ? path : null
}

/** Whoever looks through a role, or as somebody else, leaves nothing of it in the browser. */
const keepsInMind = ({ request: { actor, by, preview } }: RequestContext): string =>
  by === undefined && preview === undefined ? (actor.id ?? '') : ''

const meOf = (context: RequestContext): Me => ({
  person: keepsInMind(context),
  name: context.request.actor.name ?? '',
  hidden: csrfInput(context),
})

/** On each page while somebody without an account has opened a record by its link. */
function caseBanner(context: RequestContext): ReactNode {
  const { site, request } = context
  if (request.actor.link === undefined) return null
  const stop = { action: `${casePath}/close`, hidden: [csrfInput(context)], label: say(site, 'caseClose') }
  return <ActingBanner text={say(site, 'caseNow')} stop={stop} />
}

/** On each page while somebody acts as another person, or looks through a role. */
function actingBanner(context: RequestContext): ReactNode {
  const { site, request } = context
  const { by, preview, actor } = request
  const held = by ?? preview
  if (held === undefined) return null
  const until = site.reader.format.moment(held.until)
  const text =
    by === undefined
      ? say(site, 'actPreviewNow', { role: wordFor(site.app, preview!.role), until })
      : say(site, 'actAsNow', { by: by.name, who: actor.name ?? '', until })
  return (
    <ActingBanner
      text={text}
      stop={{ action: `${actPath}/stop`, hidden: [csrfInput(context)], label: say(site, 'actStop') }}
    />
  )
}

function bannerOf(context: RequestContext): ReactNode {
  const { web, site, path } = context
  if (web.options.mode !== 'dev') return null
  const { outdated, people, found } = web.served()
  const next = path === '/-/sign-in' ? context.query.get('next') : null
  const first = outdated && path !== '/-/diagnostics' ? found.find(({ severity }) => severity === 'error') : undefined
  const links = [
    { label: site.reader.words('document'), href: '/-/document', icon: 'file' as const },
    ...(web.options.editing === undefined
      ? []
      : [{ label: say(site, 'editor'), href: editorPath, icon: 'pencil' as const }]),
    { label: site.reader.words('mailbox'), href: '/-/mailbox', icon: 'mail' as const },
    ...(site.app.calls.size + site.app.receives.size === 0
      ? []
      : [{ label: site.reader.words('received'), href: receivedPath, icon: 'call' as const }]),
    ...(web.options.moveClock === undefined
      ? []
      : [{ label: say(site, 'clock'), href: '/-/clock', icon: 'clock' as const }]),
  ].map(link => ({ ...link, current: link.href === path }))
  return (
    <DevBanner
      links={links}
      lines={!/^\/-\/(?:document|why|diagnostics)(?:\/|$)/.test(path)}
      people={{
        action: '/-/demo',
        hidden: [csrfInput(context), ...(next === null ? [] : [{ name: 'next', value: next }])],
        names: people.map(({ id, name }) => ({ value: id, label: name })),
      }}
      mistakes={
        first === undefined ? null : { href: '/-/diagnostics', first: `${placeText(first.span)} ${first.message}` }
      }
    />
  )
}

export type { Site }
