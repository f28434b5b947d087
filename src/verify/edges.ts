/**
 * What a record may hold, at its edge: for each bound, rule and required field of an entity a value that just fits and one that just does
 * not, sent in a record that was accepted otherwise, as a new one, as a change, and with the steps that a rule names.
 */

import type { Cell } from '../document/source.ts'
import { capital, small } from '../expression/letters.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Rule } from '../headings/5-validation/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { stepOf } from './arrange.ts'
import { boundEdges, type FieldEdge } from './bounds.ts'
import { cameOf, lookBefore } from './came.ts'
import { ask, isOk, type Reply, type Site, verdictOf } from './client.ts'
import { anyValue, isAsked, rowsFilled, type Values } from './drafts.ts'
import { toldOf, worth } from './judge.ts'
import { type Lever, leversOf, turned, turningOf } from './levers.ts'
import { candidates, narrowed } from './near.ts'
import * as oracle from './oracle/rights.ts'
import { type FirstRow, firstRows, rowAs } from './rows.ts'
import type { Accepted } from './subjects.ts'
import { type Case, caseOf, type Tally, type Trial, tallyOf } from './trial.ts'
import type { World } from './world.ts'

/** A record as it is sent, and what has to be said of it. */
interface Edge {
  readonly tally: Tally
  readonly what: string
  readonly values: Values
  /** What says so. */
  readonly cells: readonly Cell[]
  /** The field of the record itself that differs. */
  readonly key: string
  /** Null: any. */
  readonly code: string | null
  readonly pointer: string | null
  readonly breaks: boolean
  /** On which occasions it is asked; null: whenever it is written. */
  readonly on: readonly string[] | null
  /** Whatever else is wrong, it is told. */
  readonly isTold?: boolean
  /** Of a rule on create alone: the same as a change of a record that is there, of which it is not asked; null: that one has no such row. */
  readonly asChange?: (record: RecordValue) => Values | null
  /** What it names says this meanwhile. */
  readonly named?: { readonly lever: Lever; readonly wire: Wire; readonly world: World }
}

/** Values of a field that it might have instead, as the API takes them. */
export const around = (world: World, field: Field, now: unknown): readonly unknown[] =>
  candidates(world, field)
    .map(wire => jsonOf(field, wire))
    .filter(value => value !== now)

const jsonOf = (field: Field, wire: Wire): unknown => fieldKind(field.kind).toJson(wire, field.parameters)

export async function tryEdges(trial: Trial, accepted: Accepted): Promise<void> {
  const { site, entity } = trial
  if (entity.key === 'person') return
  const whole = { ...accepted, values: await withRows(trial, accepted) }
  const world = await site.observatory.world(accepted.player)
  const edges = [...fieldEdges(trial, world, whole.values), ...ruleEdges(trial, world, whole.values)]
  for (const edge of edges) {
    site.at?.(`${entity.name}, ${edge.what}`)
    if (edge.on === null || edge.on.includes('create'))
      await meanwhile(trial, edge, () => tryCreate(trial, whole, edge))
    else if (!edge.on.includes('change')) await meanwhile(trial, edge, () => tryStep(trial, whole, edge))
  }
  if (entity.appendOnly === null) await tryChanges(trial, whole, edges)
}

/** What was accepted with a row in each list, and in each of these, where that is accepted, too. */
async function withRows({ site, entity }: Trial, { player, values }: Accepted): Promise<Values> {
  const filled = await rowsFilled(site, player, entity, values)
  if (filled === values) return values
  const reply = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, filled, ''))
  if (!isOk(reply)) return values
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, String(reply.body.id))
  return filled
}

