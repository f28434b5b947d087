/**
 * Calls, received: what each of them asks for, how it is signed and told apart, and what the document says of each answer. Those that were
 * caused meanwhile are sent again for it, one at a time, past everybody; the server that takes them stands for the other application.
 */
import { createHmac } from 'node:crypto'
import type { Template, TemplatePart } from '../expression/expression.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Transition } from '../headings/4-states/model.ts'
import type { Answer, AnswerAct, Call } from '../headings/7-calls/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import type { Site } from './client.ts'
import { plainly } from './left.ts'
import type { Heard } from './partner.ts'
import { otherUndelivered } from './undelivered.ts'
import type { Line } from './verify.ts'
import { hasItsWords } from './words.ts'
import { type CallRow, visitor } from './world.ts'

const hourMs = 3_600_000

/** A line for each call that something has caused. */
export async function tryCalls(site: Site): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (const call of site.app.calls.values()) {
    if (isUnspecified(call.request)) continue
    const world = await site.observatory.world(visitor)
    const rows = (await site.observatory.calls()).filter(({ name }) => name === call.key)
    // What its answers do is seen where its record is still there.
    const row = rows.find(one => recordOf(world, one) !== undefined)
    site.at?.(`the call ${call.key}`)
    if (row === undefined) continue
    const wrong: string[] = []
    for (const answer of call.answers) wrong.push(...(await otherAnswer(site, call, row, answer)))
    lines.push({
      cell: call.cell,
      title: `${call.key}: what it asks for, and what its answers do, ${call.answers.length} rows`,
      passed: wrong.length === 0,
      detail: wrong.length === 0 ? null : [...new Set(wrong)].join('\n       '),
    })
  }
  return lines
}

/** The other side says this; null: it hangs up. */
interface Said {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const nestedIn = (names: readonly string[]): Readonly<Record<string, unknown>> =>
  names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), []) as Readonly<Record<string, unknown>>

/** Each way to answer that the row names: a number or a class of them, and no answer at all. */
async function otherAnswer(site: Site, call: Call, row: CallRow, answer: Answer): Promise<readonly string[]> {
  const acts = answer.then
  const texts = acts.map(({ cell }) => cell.text).join(' ')
  const body = Object.fromEntries([...texts.matchAll(/\banswer\.(\w+)/g)].map(([, name]) => [name!, `verify ${name}`]))
  // Where it is to bring messages, it brings none.
  for (const act of acts)
    if (act.kind === 'receive' && act.from !== '') Object.assign(body, nestedIn(act.from.split('.')))
  const ways: readonly (Said | null)[] = [
    ...answer.statuses.map(status => ({ status: Number(status.replace('xx', '03')), body })),
    ...(answer.timeout ? [null] : []),
  ]
  const repeat = acts.find(act => act.kind === 'repeat')
  const wrong: string[] = []
  for (const way of ways) {
    const says = way === null ? 'without an answer' : `answered ${way.status}`
    const before = recordOf(await site.observatory.world(visitor), row)
    // The last attempt but one that is to be made, and one more than are.
    for (const attempts of repeat === undefined ? [0] : [0, repeat.times - 1, repeat.times]) {
      const found = await sent(site, row, attempts, way)
      if (found === null) return [...wrong, `${says}: it does not leave`]
      wrong.push(...otherRequest(site, call, row, found).map(text => `${says}: ${text}`))
      const isLast = repeat === undefined || attempts === repeat.times
      const came = isLast
        ? [...otherActs(site, acts, row, found, before), ...(await otherTold(site, acts, found))]
        : otherRepeat(site, found, repeat.within * 1000)
      wrong.push(...came.map(text => `${says}, after ${attempts} more: ${text}`))
      if (repeat !== undefined) site.judged.add(repeat.cell)
    }
  }
  site.judged.in(answer.cell, 'Answer')
  return wrong
}

interface Found {
  readonly heard: readonly Heard[]
  readonly is: CallRow
  readonly record: RecordValue | undefined
  /** What it was answered; null: nothing. */
  readonly way: Said | null
}

const recordOf = ({ record }: Awaited<ReturnType<Site['observatory']['world']>>, row: CallRow) =>
  row.record === null ? undefined : record(row.entity, row.record)

/** Sent once, as if so many attempts had been made; null: nothing came. */
async function sent(site: Site, { id, ...row }: CallRow, attempts: number, way: Said | null): Promise<Found | null> {
  const { observatory, partner } = site
  const heard = await partner.answering(
    way,
    () => observatory.sendAgain(new Map([[id, site.clock.now()]]), attempts),
    async () => (await observatory.calls()).find(one => one.id === id)!.isTried,
  )
  observatory.forget()
  const is = (await observatory.calls()).find(one => one.id === id)
  const world = await observatory.world(visitor)
  return heard.length === 0 || is === undefined ? null : { heard, is, record: recordOf(world, { id, ...row }), way }
}

