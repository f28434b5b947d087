/**
 * What others send (`### Receives`), sent: by a stranger, about what is not there, as it should be, the same once more, what is older, what
 * does not fit, several at once and more than are taken. What should come of it stands in the cells (`oracle/messages.ts`).
 */
import type { RecordValue, Wire } from '../expression/type.ts'
import { specified } from '../headings/specified.ts'
import { isArchived } from '../run/access/archived.ts'
import { said } from './answers.ts'
import { boundEdges } from './bounds.ts'
import { becameOf, cameOf, lookBefore, madeOf } from './came.ts'
import { isOk, type Reply, type Site, toldBy } from './client.ts'
import { CannotArrange } from './drafts.ts'
import { type Before, takenOf } from './happening.ts'
import { worth } from './judge.ts'
import { otherMails } from './left.ts'
import {
  branchesOf,
  fitting,
  fittingOne,
  jsonOf,
  type Message,
  onceMore,
  rulesOf,
  send,
  standing,
  type Talk,
  takenBy,
  worldOf,
} from './messages.ts'
import { candidates } from './near.ts'
import { type MessageTold, messagesIn } from './oracle/messages.ts'
import { rowAs } from './rows.ts'
import { isSame, rowOf } from './stage.ts'
import type { Line } from './verify.ts'
import { visitor } from './world.ts'

/** A line for each that somebody may send. The clock is put back. */
export async function tryReceived(site: Site): Promise<readonly Line[]> {
  const now = site.clock.now()
  const lines: Line[] = []
  for (const told of messagesIn(site.app.document)) {
    if (told.proof === null || !site.app.entities.has(told.entity)) continue
    site.at?.(`the message ${told.key}`)
    lines.push(await tryMessage(site, told))
  }
  await site.clock.set(now)
  return lines
}

async function tryMessage(site: Site, told: MessageTold): Promise<Line> {
  const entity = site.app.entities.get(told.entity)!
  const trial = { site, entity, tallies: new Map(), done: () => undefined }
  const talk: Talk = { trial, told, wrong: [] }
  const line = (untried: string | null): Line => ({
    cell: told.cell,
    title: `Receives ${told.key}: what a message does, and which are refused`,
    passed: talk.wrong.length === 0,
    ...(untried === null || talk.wrong.length > 0 ? {} : { untried: true }),
    detail: talk.wrong.length > 0 ? [...new Set(talk.wrong)].join('\n       ') : untried,
  })
  try {
    const found = await tryFirst(talk)
    if (found === null) return line('no message was found that is taken: add sample data, or a scenario that makes one')
    for (const attempt of [tryOnce, tryOlder, tryUnfit, trySeveral, tryMost]) await attempt(talk, found)
  } catch (error) {
    if (!(error instanceof CannotArrange)) throw error
    return line(error.message)
  }
  return line(null)
}

/** A message that was taken, and what it was about. */
interface Taken {
  readonly message: Message
  readonly reply: Reply
  /** What its record says since; where each message makes one, what it says of the next. */
  readonly about: () => Promise<RecordValue | null>
  readonly on: string
}

/** Whoever knows no key, what is not there, and what is as it should be; null: the document lets through none that was found. */
async function tryFirst(talk: Talk): Promise<Taken | null> {
  const { told } = talk
  const record = told.changes || told.step !== null ? await readyFor(talk) : null
  if (record !== null) await tryStrangers(talk, record)
  if (told.foundBy !== null && record !== null) await tryUnheard(talk)
  if (told.step !== null && record !== null) await tryClosed(talk, record)
  if (record !== null) return await tryKnown(talk, record)
  if (!told.creates) return null
  const made = await tryNew(talk)
  if (made === null || told.foundBy === null) return made
  if (told.changes) return await tryKnown(talk, (await made.about())!)
  await tryThere(talk, made)
  return made
}

const noteOf = ({ trial, told }: Talk, ...keys: readonly string[]) => trial.site.judged.in(told.cell, ...keys)

/** Nothing may come of it. `codes`: one of them is told; empty: any. */
async function refused(talk: Talk, what: string, act: () => Promise<Reply>, status: number, codes: readonly string[]) {
  const before = await standing(talk)
  const reply = await act()
  const isSaid = codes.length === 0 || codes.some(code => reply.codes.includes(code))
  if (reply.status !== status || !isSaid)
    talk.wrong.push(`${what}: it is answered ${toldBy(reply)}, and not ${codes.join(' or ') || status}`)
  if ((await standing(talk)) !== before) talk.wrong.push(`${what}: something is written all the same`)
  return reply
}

async function tryStrangers(talk: Talk, record: RecordValue): Promise<void> {
  const message = await fittingOne(talk, record, onOf(talk))
  if (message === null) return
  for (const secret of [null, 'what nobody knows'])
    await refused(talk, 'by a stranger', () => send(talk, message, secret), 401, [])
  noteOf(talk, 'Key', 'Sign with')
}

