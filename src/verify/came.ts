/**
 * What came of a step or a deletion that was let through: the record, its history and what is to leave, held against what the document
 * says of it. What else may have happened, because something follows from it, is not counted against it.
 */

import type { Cell } from '../document/source.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { Transition } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { asHeld, said, worthAsHeld } from './answers.ts'
import { otherTimers } from './armed.ts'
import type { Player } from './client.ts'
import { type Before, stateAfter, type Taken, takenOf } from './happening.ts'
import { namedBy, worth } from './judge.ts'
import { otherMails } from './left.ts'
import * as oracle from './oracle/rights.ts'
import type { Value } from './oracle/values.ts'
import { followsItself, otherRecords, setsField, storedOf } from './others.ts'
import { filledIn } from './rows.ts'
import { isSame, rowOf } from './stage.ts'
import type { Case, Trial } from './trial.ts'
import { type Told, visitor, type World } from './world.ts'

/** What is looked at afterwards. */
export type Deed =
  | { readonly kind: 'step'; readonly step: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'change'; readonly sent: Readonly<Record<string, unknown>> }

/**
 * A record that was made. `wanted`: as it should be, by what was sent, its defaults and its first state. `stood`: what stood there before;
 * null: what else was written is left open.
 */
export async function madeOf(
  trial: Trial,
  id: string,
  wanted: RecordValue,
  player: Player,
  stood: World | null = null,
): Promise<readonly string[]> {
  const { site, entity } = trial
  const wrong: string[] = []
  const entries = await site.observatory.history(entity.key, id)
  const told = entries.find(({ kind }) => kind === 'create')
  if (told === undefined) wrong.push('its history does not tell that it was made')
  else if ((told.actor ?? visitor.id) !== player.id) wrong.push('its history names somebody else')
  site.observatory.forget()
  const world = await site.observatory.world(player)
  const record = world.record(entity.key, id)
  if (record === undefined) return [...wrong, 'it is not there']
  const states = site.app.workflows.get(entity.key)?.states
  const known = { app: site.app, world, entity: entity.key, record: wanted }
  const made = { cell: entity.cell, key: 'created', to: (wanted.state ?? null) as string | null, asks: [], acts: [] }
  const taken = takenOf(
    trial,
    { known, stood: stood ?? world, player, entries: 0, left: new Set() },
    made,
    world,
    record,
  )
  const follows = site.app.effects.some(effect => effect.entity === entity.key && effect.on.includes('created'))
  if (follows && !taken.isAlone) return wrong
  if (follows) wrong.push(...otherMails(taken, await site.observatory.left(entity.key, id)))
  if (follows && stood !== null) wrong.push(...othersOf(taken))
  wrong.push(...rowsMade(trial, world, entity, record, wanted))
  const state = stateAfter(taken)
  const start = states?.find(({ name }) => name === wanted.state)
  if (start !== undefined) site.judged.in(start.cell, 'Kind')
  site.judged.add(...taken.branch.acts.flatMap(act => (act.kind === 'go to' ? [act.cell] : [])))
  if (states !== undefined && record.state !== state)
    wrong.push(`it begins in ${String(record.state)}, and not in ${String(state)}`)
  wrong.push(...valuesMade(trial, world, entity, record, wanted))
  return wrong
}

/** Fields of a new record, or row, that do not say what was sent, copied, or is there by default. */
function valuesMade({ site }: Trial, world: World, of: Entity, record: RecordValue, wanted: RecordValue) {
  return storedOf(of).flatMap(field => {
    const { copiedFrom, renewed, assignedFrom, givenOn, kind } = field
    if (renewed || assignedFrom !== null || givenOn !== null || !fieldKind(kind).entered) return []
    const says = copiedFrom === null ? wanted[field.key] : worth(copiedFrom, world.environment(of.key, record))
    const value = asHeld(field, (says ?? null) as Wire)
    if (value === NOT_LOADED) return []
    site.judged.add(
      field.typeCell,
      field.default?.cell,
      copiedFrom?.cell,
      field.default === null ? null : field.required?.cell,
    )
    return isSame(field, record[field.key] ?? null, value)
      ? []
      : [`${field.key} is ${said(record[field.key])}, and not ${said(value)}`]
  })
}

/** Its rows, and theirs, each as it was sent. */
function rowsMade(trial: Trial, world: World, entity: Entity, record: RecordValue, wanted: RecordValue) {
  return entity.fields.flatMap(({ key, type }): readonly string[] => {
    const [is, sent] = [record[key], wanted[key]]
    const child = type.kind === 'list' ? trial.site.app.entities.get(type.entity)! : null
    if (child?.partOf !== entity.key || !Array.isArray(is) || !Array.isArray(sent)) return []
    if (is.length !== sent.length) return [`${key} has ${is.length} rows, and not ${sent.length}`]
    return (sent as readonly RecordValue[]).flatMap((row, at) => {
      const own = filledIn(trial.site, world, child, row)
      const made = is[at] as RecordValue
      return [...valuesMade(trial, world, child, made, own), ...rowsMade(trial, world, child, made, own)].map(
        wrong => `${key}, ${wrong}`,
      )
    })
  })
}

