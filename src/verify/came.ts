/**
 * What came of a step or a deletion that was let through: the record, its history and what is to leave, held against what the document
 * says of it. What else may have happened, because something follows from it, is not counted against it.
 */

import type { Cell } from '../document/source.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { leaves } from '../headings/4-states/all-acts.ts'
import type { Act, Transition } from '../headings/4-states/model.ts'
import type { Mail } from '../headings/7-calls/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { otherTimers } from './armed.ts'
import type { Player } from './client.ts'
import { type Asked, worth } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { isSame, rowOf } from './stage.ts'
import type { Case, Trial } from './trial.ts'
import { saysIt } from './words.ts'
import { type Left, type Told, visitor, type World } from './world.ts'

/** What is looked at afterwards. */
export type Deed =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'change'; readonly sent: Readonly<Record<string, unknown>> }

/** A record that was made. `wanted`: as it should be, by what was sent, its defaults and its first state. */
export async function madeOf(
  { site, entity }: Trial,
  id: string,
  wanted: RecordValue,
  player: Player,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const entries = await site.observatory.history(entity.key, id)
  const told = entries.find(({ kind }) => kind === 'create')
  if (told === undefined) wrong.push('its history does not tell that it was made')
  else if (told.actor !== player.id) wrong.push('its history names somebody else')
  if (site.app.effects.some(effect => effect.entity === entity.key && effect.on.includes('created'))) return wrong
  site.observatory.forget()
  const world = await site.observatory.world(player)
  const record = world.record(entity.key, id)
  if (record === undefined) return [...wrong, 'it is not there']
  const states = site.app.workflows.get(entity.key)?.states
  if (states !== undefined && record.state !== wanted.state)
    wrong.push(`it begins in ${String(record.state)}, and not in ${String(wanted.state)}`)
  for (const field of storedOf(entity)) {
    const { copiedFrom, renewed, assignedFrom, givenOn, kind } = field
    if (renewed || assignedFrom !== null || givenOn !== null || !fieldKind(kind).entered) continue
    const says = copiedFrom === null ? wanted[field.key] : worth(copiedFrom, world.environment(entity.key, record))
    const value = asHeld(field, (says ?? null) as Wire)
    if (value !== NOT_LOADED && !isSame(field, record[field.key] ?? null, value))
      wrong.push(`${field.key} is ${said(record[field.key])}, and not ${said(value)}`)
  }
  return wrong
}

/** What stood there before. */
export interface Before {
  readonly known: Case
  readonly player: Player
  readonly entries: number
  readonly left: ReadonlySet<string>
}

export async function lookBefore({ site }: Trial, known: Case, player: Player): Promise<Before> {
  const id = String(known.record.id)
  const { history, left } = site.observatory
  const [entries, before] = await Promise.all([history(known.entity, id), left(known.entity, id)])
  return { known, player, entries: entries.length, left: new Set(before.map(one => one.id)) }
}

/** What is not as the document says; empty: nothing. */
export async function cameOf(trial: Trial, deed: Deed, before: Before): Promise<readonly string[]> {
  const { site, entity } = trial
  const { record } = before.known
  const id = String(record.id)
  site.observatory.forget()
  const world = await site.observatory.world(visitor)
  const after = world.record(entity.key, id)
  const entries = (await site.observatory.history(entity.key, id)).slice(before.entries)
  if (deed.kind === 'delete') {
    if (after !== undefined && entity.archives === null) return ['it is still there']
    const isTold = entity.archives !== null || entries.some(({ kind }) => kind === 'delete')
    return isTold ? [] : ['its history does not tell of it']
  }
  if (deed.kind === 'change') return after === undefined ? [] : changedOf(trial, deed.sent, before, after, entries)
  const told = oracle.branchOf(before.known, deed.step)
  const branch = transitionsOf(site.app, entity.key).find(({ cell }) => told !== null && isAt(cell, told.cell)) ?? null
  if (branch === null || after === undefined) return []
  const taken: Taken = { trial, before, branch, world, after, isAlone: isAlone(site.app, entity.key, branch) }
  const entry = entries.find(({ kind, what }) => kind === 'step' && what === deed.step)
  const left = (await site.observatory.left(entity.key, id)).filter(one => !before.left.has(one.id))
  const stepped = { app: site.app, world, entity: entity.key, before: record, after }
  const timers = otherTimers(stepped, await site.observatory.armed(entity.key, id))
  return [...becameOf(taken), ...toldOf(taken, entry), ...sentBy(taken, left), ...timers]
}

