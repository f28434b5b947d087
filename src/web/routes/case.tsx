/**
 * One record for somebody without an account: the link that was mailed or shown, or the record's number and a code, lead to a short
 * session of this browser. The token is in no address after that. What stands on the pages, heading 6 decides by the role of the link.
 */
import { linkedEntities, linkRoles, linkScreen } from '../../headings/6-permissions/links.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import { isUnspecified, specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import {
  type Case,
  caseByCode,
  caseOf,
  codeFrom,
  codeHash,
  codeLetters,
  endWay,
  endWays,
  nameOf,
  openSession,
  openWay,
} from '../../run/people/case-links.ts'
import { raise } from '../../run/problems/raise.ts'
import { read } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import { HiddenInputs, LinkButton, PostButton } from '../../ui/buttons.tsx'
import { SelectControl, TextControl } from '../../ui/controls.tsx'
import { ErrorSummary, Field } from '../../ui/form.tsx'
import { Note, PageHead, Sheet } from '../../ui/page.tsx'
import { caseMinutes } from '../bounds.ts'
import { csrfInput, flashCookie, notFound, pageOf, problemPage, refusalPage } from '../pages.tsx'
import { casePath } from '../paths.ts'
import type { Random } from '../random.ts'
import { countingFailures } from '../rate-limit/failures.ts'
import { isLookup } from '../records.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { clearing, type HttpResponse, seeOther } from '../response.ts'
import { fieldIn, routeHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { dropCookie, setCookie } from '../sign-in/cookies.ts'
import { safeNext } from '../sign-in/next.ts'
import { hashOf, isToken, newToken } from '../sign-in/session.ts'
import type { Site } from '../site.ts'
import { postedForm } from './sign-in.tsx'

/** The page of a record for whoever holds its link, and the field that its address names it by; null: the document has none. */
function pageOfCase({ app }: Site, entity: string) {
  const screen = linkScreen(app, entity, linkRoles(app, entity))
  const route = screen === null || isUnspecified(screen.route) ? null : screen.route
  const field = route === null ? null : fieldIn(route)
  return screen === null || route === null || field === null ? null : { screen, route, field }
}

interface Next {
  readonly href: string
  readonly entity: string
  /** What names the record in the address. */
  readonly name: string
  /** What was typed there is kept. */
  readonly isKept: boolean
}

/** Where this browser goes on once it has opened a record again; null: nowhere in particular. */
function nextOf({ site, cookies, web }: RequestContext): Next | null {
  const href = safeNext(Buffer.from(cookies.get(web.jar.caseNext) ?? '', 'base64url').toString())
  const { pathname, searchParams } = new URL(href, web.origin)
  const match = site.routes.match(pathname)
  if (match === null || match.kind === 'new') return null
  const isKept = searchParams.has('kept')
  if (match.kind !== 'screen') return { href, entity: match.place.entity.key, name: match.record, isKept }
  const { shows, route } = match.screen
  const [entity, field] = [specified(shows)?.entity ?? null, isUnspecified(route) ? null : fieldIn(route)]
  return entity === null || field === null ? null : { href, entity, name: match.segments[field] ?? '', isKept }
}

/** Without a token: asks for the number and the code. With one: the session begins, and the address is left. */
export async function casePage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, query } = context
  if (linkedEntities(site.app).length === 0) return notFound(context)
  const token = query.get('token')
  if (token === null) return asking(context)
  if (isSignedIn(context)) return problemPage(context, { status: 403, why: say(site, 'caseSignedIn') })
  const found = isToken(token) ? await caseOf(runtime.store, hashOf(token), 'link', request.now) : null
  // Not `same-origin`: the address that leads on must not be told to the page that it leads to.
  return found === null ? asking(context, { fault: say(site, 'caseGone'), status: 404 }) : begin(context, found)
}

interface State {
  readonly fault?: string
  readonly status?: number
  readonly number?: string
  readonly of?: string
}

