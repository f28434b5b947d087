/**
 * Rules that no single value of a record decides, led to where they refuse it: by two of its values together, by a constant at an end of its
 * range, by what another record says, or by what a step is given. Where the other rules let such a record through, that is the one that is sent.
 */
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Rule } from '../headings/5-validation/model.ts'
import type { Constant } from '../headings/9-limits/model.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { ask, isOk, type Reply, type Site } from './client.ts'
import { stored as isStoredNow, set, typedIn } from './constants.ts'
import { isAsked, type Values } from './drafts.ts'
import { distinct } from './edges.ts'
import { toldOf, worth } from './judge.ts'
import { isStored, type Lever, turned } from './levers.ts'
import { candidates } from './near.ts'
import * as oracle from './oracle/rights.ts'
import { firstRows, rowAs } from './rows.ts'
import type { Accepted } from './subjects.ts'
import { type Trial, tallyOf } from './trial.ts'
import type { World } from './world.ts'

/** Of each rule so many ways are looked at. */
const waysAtMost = 1500
const recordsAtMost = 6
const twoHours = 7_200_000

/** A way to break a rule. */
interface Way {
  /** Sent, or given with a step, beside what was accepted. */
  readonly values: Values
  /** What another record says meanwhile. */
  readonly other: { readonly lever: Lever; readonly wire: Wire } | null
  readonly constant: { readonly of: Constant; readonly wire: string } | null
}

export async function tryJoint(trial: Trial, accepted: Accepted): Promise<void> {
  const { site, entity } = trial
  for (const rule of site.app.rules) {
    if (rule.entity !== entity.key || isUnspecified(rule.mustHold) || isUnspecified(rule.error)) continue
    if (site.judged.has(rule.mustHold.cell)) continue
    site.at?.(`${entity.name}, ${rule.name}`)
    if (rule.on === null || rule.on.includes('create')) await tryCreated(trial, accepted, rule)
    else for (const step of rule.on) await tryTaken(trial, accepted, rule, step)
  }
}

/** Wires of an own field that are worth a try beside each other. */
function wiresOf(world: World, field: Field, row: RecordValue): readonly Wire[] {
  const now = row[field.key]
  const soon = Object.values(row).flatMap(at =>
    field.type.kind === 'moment' && at !== now && typeof at === 'string' && /T.*Z$/.test(at)
      ? [new Date(Date.parse(at) + twoHours).toISOString()]
      : [],
  )
  const near =
    typeof now === 'string' && (field.type.kind === 'date' || field.type.kind === 'moment')
      ? [2, 3, 5, 10, 20, 35, 60, 100].map(days => {
          const at = new Date(Date.parse(now) + days * 86_400_000).toISOString()
          return field.type.kind === 'date' ? at.slice(0, 10) : at
        })
      : []
  const texts = field.type.kind === 'text' ? ['x'] : []
  const { type } = field
  // Nobody chooses what they do not see.
  const known = candidates(world, field).filter(wire => {
    const record = type.kind === 'reference' ? world.record(type.entity, String(wire)) : undefined
    const isHidden = type.kind === 'reference' && world.told.entities.get(type.entity)?.permissions != null
    return (
      record === undefined || !isHidden || oracle.sees({ world, entity: (type as { entity: string }).entity, record })
    )
  })
  return [...soon, ...near, ...known, ...texts, ...(field.required === null ? [null] : [])]
}

const jsonOf = (field: Field, wire: Wire): unknown =>
  wire === null ? null : fieldKind(field.kind).toJson(wire, field.parameters)