/** What was sent stands there, nothing else is different, and the history tells of it. */
function changedOf(
  { site, entity }: Trial,
  sent: Readonly<Record<string, unknown>>,
  { known: { record }, player }: Before,
  after: RecordValue,
  entries: readonly Told[],
): readonly string[] {
  if (site.app.effects.some(effect => effect.entity === entity.key && effect.on.includes('changed'))) return []
  const wanted = rowOf(site, entity, sent)
  const wrong: string[] = []
  const told = new Set(entries.flatMap(one => (one.actor === player.id ? Object.keys(one.changes) : [])))
  for (const field of storedOf(entity)) {
    const [was, is] = [(record[field.key] ?? null) as Wire, (after[field.key] ?? null) as Wire]
    if (field.key in wanted && !isSame(field, is, (wanted[field.key] ?? null) as Wire))
      wrong.push(`${field.key} is ${said(is)} then, and not ${said(wanted[field.key])}`)
    if (!(field.key in sent) && !followsItself(field) && !isSame(field, is, was))
      wrong.push(`${field.key} is ${said(is)} then, though nobody wrote it`)
    if (field.hidden === null && isSame(field, is, was) === told.has(field.key))
      wrong.push(`its history ${told.has(field.key) ? 'tells' : 'does not tell'} of ${field.key}`)
  }
  return wrong
}

const transitionsOf = ({ workflows }: App, entity: string): readonly Transition[] =>
  workflows.get(entity)?.transitions ?? []

const isAt = (one: Cell, other: Cell): boolean => one.file.path === other.file.path && one.start === other.start

interface Taken {
  readonly trial: Trial
  readonly before: Before
  readonly branch: Transition
  readonly world: World
  readonly after: RecordValue
  /** Nothing follows from it but what it says itself. */
  readonly isAlone: boolean
}

/** A later act, or an effect, may write the record again, and send more. */
const isAlone = ({ effects }: App, entity: string, { key, then }: Transition): boolean =>
  then.every(act => leaves(act) || act.kind === 'go to' || (act.kind === 'set' && act.of === null)) &&
  effects.every(effect => effect.entity !== entity || !effect.on.some(on => on === key || on === 'changed'))

const stateAfter = ({ branch }: Taken): string =>
  branch.then.reduce((state, act) => (act.kind === 'go to' ? act.state : state), branch.to as string)

/** Its state, what it sets, and that nothing else was written. */
function becameOf(taken: Taken): readonly string[] {
  if (!taken.isAlone) return []
  const { trial, before, branch, after } = taken
  const { record } = before.known
  const wrong: string[] = []
  const state = stateAfter(taken)
  if (after.state !== state) wrong.push(`it is in ${String(after.state)} then, and not in ${state}`)
  const set = setBy(taken)
  const asked = new Set(branch.asks.map(({ field }) => field))
  for (const field of storedOf(trial.entity)) {
    const value = set.get(field.key)
    if (value === NOT_LOADED || asked.has(field.key)) continue
    if (value !== undefined) {
      if (!isSame(field, after[field.key] ?? null, value))
        wrong.push(`${field.key} is ${said(after[field.key])} then, and not ${said(value)}`)
      continue
    }
    if (!followsItself(field) && !isSame(field, after[field.key] ?? null, (record[field.key] ?? null) as Wire))
      wrong.push(`${field.key} is ${said(after[field.key])} then, though the step does not write it`)
  }
  for (const { field, required } of branch.asks)
    if (required && (after[field] ?? null) === null) wrong.push(`${field}, which it asks for, is empty then`)
  return wrong
}

