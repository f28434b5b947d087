/** What a person wants to write, laid against what they may write: values go into a draft, everything else is a problem. */

import type { Cell } from '../../document/source.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import { linesOf } from '../../headings/6-permissions/lines.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/said.ts'
import { gathered } from '../../kinds/fields/several/links.ts'
import type { Allow } from '../access/allow.ts'
import type { Condition } from '../access/condition.ts'
import { type LockNow, lockAt } from '../access/locks.ts'
import { denied as deniedRow, placed, placesOf, type RowOnlyIf } from '../access/rows.ts'
import { notSettable } from '../access/settable.ts'
import { declared, isLinks, isSealed, labelOf, typeOf } from '../names.ts'
import type { ChildInput, Input, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { heldBy } from './check.ts'
import { childLists, type Draft, type InRows, type ListField, newDraft, type RowVerb } from './record.ts'

/** What is asked of one record or row while its values are taken. */
interface Rights {
  readonly verb: 'create' | 'change'
  readonly sees: (field: string) => boolean
  readonly sets: (field: string) => Condition
  /** What the state of the record locks; absent: nothing. */
  readonly lock?: LockNow | null
  /** Records that a field names and this person does not see; absent: none. */
  readonly unseen?: (field: string) => Wire
  /** Of child rows that are stored; absent: there are none. */
  readonly inRows?: InRows
}

export interface Taken {
  readonly problems: readonly Problem[]
  /** Paths that already have their problem. */
  readonly settled: ReadonlySet<string>
  /** Keys that got a value from the person (not from a default), by prefix of the path (`''`, `lines.0.`). */
  readonly given: ReadonlyMap<string, ReadonlySet<string>>
  /** Fields of the record that may be set only if this holds for the row as it was written. */
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

/** The rights over a new record or row; conditions over the row are left open until it is written. */
export const rightsToCreate = (allow: Allow, entity: string): Rights => ({
  verb: 'create',
  sees: field => allow.knows(entity, field),
  sets: field => allow.sets(entity, field, 'create', 't'),
})

/** Of a row as it is stored; what may be seen of it counts only where it is certain. */
const rightsToChangeRow = (allow: Allow, entity: string, row: string, inRows: Rights['inRows']): Rights => ({
  verb: 'change',
  sees: field => allow.field(entity, field, 't') === true,
  sets(field) {
    const right = allow.sets(entity, field, 'change', 't')
    return typeof right === 'boolean' ? right : inRows?.sets(row, field) === true
  },
  unseen: field => inRows?.unseen(row, field) ?? null,
})

/** Fills `target.draft` from the input. What may not be set becomes a problem, or a condition that the database decides (`onlyIf`). */
export function take(app: App, request: Request, allow: Allow, target: Target, input: Input): Taken {
  const problems: Problem[] = []
  const settled = new Set<string>()
  const given = new Map<string, Set<string>>()
  const onlyIf: { field: string; condition: Condition }[] = []
  const rowsOnlyIf: RowOnlyIf[] = []
  const report = (problem: Problem) => {
    problems.push(problem)
    if (problem.field !== null) settled.add(problem.field)
  }
  const { entity, draft, old, rights } = target
  const lists = childLists(app, entity)
  const isSeen = (row: RecordValue) => rights.inRows?.may(row.id as string, 'see') ?? true
  const placesIn = (list: string) =>
    placesOf((old?.[list] ?? []) as readonly RecordValue[], isSeen, input.children[list]?.length ?? 0).places
  for (const unplaced of input.misfits) {
    const list = unplaced.field?.split('.')[0] ?? ''
    const misfit = Object.hasOwn(input.children, list)
      ? { ...unplaced, field: placed(unplaced.field!, list, placesIn(list)) }
      : unplaced
    const [first] = (misfit.field ?? '').split('.')
    const isSaid = first === '' || misfit.code === 'NF-UNKNOWN-FIELD' || rights.sees(first!)
    report(isSaid ? misfit : noField(app, first!, misfit.field!))
  }
  const own = new Set<string>()
  given.set('', own)
  for (const [key, wire] of Object.entries(input.values)) {
    const value = accepted(app, request, entity, key, wire, old, rights, '', report, condition =>
      onlyIf.push({ field: key, condition }),
    )
    if (value === undefined) continue
    own.add(key)
    draft[key] = value
  }
  for (const [key, rows] of Object.entries(input.children)) {
    const list = lists.find(({ field }) => field === key)
    const field = declared(app, entity, key)
    if (list === undefined || field === undefined || !rights.sees(key)) {
      report(noField(app, key, key))
      continue
    }
    const cell = notSettable(field, rights.verb, request.actor)
    const right = rights.sets(key)
    if (cell !== null) report(raise(app, 'NF-FIXED', { label: field.label }, { field: key, because: cell }))
    else if (right === false) report(denied(app, entity, key, field.label, key))
    else if (rights.lock?.locks(key)) report(lockedProblem(app, entity, rights.lock, field.label, key))
    else {
      if (right !== true) onlyIf.push({ field: key, condition: right })
      own.add(key)
      draft[key] = takeRows(
        app,
        request,
        allow,
        list,
        draft.id,
        rows,
        (old?.[key] ?? []) as readonly RecordValue[],
        given,
        report,
        rights.inRows,
        rowsOnlyIf,
      )
    }
  }
  return { problems, settled, given, onlyIf, rowsOnlyIf }
}

/** More rows than this are no form. What a list may have at most is a rule of the document. */
const maximumRows = 1000

function takeRows(
  app: App,
  request: Request,
  allow: Allow,
  list: ListField,
  parent: string,
  rows: readonly ChildInput[],
  before: readonly RecordValue[],
  given: Map<string, Set<string>>,
  report: (problem: Problem) => void,
  inRows: Rights['inRows'],
  onlyIf: RowOnlyIf[],
): readonly RecordValue[] {
  const may = (row: RecordValue, verb: RowVerb) => inRows?.may(row.id as string, verb) ?? true
  const seen = before.filter(row => may(row, 'see'))
  const stored = new Map(seen.map(row => [row.id, row]))
  const label = declared(app, app.entities.get(list.entity)!.partOf!, list.field)?.label ?? list.field
  if (rows.length > maximumRows) {
    report(raise(app, 'NF-MANY', { label, limit: maximumRows }, { field: list.field }))
    return before
  }
  const used = new Set<string>()
  const { places, merged } = placesOf(before, row => may(row, 'see'), rows.length)
  rows.forEach((row, index) => {
    const path = `${list.field}.${places[index]}`
    const prefix = `${path}.`
    const old = row.id === null ? null : (stored.get(row.id) ?? null)
    // A row of somebody else's record, or the same row twice, is as good as one that is not there.
    if (row.id !== null && (old === null || used.has(row.id)))
      report(raise(app, 'NF-NO-RECORD', { label }, { field: path }))
    if (row.id !== null) used.add(row.id)
    const draft: Draft =
      old === null ? { ...newDraft(app, request, list.entity), [list.parent]: parent } : { ...old, id: row.id! }
    const keys = new Set<string>()
    given.set(prefix, keys)
    const rights =
      old === null ? rightsToCreate(allow, list.entity) : rightsToChangeRow(allow, list.entity, draft.id, inRows)
    for (const [key, wire] of Object.entries(row.values)) {
      const value = accepted(app, request, list.entity, key, wire, old, rights, prefix, report, () =>
        onlyIf.push({
          list: list.field,
          row: draft.id,
          key,
          otherwise: denied(app, list.entity, key, labelOf(app, list.entity, key), prefix + key),
        }),
      )
      if (value === undefined) continue
      keys.add(key)
      draft[key] = value
    }
    if (old !== null && keys.size > 0 && !may(old, 'change')) report(deniedRow(app, allow, list, 'change', path))
    merged[places[index]!] = draft
  })
  if (seen.some(row => !used.has(row.id as string) && !may(row, 'delete')))
    report(deniedRow(app, allow, list, 'delete', list.field))
  else if (app.entities.get(list.entity)!.appendOnly !== null && before.some((row, at) => merged[at]?.id !== row.id))
    report(deniedRow(app, allow, list, 'change', list.field))
  return merged as readonly RecordValue[]
}

/** The value to write; undefined: nothing to write, because it is the same, or because of a problem. */
function accepted(
  app: App,
  request: Request,
  entity: string,
  key: string,
  wire: Wire,
  old: RecordValue | null,
  rights: Rights,
  prefix: string,
  report: (problem: Problem) => void,
  onlyIf: (condition: Condition) => void,
): Wire | undefined {
  const path = `${prefix}${key}`
  const field = declared(app, entity, key)
  if (field === undefined && typeOf(app, entity, key) !== undefined) {
    // Built in: the state, the parent, who created it. Everybody knows that they are there.
    report(raise(app, 'NF-FIXED', { label: key }, { field: path }))
    return undefined
  }
  if (field === undefined || !rights.sees(key)) {
    report(noField(app, key, path))
    return undefined
  }
  if (field.type.kind === 'list' && !isLinks(app, entity, key)) {
    report(raise(app, 'NF-LIST', { label: field.label }, { field: path, because: field.typeCell }))
    return undefined
  }
  const held = withUnseen(heldBy(app, field, wire, path), rights.unseen?.(key) ?? null)
  const cell = notSettable(field, rights.verb, request.actor)
  if ('problem' in held) {
    report(held.problem)
    return undefined
  }
  // What is stored of a secret is no text that somebody could have typed.
  const isSame = old !== null && (old[key] ?? null) === held.value
  if (isSame && (held.value === null || !isSealed(app, entity, key))) return undefined
  if (cell !== null) {
    report(raise(app, 'NF-FIXED', { label: field.label }, { field: path, because: cell }))
    return undefined
  }
  const right = rights.sets(key)
  if (right === false) {
    report(denied(app, entity, key, field.label, path))
    return undefined
  }
  if (rights.lock?.locks(key)) {
    report(lockedProblem(app, entity, rights.lock, field.label, path))
    return undefined
  }
  if (right !== true) onlyIf(right)
  return held.value
}

/** What somebody does not see they cannot take out either. */
export function withUnseen(held: ReturnType<typeof heldBy>, unseen: Wire): ReturnType<typeof heldBy> {
  if ('problem' in held || unseen === null) return held
  return { value: gathered(String(unseen), String(held.value ?? '')) }
}

const lockedProblem = (app: App, entity: string, { state, cell }: LockNow, label: string, path: string): Problem =>
  state === null
    ? raise(app, 'NF-FIELD-DENIED', { label }, { field: path, because: app.access.get(entity)!.cell })
    : raise(app, 'NF-LOCKED', { label, state }, { field: path, because: cell })

const noField = (app: App, key: string, path: string): Problem =>
  raise(app, 'NF-NO-FIELD', { label: key }, { field: path })

/** `NF-FIELD-DENIED` at a path, with the cell of heading 6 that decides. */
export function denied(app: App, entity: string, key: string, label: string, path: string): Problem {
  return raise(app, 'NF-FIELD-DENIED', { label }, { field: path, because: permissionCell(app, entity, key) })
}

/** Why somebody who sees a field of a record in this state cannot change it: what a write of it would be told. */
export function closedField(app: App, request: Request, entity: string, key: string, state: unknown): Problem {
  const label = labelOf(app, entity, key)
  const field = declared(app, entity, key)
  const cell = field === undefined ? null : notSettable(field, 'change', request.actor)
  if (cell !== null) return raise(app, 'NF-FIXED', { label }, { field: key, because: cell })
  const lock = lockAt(app, entity, state)
  return lock?.locks(key) ? lockedProblem(app, entity, lock, label, key) : denied(app, entity, key, label, key)
}

function permissionCell(app: App, entity: string, key: string): Cell {
  const access = app.access.get(entity)!
  const [line] = linesOf(access, key)
  if (line === undefined) return access.cell
  const { change } = line
  return change === null || isUnspecified(change) ? line.cell : change.cell
}
