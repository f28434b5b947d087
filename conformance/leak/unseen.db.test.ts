/**
 * A field that somebody may not see is no field: whatever is done with its name (filter, sort, search, write, by address, form and
 * API), the answer is the one that a name gets that nobody ever thought of.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Client, Message } from '../client.ts'
import { type Desk, editedDesk, openDesk, type Server, startServer } from '../desk.ts'
import { narrowDesk } from './narrow.ts'

let paper: ReturnType<typeof editedDesk>
let desk: Desk
let server: Server

beforeAll(async () => {
  paper = editedDesk(narrowDesk)
  desk = await openDesk(inject('databaseUrl'), paper.path)
  server = await startServer(desk)
})
afterAll(async () => {
  await server.stop()
  await desk.drop()
  paper.drop()
})

/** Who, of which entity, which field; and a name of the same length that there is not. */
const unseen = [
  ['Ben', 'loan', 'total_value', 'total_valve'],
  ['Ben', 'loan', 'register_ref', 'register_red'],
  ['Mia', 'loan', 'register_ref', 'register_red'],
  ['Ben', 'item', 'value', 'valve'],
  ['Ben', 'person', 'email', 'emaul'],
  ['Cleo', 'person', 'email', 'emaul'],
] as const

const lists: Readonly<Record<string, readonly string[]>> = {
  loan: ['/loans', '/all', '/api/v1/loan'],
  item: ['/items', '/api/v1/item'],
  person: ['/api/v1/person'],
}

const queries = [
  'F=900.00',
  'F=nonsense',
  'F=',
  'F=1&F=2',
  'F.is-empty=yes',
  'F.is-empty=maybe',
  'F.at-least=1',
  'F.contains=a',
  'F.nonsense=1',
  'F.a.b=1',
  'sort=F',
  'sort=-F',
  'sort=F,-number',
  'sort=number,F,nonsense',
  'nonsense=1&F=5&sort=F&more=2',
  'F=5&limit=0',
  'q=F&F=5',
  '_F=5',
]

for (const [who, entity, field, invented] of unseen)
  test(`${entity}.${field} is to ${who} as if it were not there`, async () => {
    const client = server.as(desk.people[who])
    const same = await different(client, entity, field, invented)
    expect(same.slice(0, 3)).toEqual([])
  })

test('the same comparison finds a field that is there', async () => {
  expect((await different(server.as(desk.people.Mia), 'loan', 'total_value', 'total_valve')).length).toBeGreaterThan(10)
})

test('a field of rows that may not be seen cannot be written or asked for', async () => {
  const ben = server.as(desk.people.Ben)
  const loan = await ownDraft(ben)
  const wrong: string[] = []
  for (const [text, shape] of bodies('value', 'valve')) {
    const send = (body: string) =>
      ben.api('PATCH', `/loan/${loan.id}`, {
        lines: [{ item: desk.items['LA-0007'], ...(JSON.parse(body) as object) }],
      })
    if (plain(await send(text), 'value', 'valve') !== plain(await send(shape), 'value', 'valve')) wrong.push(text)
  }
  expect(wrong).toEqual([])
})

async function ownDraft(client: Client): Promise<{ id: string; number: string }> {
  const made = await client.api('POST', '/loan', {
    due_back: '2026-03-06',
    lines: [{ item: desk.items['LA-0007'] }],
    purpose: 'mine',
  })
  return JSON.parse(made.text) as { id: string; number: string }
}

function bodies(field: string, invented: string): readonly (readonly [string, string])[] {
  return [
    '{"F":"5.00"}',
    '{"F":"nonsense"}',
    '{"F":5}',
    '{"F":null}',
    '{"F":""}',
    '{"F":{}}',
    '{"F":[]}',
    '{"F":"x","due_back":"never"}',
  ].map(body => [body.replace('F', field), body.replace('F', invented)] as const)
}

/** Requests that tell the two names apart. */
async function different(client: Client, entity: string, field: string, invented: string): Promise<readonly string[]> {
  const found: string[] = []
  const both = async (what: string, ask: (name: string) => Message & { path: string }) => {
    const [seen, not] = [ask(field), ask(invented)]
    const first = plain(await client.request(seen.path, seen), field, invented)
    const second = plain(await client.request(not.path, not), field, invented)
    if (first !== second) found.push(`${what}\n${first.slice(-700)}\n---\n${second.slice(-700)}`)
  }
  for (const list of lists[entity] ?? [])
    for (const query of queries)
      await both(`${list}?${query}`, name => ({ path: `${list}?${query.replaceAll('F', name)}` }))
  await both('/-/options', name => ({ path: `/-/options?entity=${entity}&field=${name}&q=a` }))
  const json = { 'content-type': 'application/json' }
  const loan = entity === 'loan' ? await ownDraft(client) : null
  for (const body of bodies('F', 'F').map(([text]) => text)) {
    const write = (path: string, method: string) =>
      both(`${method} ${path} ${body}`, name => ({ path, method, headers: json, body: body.replace('F', name) }))
    await write(`/api/v1/${entity}`, 'POST')
    if (loan !== null) await write(`/api/v1/loan/${loan.id}`, 'PATCH')
  }
  if (loan === null) return found
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const token = encodeURIComponent(await client.token())
  for (const path of ['/loans/new', `/loans/${loan.number}/edit`])
    for (const value of ['5', 'nonsense', ''])
      await both(`POST ${path} ${value}`, name => ({
        path,
        method: 'POST',
        headers: form,
        body: `${name}=${value}&_take.${name}=yours&due_back=never&_csrf=${token}`,
      }))
  return found
}

/** Without either name, and without the ids that count every request. */
const plain = (response: { status: number; head: string; text: string }, field: string, invented: string): string =>
  `${response.status}\n${response.head}\n\n${response.text}`
    .replaceAll(field, 'F')
    .replaceAll(invented, 'F')
    .replace(/01900000-0000-7000-8000-[0-9a-f]{12}/g, 'id')
