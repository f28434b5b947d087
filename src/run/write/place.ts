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
import { raw, type Statement, slot, sql } from '../../expression/sql.ts'
import { hasPlace, placeField } from '../../headings/3-entities/by-hand.ts'
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { isArchived } from '../access/archived.ts'
import { conditionSql } from '../access/condition.ts'
import { columnSql, fromSql, tableSql } from '../names.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { isId } from '../values.ts'
import { type Scope, scopeOf } from './scope.ts'
import { lockGranted, notFound, refused, refusedAsArchived, shut, type Work } from './write.ts'

/** The last one: back to where it stood, unless somebody moved it since. */
export type Place = 'first' | { readonly side: 'before' | 'after'; readonly of: string } | Moved

/** From which position to which; null: it had not been moved yet. */
export interface Moved {
  readonly from: string | null
  readonly to: string
}

/** `tell`: where it stood and stands, so that this can be undone; that something was undone is not told. */
export function placing(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  place: Place,
  tell?: (moved: Moved) => void,
): Work {
  const { app } = runtime
  const model = app.entities.get(entity)
  const isKnown = typeof place !== 'object' || !('of' in place) || isId(place.of)
  if (model === undefined || !hasPlace(model) || !isId(id) || !isKnown) return notFound(app)
  return async tx => {
    const scope = scopeOf(tx, runtime, request)
    // Two who move records at the same moment would put them into the same gap.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`places of ${entity}`}, 0))`)
    const locked = await lockGranted(scope, entity, id, 'change')
    if (locked === null || !locked.sees) return notFound(app)
    if (isArchived(locked.record)) return refusedAsArchived(app, entity)
    const { open, because } = locked.may('change')
    if (!open) return refused([shut(app, entity, 'NF-CHANGE-DENIED', because)])
    if (typeof place === 'object' && 'to' in place) {
      if ((await positionOf(scope, entity, id)) !== place.to) return refused([raise(app, 'NF-UNDO', {})])
      await tx.write(statements(app, entity).put, { id, place: await freeAgain(scope, entity, place.from) })
    } else {
      const gap = await gapAt(scope, entity, place)
      if (gap === null) return notFound(app)
      const from = await positionOf(scope, entity, id)
      const to = formatDecimal(within(gap))
      await tx.write(statements(app, entity).put, { id, place: to })
      tell?.({ from, to })
    }
    tx.tell(entity, id, null)
    return { kind: 'done', id, version: locked.version }
  }
}

async function positionOf({ tx, app }: Scope, entity: string, id: string): Promise<string | null> {
  const [row] = await tx.run<{ place: string | null }>(statements(app, entity).of, { id })
  return row?.place ?? null
}

/** Where something stood; right behind what was put there since. */
async function freeAgain({ tx, app }: Scope, entity: string, from: string | null): Promise<string | null> {
  const { taken, next } = statements(app, entity)
  if (from === null || (await tx.run(taken, { at: from })).length === 0) return from
  return formatDecimal(within({ below: parseDecimal(from), above: await placeAt(tx, next, from) }))
}

async function placeAt(tx: Tx, statement: Statement, at: string | null = null): Promise<Decimal | null> {
  const [row] = await tx.run<{ place: string | null }>(statement, { at })
  return row?.place == null ? null : parseDecimal(row.place)
}

/** Between which places it goes; null on a side: there is nothing on that one. */
interface Gap {
  readonly below: Decimal | null
  readonly above: Decimal | null
}

/** Null: the other one is not there, or not for whoever moves. */
async function gapAt(
  { tx, app, request, policy }: Scope,
  entity: string,
  place: Exclude<Place, Moved>,
): Promise<Gap | null> {
  const { first, given, next, previous } = statements(app, entity)
  if (place === 'first') return { below: null, above: await placeAt(tx, first) }
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
    ? { below: await placeAt(tx, previous, at), above: beside }
    : { below: beside, above: await placeAt(tx, next, at) }
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
      taken: built(sql`select from ${table} where ${place} = ${slot('at')}::numeric limit 1`),
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
