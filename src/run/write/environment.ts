/**
 * What expressions are evaluated against. What rules need of other records is loaded when they ask for it, and locked against change until
 * the transaction ends.
 */
import { type Environment, NOT_LOADED, type NotLoaded } from '../../expression/evaluate.ts'
import { memoize } from '../../expression/memoize.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { Reader, Tx } from '../../store/pool.ts'
import type { Request } from '../request.ts'
import type { DraftRow } from './draft-record.ts'
import { loadRecords } from './record.ts'
import { type AskedSearch, searchesOf } from './searches.ts'

/** Records that rules ask for, by entity and id. Asking for one that is not here notes it, to be loaded before asking again. */
export interface Related {
  readonly find: Environment['related']
  /** Whether it was found before; notes nothing. */
  readonly has: (entity: string, id: string) => boolean
  /** Puts a record in that is being written, so that rules see it as it will be. */
  readonly put: (entity: string, record: RecordValue) => void
  /** Which entity a record that is here is of. */
  readonly entityOf: (record: RecordValue) => string | null
  /** What a search finds; it is noted like a record that is not here. */
  readonly search: (request: Request, asked: AskedSearch) => Wire | NotLoaded
  /** Searches are made anew: something was written that they may find. */
  readonly forget: () => void
  /** Loads what was asked for; false when nothing was. */
  readonly load: () => Promise<boolean>
}

/**
 * Records are locked against change while the transaction lasts: a rule that held stays true until the commit. `as it is`: they are
 * only looked at.
 */
export function relatedRecords(tx: Tx, app: App): Related
export function relatedRecords(reader: Reader, app: App, how: 'as it is'): Related
export function relatedRecords(reader: Reader, app: App, how: 'as it is' | 'locked' = 'locked'): Related {
  const known = new Map<string, Map<string, RecordValue | null>>()
  let wanted = new Map<string, Set<string>>()
  const of = (entity: string) => memoize(known, entity, () => new Map<string, RecordValue | null>())
  const searches = searchesOf(reader, app)
  return {
    search: searches.find,
    forget: searches.forget,
    entityOf: record => [...known].find(([, records]) => records.get(record.id as string) === record)?.[0] ?? null,
    find(entity, id) {
      const record = of(entity).get(id)
      if (record === undefined) wanted.set(entity, (wanted.get(entity) ?? new Set()).add(id))
      return record ?? undefined
    },
    has: (entity, id) => (of(entity).get(id) ?? null) !== null,
    put: (entity, record) => void of(entity).set(record.id as string, record),
    async load() {
      const asked = wanted
      wanted = new Map()
      await Promise.all(
        [...asked].map(async ([entity, ids]) => {
          for (const record of await loadRecords(reader, app, entity, [...ids], how)) of(entity).set(record.id, record)
          for (const id of ids) if (!of(entity).has(id)) of(entity).set(id, null)
        }),
      )
      // What is searched for may go by what was just found.
      return asked.size > 0 || (await searches.make())
    },
  }
}

/** Nothing is at hand and nothing is loaded. */
export const relatedNothing: Related = {
  find: () => undefined,
  has: () => false,
  put: () => {},
  entityOf: () => null,
  search: () => NOT_LOADED,
  forget: () => {},
  load: async () => false,
}

/** What expressions are evaluated against, for one record of a request. */
export function environmentOf(
  request: Request,
  related: Related,
  row: RecordValue,
  old: RecordValue | null,
): Environment {
  return {
    row,
    old,
    me: request.actor.id,
    my: null,
    today: request.today,
    now: request.now.toISOString(),
    limits: request.limits,
    closed: request.closed,
    related: related.find,
    functions: request.functions,
  }
}

/**
 * The same for the rules of a field, which may search other records: those are as they are stored by then, and what is written with the
 * record is not among them (`N1325`).
 */
export function environmentOfRules(
  app: App,
  request: Request,
  related: Related,
  { of, row, before }: Pick<DraftRow, 'of' | 'before'> & { readonly row: RecordValue },
): Environment {
  const named = (entity: string, record: RecordValue | null) => (record === null ? null : { entity, record })
  const entityOf = (about: RecordValue) => (about === row ? of : (related.entityOf(about) ?? of))
  return {
    ...environmentOf(request, related, row, before),
    search(search, record) {
      const entity = entityOf(record)
      const { partOf } = app.entities.get(entity)!
      const above =
        partOf === null
          ? null
          : named(partOf, related.find(partOf, String(record[app.schema.get(entity)!.parent!])) ?? null)
      return related.search(request, { search, about: { entity, record }, above, old: named(of, before) })
    },
  }
}

/** Asks until everything that the question needed is at hand: what was asked for once is, so it ends. */
export async function withRelated<Value>(related: Related, question: () => Value): Promise<Value> {
  for (;;) {
    const answer = question()
    if (!(await related.load())) return answer
  }
}
