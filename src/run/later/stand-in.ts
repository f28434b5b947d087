/**
 * What stands in, in `dev`, for applications whose address or secret the environment does not have: calls go there over HTTP like any other,
 * are kept to be looked at, and are answered as somebody chose, or else as the document expects of a success.
 */
import type { Checked } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import { sql } from '../../expression/sql.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { AnswerAct, Call, Receive } from '../../headings/7-calls/model.ts'
import type { App } from '../../headings/app.ts'
import { nested } from '../../kinds/calls/http/body.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Reader, Store } from '../../store/pool.ts'
import { shownAddress } from './egress.ts'
import type { StoredCall } from './outbox.ts'

/** What a call is answered. `status` null: nothing, until it gives up. */
export interface Chosen {
  readonly status: number | null
  /** JSON, or another text. */
  readonly body: string
}

export interface ReceivedCall {
  readonly id: string
  readonly at: string
  readonly name: string
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly answered: number | null
}

/** What it was sent, by the row of the outbox; null: there is no such call. */
export async function sentCall(
  reader: Reader,
  app: App,
  entry: string,
): Promise<{ readonly name: string; readonly address: string } | null> {
  const [row] = await reader.query<{ name: string; payload: StoredCall }>(
    sql`select name, payload from ninefold.outbox where id::text = ${entry} and kind = 'call'`,
  )
  if (row === undefined) return null
  return { name: row.name, address: shownAddress(app, row.payload.url) }
}

export async function keepReceived(store: Store, entry: string, call: ReceivedCall): Promise<void> {
  const { id, at, name, method, address, headers, body, answered } = call
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.received_call (id, at, entry, name, method, address, headers, body, answered)
      values (${id}::uuid, ${at}::timestamptz, ${entry}::uuid, ${name}, ${method}, ${address}, ${JSON.stringify(headers)}::jsonb, ${body}, ${answered}::integer)`),
  )
}

const columns = sql`id, at, name, method, address, headers, body, answered::text as answered`

type Row = Omit<ReceivedCall, 'answered'> & { readonly answered: string | null }

const receivedOf = ({ answered, ...row }: Row): ReceivedCall => ({
  ...row,
  answered: answered === null ? null : Number(answered),
})

/** The newest first. */
export async function readReceived(reader: Reader, most: number): Promise<readonly ReceivedCall[]> {
  const rows = await reader.query<Row>(
    sql`select ${columns} from ninefold.received_call order by at desc, id desc limit ${most}::bigint`,
  )
  return rows.map(receivedOf)
}

export async function readOneReceived(reader: Reader, id: string): Promise<ReceivedCall | null> {
  const [row] = await reader.query<Row>(sql`select ${columns} from ninefold.received_call where id::text = ${id}`)
  return row === undefined ? null : receivedOf(row)
}

/** What the next call of this name is answered. */
export async function chosenFor(reader: Reader, app: App, call: Call): Promise<Chosen> {
  const [row] = await reader.query<{ status: string | null; body: string }>(
    sql`select status::text as status, body from ninefold.chosen_answer where name = ${call.key}`,
  )
  if (row === undefined) return expectedOf(app, call)
  return { status: row.status === null ? null : Number(row.status), body: row.body }
}

export async function choose(store: Store, call: string, { status, body }: Chosen): Promise<void> {
  await store.inTransaction(tx =>
    tx.write(sql`insert into ninefold.chosen_answer (name, status, body) values (${call}, ${status}::integer, ${body})
      on conflict (name) do update set status = excluded.status, body = excluded.body`),
  )
}

/** Statuses that the document tells apart, and one of each that it need not: success, refusal, a fault. */
export function statusesOf({ answers }: Call): readonly number[] {
  const told = answers.flatMap(({ statuses }) => statuses.map(one => Number(one.replace('xx', '00'))))
  return [...new Set([...told, successOf(answers), 422, 503])].sort((left, right) => left - right)
}

const successOf = (answers: Call['answers']): number =>
  Number(answers.flatMap(({ statuses }) => statuses).find(one => /^2\d\d$/.test(one)) ?? 200)

/** A success, with a value that fits for all that the document makes something of. */
function expectedOf(app: App, call: Call): Chosen {
  const fields = app.entities.get(call.entity ?? '')?.fields ?? []
  const successes = call.answers.filter(({ statuses }) => statuses.some(one => one.startsWith('2')))
  const acts = successes.flatMap(({ then }) => then)
  const pulled = acts.flatMap(act => (act.kind === 'receive' ? messagesOf(app, act) : []))
  const set = acts
    .flatMap(act => (act.kind === 'set' ? act.values : []))
    .flatMap(({ field, value }) => {
      const found = fields.find(({ key }) => key === field)
      const example = found === undefined ? null : exampleOf(found)
      return answersIn(value.root).map(name => [name, example] as const)
    })
  const whole = pulled.find(([from]) => from === '')?.[1]
  const body = whole ?? nested(Object.fromEntries([...pulled, ...set]))
  return { status: successOf(call.answers), body: JSON.stringify(body, null, 2) }
}

/** Where in an answer messages are pulled from, with one of them. */
function messagesOf(
  app: App,
  { message, from }: Extract<AnswerAct, { kind: 'receive' }>,
): readonly [string, unknown[]][] {
  const found = app.receives.get(message)
  return found === undefined ? [] : [[from, [JSON.parse(messageOf(app, found)) as unknown]]]
}

const answersIn = (node: Checked): readonly string[] =>
  node.op === 'answer' ? [node.name] : partsOf(node).flatMap(answersIn)

/** A message that others might send. */
export function messageOf(app: App, { entity, takes }: Receive): string {
  const { fields } = app.entities.get(entity)!
  const values = takes.map(({ name, field }) => [name, exampleOf(fields.find(({ key }) => key === field)!)])
  return JSON.stringify(Object.fromEntries(values))
}

/** What somebody else might say of a field, as JSON. */
function exampleOf({ kind: name, parameters }: Field): unknown {
  const kind = fieldKind(name)
  // The first example of a kind is the smallest.
  const [first, second = first] = kind.examples.find(({ good }) => good.length > 0)?.good ?? []
  if (parameters.choices !== undefined) return parameters.choices[0]
  if (second === undefined) return null
  const json = kind.toJson(second.wire, parameters)
  return typeof json === 'string' && parameters.length !== undefined ? json.slice(0, parameters.length) : json
}
