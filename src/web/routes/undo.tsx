/** `/-/undo`: what this person has just done is taken back. */

import type { Outcome } from '../../run/outcome.ts'
import { ofComment, undoComment } from '../../run/people/comment-undo.ts'
import { readRecord } from '../../run/read/read.ts'
import { undo } from '../../run/write/undo.ts'
import { place } from '../../run/write/writes.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { flashCookie, notFound, problemPage, readDone, type Undoing } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { building, nextName } from '../screens/common.ts'
import { lastSentence } from '../screens/history.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { statusOf } from '../write.ts'
import { formOf } from './submit.tsx'

export async function takeBack(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request } = context
  const form = formOf(context)
  const done = readDone(form.get('of'))
  const next = safeNext(form.get(nextName))
  if (done === null) return notFound(context)
  const outcome = await undone(context, done)
  if (outcome.kind === 'done') return seeOther(next, [flashCookie(web, say(site, 'undone'))])
  if (outcome.kind !== 'refused') return notFound(context)
  const { entity, id } = done
  // Of comments and places the history tells nothing.
  const found =
    entity === ofComment || 'to' in done
      ? null
      : await readRecord(runtime, request, { kind: 'one', entity, by: { field: 'id', value: id }, history: 10 })
  const happened = lastSentence(building(context), entity, (await found?.history(runtime)) ?? [], id)
  const [{ message, whatToDo, code, because }] = outcome.problems as [(typeof outcome.problems)[number]]
  return problemPage(context, {
    status: statusOf(outcome.problems),
    what: say(site, 'undoNot'),
    why: happened === null || code !== 'NF-UNDO' ? message : `${message} ${happened}`,
    now: whatToDo,
    code,
    because,
    actions: <LinkButton href={next}>{site.reader.words('back')}</LinkButton>,
  })
}

function undone({ runtime, request }: RequestContext, done: Undoing): Promise<Outcome> {
  if ('to' in done) return place(runtime, request, done.entity, done.id, { from: done.from, to: done.to })
  return (done.entity === ofComment ? undoComment : undo)(runtime, request, done)
}
