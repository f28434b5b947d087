/** Changes and new items of store-room.md, compared with rights.ts: the answer, and what the database says happened. */
import type { Client, Response } from '../client.ts'
import { type Desk, hashOfAll, type Person, type Server } from '../desk.ts'
import * as rights from './rights.ts'

const item = '0a000000-0000-4000-8000-000000000011'
const label = '0a000000-0000-4000-8000-000000000012'

interface Values {
  readonly keeper?: Person
  readonly weight?: number
}

/** A way in. By the last two a job does it, and what it was told stands in its rows. */
export interface Way {
  readonly name: 'API' | 'form' | 'many at once' | 'import'
  readonly change: (client: Client, values: Values) => Promise<Response>
}

const sent = ({ keeper, weight }: Values): Readonly<Record<string, string>> => ({
  ...(keeper === undefined ? {} : { keeper: keeper.id }),
  ...(weight === undefined ? {} : { weight: String(weight) }),
})

export const api: Way = { name: 'API', change: (client, values) => client.api('PATCH', `/item/${item}`, sent(values)) }
export const form: Way = { name: 'form', change: (client, values) => client.post('/items/A-1/edit', sent(values)) }

/** One field of all that are chosen. */
const manyAtOnce: Way = {
  name: 'many at once',
  async change(client, values) {
    const [[field, value] = ['', '']] = Object.entries(sent(values))
    const fields = { _list: '/items', id: item, _field: field, _asked: 'yes', [field]: value }
    return applied(client, await client.post('/-/bulk?entity=item', fields))
  },
}

const byImport: Way = {
  name: 'import',
  async change(client, { keeper, weight }) {
    const columns = { tag: 'A-1', ...(keeper && { keeper: keeper.name }), ...(weight && { weight }) }
    const file = new FormData()
    file.set('_csrf', await client.token())
    file.set('file', new Blob([`${Object.keys(columns).join()}\n${Object.values(columns).join()}\n`]), 'items.csv')
    const encoded = new globalThis.Response(file)
    const job = await client.request('/-/import?entity=item', {
      method: 'POST',
      headers: { 'content-type': encoded.headers.get('content-type')!, 'sec-fetch-site': 'same-origin' },
      body: Buffer.from(await encoded.arrayBuffer()),
    })
    const fields = Object.fromEntries(Object.keys(columns).map((field, at) => [`c${at}`, field]))
    await client.post(job.headers.location!, { do: 'check', key: 'tag', ...fields })
    return applied(client, job)
  },
}

const applied = (client: Client, { headers }: Response) => client.post(headers.location!, { do: 'apply' })

export const ways: readonly Way[] = [api, form, manyAtOnce, byImport]
const isJob = ({ name }: Pick<Way, 'name'>): boolean => name === 'many at once' || name === 'import'

/** Of jobs: of everything but what they write about themselves. */
async function hashOf({ sql }: Desk, way: Way): Promise<string> {
  if (!isJob(way)) return hashOfAll(sql)
  const { rows } = await sql.query<{ records: string }>(
    `select concat((select jsonb_agg(t) from public.item as t), (select jsonb_agg(t) from ninefold.outbox as t),
       (select jsonb_agg(t) from ninefold.history as t), (select jsonb_agg(t) from ninefold.counter as t)) as records`,
  )
  return rows[0]!.records
}

/** What is answered: done, or with which status and code it was refused. The pages of forms tell no code, jobs no status. */
function answerOf({ status, text }: Response, { name }: Pick<Way, 'name'>): string {
  if ([200, 201, 303].includes(status)) return 'done'
  return name === 'API' ? `${status} ${/"code":"([^"]+)"/.exec(text)?.[1]}` : String(status)
}

async function answerOfJob({ sql }: Desk): Promise<string> {
  const { rows } = await sql.query<{ answer: string }>(
    `select case state when 'done' then state else problems -> 0 ->> 'code' end as answer from ninefold.job_row`,
  )
  return rows.map(({ answer }) => answer).join()
}

function expectedOf(answer: rights.Answer, way: Pick<Way, 'name'>): string {
  if (answer === 'done' || isJob(way)) return answer
  return way.name === 'API' ? `403 ${answer}` : '403'
}

/** The one item, with a label of whoever asks. */
async function arrange({ sql, people }: Desk, who: rights.Who, { own, weight }: rights.Item): Promise<void> {
  await empty(sql)
  await sql.query(
    `insert into public.item (id, created_at, changed_at, number, tag, keeper, weight)
     values ($1, now(), now(), 'I-9001', 'A-1', $2, $3)`,
    [item, own ? people[who].id : people.Otto.id, weight],
  )
  await sql.query(
    `insert into public.label (id, created_at, changed_at, item, position, number, author, text)
     values ($1, now(), now(), $2, 1, 'L-9001', $3, 'old')`,
    [label, item, people[who].id],
  )
}

async function empty(sql: Desk['sql']): Promise<void> {
  for (const table of ['public.label', 'public.item', 'ninefold.history', 'ninefold.outbox', 'ninefold.job'])
    await sql.query(`delete from ${table}`)
}

const say = ({ own, weight }: rights.Item) => `${own ? 'own' : "another's"} of ${weight}`

