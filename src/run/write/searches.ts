/**
 * What the rules of a field find among all records of an entity (`max item.stock - sum(other Booking.pieces where item = this.item)`): by
 * the database, as those records are stored then, for a record that is in memory. Writes of both are as if one came after the other
 * (`together.ts`), so what was found is true until the commit.
 */
import { NOT_LOADED, type NotLoaded, type Search } from '../../expression/evaluate.ts'
import { memoize } from '../../expression/memoize.ts'
import { type Sql, sql } from '../../expression/sql.ts'
import { needsDatabase } from '../../expression/summary.ts'
import { type Row, toSql } from '../../expression/to-sql.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import type { Reader } from '../../store/pool.ts'
import { draftSql } from '../names.ts'
import { fromArray, selectArray } from '../read/select.ts'
import type { Request } from '../request.ts'
import { bindingsOf } from '../statements.ts'

interface InMemory {
  readonly entity: string
  readonly record: RecordValue
}

export interface AskedSearch {
  readonly search: Search
  /** `this`. */
  readonly about: InMemory
  /** What `this` is part of. */
  readonly above: InMemory | null
  readonly old: InMemory | null
}

export interface Searches {
  /** Not loaded as long as a field that it goes by is not in its record. */
  readonly find: (request: Request, asked: AskedSearch) => Wire | NotLoaded
  /** Makes those that were asked for, in one statement; false when none was. */
  readonly make: () => Promise<boolean>
  /** What was found may be otherwise by now. */
  readonly forget: () => void
}

export function searchesOf(reader: Reader, app: App): Searches {
  const found = new Map<Search, Map<string, Wire>>()
  let wanted: { readonly request: Request; readonly asked: AskedSearch; readonly key: string }[] = []
  return {
    find(request, asked) {
      const values = goneBy(app, asked)
      if (values.includes(undefined)) return NOT_LOADED
      const key = JSON.stringify(values)
      const known = memoize(found, asked.search, () => new Map<string, Wire>())
      if (known.has(key)) return known.get(key)!
      if (!wanted.some(one => one.asked.search === asked.search && one.key === key))
        wanted.push({ request, asked, key })
      return NOT_LOADED
    },
    forget: () => found.clear(),
    async make() {
      const made = wanted
      wanted = []
      if (made.length === 0) return false
      const parts = made.map(({ asked }, index) => ({
        name: `s${index}`,
        sql: searchSql(app, asked),
        type: asked.search.type.kind,
      }))
      const query = sql`select ${selectArray(parts)} as cells`
      const [answer] = await reader.query<{ cells: (string | null)[] }>(query, bindingsOf(made[0]!.request))
      const row = fromArray(parts, answer!.cells)
      for (const [index, { asked, key }] of made.entries()) found.get(asked.search)!.set(key, row[`s${index}`] ?? null)
      return true
    },
  }
}

/** The rules of a field that only the database can decide, each with the line that a refusal names. */
export const searchingRules = ({ required, min, max, onlyWhen, readOnlyWhen }: Field) =>
  [
    { cell: required?.cell ?? null, rule: required?.when ?? null },
    ...[min, max, onlyWhen, readOnlyWhen].map(rule => ({ cell: rule?.cell ?? null, rule })),
  ].flatMap(({ cell, rule }) =>
    cell !== null && rule !== null && needsDatabase(rule.root, rule.schema) ? [{ cell, rule }] : [],
  )

function searchSql(
  app: App,
  { search: root, about, above, old }: AskedSearch,
  tell: (of: InMemory, key: string) => void = () => {},
): Sql {
  const rowOf =
    (one: InMemory): Row =>
    key => {
      tell(one, key)
      return draftSql(app, one.entity, one.record, key)
    }
  const before = old === null ? {} : { old: rowOf(old) }
  const rows = { alias: rowOf(about), this: rowOf(about), above: above === null ? undefined : rowOf(above), ...before }
  return toSql({ root, schema: app.schema }, rows)
}

type Reads = readonly (readonly [of: number, key: string])[]

const readBySearch = new WeakMap<Search, Map<string, Reads>>()

/** The values that it goes by; undefined: not there yet. */
function goneBy(app: App, asked: AskedSearch): readonly RecordValue[string][] {
  const records = [asked.about, asked.above, asked.old]
  const reads = memoize(
    memoize(readBySearch, asked.search, () => new Map<string, Reads>()),
    records.map(one => one?.entity).join(' '),
    () => {
      const found = new Map<string, readonly [number, string]>()
      searchSql(app, asked, (one, key) => found.set(`${records.indexOf(one)} ${key}`, [records.indexOf(one), key]))
      return [...found.values()]
    },
  )
  return reads.map(([of, key]) => records[of]!.record[key])
}
