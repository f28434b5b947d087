/** Messages as others send them to the address of a `Receives`: with values that the document lets through, signed, and answered. */
import { createHmac } from 'node:crypto'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { madeUp } from '../kinds/fields/made-up.ts'
import { boundEdges } from './bounds.ts'
import { type Reply, replyOf } from './client.ts'
import { anyValue, completed, type Values } from './drafts.ts'
import { type Asked, worth } from './judge.ts'
import { candidates, moved } from './near.ts'
import type { MessageTold } from './oracle/messages.ts'
import { reach } from './reach.ts'
import { rowAs } from './rows.ts'
import { isSame, rowOf } from './stage.ts'
import type { Trial } from './trial.ts'
import { otherValue } from './tries.ts'
import { visitor, type World } from './world.ts'

export interface Talk {
  readonly trial: Trial
  readonly told: MessageTold
  readonly wrong: string[]
}

/** What a message says: values by their field, and how one of it is told from others. */
export interface Message {
  readonly values: Values
  readonly once: string
}

/** Between two messages, so that none of them counts towards the minute of another, and each is signed anew. */
const apartMs = 61_000
let messages = 0

export const onceMore = (): string => `verify ${++messages}`

const fieldOf = ({ trial }: Talk, key: string): Field | undefined => trial.entity.fields.find(one => one.key === key)
export const worldOf = ({ trial }: Talk): Promise<World> => trial.site.observatory.world(visitor)

/** Fields that it writes. */
export const takenBy = (talk: Talk): readonly Field[] =>
  talk.told.takes.flatMap(({ field }) => (field === talk.told.foundBy ? [] : (fieldOf(talk, field) ?? [])))

