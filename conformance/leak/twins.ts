/**
 * A twin of any document's database, for one person: what they may not see is another one there, as the document's permissions say it in
 * SQL. Whatever would change what they see (a field that is computed with it, a permission that reads it) is left, and named.
 */
import { v7 as newId } from 'uuid'
import { identifier, join, raw, type Sql, sql } from '../../src/expression/sql.ts'
import type { Type } from '../../src/expression/type.ts'
import type { App } from '../../src/headings/app.ts'
import { allOf, conditionSql } from '../../src/run/access/condition.ts'
import { type Policy, policyFor } from '../../src/run/access/policy.ts'
import { seenFieldSql } from '../../src/run/access/seen-reference.ts'
import { columnSql, fieldSql, fromSql, isLinks, linkedSql, linksSql, tableSql, typeOf } from '../../src/run/names.ts'
import type { Request } from '../../src/run/request.ts'
import { bindingsOf } from '../../src/run/statements.ts'
import { storedFields } from '../../src/run/write/draft-record.ts'
import { codeOf } from '../../src/store/failures.ts'
import type { Store, Tx } from '../../src/store/pool.ts'

export interface Altered {
  /** Entities with records that only the twin has. */
  readonly added: readonly string[]
  /** Fields that are different on some record. */
  readonly fields: readonly string[]
  /** Fields that something visible is worked out with. */
  readonly left: readonly string[]
  /** Fields with a constraint that keeps them from being otherwise. */
  readonly refused: readonly string[]
  /** References that the person sees, to other records that they may not see. */
  readonly targets: readonly string[]
}

/** Adds records that the person of the request may not see, and makes different what they may not see of others. */
export async function alterUnseenOf(store: Store, app: App, request: Request): Promise<Altered> {
  const policy = policyFor(app, request.actor)
  const added: string[] = []
  const fields: string[] = []
  const left: string[] = []
  const refused: string[] = []
  const targets: string[] = []
  await store.inTransaction(async tx => {
    const before = await seenBy(tx, app, request, policy)
    const seesTheSame = async () => (await seenBy(tx, app, request, policy)) === before
    for (const entity of app.entities.keys()) {
      const unseen = sql`(${conditionSql(policy.rows(entity, 'see', 't'))}) is not true`
      if (await addUnseen(tx, app, request, entity, unseen, seesTheSame)) added.push(entity)
      await tried(tx, seesTheSame, () =>
        tx.write(
          sql`update ${tableSql(entity)} as t set version = version + 3, changed_at = changed_at + interval '1 hour' where ${unseen}`,
          bindingsOf(request),
        ),
      )
      const keys = storedFields(app, entity)
      // All at once, as is nearly always possible; else one after the other, to name those that are not.
      const alter = (some: readonly string[]) => alterFields(tx, app, request, policy, entity, some)
      const all = new Set<string>()
      const became = await tried(tx, seesTheSame, async () => {
        for (const key of await alter(keys)) all.add(key)
        return all.size
      })
      if (became === 'altered') fields.push(...[...all].map(key => `${entity}.${key}`))
      if (became === 'altered' || became === 'nothing') continue
      for (const key of keys) {
        const one = await tried(tx, seesTheSame, async () => (await alter([key])).length)
        if (one === 'altered') fields.push(`${entity}.${key}`)
        if (one === 'left') left.push(`${entity}.${key}`)
        if (one === 'refused') refused.push(`${entity}.${key}`)
      }
    }
    for (const [entity, { fields: all }] of app.entities)
      for (const { key, type } of all) {
        const became = await tried(tx, seesTheSame, () => alterTarget(tx, app, request, policy, entity, key, type))
        if (became === 'altered') targets.push(`${entity}.${key}`)
      }
    return { kind: 'done' }
  })
  return { added, fields, left, refused, targets }
}

/** Whether a reference of a row leads to a record that the person may not see. */
const leadsToUnseen = (policy: Policy, target: string, reference: Sql): Sql =>
  sql`(${reference} is not null and not exists (select from ${fromSql(target, 'n')}
    where ${columnSql('n', 'id')} = ${reference} and (${conditionSql(policy.names(target, 'n'))}) is true))`

