/**
 * What a record names must be there: other records, and files. What somebody gives must name records that they may see, and people of
 * whom they are told; what the application fills in may name all people. What is archived is named by nobody. What may not be named is as
 * if there were no such record: nothing is copied from it, worked out with it, or told of it.
 */
import { evaluate } from '../../expression/evaluate.ts'
import { raw, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { Tx } from '../../store/pool.ts'
import { live } from '../access/archived.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { sightOf } from '../access/reading.ts'
import { beside, tenantOf } from '../access/tenants.ts'
import { nameable } from '../access/unnamed.ts'
import { columnSql, fromSql, isLinks } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { notSent } from '../read/files.ts'
import type { Request } from '../request.ts'
import { bindingsOf, ofEntity } from '../statements.ts'
import type { Writing } from './check.ts'
import { writtenRows } from './conflicts.ts'
import { type Draft, draftRows } from './draft-record.ts'
import { environmentOf, type Related, withRelated } from './environment.ts'
import { staying } from './record.ts'
import type { Scope } from './scope.ts'

type Naming = Pick<Writing, 'entity' | 'record' | 'old' | 'asked' | 'named'>

/** A record that a field names anew. */
interface Named {
  readonly row: Draft
  readonly stays: Wire
  readonly field: Field
  readonly path: string
  readonly entity: string
  readonly id: string
}

const keyOf = ({ entity, id }: Named) => `${entity} ${id}`

export interface Withdrawn {
  readonly problems: readonly Problem[]
  /** Records that may be named: they need not be asked about again. */
  readonly named: ReadonlySet<string>
}

/**
 * Of what was given, before anything is made of it: where a field names what this person may not name, it stays as it was. No statement
 * where all records that are named may be seen by everybody who writes: those are asked about with everything else.
 */
export async function withdrawUnseen({ tx, app, request, policy, related }: Scope, naming: Naming): Promise<Withdrawn> {
  const may: May = (entity, alias) => nameable(policy, entity, alias)
  const asked = namedIn(app, request, naming)
  if (asked.every(({ entity }) => isOpen(app, request, may, entity))) return { problems: [], named: new Set() }
  const isWhose = tenantOf(app, naming) !== null
  const unseen = await absentOf(tx, app, request, may, naming, asked, isWhose)
  const absent = await withRelated(related, () => unseen.filter(one => !isBegun(app, request, related, one)))
  for (const { row, field, stays } of absent) row[field.key] = stays
  // Whose the record is may be filled in later.
  const isSure = ({ entity }: Named) => isWhose || beside(app, entity, naming) === true
  return { problems: told(app, absent), named: new Set(asked.filter(isSure).map(keyOf)) }
}

/** A person whom the form begins with stands in it by name. */
function isBegun(app: App, request: Request, related: Related, { row, field, entity, id }: Named): boolean {
  if (entity !== 'person' || field.default === null) return false
  const environment = environmentOf(request, related, row, null)
  return evaluate(field.default, environment) === id && sightOf(app, request, field.default, environment) === true
}

/** Of everything that the record names by then, what a default says too. */
export async function absentRecords(
  { tx, app, request, policy, related }: Scope,
  naming: Naming,
): Promise<readonly Problem[]> {
  // What a rule has loaded already needs no question where all of them may be seen.
  const asked = namedIn(app, request, naming).filter(
    one =>
      naming.named?.has(keyOf(one)) !== true &&
      !(isOpen(app, request, policy.names, one.entity) && related.has(one.entity, one.id)),
  )
  return asked.length === 0 ? [] : told(app, await absentOf(tx, app, request, policy.names, naming, asked, true))
}

const told = (app: App, absent: readonly Named[]): readonly Problem[] =>
  absent.map(({ field, path }) =>
    raise(app, 'NF-NO-RECORD', { label: field.label }, { field: path, because: field.typeCell }),
  )

/** Naming oneself needs no question. */
function namedIn(app: App, request: Request, { entity, record, old, asked }: Naming): readonly Named[] {
  return draftRows(app, entity, record, old).flatMap(({ of, row, before, prefix }) =>
    namingFields(app, of).flatMap(({ field, type }) => {
      const isAsked = prefix === '' && asked?.includes(field.key) === true
      if (notByHand(field) && !isAsked) return []
      const stays = (before?.[field.key] ?? null) as Wire
      const there = new Set(linked(stays))
      return linked(row[field.key] as Wire | undefined)
        .filter(id => !there.has(id) && !(type.entity === 'person' && id === request.actor.id))
        .map(id => ({ row, stays, field, path: `${prefix}${field.key}`, entity: type.entity, id }))
    }),
  )
}

/** Fields that name records. */
const namingFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.flatMap(field => {
    const { type, key } = field
    if ((type.kind !== 'reference' && type.kind !== 'list') || field.computed !== null) return []
    const isHiddenTenant = field.hidden !== null && key === app.schema.get(entity)!.tenant?.field
    return isHiddenTenant || (type.kind === 'list' && !isLinks(app, entity, key)) ? [] : [{ field, type }]
  }),
)

