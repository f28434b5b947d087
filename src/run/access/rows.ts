/**
 * Child rows with rows for roles of their own under heading 6: a form of their record writes only what those allow. Of rows that somebody
 * does not see nothing is told, and they stay as they are.
 */
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { ChangedRecord } from '../write/domain-events.ts'
import { childLists, deepLists, type ListField, newRows, pathOf, rowsIn } from '../write/draft-record.ts'
import { hasOwnRights, inRows, type RowVerb } from '../write/record.ts'
import { holdsAsWritten, resultAlias } from '../write/resulting.ts'
import type { Scope } from '../write/scope.ts'
import type { Policy } from './policy.ts'

/** A field that was given to a new row, and may be only if a condition holds over the row as it would be; `otherwise` says that it does not. */
export interface RowOnlyIf {
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

/** New rows that the roles of whoever asks may not make, or not with what was given: asked of the rows as they would be. */
export async function deniedRows(
  scope: Scope,
  about: ChangedRecord,
  onlyIf: readonly RowOnlyIf[],
): Promise<readonly Problem[]> {
  const { app, policy } = scope
  const { entity, record, old } = about
  const problems: Problem[] = []
  const added = newRows(app, entity, record, old).filter(one => one.in !== null && hasOwnRights(app, one.of))
  for (const [of, rows] of Map.groupBy(added, one => one.of)) {
    const may = policy.rows(of, 'create', resultAlias)
    const given = onlyIf.filter(one => rows.some(({ row }) => row.id === one.row))
    if (may === true && given.length === 0) continue
    const fields = [...new Set(given.map(({ key }) => key))]
    const found = await holdsAsWritten(scope, about, {
      of,
      ids: rows.map(({ row }) => row.id),
      conditions: [may, ...fields.map(key => policy.sets(of, key, 'create', resultAlias))],
    })
    for (const one of rows) {
      const [made, ...sets] = found.get(one.row.id) ?? []
      if (made !== true) problems.push(denied(app, policy, one.in!.list, 'create', pathOf(one)))
      else
        for (const { key, otherwise } of given.filter(({ row }) => row === one.row.id))
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
  const isClosed = ({ entity: of }: ListField) => hasOwnRights(app, of) && policy.rows(of, 'see', 't') !== true
  if (!problems.some(({ field }) => field?.includes('.')) || !deepLists(app, entity).some(isClosed)) return problems
  const { may } = await inRows(tx, app, request, policy, { entity, id: record.id as string })
  const seenPath = (of: string, now: RecordValue | null, before: RecordValue | null, path: string): string => {
    const [key = '', number, ...rest] = path.split('.')
    const list = childLists(app, of).find(({ field }) => field === key)
    if (list === undefined || number === undefined) return path
    const [rows, stored] = [rowsIn(now, list), rowsIn(before, list)]
    const isSeen = ({ id }: RecordValue) =>
      !isClosed(list) || !stored.some(row => row.id === id) || may(id as string, 'see')
    const row = rows[Number(number)] ?? null
    if (row !== null && !isSeen(row)) return key
    const place = rows.slice(0, Number(number)).filter(isSeen).length
    const was = stored.find(({ id }) => id === row?.id) ?? null
    return [key, place, ...(rest.length === 0 ? [] : [seenPath(list.entity, row, was, rest.join('.'))])].join('.')
  }
  return problems.map(problem => {
    if (problem.field === null) return problem
    const field = seenPath(entity, record, old, problem.field)
    const rows = problem.rows?.slice(0, Math.floor(field.split('.').length / 2))
    return { ...problem, field, ...(rows !== undefined && { rows }) }
  })
}
