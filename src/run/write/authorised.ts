/**
 * Whether somebody may write a record as it would be. It is asked once the record is filled in, since what fills it may be what the permission
 * reads, and before rules, other records and code have their say: whoever may not write it learns nothing from them.
 */
import { boundTo } from '../../headings/6-permissions/links.ts'
import type { App } from '../../headings/app.ts'
import { storedReads } from '../../headings/stored-reads.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { DenyRule } from '../access/policy.ts'
import { readingOf } from '../access/reading.ts'
import { deniedRows } from '../access/rows.ts'
import { isLinks, labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise, refuse } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { cachedStatement } from '../statements.ts'
import type { ChangedRecord } from './domain-events.ts'
import { childLists, draftRows, pathOf, storedFields } from './draft-record.ts'
import { environmentOf } from './environment.ts'
import { keepGranted, verbConditions } from './granted.ts'
import { denied, type Taken } from './input.ts'
import { hasOwnRights, type InRows, type Locked } from './record.ts'
import { holdsAsWritten, recordHolds, resultAlias } from './resulting.ts'
import type { Scope } from './scope.ts'
import { readsRecords } from './together.ts'

/** Why a new record may not be made like this. `deny` says that it may not be made at all, because of a row `never` where it is given one. */
export async function deniedToCreate(
  scope: Scope,
  about: ChangedRecord,
  taken: Taken,
  deny: (bar: DenyRule | undefined) => Problem,
): Promise<readonly Problem[]> {
  const { app, policy } = scope
  const { entity } = about
  await keepGranted(scope, 'create', about)
  const bars = policy.denyRules(entity, 'create', resultAlias)
  const [allowed, ...held] = await recordHolds(scope, about, [
    policy.rows(entity, 'create', resultAlias),
    ...bars.map(({ exceptions }) => exceptions),
    ...taken.onlyIf.map(({ condition }) => condition),
  ])
  const fields = held.slice(bars.length)
  if (allowed !== true) {
    const unsaid = missing(scope, about, taken, 'create')
    return unsaid.length > 0 ? unsaid : [deny(bars.find((_, index) => held[index] !== true))]
  }
  const forbidden = taken.onlyIf.filter((_, index) => fields[index] !== true)
  if (forbidden.length > 0)
    return forbidden.map(({ field }) => denied(app, entity, field, labelOf(app, entity, field), field))
  return deniedRows(scope, about, taken.rowsOnlyIf)
}

/**
 * Why a record may not become like this, with its rows: whoever may change it as it is must also be somebody who may change it as it would
 * be, unless the document lets them lead it further (`Change to`). What nothing of this reads is not asked about.
 */
export async function deniedToChange(
  scope: Scope,
  about: ChangedRecord,
  taken: Taken,
  { leading, inRows }: Pick<Locked, 'leading'> & { readonly inRows: InRows },
): Promise<readonly Problem[]> {
  const { app, request, policy } = scope
  const { entity, record, old } = about
  const { given } = taken
  const { name } = app.entities.get(entity)!
  const isOther = (key: string) => record[key] !== old![key] && (record[key] ?? null) !== (old![key] ?? null)
  const lists = childLists(app, entity)
  const changed = [...storedFields(app, entity), ...lists.map(({ field }) => field)].filter(isOther)
  if (!decides(app, request, entity, changed)) return changedRows(scope, about, given, inRows)
  await keepGranted(scope, 'change', about)
  const set = [...(given.get('') ?? [])].filter(isOther)
  const bars = policy.denyRules(entity, 'changeTo', resultAlias)
  const [allowed, ...held] = await recordHolds(scope, about, [
    policy.mayBecome(entity, resultAlias, leading),
    ...bars.map(({ exceptions }) => exceptions),
    ...set.map(key => policy.mayHaveSet(entity, key, resultAlias, leading)),
  ])
  if (allowed !== true) {
    const unsaid = missing(scope, about, taken, 'change')
    if (unsaid.length > 0) return unsaid
    const bar = bars.find((_, index) => held[index] !== true)
    const { cell } = bar?.deciding ?? policy.because(entity, 'change', false)
    return [raise(app, 'NF-CHANGE-OUT', { entity: name }, { because: cell })]
  }
  const fields = held.slice(bars.length)
  const forbidden = set.filter((_, index) => fields[index] !== true)
  if (forbidden.length > 0) return forbidden.map(key => denied(app, entity, key, labelOf(app, entity, key), key))
  return changedRows(scope, about, given, inRows)
}

