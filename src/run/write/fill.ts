/** Defaults, and values that are copied from other records, in a record and its new child rows. */

import { evaluate, NOT_LOADED } from '../../expression/evaluate.ts'
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue } from '../../expression/type.ts'
import { startOf } from '../../headings/4-states/ways.ts'
import type { App } from '../../headings/app.ts'
import { hiddenTenant, tenantOf } from '../access/tenants.ts'
import { declared } from '../names.ts'
import type { Request } from '../request.ts'
import { ofEntity } from '../statements.ts'
import { type Draft, type DraftRow, draftRows, newRows, storedFields } from './draft-record.ts'
import { environmentOfRules, withRelated } from './environment.ts'
import type { Scope } from './scope.ts'
import { heldAs } from './worked-out.ts'

/**
 * `given` are the posted fields by prefix of their path (`''`, `lines.0.`). Of a stored record (`old`) only its new rows are filled. Gives
 * those of which it is not decided yet where they begin.
 */
export async function fillIn(
  scope: Scope,
  entity: string,
  record: Draft,
  old: RecordValue | null,
  given: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly DraftRow[]> {
  const { app, related } = scope
  const rows = newRows(app, entity, record, old)
  const undecided = rows.filter(({ of, row, prefix }) => {
    const workflow = app.workflows.get(of)
    if (workflow === undefined || (prefix === '' && row.state !== null)) return false
    row.state = startOf(workflow)
    return workflow.starts.length > 1
  })
  related.put(entity, record)
  const open = rows.flatMap(one => {
    const own = openIn(app, one, given.get(one.prefix))
    const waiting = new Set(own.map(({ key }) => key))
    for (const key of storedFields(app, one.of)) if (!waiting.has(key)) one.row[key] ??= null
    return own
  })
  await fillOpen(scope, open)
  return undecided
}

/** Puts each of these new records and rows into the state that it begins in. */
export async function begin({ app, request, related }: Scope, undecided: readonly DraftRow[]): Promise<void> {
  for (const { of, row } of undecided) {
    const { starts } = app.workflows.get(of)!
    row.state = await withRelated(related, () => {
      const rules = environmentOfRules(app, request, related, { of, row, before: null })
      return starts.find(({ when }) => when === null || evaluate(when, rules) === true)!.state
    })
  }
}

/** Values that are copied from what the application chose for the record and its new rows, and what is copied from those. */
export async function copyAssigned(
  scope: Scope,
  entity: string,
  record: Draft,
  old: RecordValue | null,
): Promise<void> {
  const { app } = scope
  const open = newRows(app, entity, record, old).flatMap(({ of, row }) =>
    copiedLate(app, of).map((filled): Open => ({ ...filled, of, row })),
  )
  for (const { row, key } of open) delete row[key]
  await fillOpen(scope, open)
}

const copiedLate = ofEntity((app, entity): readonly Filled[] => {
  const { fields } = app.entities.get(entity)!
  const late = new Set(fields.flatMap(({ key, assignedFrom }) => (assignedFrom === null ? [] : [key])))
  const copies = fields.flatMap(({ key, copiedFrom, renewed }) =>
    copiedFrom === null || renewed ? [] : [{ key, expression: copiedFrom }],
  )
  const follows = ({ key, expression }: Filled) =>
    !late.has(key) && expression.reads.some(path => late.has(path.split('.')[0]!))
  for (let next = copies.find(follows); next !== undefined; next = copies.find(follows)) late.add(next.key)
  return copies.filter(({ key }) => late.has(key))
})

/** A new record belongs to the tenant of whoever makes it, or of what it follows from; its rows belong where it does. */
export function belong(app: App, { actor }: Request, entity: string, record: Draft, old: RecordValue | null): void {
  const key = hiddenTenant(app, entity)
  if (key !== null && old === null) record[key] = actor.tenant ?? record[key] ?? null
  const tenant = tenantOf(app, { entity, record })
  for (const { of, row } of draftRows(app, entity, record, old)) {
    const own = hiddenTenant(app, of)
    if (own !== null && row !== record) row[own] ??= tenant
  }
}

/** A field that its expression fills. */
interface Filled {
  readonly key: string
  readonly expression: Expression
}

/** The same of a row: it is not there until then. */
interface Open extends Filled {
  readonly of: string
  readonly row: Draft
}

/** Fields that are copied from elsewhere, or have a default. */
const filledFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.flatMap(({ key, type, computed, renewed, copiedFrom, default: preset }) => {
    const expression = copiedFrom ?? preset
    if (type.kind === 'list' || computed !== null || renewed || expression === null) return []
    return [{ key, expression, isCopied: copiedFrom !== null }]
  }),
)

/** Of `given`, what was posted, an emptied field stays empty. */
const openIn = (app: App, { of, row }: DraftRow, given: ReadonlySet<string> | undefined): readonly Open[] =>
  filledFields(app, of).flatMap(({ key, expression, isCopied }) => {
    if ((!isCopied && given?.has(key)) || (row[key] ?? null) !== null) return []
    delete row[key]
    return [{ of, row, key, expression }]
  })

/** Each as soon as all that it reads is there, whatever the order; what needs itself, or code that is not there, is empty. */
async function fillOpen({ app, request, related }: Scope, all: readonly Open[]): Promise<void> {
  let open = all
  const fill = ({ of, row, key, expression }: Open): boolean => {
    const rules = environmentOfRules(app, request, related, { of, row, before: null })
    const value = evaluate(expression, { ...rules, partial: true })
    if (value === NOT_LOADED) return false
    row[key] = Array.isArray(value) ? null : heldAs(value, declared(app, of, key))
    return true
  }
  while (open.length > 0) {
    // All at once, so that what they need of other records is loaded once.
    await withRelated(related, () => {
      for (let left = open.length + 1; open.length < left; ) {
        left = open.length
        open = open.filter(one => !fill(one))
      }
    })
    const [first, ...others] = open
    if (first !== undefined) first.row[first.key] = null
    open = others
  }
}