/** Sends one message, or a list of them. `secret`: what the sender knows; null: nothing. */
export async function send(
  { trial: { site }, told }: Talk,
  said: Message | readonly (Message | null)[],
  secret: string | null = site.partner.secret,
  isApart = true,
): Promise<Reply> {
  const now = new Date(site.clock.now().getTime() + (isApart ? apartMs : 0))
  if (isApart) await site.clock.set(now)
  const bodyOf = (one: Message | null) => (one === null ? {} : bodyFor(told, one))
  const body = JSON.stringify(isOne(said) ? bodyOf(said) : said.map(bodyOf))
  const key = isOne(said) && told.once === null ? { 'idempotency-key': said.once.replaceAll(' ', '-') } : {}
  const seconds = Math.floor(now.getTime() / 1000)
  const proof = (known: string) =>
    told.proof === 'key'
      ? { authorization: `Bearer ${known}` }
      : {
          'ninefold-signature': `t=${seconds},v1=${createHmac('sha256', known).update(`${seconds}.${body}`).digest('hex')}`,
        }
  const { status, text } = await reach(`${site.url}/api/v1/-/${told.key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...(secret === null ? {} : proof(secret)) },
    body,
  })
  site.observatory.forget()
  return replyOf(status, JSON.parse(text))
}

const isOne = (said: Message | readonly unknown[]): said is Message => !Array.isArray(said)

/** By the names that the document gives its values; nothing takes what stands beside them. */
function bodyFor({ takes, once }: MessageTold, message: Message): Values {
  const named = takes.flatMap(({ name, field }) => (field in message.values ? [[name, message.values[field]]] : []))
  const isTaken = takes.some(({ name }) => name === once)
  return {
    ...Object.fromEntries(named),
    ...(once === null || isTaken ? {} : { [once]: message.once }),
    verify_says: messages,
  }
}

/** Sets of values that are tried, until one is taken. */
const rounds = 6

/**
 * Messages that the document lets through, about a record or, where it is null, about a new one. `on`: what happens to the record: `create`,
 * `change` or a step.
 */
export async function* fitting(talk: Talk, record: RecordValue | null, on: string): AsyncGenerator<Message> {
  const tried = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const values = await valuesFor(talk, record, round)
    const text = JSON.stringify(values)
    if (tried.has(text)) continue
    tried.add(text)
    const rules = rulesOf(talk, await worldOf(talk), record, values, on)
    if (rules?.every(({ held }) => held === true) === true) yield { values, once: onceMore() }
  }
}

/** The first of them; null: there is none. */
export async function fittingOne(...about: Parameters<typeof fitting>): Promise<Message | null> {
  for await (const message of fitting(...about)) return message
  return null
}

async function valuesFor(talk: Talk, record: RecordValue | null, round: number): Promise<Values> {
  const { trial, told } = talk
  const world = await worldOf(talk)
  const values: Values = {}
  for (const { name, field: key } of told.takes) {
    const field = fieldOf(talk, key)
    if (field === undefined) continue
    if (key === told.foundBy) values[key] = record === null ? unheard(field) : jsonOf(field, record[key] as Wire)
    else if (name === told.once) values[key] = unheard(field)
    else if (key === told.newest) values[key] = jsonOf(field, later(world, field, record))
    else values[key] = await valueFor(trial, world, field, record, round)
  }
  return values
}

async function valueFor(
  { site, entity }: Trial,
  world: World,
  field: Field,
  record: RecordValue | null,
  round: number,
): Promise<unknown> {
  const [sender] = site.players
  if (field.type.kind === 'list' && !fieldKind(field.kind).links)
    return [await completed(site, sender!, site.app.entities.get(field.type.entity)!, {}, entity.key)]
  const near = candidates(world, field).filter(
    wire => record === null || !isSame(field, record[field.key] ?? null, wire),
  )
  if (round > 0 && near.length > 0) return jsonOf(field, near[(round - 1) % near.length]!)
  const other = record === null ? undefined : otherValue({ app: site.app, world, entity: entity.key, record }, field)
  return other ?? (await anyValue(site, sender!, field))
}

/** One that no record has. */
export const unheard = (field: Field): unknown =>
  field.kind === 'auto number' ? onceMore() : jsonOf(field, madeUp(field, 5000 + ++messages))

/** After what stands there, and after every message before it. */
function later(world: World, field: Field, record: RecordValue | null): Wire {
  const now = `${world.today}${field.type.kind === 'date' ? '' : 'T12:00:00.000Z'}`
  const was = record?.[field.key]
  return moved(field, typeof was === 'string' ? was : now, ++messages)
}

export const jsonOf = (field: Field, wire: Wire): unknown =>
  fieldKind(field.kind).toJson(wire ?? null, field.parameters)

/** What each rule says of these values, by its code; null: its fields do not take them. */
export function rulesOf(
  { trial: { site, entity } }: Talk,
  world: World,
  record: RecordValue | null,
  values: Values,
  on: string,
): readonly { readonly code: string; readonly held: unknown }[] | null {
  const row = record === null ? rowAs(site, world, entity, values) : { ...record, ...rowOf(site, entity, values) }
  const asked = { ...world.environment(entity.key, row), old: record }
  if (entity.fields.some(field => field.key in values && !isTaken(world, field, row, asked, values[field.key])))
    return null
  return site.app.rules.flatMap(rule => {
    const said = world.told.rules.get(rule.name)
    const isAsked = rule.entity === entity.key && !rule.warns && (rule.on === null || rule.on.includes(on))
    return said === undefined || !isAsked ? [] : [{ code: said.code, held: worth(said.holds, asked) }]
  })
}

/** Within its bounds, and of those that may be chosen. */
function isTaken(world: World, field: Field, row: RecordValue, asked: Asked, value: unknown): boolean {
  const wire = (row[field.key] ?? null) as Wire
  if (wire !== null && boundEdges(field, asked, value).some(({ outside }) => outside?.(wire) === true)) return false
  const { chooseFrom } = field
  const chosen = chooseFrom?.where == null ? undefined : world.record(chooseFrom.entity, String(wire))
  if (chosen === undefined) return true
  return worth(chooseFrom!.where!, { ...world.environment(chooseFrom!.entity, chosen), this: row }) !== false
}

/** All that is stored of these records, and how much has left because of anything. */
export async function standing(talk: Talk): Promise<string> {
  const { observatory } = talk.trial.site
  const { records } = await worldOf(talk)
  return JSON.stringify([records(talk.told.entity), (await observatory.caused()).length])
}

/** The rows of heading 4 by which a step is taken. */
export const branchesOf = ({ trial: { entity }, told }: Talk, world: World) =>
  world.told.entity(entity.key).steps.filter(({ key }) => key === told.step)
