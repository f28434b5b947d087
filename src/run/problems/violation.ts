/** What only the database could see (somebody else was faster), told in the words of the rule that it holds. */

import { memoize } from '../../expression/memoize.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { codeOf } from '../../store/failures.ts'
import type { Holds } from '../../store/physical.ts'
import { notKeptCode, snake } from '../../store/plan/foreign.ts'
import { constraintsOf, schemaOf } from '../../store/schema.ts'
import { policyFor } from '../access/policy.ts'
import { readingOf } from '../access/reading.ts'
import { labelOf } from '../names.ts'
import type { Problem } from '../outcome.ts'
import type { Request } from '../request.ts'
import { takenDetail } from '../write/conflicts.ts'
import { deepLists, outermost } from '../write/draft-record.ts'
import { environmentOf, relatedNothing } from '../write/environment.ts'
import { raise, raiseEntry, refuse } from './raise.ts'
import { wordsIn } from './words.ts'

const held = new WeakMap<App, ReadonlyMap<string, Holds>>()

/** Unique, foreign key, check, exclusion, not null; a number that its column has no room for; a value that a table of others does not keep. */
const violations = new Set(['23505', '23503', '23514', '23P01', '23502', '23001', '22003', notKeptCode])

/** What the constraint holds that an error of the database names; null where it names none of ours. */
export function heldByDatabase(app: App, error: unknown): Holds | null {
  if (!violations.has(codeOf(error))) return null
  const { constraint } = error as { constraint?: string }
  return memoize(held, app, () => constraintsOf(schemaOf(app))).get(constraint ?? '') ?? heldBeside(app, error)
}

/** The same of a table of another application, whose constraints have names of its own: by the columns that the error names. */
function heldBeside(app: App, error: unknown): Holds | null {
  const { detail = '', message = '' } = error as { detail?: string; message?: string }
  const entity = besideOf(app, error as TableOfError)
  if (entity === undefined) return null
  const columns = (/^Key \(([^)]*)\)/.exec(detail)?.[1] ?? '').split(', ').map(name => name.replaceAll('"', ''))
  const holds = (rule: Holds['rule'], field: Field | undefined): Holds | null =>
    field === undefined ? null : { rule, entity: entity.key, field: field.key, name: null, cell: field.typeCell }
  const names = columns.map(snake).sort().join()
  const isOf = (keys: readonly string[]) =>
    [keys, keys.map(key => key.replace(/^own_/, ''))].some(all => [...all].sort().join() === names)
  if (codeOf(error) === '23505')
    return holds(
      'unique',
      entity.fields.find(({ key, unique }) => unique !== null && isOf([key, ...unique.within])),
    )
  if (codeOf(error) !== '23503') return null
  const gone = besideOf(app, { table: /update or delete on table "([^"]+)"/.exec(message)?.[1] })
  return holds(
    'reference',
    entity.fields.find(
      ({ key, type }) => type.kind === 'reference' && (gone === undefined ? isOf([key]) : type.entity === gone.key),
    ),
  )
}

/** A text of PostgreSQL names the table alone, an error its schema as well. */
interface TableOfError {
  readonly schema?: string | undefined
  readonly table?: string | undefined
}

function besideOf(app: App, { schema, table }: TableOfError): Entity | undefined {
  if (table === undefined) return undefined
  const all = [...app.entities.values()]
  const named = (name: string) => all.find(one => one.table?.text === name)
  return named(table) ?? named(`${schema}.${table}`) ?? all.find(one => one.table?.text.endsWith(`.${table}`))
}