/** Of each field of the record, and of the first row of each list, at whatever depth; what must not be also of a row behind it. */
function fieldEdges(trial: Trial, world: World, values: Values): readonly Edge[] {
  const { site, entity } = trial
  const edges: Edge[] = []
  const add = (
    of: Entity,
    path: readonly string[],
    row: RecordValue,
    put: (key: string, value: unknown) => Values,
    isBehind = false,
  ) => {
    for (const field of of.fields) {
      if (!isAsked(field) || field.readOnly?.after === 'always' || field.assignedFrom !== null) continue
      const tally = () =>
        tallyOf(
          trial,
          `edge ${of.key} ${field.key}`,
          field.cell,
          `${of.name}, ${field.key}: what it takes, and what not`,
        )
      for (const { what, value, code, breaks, cell } of edgesOf(world, of, field, row, put('', null))) {
        if (isBehind && !breaks) continue
        edges.push({
          tally: tally(),
          what: `${[...path, field.key].join('.')} ${what}`,
          cells: [cell, ...[field.refusals.get(code ?? '')?.cell].filter(one => one !== undefined)],
          values: put(field.key, value),
          key: path[0] ?? field.key,
          code: code === null ? null : (field.refusals.get(code)?.code ?? code),
          pointer: `/${[...path, field.key].join('/')}`,
          breaks,
          on: isBehind ? ['create'] : null,
        })
      }
    }
  }
  add(entity, [], rowAs(site, world, entity, values), (key, value) =>
    key === '' ? values : { ...values, [key]: value },
  )
  for (const { entity: of, path, row, put, behind } of firstRows(site.app, entity, values)) {
    const own = rowAs(site, world, of, row)
    add(of, path, own, (key, value) => (key === '' ? row : put({ ...row, [key]: value })))
    const putBehind = (key: string, value: unknown) => (key === '' ? row : behind({ ...row, [key]: value }))
    add(of, [...path.slice(0, -1), '1'], own, putBehind, true)
  }
  return edges
}

/** What another record has already, what may not be chosen, and what is there only under a condition that does not hold. */
function refusedEdges(world: World, of: Entity, field: Field, row: RecordValue, values: Values): readonly FieldEdge[] {
  const edges: FieldEdge[] = []
  const { unique, chooseFrom, onlyWhen, type } = field
  if (unique !== null && unique.within.length === 0 && unique.while === null && of.partOf === null) {
    const value = values[field.key]
    const others = unique.without !== null && typeof value === 'string' ? [capital.of(value), small.of(value)] : []
    for (const taken of value == null ? [] : new Set([value, ...others]))
      edges.push({
        what: `${String(taken)}, which another has`,
        value: taken,
        code: 'NF-UNIQUE',
        breaks: true,
        cell: unique.cell,
      })
  }
  if (chooseFrom?.where != null && chooseFrom.role === null && type.kind === 'reference') {
    const self = { entity: of.key, record: row, up: null }
    const closed = world
      .records(chooseFrom.entity)
      .find(
        other =>
          worth(chooseFrom.where!, { ...world.environment(chooseFrom.entity, other), this: row, self }) === false,
      )
    if (closed !== undefined)
      edges.push({ what: 'that may not be chosen', value: closed.id, code: null, breaks: true, cell: chooseFrom.cell })
  }
  if (onlyWhen !== null && worth(onlyWhen, world.environment(of.key, row)) === false) {
    const wire = candidates(world, field)[0] ?? (type.kind === 'text' ? 'x' : null)
    if (wire !== null && field.pattern === null)
      edges.push({
        what: `${wire}, where it is not there`,
        value: jsonOf(field, wire),
        code: null,
        breaks: true,
        cell: onlyWhen.cell,
      })
  }
  return edges
}

function edgesOf(world: World, of: Entity, field: Field, row: RecordValue, values: Values): readonly FieldEdge[] {
  const refused = refusedEdges(world, of, field, row, values)
  if (field.onlyWhen !== null) return refused
  const environment = world.environment(of.key, row)
  const edges = [...refused, ...boundEdges(field, environment, values[field.key])]
  const { required } = field
  if (required !== null && field.key in values && fieldKind(field.kind).sealed !== true) {
    const asked =
      required.when === null ? true : worth(required.when, world.environment(of.key, { ...row, [field.key]: null }))
    if (typeof asked === 'boolean')
      edges.push({ what: 'left out', value: null, code: 'NF-REQUIRED', breaks: asked, cell: required.cell })
  }
  // What is emptied stays so; but a yes/no that begins with a value always has one.
  if (required === null && field.default !== null && field.type.kind !== 'yes/no')
    edges.push({ what: 'emptied', value: null, code: null, breaks: false, cell: field.default.cell })
  return edges
}