/** Ways by values of these fields, by constants that the rule reads, and by records that it names by their entity. */
function* waysOf(
  { app }: Site,
  world: World,
  fields: readonly Field[],
  row: RecordValue,
  text: string,
): Generator<Way> {
  const singles = fields.flatMap(field =>
    wiresOf(world, field, row).map(wire => ({ key: field.key, value: jsonOf(field, wire) })),
  )
  const constants = [...text.matchAll(/\blimits\.(\w+)/g)].flatMap(([, key]) => {
    const of = app.limits.get(key!)
    return of?.range == null || of.change === 'fixed'
      ? []
      : [of.range.min, of.range.max].map(wire => ({ of, wire: String(wire) }))
  })
  const named = [...text.matchAll(/\b(?:any|none|all|count|sum|min|max|first)\((?:other )?([A-Z]\w*)/g)]
  const others = named.flatMap(([, name]) => {
    const of = app.entities.get(world.told.called(name!.replaceAll('_', ' ')) ?? '')
    if (of === undefined) return []
    const fieldsThere = of.fields.filter(field => isStored(field) && new RegExp(`\\b${field.key}\\b`).test(text))
    return world
      .records(of.key)
      .filter(({ id }) => id !== row.id)
      .slice(0, recordsAtMost)
      .flatMap(({ id }) =>
        fieldsThere.flatMap(field =>
          candidates(world, field).map(wire => ({
            lever: { entity: of, id: String(id), field, says: `${of.key}.${field.key}` },
            wire,
          })),
        ),
      )
  })
  const alone = { values: {}, other: null, constant: null }
  for (const constant of constants) yield { ...alone, constant }
  for (const { key, value } of singles) yield { ...alone, values: { [key]: value } }
  for (const { key, value } of singles) {
    for (const constant of constants) yield { values: { [key]: value }, other: null, constant }
    for (const next of singles) if (next.key > key) yield { ...alone, values: { [key]: value, [next.key]: next.value } }
  }
  for (const other of others) yield { ...alone, other }
  for (const other of others)
    for (const { key, value } of singles) yield { values: { [key]: value }, other, constant: null }
}

/** What a rule says, with constants at their ends as numbers. */
function saidBy({ app }: Site, { name, mustHold }: Rule, constant: Way['constant']): { readonly text: string } | null {
  if (isUnspecified(mustHold)) return null
  const text = (toldOf(app).rules.get(name)?.holds ?? mustHold.cell).text.replaceAll('`', '')
  return {
    text: constant === null ? text : text.replace(new RegExp(`\\blimits\\.${constant.of.key}\\b`, 'g'), constant.wire),
  }
}

/** The first way that breaks this rule and no other of its entity that is asked then; else the first that breaks it; null: none was found. */
function wayFor(
  site: Site,
  world: World,
  rule: Rule,
  fields: readonly Field[],
  start: RecordValue,
  rowWith: (world: World, values: Values) => RecordValue,
): Way | null {
  const said = saidBy(site, rule, null)
  if (said === null) return null
  const read = fields.filter(({ key }) => oracle.readsOf({ world, entity: rule.entity }, said.text).has(key))
  const isSo = (of: Rule, way: Way) => {
    const there =
      way.other === null
        ? world
        : world.supposing(way.other.lever.entity.key, way.other.lever.id, {
            [way.other.lever.field.key]: way.other.wire,
          })
    const text = saidBy(site, of, way.constant)
    return text === null ? null : worth(text, there.environment(rule.entity, rowWith(there, way.values)))
  }
  const others = site.app.rules.filter(
    other =>
      other !== rule &&
      other.entity === rule.entity &&
      (other.on === null || other.on.some(on => rule.on?.includes(on) ?? true)),
  )
  let first: Way | null = null
  let looked = 0
  for (const way of waysOf(site, world, read, start, said.text)) {
    if (++looked > waysAtMost) break
    if (isSo(rule, way) !== false) continue
    if (others.every(other => isSo(other, way) !== false)) return way
    first ??= way
  }
  // One value more, for the sake of the others.
  for (const { values } of first === null ? [] : waysOf(site, world, fields, start, '')) {
    if (++looked > 2 * waysAtMost) break
    const way: Way = { ...first!, values: { ...values, ...first!.values } }
    if (isSo(rule, way) === false && others.every(other => isSo(other, way) !== false)) return way
  }
  return first
}

/** With another record and a constant as the way has them. */
async function meanwhile(site: Site, world: World, { other, constant }: Way, work: () => Promise<void>): Promise<void> {
  const held = constant === null ? work : () => withConstant(site, constant.of, constant.wire, work)
  if (other === null) await held()
  else await turned(site, world, other.lever, other.wire, held)
}

/** By whoever may change it; it is what it was afterwards. */
async function withConstant(site: Site, { key }: Constant, value: string, work: () => Promise<void>): Promise<void> {
  for (const player of site.players) {
    const was = await typedIn(site, player, key)
    if (was === null || (await set(site, player, key, value)) !== isStoredNow) continue
    await work()
    await set(site, player, key, was)
    return
  }
}

/** Days by which all times of a record are put off, where something else takes them up already. */
const putOff = [0, 1, 2, 3, 4, 7, 14]

/** The same so many days later, by the clocks of the time zone as far as days tell. */
const later = ({ fields }: Entity, values: Values, days: number): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const kind = fields.find(one => one.key === key)?.type.kind
      if (typeof value !== 'string' || (kind !== 'date' && kind !== 'moment')) return [key, value]
      const at = new Date(Date.parse(value) + days * 86_400_000).toISOString()
      return [key, kind === 'date' ? at.slice(0, 10) : at]
    }),
  )

/** As whoever may make one, until somebody is told. */
async function tryCreated(trial: Trial, accepted: Accepted, rule: Rule): Promise<void> {
  const { site, entity } = trial
  const fields = entity.fields.filter(field => isAsked(field) && isStored(field) && field.readOnly?.after !== 'always')
  const codes = new Set<unknown>(site.app.rules.flatMap(one => (one.entity === entity.key ? [one.error] : [])))
  for (const player of [accepted.player, ...site.players.filter(one => one !== accepted.player)]) {
    const world = await site.observatory.world(player)
    if (oracle.neverCreates({ world, entity: entity.key })) continue
    for (const days of putOff) {
      const values = later(entity, accepted.values, days)
      const rowWith = (there: World, more: Values) => rowAs(site, there, entity, { ...values, ...more })
      const way = wayFor(site, world, rule, fields, rowWith(world, {}), rowWith)
      if (way === null) break
      let isTold = false
      let isOfRules = false
      await meanwhile(site, world, way, async () => {
        const sent = await distinct(site, player, entity, { ...values, ...way.values }, '')
        const reply = await ask(site, player, 'POST', entity.key, sent)
        isTold = judge(trial, rule, `${player.name}, ${saysOf(way)}`, reply)
        isOfRules = reply.codes.every(code => codes.has(code))
        if (isOk(reply) && entity.appendOnly === null) await site.observatory.remove(entity.key, String(reply.body.id))
      })
      if (isTold) return
      // Another time makes no difference to them.
      if (isOfRules) break
    }
  }
}