async function asking(context: RequestContext, { fault, status = 200, number, of }: State = {}): Promise<HttpResponse> {
  const { site, query, request, runtime } = context
  const next = nextOf(context)
  const { link } = request.actor
  const page = link === undefined ? null : pageOfCase(site, link.entity)
  const name =
    page === null ? null : await nameOf(runtime.store, { entity: link!.entity, record: link!.id }, page.field)
  const entities = linkedEntities(site.app)
  const chosen = of ?? query.get('of') ?? next?.entity ?? entities[0]!
  const title = say(site, 'caseOpen')
  return pageOf(context, {
    title: [title],
    status,
    error: fault !== undefined,
    content: (
      <>
        <ErrorSummary faults={fault === undefined ? [] : [{ control: 'number', text: fault }]} />
        <PageHead title={title} />
        <div className="sheet">
          <form method="post" action={casePath} className="body stack" noValidate>
            <HiddenInputs inputs={[csrfInput(context)]} />
            {next?.isKept && <Note icon="pencil">{say(site, 'caseKept')}</Note>}
            <p>{say(site, 'caseText')}</p>
            {entities.length === 1 ? (
              <input type="hidden" name="of" value={entities[0]} />
            ) : (
              <Field id="of" label={say(site, 'caseOf')} width="medium">
                {aid => (
                  <SelectControl
                    aid={aid}
                    name="of"
                    value={chosen}
                    options={entities.map(value => ({
                      value,
                      label: wordFor(site.app, site.app.entities.get(value)!.name),
                    }))}
                  />
                )}
              </Field>
            )}
            <Field id="number" label={say(site, 'caseNumber')} width="medium">
              {aid => <TextControl aid={aid} name="number" value={number ?? next?.name ?? ''} autoComplete="off" />}
            </Field>
            <Field id="code" label={say(site, 'caseCode')} width="medium">
              {aid => <TextControl aid={aid} name="code" value="" autoComplete="off" />}
            </Field>
            <div>
              <button type="submit" className="btn pri">
                {title}
              </button>
            </div>
          </form>
        </div>
        {page !== null && name !== null && (
          <Sheet title={say(site, 'caseNow')}>
            <div className="stack">
              <div>
                <LinkButton href={routeHref(page.route, name)}>{say(site, 'caseLink', { name })}</LinkButton>
              </div>
              <p>{say(site, 'caseEndText')}</p>
              <PostButton
                action={`${casePath}/close`}
                hidden={[csrfInput(context), { name: 'end', value: link!.id }]}
                tone="bad"
              >
                {say(site, 'caseEnd')}
              </PostButton>
            </div>
          </Sheet>
        )}
      </>
    ),
  })
}

/** The number and the code. What is wrong, and whether there is such a record, the answer does not tell, nor its time. */
export async function openCase(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, network } = context
  const form = postedForm(context)
  const of = form.get('of') ?? ''
  const page = linkedEntities(site.app).includes(of) ? pageOfCase(site, of) : null
  if (page === null) return notFound(context)
  if (isSignedIn(context)) return problemPage(context, { status: 403, why: say(site, 'caseSignedIn') })
  const number = (form.get('number') ?? '').trim()
  const code = (form.get('code') ?? '').slice(0, 100)
  const guess = { of: 'case', account: `${of} ${number.slice(0, 200)}`, network, device: null } as const
  const guessed = await countingFailures(runtime.store, request, guess, async () =>
    isLookup(number) && number !== ''
      ? caseByCode(runtime, request, of, { field: page.field, value: number, code })
      : null,
  )
  if (guessed.kind !== 'right') {
    const { message, whatToDo, status } = raise(site.app, 'NF-CASE-CODE', {})
    return asking(context, { fault: `${message} ${whatToDo}`, status, number, of })
  }
  return begin(context, guessed.found)
}

/** The browser is let in for a while, under a token that is in no address. */
async function begin(context: RequestContext, found: Case): Promise<HttpResponse> {
  const { site, runtime, request, web, cookies } = context
  const page = pageOfCase(site, found.entity)
  const name = page === null ? null : await nameOf(runtime.store, found, page.field)
  if (page === null || name === null) return asking(context, { fault: say(site, 'caseGone'), status: 404 })
  const token = newToken(web.options.random)
  const ends = new Date(request.now.getTime() + caseMinutes * 60_000)
  const before = cookies.get(web.jar.case)
  await runtime.store.inTransaction(tx =>
    openSession(
      tx,
      { ...found, hash: hashOf(token), now: request.now, ends },
      before === undefined ? null : hashOf(before),
    ),
  )
  const next = nextOf(context)
  const isNext = next !== null && next.entity === found.entity && next.name === name
  const response = seeOther(isNext ? next.href : routeHref(page.route, name), [
    setCookie(web.jar, web.jar.case, token, caseMinutes * 60),
    dropCookie(web.jar, web.jar.caseNext),
  ])
  return { ...response, headers: { ...response.headers, 'referrer-policy': 'no-referrer' } }
}