/** Of each rule of the entity, and of the rows of its lists. */
const ruleEdges = (trial: Trial, world: World, values: Values): readonly Edge[] =>
  trial.site.app.rules.flatMap(rule => {
    const { site, entity } = trial
    const { mustHold, error: code } = rule
    if (isUnspecified(mustHold) || isUnspecified(code)) return []
    const inRow = firstRows(site.app, entity, values).find(row => row.entity.key === rule.entity)
    if (inRow === undefined && rule.entity !== entity.key) return []
    const of = inRow?.entity ?? entity
    const own = inRow?.row ?? values
    const isOfNew = rule.on?.includes('create') === true && !rule.on.includes('change') && !isAlsoOfOthers(site, rule)
    const edge = (key: string, what: string, holds: boolean, row: Values): Edge => ({
      tally: tallyOf(trial, `rule ${rule.name}`, rule.cell, `${rule.name}: what it lets through, and what not`),
      what: `${rule.name}, ${what}`,
      cells: [rule.cell],
      values: inRow?.put(row) ?? row,
      ...(isOfNew && !holds && { asChange: record => changeOf(site, entity, inRow ?? null, row, record) }),
      key: inRow?.path[0] ?? key,
      code,
      pointer: null,
      breaks: !holds,
      on: rule.on,
    })
    // Where others raise its code, too, that it holds says nothing.
    const telling = <One extends { readonly holds: boolean }>(found: readonly One[]) =>
      isAlsoOfOthers(site, rule) ? found.filter(({ holds }) => !holds) : found
    const found = valuesFor(site, world, rule, of, own)
    if (found.length === 0)
      return telling(namedFor(site, world, rule, of, own)).map(named => {
        const { lever, wire, holds } = named
        const key = lever.says.split('.')[0]!
        return { ...edge(key, `${lever.says} ${wire ?? 'empty'}`, holds, own), named: { ...named, world } }
      })
    const isAlone = isOfItself(mustHold.cell.text)
    const isAskedOnCreate = rule.on?.includes('create') !== false
    return telling(found).flatMap(({ field: { key }, value, holds }): readonly Edge[] => {
      const changed = { ...own, [key]: value }
      const first = edge(key, `${key} ${String(value)}`, holds, changed)
      if (inRow === undefined) return [{ ...first, isTold: isAlone }]
      return holds || !isAlone || !isAskedOnCreate
        ? [first]
        : [first, { ...first, asChange: () => null, values: inRow.behind(changed), on: ['create'] }]
    })
  })

/** A record that is there, with what breaks a rule in itself or in the first row of a list. */
function changeOf(site: Site, entity: Entity, inRow: FirstRow<Values> | null, row: Values, record: RecordValue) {
  if (inRow === null) return row
  const there = firstRows(site.app, entity, record).find(({ list, path }) => list === inRow.list && path.length === 2)
  return there === undefined ? null : { [inRow.list.key]: [{ ...row, id: there.row.id }] }
}

/** Another rule, or a field, raises it too. */
const isAlsoOfOthers = ({ app: { rules, entities } }: Site, { error, name }: Rule): boolean =>
  rules.some(other => other.error === error && other.name !== name) ||
  [...entities.values()].some(({ fields }) =>
    fields.some(({ refusals }) => [...refusals.values()].some(({ code }) => code === error)),
  )

interface RuleValue {
  readonly field: Field
  readonly value: unknown
  readonly holds: boolean
}

/** Fields of a rule that are led to where it stops to hold. */
const fieldsOfRule = 2