/** Its method, address, values, signature and key. */
function otherRequest(
  site: Site,
  call: Call,
  row: CallRow,
  { heard: [heard, ...more], record }: Found,
): readonly string[] {
  const { judged, partner } = site
  if (heard === undefined) return []
  const wrong = more.length === 0 ? [] : ['it is sent more than once']
  const inQuery = heard.method === 'GET' || heard.method === 'HEAD'
  wrong.push(...otherAddress(site, call, heard, inQuery), ...otherValues(site, call, row, heard, inQuery))
  if (call.secret !== null) {
    judged.add(call.secret.cell)
    const [, at, digest] = /^t=(\d+),v1=(\w+)$/.exec(heard.headers['ninefold-signature'] ?? '') ?? []
    const own = createHmac('sha256', partner.secret)
      .update(`${at}.${inQuery ? heard.path : heard.text}`)
      .digest('hex')
    if (digest !== own) wrong.push(`its signature is not that of its ${inQuery ? 'address' : 'body'}`)
  }
  const { repeat } = call
  if (repeat !== null) {
    judged.add(repeat.cell)
    const key = heard.headers['idempotency-key'] ?? ''
    const isIts = repeat.key === null ? key !== '' : isKeyOf(site, repeat.key, row, record, key)
    if (!isIts || key !== row.key) wrong.push(`its key is ${key}`)
  }
  return wrong
}

/** Of the record that it is about, by what is the same for ever: numbers that the application gives. What else is in it may have changed. */
function isKeyOf(
  { app }: Site,
  template: Template,
  { entity }: CallRow,
  record: RecordValue | undefined,
  key: string,
): boolean {
  const { fields } = app.entities.get(entity)!
  const given = new Set(fields.flatMap(field => (field.kind === 'auto number' ? [field.key] : [])))
  const holes = [...template.cell.text.matchAll(/\{([^{}]*)\}/g)].map(([, hole]) => hole!)
  const parts = template.parts.map((part): TemplatePart => {
    const hole = part.kind === 'text' ? '' : (holes.shift() ?? '')
    return given.has(hole) && record !== undefined ? { kind: 'text', text: String(record[hole] ?? '') } : part
  })
  return hasItsWords([{ ...template, parts }], key)
}

/** `inQuery`: what it sends stands behind its path. */
function otherAddress({ app, judged }: Site, call: Call, heard: Heard, inQuery: boolean): readonly string[] {
  const request = specified(call.request)!
  const path = request.cell.text.replace(/^\S+\s+/, '').replace(/^\{settings\.\w+\}|^https?:\/\/[^/]+/, '')
  const isPath = new RegExp(
    `^${path
      .split(/\{[^}]*\}/)
      .map(text => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/?]+')}${inQuery ? '(?:[?&].*)?' : ''}$`,
  )
  judged.add(request.cell)
  for (const setting of request.cell.text.matchAll(/\{settings\.(\w+)\}/g))
    judged.in(app.settings.get(setting[1]!)?.cell ?? request.cell, 'Type')
  return heard.method === request.cell.text.split(/\s/)[0] && isPath.test(heard.path)
    ? []
    : [`it asks for ${heard.method} ${heard.path}`]
}

function otherValues({ judged }: Site, call: Call, row: CallRow, heard: Heard, inQuery: boolean): readonly string[] {
  const query = new URLSearchParams(/\?(.*)/.exec(heard.path)?.[1] ?? '')
  return call.send.flatMap(({ name, cell }) => {
    judged.add(cell)
    judged.in(cell, 'Send', 'From')
    const [came, is] = inQuery
      ? [query.get(name), inWords(row.body?.[name])]
      : [under(heard.body, name.split('.')), row.body?.[name]]
    return plainly(JSON.stringify(came)) === plainly(JSON.stringify(is ?? null))
      ? []
      : [`${name} is ${JSON.stringify(came)}, and not ${JSON.stringify(is)}`]
  })
}

/** What stands under the parts of a name: behind `[]` what each of a list has there. */
function under(body: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || body === null || typeof body !== 'object') return body
  const inside = (body as Readonly<Record<string, unknown>>)[name.replace(/\[\]$/, '')]
  return name.endsWith('[]') && Array.isArray(inside) ? inside.map(row => under(row, rest)) : under(inside, rest)
}

/** A value as a query says it. */
const inWords = (value: unknown): string =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')