/** By field, what the step sets; later acts see what earlier ones set. */
function setBy({ trial, before, branch, after }: Taken): ReadonlyMap<string, Wire | typeof NOT_LOADED> {
  const { record, world } = before.known
  const row: Record<string, RecordValue[string]> = { ...record }
  for (const { field } of branch.asks) row[field] = after[field] ?? null
  const set = new Map<string, Wire | typeof NOT_LOADED>()
  for (const act of branch.then) {
    if (act.kind !== 'set' || act.of !== null) continue
    const environment = { ...world.environment(trial.entity.key, { ...row }), old: record }
    for (const { field, value: expression } of act.values) {
      const value = asHeld(
        trial.entity.fields.find(({ key }) => key === field),
        worth(expression, environment),
      )
      set.set(field, value)
      if (value !== NOT_LOADED) row[field] = value
    }
  }
  return set
}

/** With the places that the field has; what is several is not told. */
function asHeld(field: Field | undefined, value: ReturnType<typeof worth>): Wire | typeof NOT_LOADED {
  if (value === NOT_LOADED || (value !== null && typeof value === 'object')) return NOT_LOADED
  const { rounded } = fieldKind(field?.kind ?? 'text')
  return field !== undefined && typeof value === 'string' && rounded !== undefined
    ? rounded(value, field.parameters)
    : value
}

/** Fields with a value of their own in the record. */
const storedOf = ({ fields }: Entity): readonly Field[] =>
  fields.filter(
    ({ computed, type, kind }) =>
      computed === null && type.kind !== 'list' && type.kind !== 'file' && fieldKind(kind).sealed !== true,
  )

/** What the application writes by itself: numbers that a step gives, what is worked out, and what is not there any more. */
const followsItself = ({ givenOn, renewed, copiedFrom, onlyWhen, assignedFrom }: Field): boolean =>
  renewed || [givenOn, copiedFrom, onlyWhen, assignedFrom].some(one => one !== null)

/** One entry, with where it came from, where it went, who did it, and all that is different. */
function toldOf(taken: Taken, told: Awaited<ReturnType<Trial['site']['observatory']['history']>>[number] | undefined) {
  const { trial, before, after, isAlone: alone } = taken
  if (told === undefined) return ['its history does not tell of it']
  const wrong: string[] = []
  const { record } = before.known
  const state = stateAfter(taken)
  if (told.from !== record.state || told.to !== state)
    wrong.push(`its history says that it went from ${told.from} to ${told.to}`)
  if (told.actor !== before.player.id) wrong.push('its history names somebody else')
  if (!alone) return wrong
  for (const field of storedOf(trial.entity)) {
    const isOther = !isSame(field, after[field.key] ?? null, (record[field.key] ?? null) as Wire)
    if (isOther !== field.key in told.changes)
      wrong.push(`its history ${isOther ? 'does not tell' : 'tells'} of ${field.key}`)
  }
  return wrong
}

