/** `/-/notices`: what somebody was told of, and what marks it as read; below them what was done with many records at once. */
import { lookAtJobs, readJobs } from '../../run/many/jobs.ts'
import { markRead, type Notice, readNotices } from '../../run/people/notices.ts'
import type { NoticeKind } from '../../run/people/told.ts'
import { noticed, noticedThing, wordsIn } from '../../run/problems/words.ts'
import { isId } from '../../run/values.ts'
import { LinkButton, PostButton } from '../../ui/buttons.tsx'
import { Views } from '../../ui/list.tsx'
import { PageHead, Sheet, Tag, When } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/problem.tsx'
import { mayOpen } from '../access.ts'
import { countsFor } from '../counts.ts'
import { csrfInput, notFound, pageOf } from '../pages.tsx'
import { noticesPath } from '../paths.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { jobHref, recordHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { jobStates, jobTitle } from './job-title.ts'
import { postedForm } from './sign-in.tsx'

/** Characters of a comment that are shown here. */
const excerpt = 280

/** In the address: the notice that leads on to its record, and is read with that. */
const openName = 'open'

/** In the address: the last notice of the page before. */
const beforeName = 'before'

/** In the address: of which kinds; absent, or anything else: of all. */
const showName = 'show'

const tabs = {
  decide: { label: 'notices.decide', kinds: ['decide'] },
  mentions: { label: 'notices.mentions', kinds: ['mention', 'reply', 'owner'] },
  followed: { label: 'notices.followed', kinds: ['comment', 'moved'] },
} as const satisfies Record<string, { readonly label: string; readonly kinds: readonly NoticeKind[] }>
type Tab = keyof typeof tabs
const tabNames = Object.keys(tabs) as Tab[]

function tabOf({ query }: RequestContext): Tab | null {
  const asked = query.get(showName) ?? ''
  return Object.hasOwn(tabs, asked) ? (asked as Tab) : null
}

const hrefOf = (tab: Tab | null, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams({ ...(tab === null ? {} : { [showName]: tab }), ...more }).toString()
  return query === '' ? noticesPath : `${noticesPath}?${query}`
}

/** Neither seeing it as a role nor acting as somebody: those read nothing for anybody. */
const isThemselves = ({ request }: RequestContext): boolean => request.preview === undefined && request.by === undefined

/** The record, a comment where it stands; null where they may not open it. */
function recordOf({ site, request }: RequestContext, { entity, address, text }: Notice): string | null {
  const place = site.routes.places.get(entity)
  return place?.one != null && mayOpen(place.one, request.actor) && address !== null
    ? `${recordHref(place, address)}${text === null ? '' : '#activity'}`
    : null
}

export async function noticesPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, request, hasUnread } = context
  const by = Object.fromEntries([...site.routes.places].map(([entity, place]) => [entity, place.by]))
  const before = context.query.get(beforeName)
  const tab = tabOf(context)
  const reading = readingAtOnce(context)
  const [{ notices, next }, jobs] = await Promise.all([
    readNotices(reading.runtime, request, {
      by,
      before: before !== null && isId(before) ? before : null,
      ...(tab !== null && { kinds: tabs[tab].kinds }),
    }),
    tab === null ? readJobs(reading.runtime, request) : [],
    countsFor(reading),
  ])
  const asked = notices.find(({ id }) => id === context.query.get(openName))
  const record = asked === undefined ? null : recordOf(context, asked)
  if (asked !== undefined && record !== null) {
    if (isThemselves(context)) await markRead(runtime, request, asked.id)
    return seeOther(record)
  }
  const readAll = (
    <PostButton action={noticesPath} hidden={[csrfInput(context)]} name="read" value="all">
      {say(site, 'readAll')}
    </PostButton>
  )
  return pageOf(context, {
    title: [say(site, 'notices')],
    content: (
      <>
        <PageHead title={say(site, 'notices')} actions={hasUnread && tab === null ? readAll : undefined} />
        <Views
          label={say(site, 'notices')}
          views={[null, ...tabNames].map(one => ({
            label: say(site, one === null ? 'notices.all' : tabs[one].label),
            href: hrefOf(one),
            current: one === tab,
          }))}
        />
        {notices.length === 0 && !jobs.some(({ unseen }) => unseen) && (
          <div className="sheet">
            <EmptyState title={say(site, 'noNotices')} text={say(site, 'noNoticesText')} />
          </div>
        )}
        {notices.length > 0 && (
          <ul className="sheet notices">
            {notices.map(notice => (
              <NoticeItem key={notice.id} context={context} notice={notice} />
            ))}
          </ul>
        )}
        {next !== null && (
          <p>
            <LinkButton href={hrefOf(tab, { [beforeName]: next })}>{say(site, 'readsOlder')}</LinkButton>
          </p>
        )}
        {jobs.length > 0 && (
          <Sheet title={say(site, 'jobsMine')}>
            <ul>
              {jobs.map(job => (
                <li key={job.id}>
                  {job.unseen && <Tag tone="go">{say(site, 'unreadTag')}</Tag>}{' '}
                  <a href={jobHref(job.id)}>{jobTitle(context, job)}</a>
                  {`: ${[say(site, jobStates[job.state]), job.what.file].filter(text => text !== undefined).join(', ')} `}
                  <span className="muted">
                    <When iso={job.at} text={site.reader.format.relative(job.at, request.now)} />
                  </span>
                </li>
              ))}
            </ul>
          </Sheet>
        )}
      </>
    ),
  })
}

function NoticeItem({ context, notice }: { readonly context: RequestContext; readonly notice: Notice }) {
  const { site, request } = context
  const { id, text, at, read } = notice
  const more = Number(notice.more)
  const record = recordOf(context, notice)
  const here = new URLSearchParams(context.query)
  here.set(openName, id)
  const href = record === null || read ? record : `${noticesPath}?${here}`
  const name = noticedThing(site.app, notice)
  return (
    <li id={`notice-${id}`}>
      <div>
        <p>
          {!read && <Tag tone="go">{say(site, 'unreadTag')}</Tag>}{' '}
          {`${noticed(site.app, wordsIn(site.app.language), notice)}: `}
          {href === null ? name : <a href={href}>{name}</a>}{' '}
          {more > 0 && <span className="muted">{say(site, 'noticeMore', { count: more })} </span>}
          <span className="muted">
            <When iso={at} text={site.reader.format.relative(at, request.now)} />
          </span>
        </p>
        {text !== null && (
          <p className="letter">{text.length > excerpt ? `${text.slice(0, excerpt).toWellFormed()}…` : text}</p>
        )}
      </div>
      {!read && (
        <PostButton
          action={hrefOf(tabOf(context))}
          hidden={[csrfInput(context)]}
          name="read"
          value={id}
          small
          object={name}
        >
          {say(site, 'readOne')}
        </PostButton>
      )}
    </li>
  )
}

export async function readNotice(context: RequestContext): Promise<HttpResponse> {
  const read = postedForm(context).get('read') ?? ''
  if (read !== 'all' && !isId(read)) return notFound(context)
  await markRead(context.runtime, context.request, read === 'all' ? null : read)
  if (read === 'all') await lookAtJobs(context.runtime, context.request, null)
  return seeOther(hrefOf(tabOf(context)))
}
