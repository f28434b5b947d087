/**
 * What follows from a write: effects of heading 4, and what steps and timers do with other records. All of it in the transaction
 * of the write, by the authority of the document: permissions are not asked, rules and guards hold, and who caused it stays who did.
 */

import type { Expression } from '../../expression/expression.ts'
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { isOwn, leaves } from '../../headings/4-states/all-acts.ts'
import type { Act, Given, GivenRows, Target } from '../../headings/4-states/model.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Tx } from '../../store/pool.ts'
import { nobody } from '../../store/system.ts'
import { liveUnless } from '../access/archived.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { beside, hiddenTenant, tenantOf } from '../access/tenants.ts'
import { withdrawCalls } from '../later/outbox.ts'
import { columnSql, declared, fromSql } from '../names.ts'
import type { ChildInput, Input, Outcome, Problem } from '../outcome.ts'
import { commas } from '../read/filter.ts'
import { gathering } from '../read/history.ts'
import { keysOf } from '../read/order.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf } from '../statements.ts'
import { isId } from '../values.ts'
import { type Done, leave, setFields } from './acts.ts'
import {
  type ChangedRecord,
  type Names,
  nextEffects,
  type PendingEffect,
  type PendingEffects,
} from './domain-events.ts'
import { childLists, type Draft, type DraftRow, draftRows, type ListField, rowsIn } from './draft-record.ts'
import { loadRecord, loadRecords } from './record.ts'
import { removing } from './remove.ts'
import {
  type Cause,
  insist,
  limited,
  mostEffects,
  mostTold,
  outdate,
  problemsOf,
  Refused,
  type Round,
  spend,
} from './round.ts'
import { areSetAtOnce } from './rows-at-once.ts'
import { type Scope, scopeOf } from './scope.ts'
import { type RowsOf, removeRows, type Setting, setInside, setRows, writtenWith } from './set.ts'
import { stepInside } from './step.ts'
import { bindingsFor, conditionOver, type Named, workedOut, workedOutAsHeld } from './worked-out.ts'
import { changing, creating, notFound, refused } from './write.ts'

interface AppliedEffects {
  readonly problems: readonly Problem[]
  /** The version of the cause, where effects wrote it again. */
  readonly version: number | null
  /** The cause was deleted, or archived. */
  readonly gone: boolean
}

/** Does everything that is pending in the transaction, and what follows from that. What is not done must be undone by the caller. */
export async function applyEffects(tx: Tx, runtime: Runtime, request: Request, cause: Cause): Promise<AppliedEffects> {
  const { actor } = request
  const acting: Request = actor.system === null ? { ...request, actor: { ...actor, system: 'effect' } } : request
  const round: Round = {
    tx,
    runtime,
    request: acting,
    cause,
    left: mostEffects,
    version: null,
    gone: false,
    past: [],
  }
  const first = nextEffects(tx)
  if (first === undefined) return { problems: [], version: null, gone: false }
  try {
    await gathering(tx, async () => {
      let hasWritten = false
      for (let next: PendingEffects | undefined = first; next !== undefined; next = nextEffects(tx)) {
        for (const { acts, seen } of await meant(round, next)) {
          await doActs(round, next.about, null, acts, hasWritten, seen)
          hasWritten ||= !acts.every(leaves)
        }
      }
    })
  } catch (error) {
    if (error instanceof Refused) return { problems: error.problems, version: null, gone: false }
    throw error
  }
  return { problems: [], version: round.version, gone: round.gone }
}

const namedOf = ({ entity, record, old, names, locals }: ChangedRecord, outer: ChangedRecord | null): Named => ({
  entity,
  record,
  old,
  this: outer === null ? null : { entity: outer.entity, record: outer.record },
  names,
  locals,
})

/** What `this` is inside of `for each`. A timer of the document itself is about no record. */
const outerOf = (about: ChangedRecord, outer: ChangedRecord | null): ChangedRecord | null =>
  outer ?? (about.record.id === nobody ? null : about)

const withName = (names: ChangedRecord['names'], name: string | null, id: string): Names =>
  name === null ? (names ?? {}) : { ...names, [name]: id }

