/** `/-/drafts`: what somebody began to write and has not saved, wherever it was; to continue, or to throw away. */
import { read } from '../../run/read/read.ts'
import { isId } from '../../run/values.ts'
import { discardDraft } from '../../run/write/drafts.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { PageHead, When } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { draftsPath } from '../paths.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { thingOf } from '../screens/common.ts'
import { continueHref, draftTitle } from '../screens/drafts.ts'
import { say } from '../sentences.ts'
import { draftOf } from './drafts.ts'
import { postedForm } from './sign-in.tsx'

export async function myDraftsPage(context: RequestContext): Promise<HttpResponse> {
  const { site, request } = context
  const title = say(site, 'myDrafts')
  const reading = readingAtOnce(context)
  const found = await Promise.all(
    context.drafts.map(async draft => ({ ...draft, name: await nameOf(reading, draft.form) })),
  )
  const drafts = found.flatMap(({ form, at, name }) => (name === null ? [] : [{ form, at, name }]))
  return pageOf(context, {
    title: [title],
    content: (
      <>
        <PageHead title={title} />
        {drafts.length === 0 ? (
          <div className="sheet">
            <EmptyState title={say(site, 'noDrafts')} text={say(site, 'noDraftsText')} />
          </div>
        ) : (
          <ul className="sheet waits">
            {drafts.map(({ form, at, name }) => (
              <li key={form}>
                <div className="what">
                  <a href={continueHref(form)}>{name}</a>
                  <span className="muted">
                    <When iso={at} text={site.reader.format.relative(at, request.now)} />
                  </span>
                </div>
                <div className="acts">
                  <LinkButton href={continueHref(form)} small object={name}>
                    {say(site, 'continueIt')}
                  </LinkButton>
                  <PostButton
                    action={draftsPath}
                    hidden={[csrfInput(context)]}
                    name="discard"
                    value={form}
                    small
                    tone="bad"
                    object={name}
                  >
                    {say(site, 'discardDraft')}
                  </PostButton>
                </div>
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  })
}

/** By its record's title, where its address says an id. */
async function nameOf(context: RequestContext, form: string): Promise<string | null> {
  const { site, runtime, request } = context
  const name = draftTitle(context, form)
  const match = site.routes.match(form)
  if (name === null || match?.kind !== 'edit' || !isId(match.record)) return name
  const entity = match.place.entity.key
  const by = { field: 'id', value: match.record }
  const data = await read(runtime, request, { kind: 'one', entity, by, history: 0 })
  return data === null ? name : thingOf(site, entity, data.row)
}

export async function discardMyDraft(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, web, drafts } = context
  const form = postedForm(context).get('discard') ?? ''
  const of = draftOf(context)
  if (of === null || !drafts.some(draft => draft.form === form)) return notFound(context)
  await discardDraft(runtime.store, { ...of, form })
  return seeOther(draftsPath, [flashCookie(web, say(site, 'draftDiscarded'))])
}
