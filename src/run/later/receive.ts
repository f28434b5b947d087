/** Messages of others: found, put in order, and written through the one write path as the application itself. */
import { archivedAt } from '../../expression/archived.ts'
import { folded, foldedSql } from '../../expression/letters.ts'
import { raw, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Receive } from '../../headings/7-calls/model.ts'
import type { App } from '../../headings/app.ts'
import { decodeJson } from '../../kinds/fields/input.ts'
import { isStorable } from '../../kinds/fields/texts.ts'
import type { Tx } from '../../store/pool.ts'
import { archives } from '../access/archived.ts'
import { columnSql, comparedWithout, fromSql, typeOf } from '../names.ts'
import type { Input, Outcome } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { built, cachedStatement } from '../statements.ts'
import { sqlType } from '../values.ts'
import { inputOf } from '../write/decoded.ts'
import { stepInside } from '../write/step.ts'
import { changing, creating, notFound, type Work } from '../write/write.ts'
import { writing } from '../write/writing.ts'

/** What a message does. One after the other for one record; what is not newer than the record has is done already. */
export function receive(runtime: Runtime, request: Request, message: Receive, input: Input): Promise<Outcome> {
  const { app } = runtime
  const acting: Request = { ...request, actor: { id: null, name: null, roles: [], system: `receive ${message.key}` } }
  return writing(runtime, acting, message.key, message.entity, async tx => {
    const { entity, foundBy, does } = message
    const because = message.cell
    if (foundBy === null) return doneIn(tx, creating(runtime, acting, entity, input, { because }))
    const value = input.values[foundBy] ?? null
    if (value === null && input.invalidValues.length === 0) return notFound(app)
    await tx.run(inTurn, { name: `${entity} ${String(folded(comparedWithout(app, entity, foundBy), value))}` })
    const found = value === null ? null : await find(tx, app, message, value, input)
    if (found === null) {
      if (does === 'create' || does === 'create or change')
        return doneIn(tx, creating(runtime, acting, entity, input, { because }))
      // A value that does not fit finds nothing either; that it does not fit is what is told.
      return input.invalidValues.length > 0 ? { kind: 'refused', problems: input.invalidValues } : notFound(app)
    }
    if (found.isOld || does === 'create') return { kind: 'done', id: found.id, version: Number(found.version) }
    const { [foundBy]: _, ...values } = input.values
    const rest = { ...input, values }
    return typeof does === 'object'
      ? stepInside(tx, runtime, acting, { entity, id: found.id, step: does.step, version: null, input: rest })
      : doneIn(tx, changing(runtime, acting, entity, found.id, null, rest))
  })
}

/** What a message says of the fields that the document names: the sender may have more to say. */
export function messageInput(app: App, message: Receive, given: Readonly<Record<string, unknown>>): Input {
  const entity = app.entities.get(message.entity)!
  const mapped = Object.fromEntries(
    message.takes.flatMap(({ name, field }) => (Object.hasOwn(given, name) ? [[field, given[name]]] : [])),
  )
  const finder = entity.fields.find(({ key }) => key === message.foundBy)
  if (finder?.kind !== 'auto number') return inputOf(app, decodeJson(entity, app, mapped))
  // A number that the application gives finds its record, and is never written.
  const { [finder.key]: number, ...rest } = mapped
  const input = inputOf(app, decodeJson(entity, app, rest))
  return typeof number === 'string' && isStorable(number)
    ? { ...input, values: { ...input.values, [finder.key]: number.trim() } }
    : input
}

const doneIn = async (tx: Tx, work: Work): Promise<Outcome> => (typeof work === 'function' ? work(tx) : work)

/** Two messages about what is not there yet would both create it. */
const inTurn = built(sql`select pg_advisory_xact_lock(hashtextextended(${slot('name')}, 0))`)

interface Found {
  readonly id: string
  readonly version: string
  readonly isOld: boolean
}

async function find(tx: Tx, app: App, message: Receive, value: unknown, input: Input): Promise<Found | null> {
  const { entity, foundBy, newest } = message
  const query = cachedStatement(app, ['receive', entity, message.key], () => {
    const type = (key: string) => sqlType(typeOf(app, entity, key)!)
    const compared = (of: Sql) => foldedSql(comparedWithout(app, entity, foundBy!), of)
    const isOld =
      newest === null ? sql`false` : sql`(${columnSql('t', newest)} >= ${slot('newest')}::${type(newest)}) is true`
    // Of an archived record it is said that it is; one that has taken its place comes first.
    const order = archives(app, entity) ? sql`order by ${columnSql('t', archivedAt)} nulls first limit 1` : raw('')
    return built(sql`select ${columnSql('t', 'id')} as id, ${columnSql('t', 'version')} as version, ${isOld} as "isOld"
      from ${fromSql(entity, 't')} where ${compared(columnSql('t', foundBy!))} = ${compared(sql`${slot('value')}::${type(foundBy!)}`)} ${order} for update of t`)
  })
  const bindings = { value, newest: newest === null ? null : (input.values[newest] ?? null) }
  return (await tx.run<Found>(query, bindings))[0] ?? null
}