const onOf = ({ told }: Talk): string => told.step ?? (told.changes ? 'change' : 'create')

/** About what nobody has heard of: a new record, where it makes one. */
async function tryUnheard(talk: Talk): Promise<void> {
  if (talk.told.creates) return void (await tryNew(talk))
  const message = await fittingOne(talk, null, onOf(talk))
  if (message === null) return
  await refused(talk, 'about what is not there', () => send(talk, message), 404, [])
  noteOf(talk, 'Then')
}

/** In a state that the step does not start from. */
async function tryClosed(talk: Talk, record: RecordValue): Promise<void> {
  const { site, entity } = talk.trial
  const world = await worldOf(talk)
  const open = new Set(branchesOf(talk, world).flatMap(({ from }) => from))
  const closed = (site.app.workflows.get(entity.key)?.states ?? []).find(({ name }) => !open.has(name))
  if (closed === undefined || !(await site.observatory.put(entity.key, String(record.id), closed.name))) return
  const message = await fittingOne(talk, record, onOf(talk))
  if (message !== null) await refused(talk, `in ${closed.name}`, () => send(talk, message), 409, [])
  await site.observatory.put(entity.key, String(record.id), String(record.state))
}

/** A record that it can be about, for a step where that is open. */
async function readyFor(talk: Talk): Promise<RecordValue | null> {
  const { trial, told } = talk
  const { site, entity } = trial
  for (const record of (await worldOf(talk)).records(entity.key)) {
    if (isArchived(record) || record[told.foundBy ?? ''] == null) continue
    if (told.step === null) return record
    for (const { from, when } of branchesOf(talk, await worldOf(talk)))
      for (const state of from) {
        if (!(await site.observatory.put(entity.key, String(record.id), state))) continue
        const now = { ...record, state }
        const world = await worldOf(talk)
        if (when === null || worth(when, world.environment(entity.key, now)) === true)
          return world.record(entity.key, String(record.id)) ?? null
      }
  }
  return null
}

/** About a record that is there; null: nothing that was tried is taken. */
async function tryKnown(talk: Talk, { id }: RecordValue): Promise<Taken | null> {
  const { trial } = talk
  const { site, entity } = trial
  const on = onOf(talk)
  const about = async () => (await worldOf(talk)).record(entity.key, String(id)) ?? null
  const refusals: string[] = []
  for await (const message of fitting(talk, await about(), on)) {
    const world = await worldOf(talk)
    const record = (await about())!
    const before = await lookBefore(trial, { app: site.app, world, entity: entity.key, record }, visitor)
    const reply = await send(talk, message)
    if (!isOk(reply)) {
      refusals.push(...unexplained(talk, reply))
      continue
    }
    if (reply.body.id !== id) talk.wrong.push('another record is changed than the one that it names')
    noteOf(talk, 'About', 'Found by', 'Then')
    const wrong =
      talk.told.step === null ? await changedBy(talk, message, before) : await steppedBy(talk, message, before)
    talk.wrong.push(...wrong)
    return { message, reply, about, on }
  }
  talk.wrong.push(...refusals)
  return null
}

/** Whatever else may stand in the way: this may not. */
function unexplained({ trial: { site } }: Talk, reply: Reply): readonly string[] {
  const isOurs = (code: string) => !code.startsWith('NF-') || code.startsWith('NF-STEP')
  const isSaid = site.app.rules.filter(({ error }) => reply.codes.includes(specified(error) ?? ''))
  return [401, 404, 405, 429].includes(reply.status) ||
    (reply.codes.every(isOurs) && isSaid.every(({ warns }) => !warns))
    ? [`a message that fits is answered ${toldBy(reply)}`]
    : []
}

async function changedBy(talk: Talk, { values }: Message, before: Before): Promise<readonly string[]> {
  const { trial, told } = talk
  const { [told.foundBy ?? '']: _, ...sent } = values
  noteTaken(talk)
  return await cameOf(trial, { kind: 'change', sent }, before)
}

function noteTaken({ trial, told }: Talk): void {
  for (const { cell } of told.takes) trial.site.judged.add(cell)
}