/** Of a record that says so, whoever may put it there, with what the step asks for. */
async function tryTaken(trial: Trial, { player, values }: Accepted, rule: Rule, step: string): Promise<void> {
  const { site, entity } = trial
  const { observatory } = site
  const branch = site.app.workflows.get(entity.key)?.transitions.find(({ key }) => key === step)
  const from = specified(branch?.from ?? [])?.[0]
  if (branch === undefined || from === undefined) return
  let made: Reply | null = null
  for (const days of putOff) {
    const sent = later(entity, await distinct(site, player, entity, values, ''), days)
    made = await ask(site, player, 'POST', entity.key, sent)
    if (isOk(made)) break
  }
  if (made === null || !isOk(made)) return
  const id = String(made.body.id)
  for (const taker of (await observatory.put(entity.key, id, from)) ? site.players : []) {
    const world = await observatory.world(taker)
    const record = world.record(entity.key, id)
    if (record === undefined || oracle.takes({ world, entity: entity.key, record }, step) !== true) continue
    const asked = new Set(branch.asks.map(({ field }) => field))
    const fields = entity.fields.filter(field => isStored(field))
    const rowWith = (_: World, more: Values) => ({ ...record, ...wiresIn(entity, more) })
    const way = wayFor(site, world, rule, fields, record, rowWith) ?? wayByRows(site, world, rule, entity, record)
    if (way === null) continue
    const given = Object.fromEntries(Object.entries(way.values).filter(([key]) => asked.has(key)))
    const held = Object.entries(wiresIn(entity, way.values)).filter(([key]) => !asked.has(key))
    if (held.length > 0 && !(await observatory.set(entity.key, id, Object.fromEntries(held)))) continue
    let isTold = false
    await meanwhile(site, world, way, async () => {
      const reply = await ask(
        site,
        taker,
        'POST',
        `${entity.key}/${id}/${step}`,
        Object.keys(given).length === 0 ? undefined : given,
      )
      isTold = judge(trial, rule, `${taker.name}, ${step}, ${saysOf(way)}`, reply)
    })
    if (isTold) break
  }
  if (entity.appendOnly === null) await observatory.remove(entity.key, id)
}

/** What is sent as it is stored. */
const wiresIn = ({ fields }: Entity, values: Values): Readonly<Record<string, Wire>> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const field = fields.find(one => one.key === key)!
      const parsed = value === null ? { value: null } : fieldKind(field.kind).fromJson(value as never, field.parameters)
      return [key, ('value' in parsed ? parsed.value : null) as Wire]
    }),
  )

/** By a value of its first row, alone or beside one of its own that is empty. */
function wayByRows(site: Site, world: World, rule: Rule, entity: Entity, record: RecordValue): Way | null {
  const said = saidBy(site, rule, null)!
  for (const { entity: child, path, row: first, put } of firstRows(site.app, entity, record)) {
    const empties = [
      {},
      ...entity.fields.filter(field => isStored(field) && field.required === null).map(({ key }) => ({ [key]: null })),
    ]
    for (const field of child.fields.filter(one => isStored(one)))
      for (const wire of candidates(world, field))
        for (const values of empties) {
          const row = { ...put({ ...first, [field.key]: wire }), ...values }
          if (worth(said, world.environment(entity.key, row)) === false)
            return {
              values,
              other: {
                lever: {
                  entity: child,
                  id: String(first.id),
                  field,
                  says: `${path.filter(part => part !== '0').join('.')}.${field.key}`,
                },
                wire,
              },
              constant: null,
            }
        }
  }
  return null
}

const saysOf = ({ values, other, constant }: Way): string =>
  [
    ...Object.entries(values).map(([key, value]) => `${key} ${String(value ?? 'empty')}`),
    ...(other === null ? [] : [`${other.lever.says} ${other.wire ?? 'empty'}`]),
    ...(constant === null ? [] : [`limits.${constant.of.key} ${constant.wire}`]),
  ].join(', ')

/** Whether it was told, or has gone wrong: then nobody else need try it. */
function judge(trial: Trial, rule: Rule, what: string, reply: Reply): boolean {
  const tally = tallyOf(trial, `rule ${rule.name}`, rule.cell, `${rule.name}: what it lets through, and what not`)
  tally.tried++
  if (isOk(reply)) tally.wrong.push(`${what}: the application takes it, the document refuses it`)
  if (isOk(reply)) return true
  if (!reply.codes.includes(specified(rule.error)!)) return false
  trial.site.judged.in(rule.cell, 'Applies to', 'Must hold', 'Error')
  return true
}
