/** `/-/undo`: what this person has just done is taken back. */

import { ofComment, undoComment } from '../../run/people/comment-undo.ts'
import { readRecord } from '../../run/read/read.ts'
import { undo } from '../../run/write/undo.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { flashCookie, notFound, problemPage, readDone } from '../pages.tsx'
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
  const outcome = await (done.entity === ofComment ? undoComment : undo)(runtime, request, done)
  if (outcome.kind === 'done') return seeOther(next, [flashCookie(web, say(site, 'undone'))])
  if (outcome.kind !== 'refused') return notFound(context)
  const { entity, id } = done
  const found =
    entity === ofComment
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