export async function lookBefore({ site }: Trial, known: Case, player: Player): Promise<Before> {
  const id = String(known.record.id)
  const { history, left } = site.observatory
  const [entries, before] = await Promise.all([history(known.entity, id), left(known.entity, id)])
  return { known, stood: known.world, player, entries: entries.length, left: new Set(before.map(one => one.id)) }
}

/** What is not as the document says; empty: nothing. */
export async function cameOf(trial: Trial, deed: Deed, before: Before): Promise<readonly string[]> {
  const { site, entity } = trial
  const { record } = before.known
  const id = String(record.id)
  site.observatory.forget()
  const world = await site.observatory.world(before.player)
  const after = world.record(entity.key, id)
  const entries = (await site.observatory.history(entity.key, id)).slice(before.entries)
  if (deed.kind === 'delete') {
    if (after !== undefined && entity.archives === null) return ['it is still there']
    site.judged.add(entity.archives)
    const isTold = entity.archives !== null || entries.some(({ kind }) => kind === 'delete')
    return isTold ? [] : ['its history does not tell of it']
  }
  if (deed.kind === 'change') return after === undefined ? [] : changedOf(trial, deed.sent, before, after, entries)
  if (after === undefined) return []
  const stepped = { app: site.app, judged: site.judged, world, entity: entity.key, before: before.known, after }
  const timers = otherTimers(stepped, await site.observatory.armed(entity.key, id))
  const decided = decidedOf(before, deed.step, after)
  const branch = branchOf(site.app, before.known, deed.step, after)
  if (branch === null) return [...decided, ...timers]
  const taken = takenOf(trial, before, { ...branch, to: specified(branch.to), acts: branch.then }, world, after)
  const entry = entries.find(({ kind, what }) => kind === 'step' && what === deed.step)
  const left = (await site.observatory.left(entity.key, id)).filter(one => !before.left.has(one.id))
  return [...decided, ...becameOf(taken), ...toldOf(taken, entry), ...otherMails(taken, left), ...timers]
}

/** A step that waits for several people, decided by one: it happens once nothing is missing, and not before. */
function decidedOf({ known }: Before, step: string, after: RecordValue): readonly string[] {
  const happens = oracle.toldOf(known).approvals.has(step) ? oracle.happensBy(known, step) : null
  if (happens === null || happens === (after.state !== known.record.state)) return []
  return [happens ? 'nothing is missing, and the step is not taken' : 'the step is taken, though others have to agree']
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
  const told = new Set(
    entries.flatMap(one => ((one.actor ?? visitor.id) === player.id ? Object.keys(one.changes) : [])),
  )
  for (const field of storedOf(entity)) {
    const [was, is] = [(record[field.key] ?? null) as Wire, (after[field.key] ?? null) as Wire]
    if (field.key in wanted) site.judged.add(field.typeCell)
    if (field.key in wanted && !isSame(field, is, (wanted[field.key] ?? null) as Wire))
      wrong.push(`${field.key} is ${said(is)} then, and not ${said(wanted[field.key])}`)
    if (!(field.key in sent) && !followsItself(field) && !isSame(field, is, was))
      wrong.push(`${field.key} is ${said(is)} then, though nobody wrote it`)
    if (field.hidden === null && isSame(field, is, was) === told.has(field.key))
      wrong.push(`its history ${told.has(field.key) ? 'tells' : 'does not tell'} of ${field.key}`)
  }
  for (const { key } of entity.fields) {
    const [rows, is] = [wanted[key], after[key]]
    if (Array.isArray(rows) && Array.isArray(is) && rows.length !== is.length)
      wrong.push(`it has ${is.length} rows in ${key} then, and not ${rows.length}`)
  }
  return wrong
}

/** The row of heading 4 that was taken; null: it cannot be told, or others have to agree before it is. */
function branchOf(app: App, known: Case, step: string, after: RecordValue): Transition | null {
  const rows = transitionsOf(app, known.entity).filter(({ key }) => key === step)
  if (app.workflows.get(known.entity)?.approvals.some(one => one.step === step) === true) {
    const { state } = known.record
    const [row, ...others] = rows.filter(({ from }) => specified(from)?.includes(String(state)))
    return row === undefined || others.length > 0 || after.state === state ? null : row
  }
  const told = oracle.branchOf(known, step)
  return rows.find(({ cell }) => told !== null && isAt(cell, told.cell)) ?? null
}

const transitionsOf = ({ workflows }: App, entity: string): readonly Transition[] =>
  workflows.get(entity)?.transitions ?? []

const isAt = (one: Cell, other: Cell): boolean => one.file.path === other.file.path && one.start === other.start

/** It, and what it writes elsewhere. */
export const becameOf = (taken: Taken): readonly string[] => [...becameItself(taken), ...othersOf(taken)]