/** Mails and calls: each as often as the document says, to whom, and with its words and values. */
function sentBy(taken: Taken, left: readonly Left[]): readonly string[] {
  const { trial, before, branch, world, after, isAlone: alone } = taken
  const { app } = trial.site
  const environment: Asked = { ...world.environment(trial.entity.key, after), me: before.player.id, my: myOf(taken) }
  const wrong: string[] = []
  const mails = branch.then.filter(act => act.kind === 'send mail')
  for (const act of mails) {
    const mail = app.mails.get(act.mail)
    const sent = left.filter(({ kind, name }) => kind === 'mail' && name === act.mail)
    const to = mail === undefined ? null : receiversOf(taken, mail, act, environment)
    if (mail === undefined || to === null || mails.filter(one => one.mail === act.mail).length > 1) continue
    const got = sent.map(one => one.person)
    for (const person of to)
      if (!got.includes(person)) wrong.push(`the mail ${mail.key} does not go to ${nameOf(taken, person)}`)
    for (const person of got)
      if (!to.includes(person ?? '')) wrong.push(`the mail ${mail.key} goes to ${nameOf(taken, person)}, too`)
    if (new Set(got).size < got.length) wrong.push(`the mail ${mail.key} goes to somebody more than once`)
    for (const { subject, text } of sent.slice(0, 1)) {
      if (!isUnspecified(mail.subject) && !saysIt(mail.subject, subject ?? '', environment, true))
        wrong.push(`the subject of the mail ${mail.key} is '${subject}'`)
      if (mail.body !== null && !isUnspecified(mail.body) && !saysIt(mail.body, text ?? '', environment, true))
        wrong.push(`the mail ${mail.key} says '${text}'`)
    }
  }
  const calls = new Set(branch.then.flatMap(act => (act.kind === 'call' ? [act.call] : [])))
  for (const key of calls) {
    const call = app.calls.get(key)
    if (call === undefined || isUnspecified(call.request)) continue
    const made = left.filter(({ kind, name }) => kind === 'call' && name === key)
    if (made.length === 0 || (alone && made.length > 1)) wrong.push(`the call ${key} is made ${made.length} times`)
    for (const { body } of made.slice(0, 1))
      for (const { name, from } of call.send) {
        if (isUnspecified(from)) continue
        const sends = body?.[name]
        const says = 'parts' in from ? NOT_LOADED : worth(from, environment)
        if (!(name in (body ?? {}))) wrong.push(`the call ${key} does not send ${name}`)
        else if (typeof says === 'string' && plainly(sends) !== plainly(says))
          wrong.push(`the call ${key} sends ${name} ${said(sends)}, and not ${says}`)
      }
  }
  if (alone)
    for (const name of new Set(left.map(one => one.name)))
      if (
        !mails.some(({ mail }) => mail === name) &&
        !calls.has(name) &&
        left.some(one => one.name === name && one.kind !== 'report')
      )
        wrong.push(`${name} leaves, which nothing sends`)
  return wrong
}

/** Ids of the people that a mail goes to; null: it cannot be told from here. */
function receiversOf(
  { trial, world }: Taken,
  { to, language }: Mail,
  act: Extract<Act, { kind: 'send mail' }>,
  environment: Asked,
): readonly string[] | null {
  if (language !== null || (act.to === null && isUnspecified(to))) return null
  const recipients = act.to !== null ? [{ kind: 'person' as const, expression: act.to }] : isUnspecified(to) ? [] : to
  const ids = new Set<string>()
  for (const recipient of recipients) {
    if (recipient.kind === 'address' || recipient.kind === 'awaited') return null
    if (recipient.kind === 'person') {
      const found = worth(recipient.expression, environment)
      if (found === NOT_LOADED) return null
      for (const id of [found].flat()) if (typeof id === 'string') ids.add(id)
      continue
    }
    const who = recipient.role === null ? undefined : trial.site.app.roles.get(recipient.role)?.who
    if (recipient.where !== null || who === undefined || isUnspecified(who) || who.kind !== 'appointed') return null
    for (const { id, roles } of trial.site.players) if (roles.includes(recipient.role!)) ids.add(id)
  }
  return [...ids].filter(id => (world.record('person', id)?.email ?? null) !== null)
}

const myOf = ({ before, world }: Taken): RecordValue | null => world.record('person', before.player.id) ?? null

const nameOf = ({ world }: Taken, id: string | null): string =>
  String(world.record('person', id ?? '')?.name ?? 'somebody')

/** A number in whichever way it is written. */
const plainly = (value: unknown): string =>
  /^-?\d+(?:\.\d+)?$/.test(String(value)) ? String(Number(value)) : String(value)

const said = (value: unknown): string => (value === null || value === undefined ? 'empty' : String(value))