/** From every item to every other. */
export async function tryChanging(desk: Desk, server: Server, way: Way): Promise<readonly string[]> {
  const wrong: string[] = []
  const items = [true, false].flatMap(own => [50, 150, 600].map(weight => ({ own, weight })))
  for (const who of rights.whos)
    for (const before of items)
      for (const after of items) {
        const keeper = after.own ? desk.people[who] : desk.people.Otto
        const values = {
          ...(after.own !== before.own && { keeper }),
          ...(after.weight !== before.weight && { weight: after.weight }),
        }
        const fields = Object.keys(values).length
        if (fields === 0 || (way.name === 'many at once' && fields > 1)) continue
        await arrange(desk, who, before)
        const hash = await hashOf(desk, way)
        const response = await way.change(server.as(desk.people[who]), values)
        const answer = isJob(way) ? await answerOfJob(desk) : answerOf(response, way)
        const expected = expectedOf(rights.change(who, before, after), way)
        const { rows } = await desk.sql.query('select from public.item where keeper = $1 and weight = $2', [
          keeper.id,
          after.weight,
        ])
        const isDone = rows.length === 1
        const isWrong =
          answer !== expected || isDone !== (expected === 'done') || ((await hashOf(desk, way)) === hash) === isDone
        if (isWrong)
          wrong.push(`${who}: ${say(before)} to ${say(after)} is ${answer} and not ${expected}; written: ${isDone}`)
      }
  return wrong
}

/** Fields of a label of one's own item, to which another one is added. */
export async function tryChangingLabels(desk: Desk, server: Server, { name }: Way): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const who of rights.whos)
    for (const own of [true, false]) {
      await arrange(desk, who, { own: true, weight: 50 })
      const hash = await hashOfAll(desk.sql)
      const values = { id: label, author: own ? desk.people[who].id : desk.people.Otto.id, text: 'new' }
      const labels = [values, { author: desk.people[who].id, text: 'added' }]
      const client = server.as(desk.people[who])
      const response = await (name === 'API'
        ? client.api('PATCH', `/item/${item}`, { labels })
        : client.post('/items/A-1/edit', inForm(labels)))
      const answer = answerOf(response, { name })
      const expected = expectedOf(rights.changeLabel({ own }), { name })
      if (answer !== expected || ((await hashOfAll(desk.sql)) === hash) === own)
        wrong.push(`${who}: a label to ${own ? 'own' : "another's"} is ${answer} and not ${expected}`)
    }
  return wrong
}

const inForm = (rows: readonly Readonly<Record<string, string>>[]) =>
  Object.fromEntries(
    rows.flatMap((row, at) => Object.entries(row).map(([key, value]) => [`labels.${at}.${key}`, value])),
  )

/**
 * New items, with labels. All attempts up to the next that is done carry the same key, and that one gets the next numbers: what is
 * denied has used nothing up.
 */
export async function tryCreating(desk: Desk, server: Server, { name }: Way): Promise<readonly string[]> {
  const wrong: string[] = []
  const { sql, people } = desk
  const claims = async () => (await sql.query('select from ninefold.idempotency')).rows.length
  let last = await lastNumbers(desk)
  let key = keyOf(name, last.item)
  for (const { who, held, own, weight, authors } of newItems()) {
    await empty(sql)
    for (let at = 0; at < held; at++)
      await sql.query(
        `insert into public.item (id, created_at, changed_at, number, tag, keeper, weight)
         values (gen_random_uuid(), now(), now(), $1, $1, $2, 1)`,
        [`I-900${at}`, people[who].id],
      )
    const before = { hash: await hashOfAll(sql), claims: await claims() }
    const keeperOf = (isOwn: boolean) => (isOwn ? people[who].id : people.Otto.id)
    const values = { tag: 'N-1', keeper: keeperOf(own), weight: String(weight) }
    const labels = authors.map(author => ({ author: keeperOf(author.own), text: 'new' }))
    const client = server.as(people[who])
    const response = await (name === 'API'
      ? client.api('POST', '/item', { ...values, labels }, { 'idempotency-key': key })
      : client.post('/items/new', { ...values, ...inForm(labels), _once: key }))
    const expected = rights.create({ own, weight }, held, authors)
    const answer = answerOf(response, { name })
    const is: string[] = answer === expectedOf(expected, { name }) ? [] : [`is ${answer} and not ${expected}`]
    const given = await lastNumbers(desk)
    const used = [given.item - last.item, given.label - last.label].join()
    const calls = (await sql.query('select from ninefold.outbox')).rows.length
    const claimed = (await claims()) - before.claims
    const isToBeDone = expected === 'done'
    if (used !== (isToBeDone ? `1,${labels.length}` : '0,0')) is.push(`uses up ${used} numbers`)
    if (calls !== Number(isToBeDone)) is.push(`makes ${calls} calls`)
    if (claimed !== Number(isToBeDone)) is.push(`claims ${claimed} keys`)
    if (((await hashOfAll(sql)) === before.hash) === isToBeDone)
      is.push(isToBeDone ? 'changes nothing' : 'changes the database')
    if (isToBeDone) key = keyOf(name, given.item)
    last = given
    const what = `${who}, who keeps ${held}: create ${say({ own, weight })} with ${labels.length} labels`
    wrong.push(...is.map(text => `${what} ${text}`))
  }
  return wrong
}

/** Those that are denied first. */
function newItems() {
  const authors = [[{ own: true }, { own: false }], [], [{ own: true }, { own: true }]]
  return rights.whos.flatMap(who =>
    [2, 1].flatMap(held =>
      [false, true].flatMap(own =>
        [1000, 600].flatMap(weight => authors.map(authors => ({ who, held, own, weight, authors }))),
      ),
    ),
  )
}

async function lastNumbers({ sql }: Desk): Promise<{ readonly item: number; readonly label: number }> {
  const { rows } = await sql.query<{ entity: string; value: string }>('select entity, value from ninefold.counter')
  const of = (entity: string) => Number(rows.find(row => row.entity === entity)?.value ?? 0)
  return { item: of('item'), label: of('label') }
}

const keyOf = (name: string, after: number) => `${name}-key-after-${after}`
