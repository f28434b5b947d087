/**
 * Child rows with rows for roles of their own under heading 6: a form of their record writes only what those allow. Of rows that somebody
 * does not see nothing is told, and they stay as they are.
 */
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { ChangedRecord } from '../write/domain-events.ts'
import { childLists, type ListField } from '../write/draft-record.ts'
import { hasOwnRights, inRows, type RowVerb } from '../write/record.ts'
import { holdsAsWritten, resultAlias } from '../write/resulting.ts'
import type { Scope } from '../write/scope.ts'
import type { Policy } from './policy.ts'

/** A field that was given to a new row of a list, and may be only if a condition holds over the row as it would be; `otherwise` says that it does not. */
export interface RowOnlyIf {
  readonly list: string
  readonly row: string
  readonly key: string
  readonly otherwise: Problem
}

/** Where the rows stand that somebody gives: each hidden one keeps its place, in which all others go around it. */
export function placesOf(before: readonly RecordValue[], isSeen: (row: RecordValue) => boolean, given: number) {
  const places: number[] = []
  const merged: (RecordValue | null)[] = []
  const add = () => {
    places.push(merged.length)
    merged.push(null)
  }
  for (const row of before)
    if (!isSeen(row)) merged.push(row)
    else if (places.length < given) add()
  while (places.length < given) add()
  return { places, merged }
}

/** `lines.0.item`, as the form counts its rows → with those counted that it does not have. */
export function placed(path: string, list: string, places: readonly number[]): string {
  const [of, number, ...rest] = path.split('.')
  const place = number === undefined || of !== list ? undefined : places[Number(number)]
  return place === undefined ? path : [list, place, ...rest].join('.')
}

/** New rows that the roles of whoever asks may not make, or not with what was given: asked of the rows as they would be. */
export async function deniedRows(
  scope: Scope,
  about: ChangedRecord,
  onlyIf: readonly RowOnlyIf[],
): Promise<readonly Problem[]> {
  const { app, policy } = scope
  const { entity, record, old } = about
  const problems: Problem[] = []
  for (const list of ownRows(app, entity)) {
    const may = policy.rows(list.entity, 'create', resultAlias)
    const given = onlyIf.filter(one => one.list === list.field)
    const before = new Set(rowsIn(old, list).map(({ id }) => id))
    const added = rowsIn(record, list).flatMap((row, index) =>
      before.has(row.id) ? [] : [{ id: row.id as string, index }],
    )
    if ((may === true && given.length === 0) || added.length === 0) continue
    const fields = [...new Set(given.map(({ key }) => key))]
    const rows = await holdsAsWritten(scope, about, {
      of: list.entity,
      ids: added.map(({ id }) => id),
      conditions: [may, ...fields.map(key => policy.sets(list.entity, key, 'create', resultAlias))],
    })
    for (const { id, index } of added) {
      const [made, ...sets] = rows.get(id) ?? []
      if (made !== true) problems.push(denied(app, policy, list, 'create', `${list.field}.${index}`))
      else
        for (const { key, otherwise } of given.filter(({ row }) => row === id))
          if (sets[fields.indexOf(key)] !== true) problems.push(otherwise)
    }
  }
  return problems
}

/** What somebody may not do with a row; where that is not seen, with the list. */
export function denied(
  app: App,
  policy: Policy,
  { entity }: ListField,
  verb: RowVerb | 'create',
  field: string,
): Problem {
  const { name, appendOnly } = app.entities.get(entity)!
  if (appendOnly !== null && verb !== 'create')
    return raise(app, 'NF-APPEND-ONLY', { entity: name }, { field, because: appendOnly })
  const { cell } = policy.because(entity, verb, false)
  const code = verb === 'create' ? 'NF-CREATE-DENIED' : verb === 'delete' ? 'NF-DELETE-DENIED' : 'NF-CHANGE-DENIED'
  return raise(app, code, { entity: name }, { field, because: cell })
}

/** Problems as whoever asks counts the rows that they see; what is about another one is told of its list. */
export async function asSeen(
  { tx, app, request, policy }: Scope,
  { entity, record, old }: Pick<ChangedRecord, 'entity' | 'old'> & { readonly record: RecordValue },
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const lists = ownRows(app, entity).filter(
    list =>
      policy.rows(list.entity, 'see', 't') !== true &&
      problems.some(({ field }) => field?.startsWith(`${list.field}.`)),
  )
  if (lists.length === 0) return problems
  const { may } = await inRows(tx, app, request, policy, { entity, id: record.id as string })
  return problems.map(problem => {
    const [key, number, ...rest] = problem.field?.split('.') ?? []
    const list = lists.find(({ field }) => field === key)
    if (list === undefined || number === undefined) return problem
    const before = rowsIn(old, list)
    const seen = rowsIn(record, list).map(({ id }) => !before.some(row => row.id === id) || may(id as string, 'see'))
    if (seen[Number(number)] === false) return { ...problem, field: list.field }
    const place = seen.slice(0, Number(number)).filter(isSeen => isSeen).length
    return { ...problem, field: [list.field, place, ...rest].join('.') }
  })
}

const ownRows = (app: App, entity: string): readonly ListField[] =>
  childLists(app, entity).filter(({ entity: child }) => hasOwnRights(app, child))

const rowsIn = (record: RecordValue | null, { field }: ListField) =>
  (record?.[field] ?? []) as readonly Readonly<Record<string, Wire>>[]