/** Of what a reference leads to, and several name, that the person may not see: another such record. */
async function alterTarget(
  tx: Tx,
  app: App,
  request: Request,
  policy: Policy,
  entity: string,
  key: string,
  type: Type,
): Promise<number> {
  const isSeveral = type.kind === 'list' && isLinks(app, entity, key)
  if ((type.kind !== 'reference' && !isSeveral) || !storedFields(app, entity).includes(key)) return 0
  const { entity: target } = type as { readonly entity: string }
  if (policy.names(target, 'n') === true) return 0
  const [row, column] = isSeveral ? [linksSql(entity, key), raw('t.member')] : [tableSql(entity), columnSql('t', key)]
  const taken = isSeveral
    ? sql`and not exists (select from ${row} as l where l.owner = t.owner and l.member = o.id)`
    : raw('')
  const other = sql`(select o.id from ${fromSql(target, 'o')} where o.id <> ${column} ${taken}
    and ${leadsToUnseen(policy, target, raw('o.id'))} order by o.id desc limit 1)`
  const isSeen = conditionSql(allOf([policy.rows(entity, 'see', 's'), policy.field(entity, key, 's')]))
  const own = isSeveral ? raw('t.owner') : raw('t.id')
  return tx.write(
    sql`update ${row} as t set ${identifier(isSeveral ? 'member' : key)} = ${other}
      where ${leadsToUnseen(policy, target, column)} and ${other} is not null
        and exists (select from ${fromSql(entity, 's')} where s.id = ${own} and (${isSeen}))`,
    bindingsOf(request),
  )
}

/** Values of a field that a person does not see, as addresses name them. */
export interface UnseenValues {
  readonly entity: string
  readonly field: string
  readonly values: readonly string[]
}

/** Records of which a value is taken: here and in the twin it is another one. */
const taken = 1

/** What stands in fields, stored or computed, where the person sees the record or the field not. */
export async function unseenValues(store: Store, app: App, request: Request): Promise<readonly UnseenValues[]> {
  const policy = policyFor(app, request.actor)
  const found: UnseenValues[] = []
  for (const [entity, { fields }] of app.entities)
    for (const { key, type } of fields) {
      if (type.kind === 'list' && !isLinks(app, entity, key)) continue
      const value = fieldSql(app, entity, key, 't')
      const isSeen = conditionSql(allOf([policy.rows(entity, 'see', 't'), policy.field(entity, key, 't')]))
      const seen =
        type.kind === 'reference' ? sql`(${isSeen}) and not ${leadsToUnseen(policy, type.entity, value)}` : isSeen
      const rows = await store.query<{ value: string }>(
        sql`select (${value})::text as value from ${fromSql(entity, 't')}
          where (${seen}) is not true and (${value}) is not null order by ${columnSql('t', 'id')} limit ${String(taken)}::integer`,
        bindingsOf(request),
      )
      const values = rows.map(({ value: text }) =>
        type.kind === 'yes/no' ? (text === 'true' ? 'yes' : 'no') : type.kind === 'list' ? text.split(' ')[0]! : text,
      )
      if (values.length > 0) found.push({ entity, field: key, values: [...new Set(values)] })
    }
  return found
}

