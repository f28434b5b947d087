/** `/-/comments`: what somebody says about a record, changes or takes back; and whether they follow it. Leads back to the record. */

import { fileText, heldFile } from '../../kinds/fields/file/held.ts'
import type { Problem } from '../../run/outcome.ts'
import { ofComment } from '../../run/people/comment-undo.ts'
import { addComment, changeComment, follow, longestComment, mentionable } from '../../run/people/commenting.ts'
import type { Runtime } from '../../run/request.ts'
import { accompanied } from '../../run/write/accompanied.ts'
import { PageHead } from '../../ui/page.tsx'
import { NewComment } from '../../ui/talk.tsx'
import { flashCookie, notFound, pageOf } from '../pages.tsx'
import { commentsPath } from '../paths.ts'
import { isLookup } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json, seeOther } from '../response.ts'
import { building } from '../screens/common.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { idempotentForm } from '../write.ts'
import { postedForm } from './sign-in.tsx'

const told = {
  add: 'commentAdded',
  change: 'commentKept',
  remove: 'commentGone',
  follow: 'nowFollowing',
  stop: 'noLongerFollowing',
} as const

export async function writeComment(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request } = context
  const form = postedForm(context)
  const of = (name: string) => form.get(name) ?? ''
  const does = of('do')
  if (!isKnown(does)) return notFound(context)
  const [entity, record, comment] = [of('entity'), of('record'), of('comment')]
  const work = (runtime: Runtime) => {
    switch (does) {
      case 'add':
        return addComment(runtime, request, entity, record, {
          text: of('text'),
          replyTo: form.get('reply_to'),
          files: form.getAll('files').filter(file => file !== ''),
        })
      case 'change':
        return changeComment(runtime, request, entity, record, comment, of('text'))
      case 'remove':
        return changeComment(runtime, request, entity, record, comment, null)
      default:
        return follow(runtime, request, entity, record, does === 'follow')
    }
  }
  if (context.refused.length > 0) return again(context, form, context.refused)
  const isReply = does === 'add' && form.has('reply_to')
  const outcome = await work(accompanied(runtime, idempotentForm(context, form, null)))
  if (outcome.kind === 'not found') return notFound(context)
  const next = safeNext(form.get('_next'))
  if (outcome.kind === 'done') {
    const isFollowing = does === 'follow' || does === 'stop'
    const done = isFollowing ? null : { entity: ofComment, id: outcome.id, version: outcome.version }
    return seeOther(`${next}#activity`, [
      flashCookie(web, say(site, isReply ? 'replyAdded' : told[does]), 'good', done),
    ])
  }
  return again(context, form, outcome.kind === 'refused' ? outcome.problems : [outcome.problem])
}

/** What was refused, as a form with all that was typed and sent. */
function again(context: RequestContext, form: URLSearchParams, problems: readonly Problem[]): Promise<HttpResponse> {
  const { site } = context
  const typed = ['text', 'files', 'do', '_csrf', '_once']
  const files = form.getAll('files').flatMap(wire => heldFile(wire) ?? [])
  const rest = [...form].flatMap(([name, value]) => (typed.includes(name) ? [] : [{ name, value }]))
  const kept = files.map(file => ({ name: 'files', value: fileText(file) }))
  const title = site.reader.words('comment')
  return pageOf(context, {
    title: [title],
    faults: problems.map(({ message, whatToDo, status, field }) => ({
      control: field === 'text' ? 'comment' : field,
      text: `${message} ${whatToDo}`,
      status,
    })),
    content: (
      <>
        <PageHead title={title} />
        <NewComment
          action={commentsPath}
          hidden={[...building(context).tokens, ...rest, ...kept]}
          longest={longestComment}
          text={form.get('text') ?? ''}
          kept={files.map(({ name }) => name)}
          does={form.get('do') === 'change' ? 'change' : 'add'}
        />
      </>
    ),
  })
}

/** `/-/mentions?entity=loan&record=…&q=cl`: whom the letters behind an `@` may mean, for the list below a comment. */
export async function mentions({ runtime, request, query, site }: RequestContext): Promise<HttpResponse> {
  const of = (name: string) => query.get(name) ?? ''
  const search = of('q').trim()
  const { words } = site.reader
  const names =
    search === '' || !isLookup(search) || !site.app.entities.has(of('entity'))
      ? []
      : await mentionable(runtime, request, { entity: of('entity'), record: of('record'), search })
  const told = names.length === 0 ? words('pickNone') : words('pickFound', { count: names.length })
  return json({ names, told, label: words('pickOptions') })
}

const isKnown = (does: string): does is keyof typeof told => Object.hasOwn(told, does)
