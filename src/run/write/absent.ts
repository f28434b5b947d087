/**
 * `only when` and `read-only when` in a write. What is not there is emptied; a value that somebody gave for it is refused, and so is
 * a new value of what is locked. Both are seen from the record as it would be, as in the form.
 */
import { evaluate } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { readingOf } from '../access/reading.ts'
import type { Problem } from '../outcome.ts'
import { refuse } from '../problems/raise.ts'
import { ofEntity } from '../statements.ts'
import type { DependsOnInvalid } from './depends-on-invalid.ts'
import type { ChangedRecord } from './domain-events.ts'
import { type Draft, draftRows } from './draft-record.ts'
import { environmentOfRules, withRelated } from './environment.ts'
import type { Scope } from './scope.ts'
import { isAbsent, isLocked } from './validate.ts'

export interface Settled {
  readonly problems: readonly Problem[]
  /** Paths of fields that were emptied. */
  readonly emptied: ReadonlySet<string>
}

/** `given` are the keys that got a value from the person, by prefix of their path (`''`, `lines.0.`). What is in dependent stays as it is. */
export async function clearAbsent(
  { app, request, related }: Scope,
  { entity, record, old }: ChangedRecord,
  given: ReadonlyMap<string, ReadonlySet<string>>,
  dependent: DependsOnInvalid | null = null,
): Promise<Settled> {
  related.put(entity, record)
  const problems = new Map<string, Problem>()
  const emptied = new Set<string>()
  const rows = draftRows(app, entity, record, old).filter(({ of }) => conditionalFields(app, of).length > 0)
  if (rows.length === 0) return { problems: [], emptied }
  const clear = (of: string, row: Draft, before: RecordValue | null, prefix: string, field: Field): boolean => {
    const reads = [field.onlyWhen, field.readOnlyWhen].flatMap(condition => condition?.reads ?? [])
    if (dependent?.reads({ of, prefix, reads }) === true) return false
    const environment = environmentOfRules(app, request, related, { of, row, before })
    const path = `${prefix}${field.key}`
    // An empty box says nothing.
    const isGiven =
      given.get(prefix)?.has(field.key) === true && ![null, undefined, false].includes(row[field.key] as null)
    const say = (code: 'NF-ONLY-WHEN' | 'NF-READ-ONLY', because: Problem['because']) => {
      const by = { entity: of, refusals: field.refusals }
      const place = { field: path, because }
      problems.set(path, refuse(app, by, code, { label: field.label }, readingOf(app, request, environment), place))
    }
    if (isAbsent(field, environment)) {
      if (isGiven) say('NF-ONLY-WHEN', field.onlyWhen!.cell)
      if ((row[field.key] ?? null) === null) return false
      row[field.key] = null
      emptied.add(path)
      return true
    }
    const isByPeople = request.actor.system === null && given.get(prefix)?.has(field.key) === true
    if (isByPeople && isLocked(field, environment) && !isDefault(field, row, before, environment))
      say('NF-READ-ONLY', field.readOnlyWhen!.cell)
    return false
  }
  // What is emptied may be what another condition reads.
  await withRelated(related, () => {
    for (let again = true, rounds = 0; again && rounds < 10; rounds++) {
      again = false
      for (const { of, row, before, prefix } of rows)
        for (const field of conditionalFields(app, of)) again = clear(of, row, before, prefix, field) || again
    }
  })
  return { problems: [...problems.values()], emptied }
}

const conditionalFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.filter(({ onlyWhen, readOnlyWhen }) => onlyWhen !== null || readOnlyWhen !== null),
)

/** A form posts what it was filled with. */
function isDefault(
  field: Field,
  row: RecordValue,
  before: RecordValue | null,
  environment: Parameters<typeof evaluate>[1],
): boolean {
  if (before !== null) return false
  const value = (row[field.key] ?? null) as Wire
  return value === null || (field.default !== null && evaluate(field.default, environment) === value)
}
