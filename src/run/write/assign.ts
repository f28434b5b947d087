/**
 * `assigned from …`: the application chooses a record. The first one, by its id, that the rule's condition admits and that breaks no
 * `unique` and no `no overlap` of the field. It is locked against others who choose at the same moment, and looked at again once it
 * is: who comes second takes the next one.
 */

import { evaluate } from '../../expression/evaluate.ts'
import { sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { overlapsSql } from '../../store/overlap.ts'
import type { Tx } from '../../store/pool.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { readingOf } from '../access/reading.ts'
import { columnSql, declared, draftSql, fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { refuse } from '../problems/raise.ts'
import { bindingsOf, ofEntity } from '../statements.ts'
import { choosable, inFull, othersAlike } from './conflicts.ts'
import { type DependsOnInvalid, decidedBy } from './depends-on-invalid.ts'
import type { ChangedRecord } from './domain-events.ts'
import { type Draft, newRows } from './draft-record.ts'
import { environmentOf, environmentOfRules, withRelated } from './environment.ts'
import type { Scope } from './scope.ts'
import { isAbsent } from './validate.ts'

const chosen = new WeakSet<Tx>()

/** Whether the application chose something in this transaction. */
export const hasChosen = (tx: Tx): boolean => chosen.has(tx)

/** So often another one may be faster. */
const attempts = 100

/**
 * Chooses for one field of a record and puts it into the draft: the id, or nothing where no record is free. Gives whether one was
 * found. For a stored record the choice begins anew; what it has now is as good as any other.
 */
export async function assign(scope: Scope, entity: string, record: Draft, key: string): Promise<boolean> {
  const { tx, app } = scope
  const field = declared(app, entity, key)!
  chosen.add(tx)
  record[key] = null
  for (let attempt = 0, last: string | null = null; attempt < attempts; attempt++) {
    const free = await firstFree(scope, entity, record, field)
    record[key] = free
    // It was locked by then, so nobody else takes it.
    if (free === null || free === last) return free !== null
    last = free
  }
  record[key] = null
  return false
}

/** Chooses for all fields of a new record and its new rows; what cannot be filled is told. */
export async function assignAll(
  scope: Scope,
  { entity, record, old }: ChangedRecord,
  dependent: DependsOnInvalid,
): Promise<readonly Problem[]> {
  const { app, request, related } = scope
  const problems: Problem[] = []
  for (const { of, row, prefix } of newRows(app, entity, record, old))
    for (const field of assignedFields(app, of)) {
      const environment = environmentOfRules(app, request, related, { of, row, before: null })
      if (isAbsent(field, environment) || !isReady(app, of, row, field)) continue
      if (dependent.paths.has(`${prefix}${field.key}`)) continue
      // Only sample data say it themselves.
      if ((row[field.key] ?? null) !== null) continue
      if ((await assign(scope, of, row, field.key)) || request.actor.system === 'seed') continue
      const place = { field: `${prefix}${field.key}`, because: field.assignedFrom!.cell }
      const by = { entity: of, refusals: field.refusals }
      const say = () =>
        refuse(app, by, 'NF-NONE-FREE', { label: field.label }, readingOf(app, request, environment), place)
      const problem = await withRelated(related, say)
      problems.push(await inFull(scope, { entity: of, row, old: null }, field, problem))
    }
  return problems
}

const assignedFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.filter(({ assignedFrom }) => assignedFrom !== null),
)

/** Where something required is missing, that is what has to be said. */
function isReady(app: App, entity: string, row: RecordValue, field: Field): boolean {
  const { noOverlap, unique } = field
  const keys = [
    ...decidedBy(field),
    ...(noOverlap === null ? [] : [noOverlap.begin, noOverlap.end]),
    ...(unique?.within ?? []),
  ]
  return keys.every(key => (row[key] ?? null) !== null || (declared(app, entity, key)?.optional ?? false))
}

async function firstFree(
  { tx, app, request, related }: Scope,
  entity: string,
  record: RecordValue,
  field: Field,
): Promise<string | null> {
  const rule = field.assignedFrom!
  const { unique, noOverlap } = field
  const environment = environmentOf(request, related, record, null)
  const counts = (condition: typeof rule.where) => condition === null || evaluate(condition, environment) === true
  const id = sql`${record.id}::uuid`
  // The candidate stands where the record has nothing yet.
  const column = (key: string) => (key === field.key ? columnSql('t', 'id') : draftSql(app, entity, record, key))
  const conditions: Condition[] = [choosable(app, related, entity, record, rule, 't')]
  if (noOverlap !== null && counts(noOverlap.while))
    conditions.push(sql`not ${overlapsSql(app.entities.get(entity)!, noOverlap, column, id)}`)
  if (unique !== null && counts(unique.while)) {
    const other = othersAlike(app, entity, record, field, 'u', column)
    conditions.push(sql`not exists (select from ${fromSql(entity, 'u')} where ${conditionSql(other)})`)
  }
  const [found] = await tx.query<{ id: string }>(
    sql`select ${columnSql('t', 'id')} as id from ${fromSql(rule.entity, 't')}
      where ${conditionSql(allOf(conditions))} order by ${columnSql('t', 'id')} limit 1 for no key update of t`,
    bindingsOf(request),
  )
  return found?.id ?? null
}