/** The same of stored rows that were changed, each by its own rights and those of its fields. */
async function changedRows(
  scope: Scope,
  about: ChangedRecord,
  given: Taken['given'],
  inRows: InRows,
): Promise<readonly Problem[]> {
  const { app, policy } = scope
  const { entity, record, old } = about
  const problems: Problem[] = []
  const changed = draftRows(app, entity, record, old).flatMap(one => {
    const { of, row, before, prefix } = one
    const set = [...(given.get(prefix) ?? [])].filter(key => (row[key] ?? null) !== (before?.[key] ?? null))
    return one.in === null || before === null || set.length === 0 ? [] : [{ of, id: row.id, path: pathOf(one), set }]
  })
  for (const [of, all] of Map.groupBy(changed, one => one.of)) {
    const { name } = app.entities.get(of)!
    for (const [leading, rows] of Map.groupBy(all, ({ id }) => inRows.leading(id).join('|'))) {
      const led = leading === '' ? [] : leading.split('|')
      const fields = [...new Set(rows.flatMap(({ set }) => set))]
      const found = await holdsAsWritten(scope, about, {
        of,
        ids: rows.map(({ id }) => id),
        conditions: [
          !hasOwnRights(app, of) || policy.mayBecome(of, resultAlias, led),
          ...fields.map(key => policy.mayHaveSet(of, key, resultAlias, led)),
        ],
      })
      for (const { id, path, set } of rows) {
        const [allowed, ...sets] = found.get(id) ?? []
        if (allowed !== true) {
          const { cell } = policy.because(of, 'change', false)
          problems.push(raise(app, 'NF-CHANGE-OUT', { entity: name }, { field: path, because: cell }))
        } else
          for (const key of set.filter(one => sets[fields.indexOf(one)] !== true))
            problems.push(denied(app, of, key, labelOf(app, of, key), `${path}.${key}`))
      }
    }
  }
  return problems
}

/** Whether other values of these fields could decide whether somebody may change the record. */
function decides(app: App, request: Request, entity: string, changed: readonly string[]): boolean {
  const { roles } = request.actor
  const isWhole = cachedStatement(app, ['decided by others', entity, ...roles], () =>
    verbConditions(app, roles, entity, 'change').some(({ root }) => readsRecords(root)),
  )
  if (isWhole || roles.some(role => boundTo(app, role) !== null)) return true
  const reads = decisive(app, request, entity, 'change')
  return changed.some(key => reads.has(key))
}

/** Stored fields of the record that decide whether it may be written. */
const decisive = (app: App, { actor }: Request, entity: string, verb: 'create' | 'change'): ReadonlySet<string> =>
  cachedStatement(app, ['decisive', verb, entity, ...actor.roles], () => {
    const conditions = verbConditions(app, actor.roles, entity, verb)
    return new Set(conditions.flatMap(condition => [...storedReads(app, entity, condition)]))
  })

/** Without these nobody can tell whether it may be written; that they are always required is no secret. */
function missing(
  { app, request, related }: Scope,
  { entity, record, old }: ChangedRecord,
  { given }: Taken,
  verb: 'create' | 'change',
): readonly Problem[] {
  const own = given.get('')
  const reads = decisive(app, request, entity, verb)
  const reading = readingOf(app, request, environmentOf(request, related, record, old))
  return app.entities.get(entity)!.fields.flatMap(field => {
    const { key, label, required, computed, copiedFrom, default: preset, setBy, refusals, kind, type } = field
    const isByHand =
      computed === null && copiedFrom === null && setBy === null && (preset === null || own?.has(key) === true)
    const isOne = fieldKind(kind).entered && (type.kind !== 'list' || isLinks(app, entity, key))
    const isAlways = required !== null && required.when == null
    if (!reads.has(key) || !isByHand || !isOne || !isAlways || (record[key] ?? null) !== null) return []
    return [
      refuse(app, { entity, refusals }, 'NF-REQUIRED', { label }, reading, { field: key, because: required.cell }),
    ]
  })
}