/** Its state, what it sets, and that nothing else was written. */
export function becameItself(taken: Taken): readonly string[] {
  if (!taken.isAlone) return []
  const { trial, before, branch, after } = taken
  const { record } = before.known
  const wrong: string[] = []
  const state = stateAfter(taken)
  const { judged } = trial.site
  judged.in(branch.cell, 'To')
  judged.add(...branch.acts.flatMap(act => (act.kind === 'go to' ? [act.cell] : [])))
  if ((after.state ?? null) !== state) wrong.push(`it is in ${String(after.state)} then, and not in ${state}`)
  const set = setBy(taken)
  const asked = new Set(branch.asks.map(({ field }) => field))
  for (const field of storedOf(trial.entity)) {
    const value = set.get(field.key)
    if (value === NOT_LOADED || asked.has(field.key)) continue
    if (value !== undefined) {
      judged.add(...branch.acts.flatMap(act => (setsField(act, field.key) ? [act.cell] : [])))
      if (!isSame(field, after[field.key] ?? null, value))
        wrong.push(`${field.key} is ${said(after[field.key])} then, and not ${said(value)}`)
      continue
    }
    if (!followsItself(field) && !isSame(field, after[field.key] ?? null, (record[field.key] ?? null) as Wire))
      wrong.push(`${field.key} is ${said(after[field.key])} then, though the step does not write it`)
  }
  judged.add(...branch.asks.map(({ cell }) => cell))
  for (const { field, required } of branch.asks)
    if (required && !set.has(field) && (after[field] ?? null) === null)
      wrong.push(`${field}, which it asks for, is empty then`)
  return wrong
}

/** Records that it creates, and what stands in others that it writes. */
function othersOf({ trial, before, world, after, course, isAlone }: Taken): readonly string[] {
  if (!isAlone) return []
  const own = { entity: trial.entity.key, id: String(before.known.record.id ?? after.id) }
  return otherRecords({ site: trial.site, course, stood: before.stood, world, own })
}

/** By field, what the step sets; later acts see what earlier ones set. */
function setBy({ trial, before, branch, after, course }: Taken): ReadonlyMap<string, Wire | typeof NOT_LOADED> {
  const { record, world } = before.known
  const row: Record<string, RecordValue[string]> = { ...record }
  for (const { field } of branch.asks) row[field] = after[field] ?? null
  const set = new Map<string, Wire | typeof NOT_LOADED>()
  const given = new Map<string, Value>()
  const lists = new Set(
    course.occurred.flatMap(({ others }) => others.flatMap(other => listAbove(trial, other.entity) ?? [])),
  )
  for (const act of branch.acts) {
    const environment = { ...world.environment(trial.entity.key, { ...row }), old: record, given }
    if (act.kind === 'let') {
      const named = namedBy(act.value.cell.text, environment)
      if (named !== null) given.set(act.name, named.value)
      trial.site.judged.add(act.cell)
    }
    if (act.kind !== 'set' || act.of !== null) continue
    for (const { field, value: expression } of act.values) {
      const reads = oracle.readsOf({ world, entity: trial.entity.key }, expression.cell.text)
      // Of rows that other acts write it goes by what they are then.
      const value = [...reads].some(key => lists.has(key))
        ? NOT_LOADED
        : worthAsHeld(
            trial.entity.fields.find(({ key }) => key === field),
            expression,
            environment,
          )
      set.set(field, value)
      if (value !== NOT_LOADED) row[field] = value
    }
  }
  return set
}

/** The list of the record in which rows of this entity stand, or what they are part of; null: they stand in none of it. */
function listAbove(trial: Trial, rows: string): string | null {
  const { partOf = null } = trial.site.app.entities.get(rows) ?? {}
  if (partOf === null) return null
  const list = trial.entity.fields.find(({ type }) => type.kind === 'list' && type.entity === rows)
  return partOf === trial.entity.key ? (list?.key ?? null) : listAbove(trial, partOf)
}

/** One entry, with where it came from, where it went, who did it, and all that is different. */
function toldOf(taken: Taken, told: Awaited<ReturnType<Trial['site']['observatory']['history']>>[number] | undefined) {
  const { trial, before, after, isAlone: alone } = taken
  if (told === undefined) return ['its history does not tell of it']
  const wrong: string[] = []
  const { record } = before.known
  const state = stateAfter(taken)
  if (told.from !== record.state || told.to !== state)
    wrong.push(`its history says that it went from ${told.from} to ${told.to}`)
  if ((told.actor ?? visitor.id) !== before.player.id) wrong.push('its history names somebody else')
  if (!alone) return wrong
  for (const field of storedOf(trial.entity)) {
    const isOther = !isSame(field, after[field.key] ?? null, (record[field.key] ?? null) as Wire)
    if (isOther !== field.key in told.changes)
      wrong.push(`its history ${isOther ? 'does not tell' : 'tells'} of ${field.key}`)
  }
  return wrong
}
