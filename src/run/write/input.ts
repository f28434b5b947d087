/** What a person wants to write, laid against what they may write: values go into a draft, everything else is a problem. */

import type { Cell } from '../../document/source.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { linesOf } from '../../headings/6-permissions/lines.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { gathered, linked } from '../../kinds/fields/several/links.ts'
import type { Condition } from '../access/condition.ts'
import { type LockNow, locksOf } from '../access/locks.ts'
import type { Policy } from '../access/policy.ts'
import { denied as deniedRow, placesOf, type RowOnlyIf } from '../access/rows.ts'
import { notSettable } from '../access/settable.ts'
import { declared, isLinks, isSealed, labelOf, typeOf } from '../names.ts'
import type { ChildInput, Input, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { heldBy } from './check.ts'
import {
  childLists,
  type DeepList,
  type Draft,
  deepLists,
  type ListField,
  newDraft,
  rowsAt,
  rowsIn,
  sameRows,
} from './draft-record.ts'
import type { InRows, RowVerb } from './record.ts'
import { resultAlias } from './resulting.ts'

/** What is asked of one record or row while its values are taken. */
interface Rights {
  readonly verb: 'create' | 'change'
  readonly sees: (field: string) => boolean
  readonly sets: (field: string) => Condition
  /** What is locked in the record or row; absent: nothing. */
  readonly locks?: readonly LockNow[]
  /** Records that a field names and this person does not see; absent: none. */
  readonly unseen?: (field: string) => Wire
  /** Of child rows that are stored; absent: there are none. */
  readonly inRows?: InRows | undefined
}

export interface Taken {
  readonly problems: readonly Problem[]
  /** Paths that already have their problem. */
  readonly reported: ReadonlySet<string>
  /** Keys that got a value from the person (not from a default), by prefix of the path (`''`, `lines.0.`). */
  readonly given: ReadonlyMap<string, ReadonlySet<string>>
  /** Fields of the record that may be set only if this holds for the record as it would be. */
  readonly onlyIf: readonly { readonly field: string; readonly condition: Condition }[]
  /** The same of fields of new child rows. */
  readonly rowsOnlyIf: readonly RowOnlyIf[]
}

/** For a new record every right is asked of the row as it will be; for a stored one, of the row as it is (`locked`). */
export interface Target {
  readonly entity: string
  readonly draft: Draft
  readonly old: RecordValue | null
  readonly rights: Rights
}

/** A record or a row; `prefix` comes before the names of its fields: `lines.0.` of a row, no letter of the record. */
type PlacedTarget = Target & { readonly prefix: string }

/** The rights over a new record or row; conditions over the row are left open until it is as it would be. */
export const rightsToCreate = (policy: Policy, entity: string): Rights => ({
  verb: 'create',
  sees: field => policy.knows(entity, field),
  sets: field => policy.sets(entity, field, 'create', resultAlias),
})

/** Of a row as it is stored; what may be seen of it counts only where it is certain. */
const rightsToChangeRow = (
  app: App,
  policy: Policy,
  entity: string,
  stored: RecordValue,
  inRows: Rights['inRows'],
): Rights => ({
  verb: 'change',
  inRows,
  locks: locksOf(app, entity, stored, policy.field(entity, 'state', 't') === true),
  sees: field => policy.field(entity, field, 't') === true,
  sets(field) {
    const right = policy.sets(entity, field, 'change', 't')
    return typeof right === 'boolean' ? right : inRows?.sets(stored.id as string, field) === true
  },
  unseen: field => inRows?.unseen(stored.id as string, field) ?? null,
})

/** Fills `target.draft` from the input. What may not be set becomes a problem, or a condition that the database decides (`onlyIf`). */
export function take(app: App, request: Request, policy: Policy, target: Target, input: Input): Taken {
  const problems: Problem[] = []
  const reported = new Set<string>()
  const given = new Map<string, Set<string>>()
  const onlyIf: { field: string; condition: Condition }[] = []
  const rowsOnlyIf: RowOnlyIf[] = []
  const report = (problem: Problem) => {
    problems.push(problem)
    if (problem.field !== null) reported.add(problem.field)
  }
  const { entity, old, rights } = target
  for (const unplaced of input.invalidValues) {
    const invalid = { ...unplaced, field: placedIn(app, entity, old, input.children, unplaced.field, rights.inRows) }
    const [first] = (invalid.field ?? '').split('.')
    const isSaid = first === '' || invalid.code === 'NF-UNKNOWN-FIELD' || rights.sees(first!)
    report(isSaid ? invalid : noField(app, first!, invalid.field!))
  }
  const own = new Set<string>()
  given.set('', own)
  const keep = (field: string, condition: Condition) => {
    if (condition !== true) onlyIf.push({ field, condition })
    own.add(field)
  }
  takeValues(app, request, { ...target, prefix: '' }, input.values, { report, keep })
  const gathered: Gathered = { given, report, onlyIf: rowsOnlyIf, left: { rows: maximumRows } }
  const lists = takeLists(app, request, policy, { ...target, prefix: '' }, input.children, gathered)
  for (const { key, right } of lists) keep(key, right)
  return { problems, reported, given, onlyIf, rowsOnlyIf }
}

/** Puts what is accepted into the draft, and keeps under which condition it may be set. */
function takeValues(
  app: App,
  request: Request,
  { entity, draft, old, rights, prefix }: PlacedTarget,
  values: Input['values'],
  { report, keep }: { readonly report: Gathered['report']; readonly keep: (key: string, right: Condition) => void },
): void {
  for (const [key, wire] of Object.entries(values)) {
    const taken = accepted(app, request, { entity, old, rights, prefix }, key, wire)
    if (taken === null) continue
    if ('problem' in taken) {
      report(taken.problem)
      continue
    }
    keep(key, taken.onlyIf)
    draft[key] = taken.value
  }
}

/** More rows than this, of all lists and their rows together, are no form. What a list may have at most is a rule of the document. */
const maximumRows = 1000

/** Where what is found out about rows is gathered, as in {@link Taken}. */
interface Gathered {
  readonly given: Map<string, Set<string>>
  readonly report: (problem: Problem) => void
  readonly onlyIf: RowOnlyIf[]
  /** How many rows may still come. */
  readonly left: { rows: number }
}

/** A list that was given, and what must hold so that it may be. */
interface TakenList {
  readonly key: string
  readonly right: Condition
}

/** The lists of a record, or of a row at `prefix`, as they will be. Those that may not be given are reported. */
function takeLists(
  app: App,
  request: Request,
  policy: Policy,
  { entity, draft, old, rights, prefix }: PlacedTarget,
  children: Input['children'],
  gathered: Gathered,
): readonly TakenList[] {
  const { report } = gathered
  return Object.entries(children).flatMap(([key, rows]): readonly TakenList[] => {
    const path = `${prefix}${key}`
    const list = childLists(app, entity).find(({ field }) => field === key)
    const field = declared(app, entity, key)
    if (list === undefined || field === undefined || !rights.sees(key)) {
      report(noField(app, key, path))
      return []
    }
    const cell = notSettable(field, rights.verb, request.actor)
    const right = rights.sets(key)
    const lock = lockOf(rights, key)
    if (cell !== null) report(raise(app, 'NF-FIXED', { label: field.label }, { field: path, because: cell }))
    else if (right === false) report(denied(app, entity, key, field.label, path))
    else if (lock !== null) report(lockedProblem(app, entity, lock, field.label, path))
    else {
      const of = { list, path, label: field.label, parent: draft.id, before: rowsIn(old, list), inRows: rights.inRows }
      draft[key] = takeRows(app, request, policy, of, rows, gathered)
      return [{ key, right }]
    }
    return []
  })
}

/** The rows that a record, or a row, has in one of its lists. */
interface Rows {
  readonly list: ListField
  /** Of the list: `lines`, `lines.0.tasks`. */
  readonly path: string
  readonly label: string
  readonly parent: string
  readonly before: readonly RecordValue[]
  readonly inRows: Rights['inRows']
}

/** The rows as they will be; what may not be done with them is reported. */
function takeRows(
  app: App,
  request: Request,
  policy: Policy,
  of: Rows,
  rows: readonly ChildInput[],
  gathered: Gathered,
): readonly RecordValue[] {
  const { path: listPath, label, before, inRows } = of
  const { report, left } = gathered
  const isSeen = (row: RecordValue) => mayInRow(inRows, row, 'see')
  const seen = before.filter(isSeen)
  const stored = new Map(seen.map(row => [row.id, row]))
  left.rows -= rows.length
  if (left.rows < 0) {
    report(raise(app, 'NF-MANY', { label, limit: maximumRows, found: maximumRows - left.rows }, { field: listPath }))
    return before
  }
  const used = new Set<string>()
  const { places, merged } = placesOf(before, isSeen, rows.length)
  rows.forEach((row, index) => {
    const path = `${listPath}.${places[index]}`
    const old = row.id === null ? null : (stored.get(row.id) ?? null)
    // A row of somebody else's record, or the same row twice, is as good as one that is not there.
    if (row.id !== null && (old === null || used.has(row.id)))
      report(raise(app, 'NF-NO-RECORD', { label }, { field: path }))
    if (row.id !== null) used.add(row.id)
    merged[places[index]!] = takeRow(app, request, policy, of, { row, old, path }, gathered)
  })
  const gone = seen.filter(row => !used.has(row.id as string))
  const isMoved = before.some((row, at) => merged[at]?.id !== row.id)
  const problem = goneProblem(app, policy, of, gone, isMoved)
  if (problem !== null) report(problem)
  return merged as readonly RecordValue[]
}

const mayInRow = (inRows: Rights['inRows'], row: RecordValue, verb: RowVerb): boolean =>
  inRows?.may(row.id as string, verb) ?? true

/** A row as it will be. */
function takeRow(
  app: App,
  request: Request,
  policy: Policy,
  { list, parent, inRows }: Rows,
  { row, old, path }: { readonly row: ChildInput; readonly old: RecordValue | null; readonly path: string },
  gathered: Gathered,
): Draft {
  const { given, report, onlyIf } = gathered
  const { entity } = list
  const draft: Draft =
    old === null ? { ...newDraft(app, request, entity), [list.parent]: parent } : { ...old, id: old.id as string }
  const rights = old === null ? rightsToCreate(policy, entity) : rightsToChangeRow(app, policy, entity, old, inRows)
  const target = { entity, draft, old, rights, prefix: `${path}.` }
  const keys = new Set<string>()
  given.set(target.prefix, keys)
  const keep = (key: string, right: Condition) => {
    if (right !== true) {
      const otherwise = denied(app, entity, key, labelOf(app, entity, key), target.prefix + key)
      onlyIf.push({ row: draft.id, key, otherwise })
    }
    keys.add(key)
  }
  takeValues(app, request, target, row.values, { report, keep })
  const inner = takeLists(app, request, policy, target, row.children ?? {}, gathered)
  // A form gives all rows of a row, also where nothing is different.
  const isOther = (key: string) =>
    childLists(app, entity).some(
      ({ field, entity: of }) => field === key && !sameRows(app, of, rowsIn(draft, { field }), rowsIn(old, { field })),
    )
  for (const { key, right } of inner) if (isOther(key)) keep(key, right)
  if (old !== null && keys.size > 0 && !mayInRow(inRows, old, 'change'))
    report(deniedRow(app, policy, list, 'change', path))
  return draft
}

/** Why rows may not be gone, or not in another place than before. */
function goneProblem(
  app: App,
  policy: Policy,
  { list, path, inRows }: Rows,
  gone: readonly RecordValue[],
  isMoved: boolean,
): Problem | null {
  if (gone.some(row => !mayInRow(inRows, row, 'delete'))) return deniedRow(app, policy, list, 'delete', path)
  const [kept] = gone.flatMap(row => keptRow(app, policy, list, row) ?? [])
  if (kept !== undefined) return { ...kept, field: path }
  return app.entities.get(list.entity)!.appendOnly !== null && isMoved
    ? deniedRow(app, policy, list, 'change', path)
    : null
}

/** `lines.0.tasks.2.item`, as the form counts its rows → with those counted that it does not have. */
function placedIn(
  app: App,
  entity: string,
  old: RecordValue | null,
  children: Input['children'],
  path: string | null,
  inRows: InRows | undefined,
): string | null {
  const [key = '', number, ...rest] = path?.split('.') ?? []
  const list = childLists(app, entity).find(({ field }) => field === key)
  const rows = Object.hasOwn(children, key) ? children[key]! : []
  if (path === null || list === undefined || number === undefined || rows[Number(number)] === undefined) return path
  const before = rowsIn(old, list)
  const isSeen = (row: RecordValue) => mayInRow(inRows, row, 'see')
  const place = placesOf(before, isSeen, rows.length).places[Number(number)]!
  const { id, children: inner = {} } = rows[Number(number)]!
  const stored = before.find(row => row.id === id) ?? null
  const further = rest.length === 0 ? [] : [placedIn(app, list.entity, stored, inner, rest.join('.'), inRows)]
  return [key, place, ...further].join('.')
}

/** A list of rows that are never deleted, and so keep what they are part of. */
export const heldRows = (app: App, entity: string, record: RecordValue): DeepList | undefined =>
  deepLists(app, entity).find(
    list => app.entities.get(list.entity)!.appendOnly !== null && rowsAt(record, list).length > 0,
  )

export function keptByRows(app: App, entity: string, { entity: of }: DeepList): Problem {
  const { name: rows, appendOnly } = app.entities.get(of)!
  return raise(app, 'NF-APPEND-ONLY-ROWS', { entity: app.entities.get(entity)!.name, rows }, { because: appendOnly })
}

/** Why a row cannot be taken out, where its state or a step says so. */
function keptRow(app: App, policy: Policy, { entity }: ListField, row: RecordValue): Problem | null {
  const lock = locksOf(app, entity, row, policy.field(entity, 'state', 't') === true).find(({ keeps }) => keeps)
  const { name } = app.entities.get(entity)!
  const held = heldRows(app, entity, row)
  if (lock === undefined) return held === undefined ? null : keptByRows(app, entity, held)
  return keptProblem(app, name, lock, app.access.get(entity)!.cell)
}

/** The record or row that a value is for; `prefix` is that of its paths (`''`, `lines.0.`). */
type Place = Pick<Target, 'entity' | 'old' | 'rights'> & { readonly prefix: string }

/** What to write, and what must hold for the row as it would be; or why nothing may be. Null: it is the same. */
type Accepted = { readonly value: Wire; readonly onlyIf: Condition } | { readonly problem: Problem } | null

function accepted(
  app: App,
  request: Request,
  { entity, old, rights, prefix }: Place,
  key: string,
  wire: Wire,
): Accepted {
  const path = `${prefix}${key}`
  const field = declared(app, entity, key)
  // Built in: the state, the parent, who created it. Everybody knows that they are there.
  if (field === undefined && typeOf(app, entity, key) !== undefined)
    return { problem: raise(app, 'NF-FIXED', { label: key }, { field: path }) }
  if (field === undefined || !rights.sees(key)) return { problem: noField(app, key, path) }
  if (field.type.kind === 'list' && !isLinks(app, entity, key))
    return { problem: raise(app, 'NF-LIST', { label: field.label }, { field: path, because: field.typeCell }) }
  const held = withUnseen(field, heldBy(app, field, wire, path), rights.unseen?.(key) ?? null)
  if ('problem' in held) return held
  // What is stored of a secret is no text that somebody could have typed.
  const isSame = old !== null && (old[key] ?? null) === held.value
  if (isSame && (held.value === null || !isSealed(app, entity, key))) return null
  const cell = notSettable(field, rights.verb, request.actor)
  if (cell !== null) return { problem: raise(app, 'NF-FIXED', { label: field.label }, { field: path, because: cell }) }
  const onlyIf = rights.sets(key)
  if (onlyIf === false) return { problem: denied(app, entity, key, field.label, path) }
  const lock = lockOf(rights, key)
  if (lock !== null) return { problem: lockedProblem(app, entity, lock, field.label, path) }
  return { value: held.value, onlyIf }
}

/**
 * `closed`: of the records that a field names, those that somebody does not see. They keep what they were given in its place, they cannot
 * take it out of several, and its id is to them one that no record has.
 */
export function withUnseen({ type }: Field, held: ReturnType<typeof heldBy>, closed: Wire): ReturnType<typeof heldBy> {
  if ('problem' in held || closed === null) return held
  if (type.kind === 'reference' && held.value === unseen) return { value: closed }
  const ids = linked(closed)
  if (type.kind === 'list') {
    const seen = linked(held.value).filter(id => id !== unseen)
    return { value: gathered(String(closed), seen.map(id => (ids.includes(id) ? unseen : id)).join(' ')) }
  }
  const given = linked(held.value).map(id => (ids.includes(id) ? unseen : id))
  return { value: given[0] ?? null }
}

const lockOf = ({ locks = [] }: Pick<Rights, 'locks'>, key: string): LockNow | null =>
  locks.find(one => one.locks(key)) ?? null

function lockedProblem(app: App, entity: string, { by, cell }: LockNow, label: string, path: string): Problem {
  if (by === null)
    return raise(app, 'NF-FIELD-DENIED', { label }, { field: path, because: app.access.get(entity)!.cell })
  const place = { field: path, because: cell }
  return 'state' in by
    ? raise(app, 'NF-LOCKED', { label, ...by }, place)
    : raise(app, 'NF-FROZEN', { label, ...by }, place)
}

/** `because`: what else closes it to somebody who is not told what locks it. */
export function keptProblem(app: App, entity: string, { by, cell }: LockNow, because: Cell): Problem {
  if (by === null) return raise(app, 'NF-DELETE-DENIED', { entity }, { because })
  return 'state' in by
    ? raise(app, 'NF-LOCKED-DELETE', { entity, ...by }, { because: cell })
    : raise(app, 'NF-FROZEN-DELETE', { entity, ...by }, { because: cell })
}

const noField = (app: App, key: string, path: string): Problem =>
  raise(app, 'NF-NO-FIELD', { label: key }, { field: path })

/** `NF-FIELD-DENIED` at a path, with the cell of heading 6 that decides. */
export function denied(app: App, entity: string, key: string, label: string, path: string): Problem {
  return raise(app, 'NF-FIELD-DENIED', { label }, { field: path, because: permissionCell(app, entity, key) })
}

/** Why somebody who sees a field of a record cannot change it: what a write of it would be told. */
export function closedField(
  app: App,
  request: Request,
  entity: string,
  key: string,
  locks: readonly LockNow[],
): Problem {
  const label = labelOf(app, entity, key)
  const field = declared(app, entity, key)
  const cell = field === undefined ? null : notSettable(field, 'change', request.actor)
  if (cell !== null) return raise(app, 'NF-FIXED', { label }, { field: key, because: cell })
  const lock = lockOf({ locks }, key)
  return lock !== null ? lockedProblem(app, entity, lock, label, key) : denied(app, entity, key, label, key)
}

function permissionCell(app: App, entity: string, key: string): Cell {
  const access = app.access.get(entity)!
  const [line] = linesOf(access, key)
  if (line === undefined) return access.cell
  const { change } = line
  return change === null || isUnspecified(change) ? line.cell : change.cell
}