/** The effects of a happening whose conditions hold, all asked before the first of them acts. */
async function meant(round: Round, { about, effects }: PendingEffects): Promise<PendingEffects['effects']> {
  const scope = fresh(round)
  const found: PendingEffects['effects'][number][] = []
  const needsRows = effects.some(({ isStep, when }) => isStep && when !== null)
  const left = needsRows ? await withRowsAsLeft(round, about) : about
  for (const effect of effects) {
    const { when, isStep } = effect
    if (when !== null && isUnspecified(when)) continue
    const asked = namedOf(isStep ? left : about, null)
    if (when === null || (await valued(scope, when, asked)) === true) found.push(effect)
  }
  return found
}

/** The record as it was at the event, with the rows that are there by now. */
async function withRowsAsLeft(round: Round, about: ChangedRecord): Promise<ChangedRecord> {
  const lists = childLists(round.runtime.app, about.entity)
  if (lists.length === 0) return about
  const { record } = await asItIs(round, about)
  const rows = Object.fromEntries(lists.map(({ field }) => [field, record[field]]))
  return { ...about, record: { ...about.record, ...rows } }
}

/** What was done may have come back to the record itself; of one that is gone, its last values are known. */
async function asItIs({ tx, runtime }: Round, about: ChangedRecord): Promise<ChangedRecord> {
  const record = await loadRecord(tx, runtime.app, about.entity, about.record.id)
  return record === null ? about : { ...about, record }
}

/** What other records say is read anew for each act: the one before may have changed them. */
const fresh = ({ tx, runtime, request }: Round): Scope => scopeOf(tx, runtime, request)

const valued = ({ tx, app, request, related }: Scope, expression: Expression, named: Named) =>
  workedOut(tx, app, request, related, expression, named)

/** The same as the field of the entity holds it. */
const valuedAsHeld = (
  { tx, app, request, related }: Scope,
  entity: string,
  { field, value }: Pick<Given, 'field' | 'value'>,
  named: Named,
) => workedOutAsHeld(declared(app, entity, field), tx, app, request, related, value, named)

/** `outer`: inside of `for each`, the record that it happens with. `isPast`: something was done since it was as `about` says. */
async function doActs(
  round: Round,
  about: ChangedRecord,
  outer: ChangedRecord | null,
  acts: readonly Act[],
  isPast: boolean,
  seen?: PendingEffect['seen'],
): Promise<void> {
  let now = about
  let past = isPast
  for (let index = 0; index < acts.length; index++) {
    const act = acts[index]!
    const { fields = {}, ...known } = seen?.get(act) ?? {}
    if (past) now = await asItIs(round, now)
    past = !leaves(act)
    if (isOwn(act)) {
      // What stands side by side is one change of the record.
      const behind = acts.findIndex((other, at) => at > index && !isOwn(other))
      const own = acts.slice(index, behind === -1 ? acts.length : behind)
      now = { ...now, ...(await writeOwn(round, now, outer, own)) }
      index += own.length - 1
    } else if (leaves(act)) {
      const leaving = outer === null ? now : { ...now, outer: outer.record }
      await leave(fresh(round), { ...leaving, ...known }, [act])
    } else await doAct(round, { ...now, ...known, record: { ...now.record, ...fields } }, outer, act)
  }
}

/** Gives what has a name behind the acts. */
async function writeOwn(
  round: Round,
  about: ChangedRecord,
  outer: ChangedRecord | null,
  acts: readonly Act[],
): Promise<Pick<ChangedRecord, 'names' | 'locals'>> {
  const { values, state, names, locals } = await settingOf(fresh(round), namedOf(about, outer), acts)
  const first = acts.find(({ kind }) => kind !== 'let')
  if (first !== undefined) await write(round, about.entity, about.record.id, values, state, first)
  return { names, locals }
}

