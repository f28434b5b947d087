/** `/-/drafts`: what somebody began to write and has not saved, wherever it was; to continue, or to throw away. */
import { discardDraft } from '../../run/write/drafts.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { PageHead, When } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { type Answer, seeOther } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { csrfInput, flashCookie, notFound, pageOf } from '../pages.tsx'
import { draftsPath } from '../paths.ts'
import { continueHref, draftTitle } from '../screens/drafts.ts'
import { say } from '../sentences.ts'
import { draftOf } from './drafts.ts'
import { postedForm } from './sign-in.tsx'

export function myDraftsPage(exchange: Exchange): Promise<Answer> {
  const { site, request } = exchange
  const title = say(site, 'myDrafts')
  const drafts = exchange.drafts.flatMap(({ form, at }) => {
    const name = draftTitle(exchange, form)
    return name === null ? [] : [{ form, at, name }]
  })
  return pageOf(exchange, {
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
                    hidden={[csrfInput(exchange)]}
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

export async function discardMyDraft(exchange: Exchange): Promise<Answer> {
  const { site, runtime, web, drafts } = exchange
  const form = postedForm(exchange).get('discard') ?? ''
  const of = draftOf(exchange)
  if (of === null || !drafts.some(draft => draft.form === form)) return notFound(exchange)
  await discardDraft(runtime.store, { ...of, form })
  return seeOther(draftsPath, [flashCookie(web, say(site, 'draftDiscarded'))])
}