/** Other values of fields, and of their history, as a later change leaves them, where the person sees the record or the field not. Gives those that some record has. */
async function alterFields(
  tx: Tx,
  app: App,
  request: Request,
  policy: Policy,
  entity: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const altered: string[] = []
  for (const key of keys) {
    const other = otherSql(app, request, entity, key)
    if (other === null) continue
    const visible = conditionSql(allOf([policy.rows(entity, 'see', 't'), policy.visible(entity, key, 't')]))
    const changed = await tx.write(
      sql`update ${tableSql(entity)} as t set ${identifier(key)} = ${other}
        where (${visible}) is not true and ${columnSql('t', key)} is not null`,
      bindingsOf(request),
    )
    if (changed === 0) continue
    altered.push(key)
    // Rows are changed with the record that they are part of.
    const { partOf: root, fields } = app.entities.get(entity)!
    const record = root === null ? columnSql('t', 'id') : columnSql('t', app.schema.get(entity)!.parent!)
    // That the application wrote what it keeps for itself is told to whoever sees all the rest: decision 25.
    if (!fields.some(field => field.key === key && field.hidden !== null))
      await tx.write(
        sql`update ${tableSql(root ?? entity)} set version = version + 1, changed_at = changed_at + interval '1 hour'
          where id in (select ${record} from ${tableSql(entity)} as t where (${visible}) is not true)`,
        bindingsOf(request),
      )
    // Of the field's type, as each entry is: other types have what it became before what it was.
    const pair =
      typeOf(app, entity, key)?.kind === 'text'
        ? sql`'["Zw", "wZ"]'::jsonb`
        : sql`jsonb_build_array(h.changes -> ${key}::text -> 1, h.changes -> ${key}::text -> 0)`
    await tx.write(
      sql`update ninefold.history as h set changes = jsonb_set(h.changes, array[${key}], ${pair}) from ${tableSql(entity)} as t
        where h.entity = ${entity} and h.record = t.id and h.changes ? ${key} and (${visible}) is not true`,
      bindingsOf(request),
    )
  }
  return altered
}

/** Records of an entity that are copied, and variants of each that are tried until one is not seen. */
const copied = 5
const variants = 24

/** A copy of a record that is another one in so far as its person does not see it: somebody else's, or in another state. */
async function addUnseen(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  unseen: Sql,
  seesTheSame: () => Promise<boolean>,
): Promise<boolean> {
  if (entity === 'person') return false
  const { fields } = app.entities.get(entity)!
  const records = await tx.query<{ record: string }>(
    sql`select to_jsonb(t)::text as record from ${tableSql(entity)} as t order by t.id limit ${String(copied)}::integer`,
  )
  const columns = await tx.query<{ name: string }>(
    sql`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${entity} and is_generated = 'NEVER' and identity_generation is null`,
  )
  const names = join(
    columns.map(({ name }) => identifier(name)),
    ', ',
  )
  const others = new Map<string, readonly string[]>()
  for (const { key, type } of fields)
    if (type.kind === 'reference') {
      const found = await tx.query<{ id: string }>(
        sql`select id from ${tableSql(type.entity)} order by id desc limit 4`,
      )
      others.set(
        key,
        found.map(({ id }) => id),
      )
    }
  const states = app.workflows.get(entity)?.states.map(({ name }) => name) ?? []
  for (const { record } of records) {
    const own = anotherOf(app, entity, JSON.parse(record) as Row)
    const changes: readonly Row[] = [
      {},
      ...[...others].flatMap(([key, ids]) => ids.map(id => ({ [key]: id }))),
      ...states.map(state => ({ state })),
    ]
    for (const change of changes.slice(0, variants)) {
      const id = newId()
      const isUnseen = async () => {
        const [found] = await tx.query<{ unseen: boolean }>(
          sql`select ${unseen} as unseen from ${tableSql(entity)} as t where t.id = ${id}::uuid`,
          bindingsOf(request),
        )
        return found?.unseen === true && (await seesTheSame())
      }
      const became = await tried(tx, isUnseen, () =>
        tx.write(
          sql`insert into ${tableSql(entity)} (${names})
            select ${names} from jsonb_populate_record(null::${tableSql(entity)}, ${JSON.stringify({ ...own, ...change, id })}::jsonb)`,
        ),
      )
      if (became === 'altered') return true
    }
  }
  return false
}

type Row = Readonly<Record<string, unknown>>

/** What must be unique is another value: of a text the first digit of its last number is another one, a day and a number are further on. */
function anotherOf(app: App, entity: string, record: Row): Row {
  const fields = app.entities
    .get(entity)!
    .fields.filter(({ unique, parameters }) => unique !== null || parameters.picture !== undefined)
  return { ...record, ...Object.fromEntries(fields.map(({ key, type }) => [key, further(type.kind, record[key])])) }
}

