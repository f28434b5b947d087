/** `Order: by hand`: a record is put before or after another one, or before all. What it says, its version and its history stay as they are. */
import {
  add,
  compare,
  type Decimal,
  formatDecimal,
  multiply,
  parseDecimal,
  round,
  subtract,
  whole,
} from '../../expression/decimal.ts'
import { raw, slot, sql } from '../../expression/sql.ts'
import { hasPlace, placeField } from '../../headings/3-entities/by-hand.ts'
import type { App } from '../../headings/app.ts'
import { isArchived } from '../access/archived.ts'
import { conditionSql } from '../access/condition.ts'
import { columnSql, fromSql, tableSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { type Scope, scopeOf } from './scope.ts'
import { lockGranted, notFound, refused, refusedAsArchived, shut, type Work } from './write.ts'

export type Place = 'first' | { readonly side: 'before' | 'after'; readonly of: string }

export function placing(runtime: Runtime, request: Request, entity: string, id: string, place: Place): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  const beside = place === 'first' ? null : place.of
  if (model === undefined || !hasPlace(model) || !isId(id) || (beside !== null && !isId(beside))) return notFound(app)
  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    // Two who move records at the same moment would put them into the same gap.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`places of ${entity}`}, 0))`)
    const locked = await lockGranted(scope, entity, id, 'change')
    if (locked === null || !locked.sees) return notFound(app)
    if (isArchived(locked.record)) return refusedAsArchived(app, entity)
    const { open, because } = locked.may('change')
    if (!open) return refused([shut(app, entity, 'NF-CHANGE-DENIED', because)])
    const gap = await gapAt(scope, entity, place)
    if (gap === null) return notFound(app)
    await tx.write(statements(app, entity).put, { id, place: formatDecimal(within(gap)) })
    tx.tell(entity, id, null)
    return { kind: 'done', id, version: locked.version }
  }
}

/** Between which places it goes; null on a side: there is nothing on that one. */
interface Gap {
  readonly below: Decimal | null
  readonly above: Decimal | null
}

/** Null: the other one is not there, or not for whoever moves. */
async function gapAt({ tx, app, request, policy }: Scope, entity: string, place: Place): Promise<Gap | null> {
  const { first, given, next, previous } = statements(app, entity)
  const read = async (statement: typeof first, at: string | null = null): Promise<Decimal | null> => {
    const [row] = await tx.run<{ place: string | null }>(statement, { at })
    return row?.place == null ? null : parseDecimal(row.place)
  }
  if (place === 'first') return { below: null, above: await read(first) }
  const seen = cachedStatement(app, ['place seen', policy.key, entity], () =>
    built(sql`select from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid
      and ${conditionSql(policy.rows(entity, 'see', 't'))}`),
  )
  if ((await tx.run(seen, bindingsOf(request, { id: place.of }))).length === 0) return null
  await tx.write(given, { id: place.of })
  const [{ place: at }] = (await tx.run<{ place: string }>(statements(app, entity).of, { id: place.of })) as [
    { place: string },
  ]
  const beside = parseDecimal(at)
  return place.side === 'before'
    ? { below: await read(previous, at), above: beside }
    : { below: beside, above: await read(next, at) }
}

/** The shortest number in the middle of a gap. */
export function within({ below, above }: Gap): Decimal {
  if (below === null) return above === null ? whole(1) : subtract(above, whole(1))
  if (above === null) return add(below, whole(1))
  const middle = multiply(add(below, above), { units: 5n, scale: 1 })
  for (let places = 0; places < middle.scale; places++) {
    const short = round(middle, places)
    if (compare(below, short) < 0 && compare(short, above) < 0) return short
  }
  return middle
}

const statements = (app: App, entity: string) =>
  cachedStatement(app, ['places', entity], () => {
    const place = columnSql('t', placeField)
    const id = columnSql('t', 'id')
    const table = fromSql(entity, 't')
    const one = (which: 'min' | 'max', beside: ReturnType<typeof raw>) =>
      built(sql`select ${raw(which)}(${place})::text as place from ${table} where ${beside}`)
    return {
      first: one('min', sql`${slot('at')}::numeric is null`),
      previous: one('max', sql`${place} < ${slot('at')}::numeric`),
      next: one('min', sql`${place} > ${slot('at')}::numeric`),
      of: built(sql`select ${place}::text as place from ${table} where ${id} = ${slot('id')}::uuid`),
      put: built(
        sql`update ${table} set ${raw(placeField)} = ${slot('place')}::numeric where ${id} = ${slot('id')}::uuid`,
      ),
      // What was not moved yet stands behind what was. One of those, and all before it, get the places that they have.
      given: built(sql`update ${table} set ${raw(placeField)} = p.place from (
        select o.id, coalesce((select max(${raw(placeField)}) from ${tableSql(entity)}), 0) + row_number() over (order by o.id) as place
        from ${fromSql(entity, 'o')} where o.${raw(placeField)} is null and o.id <= ${slot('id')}::uuid
      ) as p where ${id} = p.id and exists (select from ${fromSql(entity, 'b')} where b.id = ${slot('id')}::uuid and b.${raw(placeField)} is null)`),
    }
  })