/** Sets fields of rows: whatever they are part of is written once. */
async function writeRows(
  round: Round,
  about: ChangedRecord,
  outer: ChangedRecord | null,
  act: Extract<Act, { kind: 'for each' }>,
  ids: readonly string[],
): Promise<void> {
  const { tx, runtime, request } = round
  const { app } = runtime
  const { entity } = act.of
  const list = childLists(app, app.entities.get(entity)!.partOf!).find(one => one.entity === entity)!
  const scope = fresh(round)
  const read = new Map((await loadRecords(tx, app, entity, ids)).map(record => [record.id, record]))
  const settings = new Map<string, Map<string, Setting>>()
  for (const record of ids.flatMap(id => read.get(id) ?? [])) {
    spend(round, act)
    const each = { entity, record, old: null, names: withName(about.names, act.name, record.id), locals: about.locals }
    const above = record[list.parent] as string
    const rows = settings.get(above) ?? new Map<string, Setting>()
    settings.set(above, rows.set(record.id, await settingOf(scope, namedOf(each, outerOf(about, outer)), act.acts)))
  }
  outdate(round, 'all')
  for (const [id, rows] of settings) {
    const rowsOf = { entity: app.entities.get(entity)!.partOf!, id, list }
    const reason = { kind: 'change', name: 'change', because: act.cell } as const
    const problems = await problemsOfRows(round, rowsOf, await setRows(tx, runtime, request, rowsOf, rows, reason))
    if (problems.length > 0) throw new Refused(problems)
  }
}

/** What is refused of a row is said of that row. */
async function problemsOfRows(round: Round, { entity, id }: RowsOf, outcome: Outcome): Promise<readonly Problem[]> {
  if (outcome.kind !== 'refused') return problemsOf(round, entity, id, outcome)
  const { tx, runtime } = round
  const whole = (await writtenWith(tx, runtime.app, entity, id)) ?? { entity, id }
  const record = await loadRecord(tx, runtime.app, whole.entity, whole.id)
  const rows = record === null ? [] : draftRows(runtime.app, whole.entity, record, null).toReversed()
  const told: Problem[] = []
  for (const problem of outcome.problems.slice(0, mostTold)) {
    const at = rows.find(one => `${problem.field ?? ''}.`.startsWith(one.prefix))
    const about = at === undefined ? whole : { entity: at.of, id: at.row.id }
    told.push(...(await problemsOf(round, about.entity, about.id, refused([problem]))))
  }
  return told
}

/** What the acts make of a record. */
async function settingOf(
  scope: Scope,
  named: Named,
  acts: readonly Act[],
): Promise<Setting & Pick<Done, 'names' | 'locals'>> {
  const record: Draft = { ...(named.record as Draft) }
  const { fields, ...done } = await setFields(scope, { ...named, record }, acts)
  return { ...done, values: Object.fromEntries([...fields].map(key => [key, (record[key] ?? null) as Wire])) }
}

async function write(
  round: Round,
  entity: string,
  id: string,
  values: Readonly<Record<string, Wire>>,
  state: string | null,
  act: Act,
): Promise<void> {
  spend(round, act)
  const { tx, runtime, request } = round
  const setting = { values, state, kind: 'change', name: 'change', because: act.cell } as const
  // A row is written with what it is part of, and its siblings.
  outdate(round, runtime.app.entities.get(entity)!.partOf === null ? id : 'all')
  await insist(round, entity, id, await setInside(tx, runtime, request, entity, id, setting))
}

