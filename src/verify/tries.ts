/** Everything that one person can do with a record, with what the document says of each. */
import type { Cell } from '../document/source.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { stepOf } from './arrange.ts'
import type { Deed } from './came.ts'
import { ask, isOk, type Player, type Reply } from './client.ts'
import { toldOf } from './judge.ts'
import { isNone } from './oracle/cells.ts'
import * as oracle from './oracle/rights.ts'
import {
  type Case,
  caseOf,
  cellOf,
  type Subject,
  stepTally,
  type Tally,
  type Trial,
  tallyOf,
  whereOf,
} from './trial.ts'
import { visitor } from './world.ts'

export interface Try {
  readonly tally: Tally
  readonly player: Player
  readonly what: string
  /** The verb, or the key of the step. */
  readonly does: string
  /** Null: the document does not tell it of one person alone. */
  readonly expected: boolean | null
  readonly ask: () => Promise<Reply>
  /** The record is put aside for it, whatever is expected. */
  readonly moves?: boolean
  /** What decides it. */
  readonly cells: readonly Cell[]
  /** What came of it is looked at, where it is let through. */
  readonly deed?: Deed
  /** Codes beside the built-in ones that say no. */
  readonly codes?: readonly string[]
}

/** Steps and verbs of one person, with what the document says of each. */
export function triesOf(
  trial: Trial,
  known: Case,
  subject: Subject,
  state: string | null,
  player: Player,
): readonly Try[] {
  const { site, entity } = trial
  const where = whereOf(player, subject, state)
  const change = changeOf(known, entity)
  const isKept = entity.archives !== null
  // A record that went in between was made again, under another id.
  const path = () => `${entity.key}/${subject.id}`
  const locked =
    site.app.workflows.get(entity.key)?.states.find(({ name }) => name === known.record.state)?.locks?.cell ?? null
  const verb = (name: string, expected: boolean, body?: unknown): Try => ({
    tally: tallyOf(trial, `${name}`, cellOf(known), `${entity.name}: who may ${name} it`),
    player,
    what: `${where}: ${name} it`,
    does: name,
    expected,
    cells: [...oracle.decidedBy(known, name === 'change' ? 'Change' : 'Delete'), ...(locked === null ? [] : [locked])],
    ...(name === 'delete' && { deed: { kind: 'delete' } }),
    ask: () => ask(site, player, name === 'delete' ? 'DELETE' : 'PATCH', path(), body),
  })
  const bringingBack = (): Try => ({
    ...verb('restore', oracle.restores(known)),
    moves: true,
    ask: async () => {
      await site.observatory.aside(entity.key, subject.id, true)
      const reply = await ask(site, player, 'POST', `${path()}/restore`)
      if (!isOk(reply)) await site.observatory.aside(entity.key, subject.id, false)
      return reply
    },
  })
  /** Where people write none of its fields: whichever is sent is refused, whatever is said of it. */
  const unchangeable = (): readonly Try[] => {
    const field = plainOf(entity).find(one => otherValue(known, one) !== undefined)
    if (field === undefined) return []
    const one = verb('change', false, { [field.key]: otherValue(known, field) })
    const cells = oracle.decidedBy(known, 'Change').filter(({ text }) => isNone(text))
    return [{ ...one, cells, ask: async () => refusedAnyhow(await one.ask()) }]
  }
  const transitions = site.app.workflows.get(entity.key)?.transitions ?? []
  const steps = new Map(transitions.map(one => [one.key, one]))
  const all = [
    ...[...steps.values()].map(
      (step): Try => ({
        tally: stepTally(trial, step.key),
        player,
        what: `${where}: ${step.name}`,
        does: step.key,
        expected: oracle.takes(known, step.key),
        cells: stepCells(known, step.key),
        deed: { kind: 'step', step: step.key },
        ask: () => stepOf(site, player, entity.key, subject.id, step.key),
        codes: [step.error, ...step.elsewhere.map(({ error }) => error)].flatMap(code => specified(code) ?? []),
      }),
    ),
    ...(change === null ? [] : [verb('change', settableOf(known, entity) !== undefined, change)]),
    ...(change === null ? unchangeable() : []),
    // What cannot be made again is not taken away.
    ...(subject.again === null && !isKept && oracle.deletes(known) ? [] : [verb('delete', oracle.deletes(known))]),
    ...(isKept ? [bringingBack()] : []),
  ]
  // Visitors have the pages alone: the API answers nobody who is not signed in.
  return all.filter(({ expected }) => expected !== null && !(expected && player === visitor))
}

/** However it is said: what counts is that it was not written. */
export const refusedAnyhow = (reply: Reply): Reply => (isOk(reply) ? reply : { ...reply, status: 403 })

/** What says who may take a step, from where, and when. */
const stepCells = (known: Case, step: string): readonly Cell[] => [
  ...oracle.decidedBy(known, 'Do'),
  ...(toldOf(known.app).entity(known.entity).steps ?? []).flatMap(one =>
    one.key === step ? ['From', 'Who', 'When'].flatMap(column => one.row(column) ?? []) : [],
  ),
  ...oracle.approvalCells(known, step),
]