/** The two values next to each other between which a rule stops to hold, of the first fields that decide it; empty: none was found. */
function valuesFor(site: Site, world: World, rule: Rule, of: Entity, values: Values): readonly RuleValue[] {
  const { mustHold } = rule
  if (isUnspecified(mustHold)) return []
  const said = toldOf(site.app).rules.get(rule.name)?.holds ?? mustHold.cell
  const reads = oracle.readsOf({ world, entity: of.key }, said.text)
  const found: RuleValue[] = []
  for (const field of of.fields) {
    if (!reads.has(field.key) || !isAsked(field) || field.onlyWhen !== null || field.type.kind === 'list') continue
    if (field.assignedFrom !== null || field.readOnly?.after === 'always') continue
    const holds = (wire: Wire): boolean | null => {
      const row = rowAs(site, world, of, { ...values, [field.key]: jsonOf(field, wire) })
      const environment = world.environment(of.key, row)
      if (boundEdges(field, environment, values[field.key]).some(({ outside }) => outside?.(wire) === true)) return null
      const held = worth(said, environment)
      return typeof held === 'boolean' ? held : null
    }
    const now = rowAs(site, world, of, values)[field.key]
    const all = [...(typeof now === 'object' || now === undefined ? [] : [now]), ...candidates(world, field)]
    const good = all.find(wire => wire !== null && holds(wire) === true)
    const bad = all.find(wire => wire !== null && holds(wire) === false)
    if (good === undefined || bad === undefined) continue
    const edge = narrowed(field, good, bad, wire => holds(wire) === true)
    found.push(
      { field, value: jsonOf(field, edge.good), holds: true },
      { field, value: jsonOf(field, edge.bad), holds: false },
    )
    if (found.length === 2 * fieldsOfRule) break
  }
  return found
}

/** It reads the record alone: then it is told whatever else is wrong. */
const isOfItself = (text: string): boolean =>
  !/\b(?:any|none|all|count|sum|min|max|first|list)\(|[a-z_]\.[a-z_]/.test(text.replace(/\blimits\./g, ''))

/** The two values of a record that it names between which a rule stops to hold; empty: none was found. */
function namedFor(site: Site, world: World, { mustHold, name }: Rule, of: Entity, values: Values) {
  if (isUnspecified(mustHold)) return []
  const said = toldOf(site.app).rules.get(name)?.holds ?? mustHold.cell
  const row = rowAs(site, world, of, values)
  const levers = leversOf(site.app, world, of, row, said.text).filter(({ id }) => id !== row.id)
  const turning = turningOf(world, levers, then => {
    const held = worth(said, then.environment(of.key, row))
    return typeof held === 'boolean' ? held : null
  })
  if (turning === null) return []
  const { lever, good, bad } = turning
  return [
    { lever, wire: good, holds: true },
    { lever, wire: bad, holds: false },
  ]
}

/** What it names says meanwhile what the edge wants. */
const meanwhile = async ({ site }: Trial, { named }: Edge, work: () => Promise<void>): Promise<void> => {
  if (named === undefined) await work()
  else await turned(site, named.world, named.lever, named.wire, work)
}

async function tryCreate({ site, entity }: Trial, { player }: Accepted, edge: Edge): Promise<void> {
  const reply = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, edge.values, edge.key))
  judge(site, edge, `${player.name}, ${edge.what}`, reply)
  if (!isOk(reply)) return
  const id = String(reply.body.id)
  const isEmptied = edge.values[edge.key] === null && edge.pointer === `/${edge.key}`
  const is = isEmptied ? (await site.observatory.world(player)).record(entity.key, id)?.[edge.key] : null
  if (is != null) edge.tally.wrong.push(`${player.name}, ${edge.what}: it is ${String(is)} then`)
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, id)
}

/** A record of its own: what may stand in one alone is another value. */
export async function distinct(
  site: Site,
  player: Accepted['player'],
  entity: Entity,
  values: Values,
  kept: string,
): Promise<Values> {
  const own = { ...values }
  for (const field of entity.fields)
    if (field.unique !== null && field.key !== kept && field.type.kind === 'text' && typeof own[field.key] === 'string')
      own[field.key] = await anyValue(site, player, field)
  return own
}

/** Takes the step that a rule names, of a record that has the value. */
async function tryStep(trial: Trial, { player }: Accepted, edge: Edge): Promise<void> {
  const { site, entity } = trial
  const made = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, edge.values, edge.key))
  if (!isOk(made)) return
  const id = String(made.body.id)
  for (const step of edge.on ?? []) {
    const branch = site.app.workflows.get(entity.key)?.transitions.find(({ key }) => key === step)
    const from = branch === undefined || isUnspecified(branch.from) ? undefined : branch.from[0]
    if (from === undefined || !(await site.observatory.put(entity.key, id, from))) continue
    for (const taker of site.players) {
      const world = await site.observatory.world(taker)
      const record = world.record(entity.key, id)
      if (record === undefined || oracle.takes({ world, entity: entity.key, record }, step) !== true) continue
      judge(site, edge, `${taker.name}, ${step}, ${edge.what}`, await stepOf(site, taker, entity.key, id, step))
      break
    }
  }
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, id)
}