async function doAct(round: Round, about: ChangedRecord, outer: ChangedRecord | null, act: Act): Promise<void> {
  const { tx, runtime, request } = round
  const named = namedOf(about, outer)
  switch (act.kind) {
    case 'set': {
      const scope = fresh(round)
      const [id] = await targetsOf(round, act.of!, named, act, scope)
      if (id === undefined) return
      const { entity } = act.of!
      return write(round, entity, id, await valuesOf(scope, named, entity, act.values), null, act)
    }
    case 'create':
      return create(round, named, act)
    case 'delete': {
      const ids = await targetsOf(round, act.of, named, act)
      // What refers to others came after them.
      const isStated = act.of.kind !== 'records' || act.of.order.length > 0
      return removeAll(round, act.of.entity, isStated ? ids : ids.toReversed(), act)
    }
    case 'do': {
      const refused: Problem[] = []
      for (const id of await targetsOf(round, act.on, named, act)) {
        spend(round, act)
        const { entity } = act.on
        outdate(round, 'all')
        const taking = { entity, id, step: act.step, version: null, because: act.cell }
        const outcome = await stepInside(tx, runtime, request, taking)
        refused.push(...(await problemsOf(round, entity, id, outcome)))
        if (refused.length >= mostTold) break
      }
      const isFirst = ({ message }: Problem, at: number) => refused.findIndex(one => one.message === message) === at
      if (refused.length > 0) throw new Refused(refused.filter(isFirst).slice(0, mostTold))
      return
    }
    case 'withdraw':
      await withdrawCalls(tx, request, named.entity, named.record.id as string, act.call)
      return
    case 'for each': {
      const { entity } = act.of
      const ids = await targetsOf(round, act.of, named, act)
      if (areSetAtOnce(runtime.app, act)) return writeRows(round, about, outer, act, ids)
      const past = new Set<string>()
      round.past.push(past)
      // Read together, and anew where an act for another one may have changed it.
      const read = new Map((await loadRecords(tx, runtime.app, entity, ids)).map(record => [record.id, record]))
      for (const id of ids) {
        const record =
          past.has('all') || past.has(id) ? await loadRecord(tx, runtime.app, entity, id) : (read.get(id) ?? null)
        if (record === null) continue
        const each = { entity, record, old: null, names: withName(about.names, act.name, id), locals: about.locals }
        await doActs(round, each, outerOf(about, outer), act.acts, false)
      }
      round.past.pop()
    }
  }
}

/** A record with its rows; a row by itself goes to the end of the list of the record that it is part of. */
async function create(round: Round, named: Named, act: Extract<Act, { kind: 'create' }>): Promise<void> {
  spend(round, act)
  if (round.runtime.app.entities.get(act.entity)!.partOf !== null) outdate(round, 'all')
  const { tx, runtime, request } = round
  const { app } = runtime
  const { entity } = act
  const values = await valuesOf(fresh(round), named, entity, act.values)
  const children = await rowsOf(round, named, act.rows, act)
  const { partOf } = app.entities.get(entity)!
  if (partOf !== null) {
    const list = childLists(app, partOf).find(one => one.entity === entity)!
    const { [list.parent]: parent, ...own } = values
    const row = { id: null, values: own, children }
    const id = isId(parent) ? parent : ''
    const whole = id === '' ? null : await writtenWith(tx, app, partOf, id)
    if (whole === null) return insist(round, partOf, id, notFound(app))
    const added = (stored: RecordValue): Input => {
      const holder = draftRows(app, whole.entity, stored as Draft, null).find(({ row }) => row.id === id)
      return { values: {}, children: holder === undefined ? {} : withRow(holder, list, row), invalidValues: [] }
    }
    const work = changing(runtime, request, whole.entity, whole.id, null, added, { act: act.cell })
    return insist(round, whole.entity, whole.id, typeof work === 'function' ? await work(tx) : work)
  }
  const tenant = hiddenTenant(app, entity)
  if (tenant !== null) values[tenant] = tenantOf(app, named)
  const work = creating(runtime, request, entity, { values, children, invalidValues: [] }, { because: act.cell })
  await insist(round, entity, null, typeof work === 'function' ? await work(tx) : work)
}

/** Rows that a record or a row is created with, and theirs: each is worked out about the record that it comes of. */
async function rowsOf(
  round: Round,
  named: Named,
  given: readonly GivenRows[],
  act: Act,
): Promise<Record<string, readonly ChildInput[]>> {
  const { tx, runtime } = round
  const above = named.this ?? (named.record.id === nobody ? null : named)
  const children: Record<string, readonly ChildInput[]> = {}
  for (const { field, entity, name, of, values, rows: inner } of given) {
    const rows: ChildInput[] = []
    for (const id of await targetsOf(round, of, named, act)) {
      const record = await loadRecord(tx, runtime.app, of.entity, id)
      if (record === null) continue
      spend(round, act)
      const names = withName(named.names, name, id)
      const about = { entity: of.entity, record, old: null, this: above, names, locals: named.locals }
      const own = await valuesOf(fresh(round), about, entity, values)
      rows.push({ id: null, values: own, children: await rowsOf(round, about, inner, act) })
    }
    children[field] = rows
  }
  return children
}

