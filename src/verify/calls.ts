/**
 * Calls that left: of each that heading 7 has, one that waits is sent to a partner of verify's own for each row of its answers. What
 * arrives there is held against its Request, and what becomes of it and of its record against the row.
 */
import type { Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import type { Answer, Call } from '../headings/7-calls/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { said } from './answers.ts'
import type { Site } from './client.ts'
import type { Received } from './partner.ts'
import { isSame } from './stage.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

/** A line for each call of which one waits. */
export async function tryCalls(site: Site, tell: (line: Line) => void): Promise<void> {
  for (const call of site.app.calls.values()) {
    if (isUnspecified(call.request)) continue
    const wrong: string[] = []
    let tried = 0
    for (const [answer, status] of answersOf(call)) {
      const one = await tryAnswer(site, call, answer, status)
      if (one === null) continue
      tried++
      wrong.push(...one.map(text => `answered ${status}: ${text}`))
    }
    if (tried > 0)
      tell({
        cell: call.cell,
        title: `${call.key}: what is sent, and what each answer does: ${tried} sent`,
        passed: wrong.length === 0,
        detail: wrong.length === 0 ? null : wrong.join('\n       '),
      })
  }
}

/** One status of each row; what goes on badly comes last, because it may make the others wait. */
const answersOf = ({ answers }: Call): readonly (readonly [Answer, number])[] =>
  answers
    .flatMap((answer): readonly (readonly [Answer, number])[] => {
      const [status] = answer.statuses
      return status === undefined ? [] : [[answer, Number(status.replace('xx', status.startsWith('5') ? '03' : '00'))]]
    })
    .sort(([, a], [, b]) => a - b)

/** What is wrong; null: none waits that could be sent. */
async function tryAnswer(site: Site, call: Call, answer: Answer, status: number): Promise<readonly string[] | null> {
  const { observatory, partner, app, judged } = site
  const entity = app.entities.get(call.entity ?? '')
  if (entity === undefined) return null
  const world = await observatory.world(visitor)
  const waiting = (await observatory.waitingCalls(call.key)).find(
    ({ record }) => world.record(entity.key, record) !== undefined,
  )
  if (waiting === undefined) return null
  const gives = new Map(
    answer.then.flatMap(act =>
      act.kind === 'set' ? act.values.flatMap(({ field, value }) => gift(entity.fields, field, value.cell.text)) : [],
    ),
  )
  const body = Object.fromEntries([...gives].map(([name, { json }]) => [name, json]))
  const received = await partner.during({ status, body }, () => site.send(waiting.id))
  const after = await observatory.call(waiting.id)
  if (after === null || received.length === 0) return null
  judged.in(call.cell, 'Request')
  judged.add(...answer.then.map(({ cell }) => cell))
  const wrong = [...otherRequest(call, received), ...otherEnd(answer, status, after)]
  const record = (await observatory.world(visitor)).record(entity.key, waiting.record)
  for (const { field, wire } of gives.values())
    if (record !== undefined && after.state === 'delivered' && !isSame(field, record[field.key] ?? null, wire))
      wrong.push(`${field.key} is ${said(record[field.key])} then, and not ${said(wire)}`)
  return wrong
}

/** Of `answer.id`, set into a field: a value that it takes. */
function gift(fields: readonly Field[], key: string, text: string) {
  const name = /^`?answer\.(\w+)`?$/.exec(text.trim())?.[1]
  const field = fields.find(one => one.key === key)
  const wire =
    field === undefined ? undefined : fieldKind(field.kind).examples.find(({ good }) => good.length > 0)?.good[0]?.wire
  if (name === undefined || field === undefined || wire === undefined || wire === null) return []
  return [[name, { field, wire: wire as Wire, json: fieldKind(field.kind).toJson(wire, field.parameters) }] as const]
}

/** Its method, and that it is sent once. */
function otherRequest({ request }: Call, received: readonly Received[]): string[] {
  if (isUnspecified(request)) return []
  const [method, address = ''] = request.cell.text.trim().split(/\s+/)
  const [first] = received
  const path = address.replace(/^\{settings\.\w+\}/, '')
  const wrong: string[] = []
  if (received.length > 1) wrong.push(`it is sent ${received.length} times`)
  if (first!.method !== method) wrong.push(`it is a ${first!.method}, and not a ${method}`)
  if (!path.includes('{') && address !== path && first!.path !== path)
    wrong.push(`it goes to ${first!.path}, and not to ${path}`)
  return wrong
}

/** Tried again, failed and with which error, or delivered. */
function otherEnd({ then }: Answer, status: number, is: { readonly state: string; readonly reported: string | null }) {
  if (then.some(({ kind }) => kind === 'repeat'))
    return is.state === 'waiting' ? [] : [`it is ${is.state}, and not tried again`]
  const code = then.flatMap(act => (act.kind === 'report' ? [act.error] : []))[0] ?? null
  const wrong = code === is.reported ? [] : [`${is.reported ?? 'nothing'} is reported, and not ${code ?? 'anything'}`]
  const steps = then.some(({ kind }) => kind === 'do')
  const fails = then.some(({ kind }) => kind === 'stop' || kind === 'report') || (status >= 400 && !steps)
  if (!steps && (is.state === 'failed') !== fails) wrong.push(`it is ${is.state}`)
  return wrong
}