/** The problem for a violated constraint; null for every other error. */
export function violated(app: App, request: Request, entity: string, error: unknown): Problem | null {
  if (!violations.has(codeOf(error))) return null
  const { column, table } = error as { column?: string; table?: string }
  const holds = heldByDatabase(app, error)
  if (holds === null) {
    const model = besideOf(app, error as TableOfError) ?? app.entities.get(table ?? entity) ?? app.entities.get(entity)!
    const field = fieldOf(model, column)
    const label = field === null ? model.name : labelOf(app, model.key, field)
    const place = field === null ? {} : { field: pathOf(app, entity, model.key, field) }
    return raise(app, saidOf(error), { label }, place)
  }
  const model = app.entities.get(holds.entity)!
  const label = holds.field === null ? model.name : labelOf(app, holds.entity, holds.field)
  const place = { field: pathOf(app, entity, holds.entity, holds.field), because: holds.cell }
  const field = model.fields.find(({ key }) => key === holds.field)
  const by = { entity: holds.entity, refusals: field?.refusals ?? new Map() }
  const reading = readingOf(app, request, environmentOf(request, relatedNothing, {}, null))
  switch (holds.rule) {
    case 'unique':
      return refuse(app, by, 'NF-UNIQUE', takenDetail(app, request, holds.entity, holds.field!), reading, place)
    case 'no overlap':
      return refuse(app, by, 'NF-OVERLAP', { label }, reading, place)
    case 'circle':
      return refuse(app, by, 'NF-CIRCLE', { label, entity: model.name }, reading, place)
    case 'only when':
      return refuse(app, by, 'NF-ONLY-WHEN', { label }, reading, place)
    case 'reference': {
      // Raised on both sides: by a row that names what is not there, and by a record that is still named.
      const gone = /still referenced|update or delete on table/.test(String((error as Error).message))
      if (gone) {
        const table = /update or delete on table "([^"]+)"/.exec(String((error as Error).message))?.[1]
        const named = app.entities.get(table ?? '') ?? besideOf(app, { table }) ?? app.entities.get(entity)!
        const detail = { entity: named.name }
        if (!isKnown(app, request, holds)) return inUse(app, named.name)
        return raise(app, 'NF-IN-USE', { ...detail, by: `${model.name} (${label})` }, { because: holds.cell })
      }
      return raise(app, 'NF-NO-RECORD', { label }, place)
    }
    case 'append only':
      if (!isKnown(app, request, holds)) return inUse(app, app.entities.get(entity)!.name)
      return raise(app, 'NF-APPEND-ONLY', { entity: model.name }, place)
    case 'required when':
      return refuse(app, by, 'NF-REQUIRED', { label }, reading, place)
    case 'rule': {
      const rule = app.rules.find(({ name }) => name === holds.name)
      if (rule === undefined || isUnspecified(rule.error))
        return raise(app, 'NF-RULE', { rule: holds.name ?? '' }, place)
      return raiseEntry(app, rule.error, rule.entity, reading, place)
    }
    default:
      return raise(app, 'NF-CHECK', { label }, place)
  }
}

/** What an error says where no constraint of ours is behind it. */
function saidOf(error: unknown): 'NF-REQUIRED' | 'NF-NOT-KEPT' | 'NF-CHECK' {
  const code = codeOf(error)
  return code === '23502' ? 'NF-REQUIRED' : code === notKeptCode ? 'NF-NOT-KEPT' : 'NF-CHECK'
}

/** The field that a column holds; null where it holds none. */
function fieldOf({ fields }: Entity, column: string | undefined): string | null {
  const names = [column ?? '', snake(column ?? ''), `own_${snake(column ?? '')}`]
  return fields.find(({ key }) => names.includes(key))?.key ?? null
}

/** By what whoever is told does not see. */
export const inUse = (app: App, entity: string): Problem =>
  raise(app, 'NF-IN-USE', { entity, by: wordsIn(app.language).other })

/** Whether there is such a field at all for whoever is told of it. */
function isKnown(app: App, { actor }: Request, { entity, field }: Holds): boolean {
  const policy = policyFor(app, actor)
  if (policy.rows(entity, 'see', 't') === false) return false
  return field === null || policy.field(entity, field, 't') !== false
}

/** The field as the form of `entity` names it: a child row's field stands under its list. */
function pathOf(app: App, entity: string, of: string, field: string | null): string | null {
  if (of === entity) return field
  const list = deepLists(app, entity).find(one => one.entity === of)
  return list === undefined ? null : outermost(list).field
}