/** A new row at the end of the list, and all that stands around it as it is. */
function withRow(holder: DraftRow, list: ListField, row: ChildInput): Input['children'] {
  const rows = rowsIn(holder.row, list).map(({ id }) => ({ id: id as string, values: {} }))
  return within(holder, { [list.field]: [...rows, row] })
}

function within({ row, in: place }: DraftRow, children: Input['children']): Input['children'] {
  if (place === null) return children
  const { list, above } = place
  const rows = rowsIn(above.row, list).map(({ id }) => ({
    id: id as string,
    values: {},
    ...(id === row.id && { children }),
  }))
  return within(above, { [list.field]: rows })
}

async function valuesOf(
  scope: Scope,
  named: Named,
  entity: string,
  given: readonly Given[],
): Promise<Record<string, Wire>> {
  const values: Record<string, Wire> = {}
  for (const one of given) values[one.field] = await valuedAsHeld(scope, entity, one, named)
  return values
}

/** Deletes records, one after another; rows together with the others of what they are part of. */
async function removeAll(round: Round, entity: string, ids: readonly string[], act: Act): Promise<void> {
  const { tx, runtime, request, cause } = round
  outdate(round, 'all')
  for (const _ of ids) spend(round, act)
  if (runtime.app.entities.get(entity)!.partOf !== null) {
    for (const { parent, id, outcome } of await removeRows(tx, runtime, request, entity, ids, act.cell))
      await insist(round, parent, id, outcome)
    return
  }
  for (const id of ids) {
    const work = removing(runtime, request, entity, id, null, { act: act.cell })
    await insist(round, entity, id, typeof work === 'function' ? await work(tx) : work)
    if (entity === cause.entity && id === cause.id) round.gone = true
  }
}

/** Ids of the records that an act is about: rows in their order, records in the one that is stated, else as they were created. */
async function targetsOf(
  round: Round,
  target: Target,
  named: Named,
  act: Act,
  scope = fresh(round),
): Promise<readonly string[]> {
  const { tx, runtime, request } = round
  const { app } = runtime
  if (target.kind === 'itself') return [named.record.id as string]
  if (target.kind === 'path') {
    const found = await valued(scope, target.path, named)
    return limited(round, [found].flat().filter(isId), act)
  }
  const { entity, where, other, order, first } = target
  const about = named.this ?? named
  const condition = allOf([
    where === null ? true : conditionOver(app, where, 't', named),
    other ? sql`${columnSql('t', 'id')} <> ${about.record.id}::uuid` : true,
    beside(app, entity, about),
    liveUnless(app, entity, where, 't'),
  ])
  const keys = order.length === 0 ? [] : keysOf(app, policyFor(app, request.actor), entity, 't', order).slice(0, -1)
  const sorted = keys.map(({ sql: key, descending }) => (descending ? sql`${key} desc nulls last` : key))
  const found = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')} where ${conditionSql(condition)}
    order by ${commas([...sorted, columnSql('t', 'id')])}`
  const bindings = bindingsOf(request, bindingsFor(app, { ...named, ...about, this: null }))
  if (first) return firstOf(round, found, bindings)
  // Locked as they are found: what somebody else makes of one meanwhile decides whether it is among them.
  const rows = await tx.query<{ id: string }>(sql`${found} limit ${slot('limit')}::integer for no key update of t`, {
    ...bindings,
    limit: round.left + 1,
  })
  return limited(
    round,
    rows.map(({ id }) => id),
    act,
  )
}

/**
 * The record that comes first, locked. Whoever had it before may have made something else of it, or put another one first: it is
 * looked for again until it is the one that is locked, so that who comes second takes the next.
 */
async function firstOf(
  { tx }: Round,
  found: Sql,
  bindings: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  for (let last: string | null = null; ; ) {
    const [row] = await tx.query<{ id: string }>(sql`${found} limit 1 for no key update of t`, bindings)
    if (row === undefined) return []
    if (row.id === last) return [last]
    last = row.id
  }
}