/** All of it once more as changes of one record, which is sent whole each time. */
async function tryChanges(trial: Trial, accepted: Accepted, edges: readonly Edge[]): Promise<void> {
  const { site, entity } = trial
  const { player, values } = accepted
  const made = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, values, ''))
  if (!isOk(made)) return
  const id = String(made.body.id)
  const world = await site.observatory.world(player)
  const record = world.record(entity.key, id)
  const known = record === undefined ? null : { app: site.app, world, entity: entity.key, record }
  if (known !== null && oracle.changes(known)) {
    const open = new Set(entity.fields.flatMap(field => (maySend(known, field) ? [field.key] : [])))
    // What an edge before this one wrote is as it was, also where that was a default.
    const before = Object.fromEntries(
      entity.fields
        .filter(field => open.has(field.key) && edges.some(({ key }) => key === field.key) && isPlain(field))
        .map(field => [field.key, jsonOf(field, (known.record[field.key] ?? null) as Wire)]),
    )
    for (const edge of edges) {
      // What came before may have put other rows there.
      const now = edge.asChange === undefined ? null : await caseOf(trial, { id }, player)
      const changed = now === null ? null : edge.asChange!(now.record)
      const isAsked = edge.on === null || edge.on.includes('change')
      if (!open.has(edge.key) || (!isAsked && changed === null)) continue
      const wanted = { ...before, ...(changed ?? edge.values) }
      const sent = Object.fromEntries(
        Object.entries(wanted).filter(([key]) => key === edge.key || (open.has(key) && !isOnce(entity, key))),
      )
      await meanwhile(trial, edge, async () => {
        const known = await caseOf(trial, { id }, player)
        if (known === null) return
        const before = await lookBefore(trial, known, player)
        const reply = await ask(site, player, 'PATCH', `${entity.key}/${id}`, sent)
        judge(site, isAsked ? edge : { ...edge, breaks: false }, `${player.name}, change, ${edge.what}`, reply)
        if (!isOk(reply) || !isAsked) return
        for (const wrong of await cameOf(trial, { kind: 'change', sent }, before))
          edge.tally.wrong.push(`${player.name}, change, ${edge.what}: ${wrong}`)
      })
    }
  }
  await site.observatory.remove(entity.key, id)
}

const maySend = (known: Case, field: Field): boolean =>
  field.type.kind === 'list' ? isAsked(field) && oracle.setsRows(known, field) : oracle.setsField(known, field)

/** It has one value, which may be read. */
const isPlain = ({ type, kind }: Field): boolean =>
  !['list', 'values', 'file'].includes(type.kind) && fieldKind(kind).sealed !== true

const isOnce = ({ fields }: Entity, key: string): boolean =>
  fields.some(field => field.key === key && (field.unique !== null || field.type.kind === 'file'))

/** Wrong: it is taken and must not be, or it is said to be what it is not. What else refuses it leaves it open. */
function judge({ judged }: Site, edge: Edge, what: string, reply: Reply): void {
  const { tally, code, pointer, breaks, isTold, cells } = edge
  const note = () => {
    judged.add(...cells)
    for (const cell of cells) judged.in(cell, 'Applies to', 'Must hold', 'Error')
  }
  tally.tried++
  if (isOk(reply)) {
    tally.through++
    note()
    if (breaks) tally.wrong.push(`${what}: the application takes it, the document refuses it`)
    return
  }
  const errors = (reply.body.errors ?? []) as readonly { readonly code?: string; readonly pointer?: string }[]
  const isSaid = errors.some(
    one => (code === null || one.code === code) && (pointer === null || one.pointer === pointer),
  )
  if (breaks && (isSaid || code === null)) note()
  // All that is wrong with fields is told together.
  const isAlone = isTold === true && errors.every(one => one.code?.startsWith('NF-') === false)
  if (breaks && (pointer !== null || isAlone) && code !== null && !isSaid && reply.status === 422)
    tally.wrong.push(`${what}: the application says ${verdictOf(reply)} and not ${code}`)
  if (!breaks && isSaid && code !== null)
    tally.wrong.push(`${what}: the application says ${verdictOf(reply)}, the document takes it`)
}