function further(kind: Type['kind'], value: unknown): unknown {
  if (typeof value === 'number') return value + 1000
  if (typeof value !== 'string') return value
  if (kind === 'date') return new Date(Date.parse(value) + 400 * 86_400_000).toISOString().slice(0, 10)
  if (kind !== 'text') return value
  return /\d/.test(value) ? value.replace(/\d(?=\d*\D*$)/, digit => `${(Number(digit) + 5) % 10}`) : `Zw${value}`
}

/** SQLSTATE, class 23. */
const constraintViolated = '23'

/** Keeps what was written where the person sees the same afterwards; what they would see, and what a constraint refuses, is undone. */
async function tried(
  tx: Tx,
  seesTheSame: () => Promise<boolean>,
  write: () => Promise<number>,
): Promise<'altered' | 'left' | 'nothing' | 'refused'> {
  await tx.write(sql`savepoint one`)
  try {
    const became = (await write()) === 0 ? 'nothing' : (await seesTheSame()) ? 'altered' : 'left'
    if (became !== 'altered') await tx.write(sql`rollback to savepoint one`)
    return became
  } catch (error) {
    if (!codeOf(error).startsWith(constraintViolated)) throw error
    await tx.write(sql`rollback to savepoint one`)
    return 'refused'
  }
}

/** Another value of the same type, never the person that asks; null: it stays as it is. Names of people are everybody's, and numbers have their order. */
function otherSql(app: App, request: Request, entity: string, key: string): Sql | null {
  const field = app.entities.get(entity)!.fields.find(one => one.key === key)
  const type = typeOf(app, entity, key)
  const column = columnSql('t', key)
  if (field === undefined || type === undefined || field.parameters.picture !== undefined) return null
  if (entity === 'person' && key === 'name') return null
  switch (type.kind) {
    case 'text':
      return field.kind === 'text' || field.kind === 'long text' ? sql`overlay(${column} placing 'Zw' from 1)` : null
    case 'integer':
    case 'decimal':
    case 'money':
    case 'date':
      return sql`${column} + 1`
    case 'yes/no':
      return sql`not ${column}`
    case 'choice':
      return sql`(${type.options}::text[])[1 + array_position(${type.options}::text[], ${column}) % ${String(type.options.length)}::integer]`
    case 'reference':
      return sql`(select o.id from ${fromSql(type.entity, 'o')} where o.id <> ${column} and o.id is distinct from ${request.actor.id}::uuid order by o.id limit 1)`
    default:
      return null
  }
}

/** All that the document lets this person see of stored and computed fields, as one text. */
async function seenBy(tx: Tx, app: App, request: Request, policy: Policy): Promise<string> {
  const texts: string[] = []
  for (const [entity, { fields }] of app.entities) {
    const values = fields.flatMap(({ key, type }) => {
      const seen = policy.field(entity, key, 't')
      if (seen === false || (type.kind === 'list' && !isLinks(app, entity, key))) return []
      const value =
        type.kind === 'list'
          ? linkedSql(app, entity, key, 't', conditionSql(policy.names(type.entity, 'm')))
          : seenFieldSql(app, policy, entity, key, 't')
      return [sql`case when ${conditionSql(seen)} then (${value})::text end`]
    })
    const verbs = (['change', 'delete', 'export'] as const).map(
      verb => sql`(${conditionSql(policy.rows(entity, verb, 't'))})::text`,
    )
    const [row] = await tx.query<{ seen: string | null }>(
      sql`select string_agg(row(${join([columnSql('t', 'id'), ...values, ...verbs], ', ')})::text, chr(10) order by ${columnSql('t', 'id')}) as seen
        from ${fromSql(entity, 't')} where ${conditionSql(policy.rows(entity, 'see', 't'))}`,
      bindingsOf(request),
    )
    texts.push(row?.seen ?? '')
  }
  return texts.join('\n\n')
}