/** What the step does, together with what the message says. */
async function steppedBy(talk: Talk, { values }: Message, before: Before): Promise<readonly string[]> {
  const { trial, told } = talk
  const { site, entity } = trial
  const { record } = before.known
  const id = String(record.id)
  const world = await worldOf(talk)
  const after = world.record(entity.key, id)
  const found = branchesOf(talk, before.known.world).find(
    ({ from, when }) =>
      from.includes(String(record.state)) &&
      (when === null || worth(when, before.known.world.environment(entity.key, record)) === true),
  )
  const branch = site.app.workflows
    .get(entity.key)
    ?.transitions.find(({ cell }) => cell.start === found?.cell.start && cell.file.path === found.cell.file.path)
  if (after === undefined || branch === undefined) return []
  const asks = [
    ...branch.asks.map(one => ({ ...one, required: false })),
    ...takenBy(talk).map(({ key, cell }) => ({ field: key, required: false, cell })),
  ]
  const happening = { cell: branch.cell, key: branch.key, to: specified(branch.to), asks, acts: branch.then }
  const taken = takenOf(trial, before, happening, world, after)
  const left = (await site.observatory.left(entity.key, id)).filter(one => !before.left.has(one.id))
  const entries = (await site.observatory.history(entity.key, id)).slice(before.entries)
  const isTold = entries.some(({ kind, what }) => kind === 'step' && what === told.step)
  const isSet = (key: string) =>
    branch.then.some(act => act.kind === 'set' && act.values.some(({ field }) => field === key))
  const sent = rowOf(site, entity, values)
  const others = takenBy(talk).filter(
    field =>
      !isSet(field.key) &&
      !Array.isArray(sent[field.key]) &&
      !isSame(field, after[field.key] ?? null, (sent[field.key] ?? null) as Wire),
  )
  noteTaken(talk)
  return [
    ...(isTold ? [] : [`its history does not tell of ${branch.name}`]),
    ...others.map(({ key }) => `${key} is ${said(after[key])} then, and not ${said(sent[key])}`),
    ...becameOf(taken),
    ...otherMails(taken, left),
  ]
}

/** One of which a new record is made; null: nothing that was tried is taken. */
async function tryNew(talk: Talk): Promise<Taken | null> {
  const { trial, told } = talk
  const { site, entity } = trial
  const refusals: string[] = []
  for await (const message of fitting(talk, null, 'create')) {
    await refused(talk, 'by a stranger', () => send(talk, message, 'what nobody knows'), 401, [])
    noteOf(talk, 'Key', 'Sign with')
    const stood = await worldOf(talk)
    const wanted = rowAs(site, stood, entity, message.values)
    const reply = await send(talk, message)
    if (!isOk(reply)) {
      refusals.push(...unexplained(talk, reply))
      continue
    }
    const id = String(reply.body.id)
    if (stood.record(entity.key, id) !== undefined) talk.wrong.push('it is about another record, and makes none')
    else talk.wrong.push(...(await madeOf(trial, id, wanted, visitor)).map(wrong => `a new one: ${wrong}`))
    noteOf(talk, 'About', 'Found by', 'Then')
    noteTaken(talk)
    const about = async () => (told.foundBy === null ? null : ((await worldOf(talk)).record(entity.key, id) ?? null))
    return { message, reply, about, on: 'create' }
  }
  talk.wrong.push(...refusals)
  return null
}

/** Where it only makes what is not there: what is there stays as it is. */
async function tryThere(talk: Talk, { about, reply }: Taken): Promise<void> {
  const before = await standing(talk)
  const message = await fittingOne(talk, await about(), 'change')
  if (message === null) return
  const again = await send(talk, message)
  if (again.body.id !== reply.body.id) talk.wrong.push(`about what is there: it is answered ${toldBy(again)}`)
  if ((await standing(talk)) !== before) talk.wrong.push('about what is there: something is written all the same')
}

/** It comes once more, and another one as if it were the same. */
async function tryOnce(talk: Talk, { message, reply }: Taken): Promise<void> {
  const before = await standing(talk)
  const again = await send(talk, message)
  if (!isOk(again) || again.body.id !== reply.body.id || again.body.version !== reply.body.version)
    talk.wrong.push(`the same once more: it is answered ${toldBy(again)}, and not as before`)
  if ((await standing(talk)) !== before) talk.wrong.push('the same once more: something is written all the same')
  noteOf(talk, 'Once per')
  const other = await otherThan(talk, message)
  if (other !== null) await refused(talk, 'another with what tells repetitions', () => send(talk, other), 422, [])
}

async function otherThan(talk: Talk, { values, once }: Message): Promise<Message | null> {
  const world = await worldOf(talk)
  const isOnce = (key: string) => talk.told.takes.some(({ name, field }) => name === talk.told.once && field === key)
  for (const field of takenBy(talk)) {
    if (isOnce(field.key) || field.type.kind === 'list') continue
    const near = [...candidates(world, field), ...(field.type.kind === 'text' ? ['another'] : [])]
    const value = near
      .map(wire => jsonOf(field, wire))
      .find(one => JSON.stringify(one) !== JSON.stringify(values[field.key]))
    if (value !== undefined) return { values: { ...values, [field.key]: value }, once }
  }
  return null
}

