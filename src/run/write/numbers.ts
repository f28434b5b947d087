/**
 * Auto numbers. One that is given is lost where nothing is saved in the end, so they come as late as can be. What a permission reads has to
 * come before it is known whether anything may be saved: the counter of such a number is locked until the commit, and goes back with what
 * is denied.
 */
import { stepsRead } from '../../expression/computed.ts'
import { slot, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { reachedFrom, startsOf, waysOf } from '../../headings/4-states/ways.ts'
import type { App } from '../../headings/app.ts'
import { formatNumber, numberPeriod } from '../../kinds/fields/auto-number/picture.ts'
import type { Tx } from '../../store/pool.ts'
import { tenantOf } from '../access/tenants.ts'
import type { Request } from '../request.ts'
import { built, cachedStatement, ofEntity } from '../statements.ts'
import { type Draft, newRows } from './draft-record.ts'
import { verbConditions } from './granted.ts'

/** Fields that the application numbers. */
const numberedFields = ofEntity((app, entity) =>
  app.entities.get(entity)!.fields.filter(({ parameters }) => parameters.picture !== undefined),
)

/** Fields that decide whether somebody, whoever it is, may write some record: `entity.field`. */
const judgedFields = (app: App): ReadonlySet<string> =>
  cachedStatement(app, ['judged fields'], () => {
    const roles = [...app.roles.keys()]
    const conditions = [...app.access.keys()].flatMap(entity =>
      (['create', 'change'] as const).flatMap(verb => verbConditions(app, roles, entity, verb)),
    )
    return new Set(conditions.flatMap(({ root, schema }) => [...stepsRead(root, schema).keys()]))
  })

const isJudged = (app: App, entity: string, { key }: Field): boolean => judgedFields(app).has(`${entity}.${key}`)

/** The next number of each auto number field that is empty. `by`: which are given; absent: those that every new record gets. */
export async function giveNumbers(
  tx: Tx,
  app: App,
  request: Request,
  entity: string,
  all: readonly Draft[],
  by: (field: Field) => boolean = ({ givenOn }) => givenOn === null,
): Promise<readonly string[]> {
  const given: string[] = []
  for (const field of numberedFields(app, entity)) {
    const { key, parameters, gapless } = field
    const { picture } = parameters
    const records = all.filter(record => (record[key] ?? null) === null)
    if (picture === undefined || records.length === 0 || !by(field)) continue
    given.push(key)
    const tenant = tenantOf(app, { entity, record: records[0]! })
    const isKept = gapless !== null || isJudged(app, entity, field)
    const give = isKept ? tx.run<{ value: string }> : tx.aside<{ value: string }>
    const [row] = await give(nextNumbers, {
      entity,
      field: key,
      period:
        tenant === null ? numberPeriod(picture, request.today) : `${tenant} ${numberPeriod(picture, request.today)}`,
      count: records.length,
    })
    const last = BigInt(row!.value)
    records.forEach((record, index) => {
      record[key] = formatNumber(picture, last - BigInt(records.length - 1 - index), request.today)
    })
  }
  return given
}

const nextNumbers = built(sql`
  insert into ninefold.counter as c (entity, field, period, value)
  values (${slot('entity')}, ${slot('field')}, ${slot('period')}, ${slot('count')}::bigint)
  on conflict (entity, field, period) do update set value = c.value + excluded.value
  returning value`)

/** A record that is written, with the ids of the rows that it has already. */
interface Numbered {
  readonly entity: string
  readonly record: Draft
  readonly old: RecordValue | null
}

/** Gives a new record and new rows their numbers. `sampled`: it is in the middle of its life. */
export async function numberNew(
  tx: Tx,
  app: App,
  request: Request,
  numbered: Numbered,
  { judged = false, sampled = false }: { readonly judged?: boolean; readonly sampled?: boolean } = {},
): Promise<void> {
  const { entity, record, old } = numbered
  // Sample data in the middle of its life has been through the steps that lead there.
  const isDue = ({ givenOn }: Field) =>
    givenOn === null || (sampled && isBehind(app, entity, givenOn.steps, record.state))
  if (old === null)
    await giveNumbers(
      tx,
      app,
      request,
      entity,
      [record],
      field => isDue(field) && (!judged || isJudged(app, entity, field)),
    )
  const added = newRows(app, entity, record, old).filter(({ row }) => row !== record)
  for (const [of, rows] of Map.groupBy(added, one => one.of))
    await giveNumbers(
      tx,
      app,
      request,
      of,
      rows.map(({ row }) => row),
      field => field.givenOn === null && (!judged || isJudged(app, of, field)),
    )
}

/** No way leads to the state but by one of these steps. */
export function isBehind(app: App, entity: string, steps: readonly string[], state: unknown): boolean {
  const others = waysOf(app, entity).filter(({ by }) => by === null || !steps.includes(by.key))
  return !reachedFrom(startsOf(app.workflows.get(entity)!), others).has(state as string)
}