/** By whoever has opened it: the browser forgets it, or (`end`) everything that leads to it without an account ends. */
export async function closeCase(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, web, cookies } = context
  const { link } = request.actor
  const token = cookies.get(web.jar.case)
  const end = postedForm(context).get('end')
  // Another one was opened since the page was made: what it asks for was not meant for that.
  if (end !== null && end !== link?.id) return seeOther(casePath)
  const isEnd = end !== null
  if (link !== undefined)
    await runtime.store.inTransaction(tx =>
      isEnd ? endWays(tx, { entity: link.entity, record: link.id }) : endWay(tx, hashOf(token!)),
    )
  const response = seeOther(casePath, [
    dropCookie(web.jar, web.jar.case),
    flashCookie(web, say(site, isEnd ? 'caseEnded' : 'caseClosed')),
  ])
  return clearing(response)
}

/** Asks whoever may change the record. */
export async function caseEndPage(context: RequestContext): Promise<HttpResponse> {
  const { site, query } = context
  const [entity, id] = [query.get('entity') ?? '', query.get('id') ?? '']
  const title = say(site, 'caseEnd')
  return (
    (await unended(context, entity, id)) ??
    pageOf(context, {
      title: [title],
      content: (
        <section className="sheet">
          <div className="body stack">
            <h1>{title}</h1>
            <p>{say(site, 'caseEndText')}</p>
            <PostButton
              action={`${casePath}/end`}
              hidden={[csrfInput(context), { name: 'entity', value: entity }, { name: 'id', value: id }]}
              tone="bad"
            >
              {title}
            </PostButton>
          </div>
        </section>
      ),
    })
  )
}

/** Null: whoever asks may end them. */
async function unended(context: RequestContext, entity: string, id: string): Promise<HttpResponse | null> {
  const { site, runtime, request } = context
  if (!linkedEntities(site.app).includes(entity) || !isId(id)) return notFound(context)
  const data = await read(runtime, request, { kind: 'one', entity, by: { field: 'id', value: id }, history: 0 })
  if (data === null) return notFound(context)
  return data.row.may.change.open ? null : refusalPage(context, raise(site.app, 'NF-CHANGE-DENIED', { entity }))
}

/** By somebody who may change the record: no link and no code leads to it any more. */
export async function caseEnds(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, web } = context
  const form = postedForm(context)
  const [entity, id] = [form.get('entity') ?? '', form.get('id') ?? '']
  const refused = await unended(context, entity, id)
  if (refused !== null) return refused
  await runtime.store.inTransaction(tx => endWays(tx, { entity, record: id }))
  return seeOther(`/-/record?${new URLSearchParams({ entity, id })}`, [flashCookie(web, say(site, 'caseEnded'))])
}

export interface NewCase {
  readonly name: string
  readonly code: string
  readonly href: string
}

/** What whoever sent a form for everyone is given, once; null: records of this kind have no links. */
export async function newCase(
  { site, runtime, request, web }: RequestContext,
  entity: string,
  record: string,
): Promise<NewCase | null> {
  const page = linkRoles(site.app, entity).length === 0 ? null : pageOfCase(site, entity)
  const name = page === null ? null : await nameOf(runtime.store, { entity, record }, page.field)
  if (name === null) return null
  const { random } = web.options
  const [token, code] = [newToken(random), codeFrom(random(codeLetters))]
  const ends = new Date(request.now.getTime() + engineValue(request.limits, 'link_days') * 86_400_000)
  const of = { entity, record, now: request.now, ends }
  await runtime.store.inTransaction(async tx => {
    await openWay(tx, { ...of, way: 'link', hash: hashOf(token) })
    await openWay(tx, { ...of, way: 'code', hash: codeHash(record, code) })
  })
  return { name, code, href: caseHref(web.origin, token) }
}

const caseHref = (origin: string, token: string): string => `${origin}${casePath}?${new URLSearchParams({ token })}`

/** For a mail: an address that was never given before, and the hash that is kept of it. */
export function wayIn(origin: string, random: Random): { readonly hash: Buffer; readonly href: string } {
  const token = newToken(random)
  return { hash: hashOf(token), href: caseHref(origin, token) }
}
