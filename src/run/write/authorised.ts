/**
 * Whether somebody may write a record as it would be. It is asked once the record is filled in, since what fills it may be what the permission
 * reads, and before rules, other records and code have their say: whoever may not write it learns nothing from them.
 */
import type { App } from '../../headings/app.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { readingOf } from '../access/reading.ts'
import { deniedRows } from '../access/rows.ts'
import { isLinks, labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { refuse } from '../problems/raise.ts'
import type { Request } from '../request.ts'
import { once } from '../statements.ts'
import { keepGranted, verbConditions } from './granted.ts'
import { type About, storedReads } from './happenings.ts'
import { denied, type Taken } from './input.ts'
import { environmentOf } from './record.ts'
import { recordHolds, resultAlias } from './resulting.ts'
import type { Scope } from './scope.ts'

/** Why a new record may not be made like this. `deny` says that it may not be made at all; `barred`: by nobody. */
export async function deniedToCreate(
  scope: Scope,
  about: About,
  taken: Taken,
  deny: (barred: boolean) => Problem,
): Promise<readonly Problem[]> {
  const { app, allow } = scope
  const { entity } = about
  await keepGranted(scope, 'create', about)
  const [allowed, spared, ...fields] = await recordHolds(scope, about, [
    allow.rows(entity, 'create', resultAlias),
    allow.bars(entity, 'create', resultAlias)?.spares ?? true,
    ...taken.onlyIf.map(({ condition }) => condition),
  ])
  if (allowed !== true) {
    const unsaid = missing(scope, about, 'create')
    return unsaid.length > 0 ? unsaid : [deny(spared !== true)]
  }
  const forbidden = taken.onlyIf.filter((_, index) => fields[index] !== true)
  if (forbidden.length > 0)
    return forbidden.map(({ field }) => denied(app, entity, field, labelOf(app, entity, field), field))
  return deniedRows(scope, about, taken.rowsOnlyIf)
}

/** Stored fields of the record that decide whether it may be written. */
export const decisive = (
  app: App,
  { actor }: Request,
  entity: string,
  verb: 'create' | 'change',
): ReadonlySet<string> =>
  once(app, ['decisive', verb, entity, ...actor.roles], () => {
    const conditions = verbConditions(app, actor.roles, entity, verb)
    return new Set(conditions.flatMap(condition => [...storedReads(app, entity, condition)]))
  })

/** Without these nobody can tell whether it may be written; that they are always required is no secret. */
function missing(
  { app, request, related }: Scope,
  { entity, record, old }: About,
  verb: 'create' | 'change',
): readonly Problem[] {
  const reads = decisive(app, request, entity, verb)
  const reading = readingOf(app, request, environmentOf(request, related, record, old))
  return app.entities.get(entity)!.fields.flatMap(field => {
    const { key, label, required, computed, copiedFrom, default: preset, setBy, refusals, kind, type } = field
    const isByHand = computed === null && copiedFrom === null && preset === null && setBy === null
    const isOne = fieldKind(kind).entered && (type.kind !== 'list' || isLinks(app, entity, key))
    const isAlways = required !== null && required.when == null
    if (!reads.has(key) || !isByHand || !isOne || !isAlways || (record[key] ?? null) !== null) return []
    return [
      refuse(app, { entity, refusals }, 'NF-REQUIRED', { label }, reading, { field: key, because: required.cell }),
    ]
  })
}