/** Fields that this person may not write on this record, each sent with another value of its type. */
export function fieldTries(
  trial: Trial,
  known: Case,
  closed: readonly Field[],
  subject: Subject,
  player: Player,
  where: string,
): readonly Try[] {
  const { site, entity } = trial
  return closed.flatMap((field): readonly Try[] => {
    if (otherValue(known, field) === undefined) return []
    return [
      {
        tally: tallyOf(
          trial,
          `field ${field.key}`,
          field.cell,
          `${entity.name}, ${field.key}: whoever may not write it cannot`,
        ),
        player,
        what: `${where}: write ${field.key}`,
        does: 'write',
        expected: false,
        cells: [
          field.readOnly?.cell,
          field.setBy?.cell,
          field.hidden,
          field.assignedFrom?.cell,
          ...oracle.linesOf(known, field.key, 'Change'),
        ].filter(cell => cell != null),
        ask: async () => {
          // Steps that were taken meanwhile may have set it.
          const value = otherValue((await caseOf(trial, subject, player)) ?? known, field)
          return refusedAnyhow(await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: value }))
        },
      },
    ]
  })
}

/** Fields that this person may write, and that decide whether they may: each sent with a value that leads out of what they may change. */
export function leadingTries(
  trial: Trial,
  known: Case,
  subject: Subject,
  player: Player,
  where: string,
): readonly Try[] {
  const { site, entity } = trial
  const read = oracle.readBy(known, 'Change')
  return plainOf(entity).flatMap((field): readonly Try[] => {
    const value = read.has(field.key) && oracle.setsField(known, field) ? otherValue(known, field) : undefined
    if (value === undefined || value === null) return []
    const parsed = fieldKind(field.kind).fromJson(value as never, field.parameters)
    const after = 'value' in parsed ? { ...known, record: { ...known.record, [field.key]: parsed.value } } : known
    if (oracle.mayHaveBecome(known, after)) return []
    return [
      {
        tally: tallyOf(trial, 'change to', cellOf(known), `${entity.name}: what no change may lead to`),
        player,
        what: `${where}: change ${field.key} to what they may not change`,
        does: 'change',
        expected: false,
        cells: oracle.decidedBy(known, 'Change', 'Change to'),
        ask: async () => {
          return refusedAnyhow(await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: value }))
        },
      },
    ]
  })
}

/** Steps that this person may take, each sent with a value that no row of it asks for. */
export function unaskedTries(
  trial: Trial,
  known: Case,
  subject: Subject,
  player: Player,
  where: string,
): readonly Try[] {
  const { site, entity } = trial
  const transitions = site.app.workflows.get(entity.key)?.transitions ?? []
  return [...Map.groupBy(transitions, ({ key }) => key)].flatMap(([step, rows]): readonly Try[] => {
    if (oracle.takes(known, step) !== true) return []
    const asked = new Set(rows.flatMap(({ asks }) => asks.map(one => one.field)))
    const field = plainOf(entity).find(
      one =>
        !asked.has(one.key) &&
        !oracle.isWritten(known, one.key) &&
        oracle.seesField(known, one) &&
        (otherValue(known, one) ?? null) !== null,
    )
    if (field === undefined) return []
    return [
      {
        tally: tallyOf(
          trial,
          `asks ${step}`,
          rows[0]!.cell,
          `${entity.name}, ${step}: it takes what it asks for alone`,
        ),
        player,
        what: `${where}: ${step} with ${field.key}`,
        does: step,
        expected: false,
        cells: rows.flatMap(({ asks }) => asks.map(({ cell }) => cell)),
        ask: async () => {
          const given = { [field.key]: otherValue(known, field) }
          const reply = await stepOf(site, player, entity.key, subject.id, step, () => true, given)
          return isOk(reply) ? reply : { ...reply, status: 403 }
        },
      },
    ]
  })
}

/** A value of the field's type that it does not have now. */
export function otherValue({ world, record }: Case, field: Field): unknown {
  if (field.type.kind === 'reference') {
    const other = world.records(field.type.entity).find(({ id }) => id !== record[field.key])
    return other?.id
  }
  if (field.type.kind === 'list' || field.type.kind === 'file') return undefined
  const kind = fieldKind(field.kind)
  const choices = field.parameters.choices ?? []
  const wires = [...choices, ...kind.examples.flatMap(({ good }) => good.map(({ wire }) => wire))]
  const wire = wires.find(candidate => candidate !== null && candidate !== record[field.key])
  if (wire === undefined || wire === null) return undefined
  return kind.sealed ? wire : kind.toJson(wire, field.parameters)
}

export const plainOf = ({ fields }: Entity): readonly Field[] =>
  fields.filter(({ type }) => type.kind !== 'list' && type.kind !== 'file')

/** A field that this person may set on this record; undefined where they may change none, as where its state locks them all. */
const settableOf = (known: Case, entity: Entity): Field | undefined =>
  oracle.changes(known) ? plainOf(entity).find(one => oracle.setsField(known, one)) : undefined

/** A change: of a field that may be set to the value that it has, else of one that may not. Null: people write none of its fields. */
function changeOf(known: Case, entity: Entity): Readonly<Record<string, unknown>> | null {
  const settable = settableOf(known, entity)
  const field =
    settable ?? plainOf(entity).find(one => !oracle.isWritten(known, one.key) && otherValue(known, one) !== undefined)
  if (field === undefined) return null
  const value = known.record[field.key] ?? null
  if (settable === undefined || fieldKind(field.kind).sealed) return { [field.key]: otherValue(known, field) }
  const isSingle = value !== null && !Array.isArray(value)
  return { [field.key]: isSingle ? fieldKind(field.kind).toJson(value as never, field.parameters) : null }
}