const notByHand = (field: Field) => field.setBy !== null || field.copiedFrom !== null || field.assignedFrom !== null

const isLive = (app: App, { actor }: Request, entity: string) => actor.system !== null || live(app, entity, 't')

/** Which records of an entity may be named. */
type May = Policy['names']

/** Whether all of them may. */
const isOpen = (app: App, request: Request, may: May, entity: string): boolean =>
  may(entity, 't') === true && app.schema.get(entity)!.tenant === undefined && isLive(app, request, entity) === true

async function absentOf(
  tx: Tx,
  app: App,
  request: Request,
  may: May,
  naming: Naming,
  asked: readonly Named[],
  isWhose: boolean,
): Promise<readonly Named[]> {
  const entities = [...new Set(asked.map(({ entity }) => entity))]
  const found = await tx.query<{ id: string }>(
    entities
      .map(entity => {
        const ids = asked.filter(one => one.entity === entity).map(({ id }) => id)
        const there = isLive(app, request, entity)
        const isOne = sql`${columnSql('t', 'id')} = any(${ids}::uuid[])`
        const together = isWhose ? beside(app, entity, naming) : true
        const seen = sql`select ${columnSql('t', 'id')} as id from ${fromSql(entity, 't')}
          where ${conditionSql(allOf([isOne, may(entity, 't'), there, together]))}`
        // What is named is not archived before the commit; what is deleted the database keeps from it.
        return there === true ? seen : sql`select f.id from (${seen} order by 1 ${staying(tx, entity)}) as f`
      })
      .reduce((left, right) => sql`${left}${raw(' union all ')}${right}`),
    bindingsOf(request),
  )
  const ids = new Set(found.map(({ id }) => id))
  return asked.filter(({ id }) => !ids.has(id))
}

const fileFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.filter(({ type }) => type.kind === 'file'),
)

/** A file that was not there before must be one that this person sent: a digest alone opens nothing. */
export async function strangeFiles({ tx, app, request }: Scope, writing: Writing): Promise<readonly Problem[]> {
  if (request.actor.system !== null) return []
  const named = writtenRows(app, writing).flatMap(({ entity, row, old, prefix }) =>
    fileFields(app, entity).flatMap(field => {
      const value = row[field.key]
      if (typeof value !== 'string' || old?.[field.key] === value) return []
      return [{ field, value, path: `${prefix}${field.key}` }]
    }),
  )
  const strange = await notSent(
    tx,
    request,
    named.map(({ value }) => value),
  )
  return named
    .filter(({ value }) => strange.has(value))
    .map(({ field, path }) => raise(app, 'NF-FILE', { label: field.label }, { field: path, because: field.typeCell }))
}