/** It waits for another attempt, within the time that the document gives. */
function otherRepeat(site: Site, { is }: Found, within: number): readonly string[] {
  if (is.state !== 'waiting') return [`it is ${is.state}, and not sent again`]
  const wait = is.due.getTime() - site.clock.now().getTime()
  return wait > 0 && wait <= within + hourMs ? [] : [`it is sent again after ${Math.round(wait / 60_000)} minutes`]
}

/** What is said of it then, and what its record says. */
function otherActs(
  site: Site,
  acts: readonly AnswerAct[],
  row: CallRow,
  found: Found,
  before: RecordValue | undefined,
): readonly string[] {
  if (found.is.state === 'waiting') return ['it is to be sent again']
  const stepOf = (step: string) =>
    (site.app.workflows.get(row.entity)?.transitions ?? []).find(
      ({ key, from }) => key === step && specified(from)?.includes(String(before?.state)) === true,
    )
  // All of them are one write: where a step of it is closed, or may be, nothing is written.
  const mayBeRefused = acts.some(act => act.kind === 'do' && stepOf(act.step)?.when !== null)
  const end = endOf(acts, found.way)
  const isOther = !mayBeRefused && acts.some(({ kind }) => kind === 'stop') && found.is.state !== end
  const amiss = isOther ? [`it is ${found.is.state}, and not ${end}`] : []
  const others = acts.flatMap(act => {
    if (mayBeRefused && (act.kind === 'set' || act.kind === 'do')) return []
    const { wrong, isWhole = true } = otherAct(site, act, row, found, stepOf)
    if (isWhole) site.judged.add(act.cell)
    return wrong
  })
  return [...amiss, ...others]
}

/** What becomes of a call where all that an answer says is done: a step deals with it, or it was taken. */
function endOf(acts: readonly AnswerAct[], way: Said | null): CallRow['state'] {
  if (acts.some(({ kind }) => kind === 'report')) return 'failed'
  return acts.some(({ kind }) => kind === 'do') || (way?.status ?? 599) < 300 ? 'delivered' : 'failed'
}

/** What did not come of an act, and whether all that it says was looked at. */
interface ActFound {
  readonly wrong: readonly string[]
  readonly isWhole?: boolean
}

function otherAct(
  site: Site,
  act: AnswerAct,
  row: CallRow,
  found: Found,
  stepOf: (step: string) => Transition | undefined,
): ActFound {
  const { is, record } = found
  if (act.kind === 'receive')
    return { wrong: is.state === 'delivered' ? [] : [`it is ${is.state}, and its messages are not taken`] }
  if (act.kind === 'report') return { wrong: otherReport(site, act.error, is) }
  if (act.kind === 'set') return otherSet(site.app, act, row, record)
  if (act.kind === 'do' && record?.state !== specified(stepOf(act.step)!.to))
    return { wrong: [`it is in ${String(record?.state)} then`] }
  return { wrong: [] }
}

function otherReport({ app, judged }: Site, code: string, is: Found['is']): readonly string[] {
  if (is.reported !== code) return [`${is.reported ?? 'nothing'} is reported`]
  const entry = app.errors.get(code)
  const [words] = [...(entry?.templates.values() ?? [])]
  if (entry === undefined || words === undefined) return []
  const said = [words.message, ...(words.whatToDo === null ? [] : [words.whatToDo])]
  if (!hasItsWords(said, is.error ?? '')) return [`${code} says '${is.error}'`]
  judged.in(entry.cell, 'Message', 'What to do')
  return []
}

/** Where people are told what was reported. */
async function otherTold(site: Site, acts: readonly AnswerAct[], { is }: Found): Promise<readonly string[]> {
  const act = acts.findLast(({ kind }) => kind === 'report')
  return act?.kind === 'report' && is.reported === act.error ? otherUndelivered(site, is, act.error) : []
}

/** Of texts that are taken from the answer: it was answered with words that name the value. */
function otherSet(
  app: App,
  { values }: Extract<AnswerAct, { readonly kind: 'set' }>,
  row: CallRow,
  record: RecordValue | undefined,
): ActFound {
  const { fields } = app.entities.get(row.entity)!
  const own = values.filter(({ field }) => fields.find(one => one.key === field)?.type.kind === 'text')
  const wrong = own.flatMap(({ field, value }) => {
    const [, name] = /^answer\.(\w+)$/.exec(value.cell.text) ?? []
    return name !== undefined && record?.[field] !== `verify ${name}`
      ? [`${field} is ${String(record?.[field] ?? 'empty')} then`]
      : []
  })
  return { wrong, isWhole: own.length === values.length }
}