/** What is not newer than its record is told that it is done, and changes nothing. */
async function tryOlder(talk: Talk, { about, on }: Taken): Promise<void> {
  const record = await about()
  const field = takenBy(talk).find(({ key }) => key === talk.told.newest)
  const is = field === undefined ? null : record?.[field.key]
  if (field === undefined || is == null || talk.told.step !== null) return
  const message = await fittingOne(talk, record, on === 'create' ? 'change' : on)
  if (message === null) return
  const before = await standing(talk)
  const values = { ...message.values, [field.key]: jsonOf(field, is as Wire) }
  const reply = await send(talk, { ...message, values })
  if (!isOk(reply)) talk.wrong.push(`what is not newer: it is answered ${toldBy(reply)}`)
  if ((await standing(talk)) !== before) talk.wrong.push('what is not newer: something is written all the same')
  noteOf(talk, 'Newest by')
}

/** Values beyond what a field takes, and such as a rule refuses. */
async function tryUnfit(talk: Talk, taken: Taken): Promise<void> {
  for (const [message, code] of await unfit(talk, taken)) {
    const codes = code === null ? [] : [code]
    await refused(talk, 'what does not fit', () => send(talk, message), 422, codes)
  }
}

/** With the code by which each is refused; null: any. */
async function unfit(talk: Talk, { about, on }: Taken): Promise<readonly (readonly [Message, string | null])[]> {
  const { told } = talk
  const record = await about()
  const occasion = on === 'create' && told.foundBy !== null && record !== null ? 'change' : on
  // A step is over, and what is about a record that is there makes none.
  if (told.step !== null || (record !== null && !told.changes)) return []
  const fits = await fittingOne(talk, record, occasion)
  if (fits === null) return []
  const { site, entity } = talk.trial
  const world = await worldOf(talk)
  const { values } = fits
  const sending = (key: string, value: unknown): Message => ({ values: { ...values, [key]: value }, once: onceMore() })
  const asked = world.environment(entity.key, record ?? rowAs(site, world, entity, values))
  return takenBy(talk).flatMap((field): readonly (readonly [Message, string | null])[] => {
    if (field.key === told.newest || field.onlyWhen !== null) return []
    const edge = boundEdges(field, asked, values[field.key]).find(({ breaks }) => breaks)
    const code = edge?.code == null ? null : (field.refusals.get(edge.code)?.code ?? edge.code)
    const ruled = candidates(world, field).flatMap((wire): readonly (readonly [Message, string])[] => {
      const other = sending(field.key, jsonOf(field, wire))
      const rules = rulesOf(talk, world, record, other.values, occasion) ?? []
      const [broken, ...more] = rules.filter(({ held }) => held !== true)
      return broken?.held === false && more.length === 0 ? [[other, broken.code]] : []
    })
    return [...(edge === undefined ? [] : [[sending(field.key, edge.value), code] as const]), ...ruled.slice(0, 1)]
  })
}

/** Of several at once each is taken by itself. */
async function trySeveral(talk: Talk, taken: Taken): Promise<void> {
  if (talk.told.step !== null) return
  const [bad] = (await unfit(talk, taken))[0] ?? []
  const good = await fittingOne(talk, await taken.about(), taken.on)
  if (good === null) return
  const reply = await send(talk, bad === undefined ? [good] : [bad, good])
  const each = (reply.body.messages ?? []) as readonly { readonly status?: number }[]
  const is = each.map(({ status = 0 }) => (status < 300 ? 'taken' : 'refused')).join(', ')
  const should = bad === undefined ? 'taken' : 'refused, taken'
  if (is !== should || reply.status !== (bad === undefined ? 200 : 207))
    talk.wrong.push(`several at once: they are ${is} with ${reply.status}, and not ${should}`)
}

/** Of more, each would be told apart. */
const mostAtMost = 60

/** One more than are taken in a minute: in a list, which is refused as a whole, and behind as many as are. */
async function tryMost(talk: Talk): Promise<void> {
  const { told, trial } = talk
  const [, limit] = /^limits\.(\w+)$/.exec(told.most ?? '') ?? []
  const world = await worldOf(talk)
  const most = Number(limit === undefined ? told.most : world.environment(trial.entity.key, {}).limits[limit])
  if (told.most === null || !Number.isInteger(most)) return
  const empty = (count: number) => Array.from({ length: count }, () => null)
  await refused(talk, 'a list of too many', () => send(talk, empty(most + 1)), 422, [])
  noteOf(talk, 'At most')
  if (most > mostAtMost) return
  const all = await send(talk, empty(most))
  if (!Array.isArray(all.body.messages)) talk.wrong.push(`as many as are taken: they are answered ${toldBy(all)}`)
  await refused(talk, 'one more in the same minute', () => send(talk, empty(1), undefined, false), 429, [])
}
