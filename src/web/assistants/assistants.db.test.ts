/** The served application as an assistant has it: by the protocol's own client, with somebody's key. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { makeKey } from '../sign-in/api-keys.ts'
import { startTestWeb, type TestWeb } from '../testing.ts'

let web: TestWeb
const clients: Client[] = []
beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await web?.stop()
})

const random = (size: number) => crypto.getRandomValues(Buffer.alloc(size))

/** A key of this demo person, in this role. */
async function keyOf(name: string, role: string, { run } = web): Promise<string> {
  const made = await run.runtime.store.inTransaction(tx =>
    makeKey(tx, random, {
      id: crypto.randomUUID(),
      person: run.people[name]!,
      name: `Claude ${crypto.randomUUID().slice(0, 8)}`,
      role,
      now: run.now,
      ends: new Date(run.now.getTime() + 86_400_000),
      signIn: false,
    }),
  )
  if ('refused' in made) throw new Error(made.refused)
  return made.key
}

async function assistantOf(key: string, { url } = web): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/-/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport as Parameters<Client['connect']>[0])
  clients.push(client)
  return client
}

/** What a tool says: as JSON where it is that. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { content, isError } = (await client.callTool({ name, arguments: given })) as {
    content: readonly { text: string }[]
    isError?: boolean
  }
  const { text } = content[0]!
  return { isError: isError === true, text, json: (/^\{/.test(text) ? JSON.parse(text) : null) as never }
}

test('whoever has no key, or a session alone, is not let in', async () => {
  const ask = (headers: Record<string, string>, method = 'POST') =>
    fetch(`${web.url}/-/mcp`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {}),
    })
  const key = await keyOf('Cleo', 'Clerk')
  const bearer = { authorization: `Bearer ${key}` }
  const cookie = [...(await web.browser('Cleo')).cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await ask({ cookie })).status).toBe(401)
  expect([(await ask({})).status, (await ask({ authorization: 'Bearer nf_x' })).status]).toEqual([401, 401])
  expect((await ask(bearer, 'GET')).status).toBe(405)
  const answered = await ask(bearer)
  expect([answered.status, await answered.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
  const wrong = await fetch(`${web.url}/-/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer },
    body: '[]',
  })
  expect(wrong.status).toBe(400)
})

test('an assistant finds, reads, creates, changes and takes a step with the rights of the key, and the history says so', async () => {
  const borrower = await assistantOf(await keyOf('Ben', 'Borrower'))
  expect((await borrower.listTools()).tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['describe', true],
    ['find', true],
    ['read', true],
    ['create', false],
    ['change', false],
    ['take_step', false],
    ['delete', false],
    ['why', true],
  ])
  expect(borrower.getInstructions()).toContain('You act as Ben')
  const { entities } = (await call(borrower, 'describe', {})).json as { entities: { key: string }[] }
  expect(entities.map(({ key }) => key)).toContain('loan')
  const { schemas } = (await call(borrower, 'describe', { entity: 'loan' })).json as { schemas: object }
  expect(Object.keys(schemas)).toContain('LoanCreate')
  const found = (await call(borrower, 'find', { entity: 'item', filters: { tag: 'CA-0001' } })).json as {
    data: { id: string }[]
  }
  const created = (await call(borrower, 'create', {
    entity: 'loan',
    values: {
      borrower: web.run.people.Ben,
      out_on: '2026-03-02',
      due_back: '2026-03-05',
      lines: [{ item: found.data[0]!.id }],
    },
  })) as { isError: boolean; json: { id: string; version: number } }
  expect(created.isError).toBe(false)
  const { id } = created.json
  const changed = await call(borrower, 'change', { entity: 'loan', id, values: { due_back: '2026-03-04' } })
  expect(JSON.parse(changed.text)).toMatchObject({ due_back: '2026-03-04' })
  expect((await call(borrower, 'why', { entity: 'loan', id })).text).toMatch(/^What may you do with /)
  const refused = await call(borrower, 'take_step', { entity: 'loan', id, step: 'hand_out' })
  expect(refused).toMatchObject({ isError: true, json: { code: expect.stringMatching(/^NF-/) } })
  expect((await call(borrower, 'take_step', { entity: 'loan', id, step: 'submit' })).json).toMatchObject({
    state: 'Requested',
  })
  const history = await web.run.runtime.store.query<{ what: string; api_key: string }>(
    sql`select what, api_key from ninefold.history where record = ${id}::uuid order by version`,
  )
  expect(history.map(({ what }) => what)).toEqual(['create', 'change', 'submit'])
  for (const { api_key } of history) expect(api_key).toMatch(/^Claude \w+ \(assistant\)$/)
})

test('what the person may not see or do is absent or refused for their assistant, too', async () => {
  const borrower = await assistantOf(await keyOf('Ben', 'Borrower'))
  const clerk = await assistantOf(await keyOf('Cleo', 'Clerk'))
  const items = (await call(clerk, 'find', { entity: 'item', limit: 1 })).json as { data: { id: string }[] }
  const values = { out_on: '2026-04-02', due_back: '2026-04-05', lines: [{ item: items.data[0]!.id }] }
  const made = await call(clerk, 'create', { entity: 'loan', values })
  const other = made.json as { id: string }
  expect(await call(borrower, 'read', { entity: 'loan', id: other.id })).toMatchObject({
    isError: true,
    json: { status: 404 },
  })
  expect(await call(borrower, 'why', { entity: 'loan', id: other.id })).toMatchObject({ isError: true })
  expect(await call(borrower, 'find', { entity: 'loan', filters: { nothing: 'x' } })).toMatchObject({
    isError: true,
    json: { status: 400 },
  })
  expect(await call(borrower, 'read', { entity: '../person', id: other.id })).toMatchObject({ isError: true })
  expect(await call(borrower, 'describe', { entity: 'nothing' })).toMatchObject({ isError: true })
})

test('what a tool does not take is refused, and never left out of a question', async () => {
  const clerk = await assistantOf(await keyOf('Cleo', 'Clerk'))
  const where = await call(clerk, 'find', { entity: 'item', where: { tag: 'CA-0001' } })
  expect(where).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^find takes entity, q, filters.*\n.*"where"/s),
  })
  for (const [tool, given] of [
    ['read', { entity: 'loan' }],
    ['find', { entity: 'item', filters: 'tag=CA-0001' }],
    ['find', { entity: 'item', filters: { tag: { is: 'CA-0001' } } }],
    ['find', { entity: 'item', limit: 'all' }],
    ['change', { entity: 'item', id: 'x', values: [] }],
    ['describe', { entities: 'loan' }],
  ] as const)
    expect([tool, given, (await call(clerk, tool, given)).isError]).toEqual([tool, given, true])
  const some = await call(clerk, 'find', { entity: 'item', filters: { tag: ['CA-0001', 'LA-0007'] } })
  expect((some.json as { data: { tag: string }[] }).data.map(({ tag }) => tag).sort()).toEqual(['CA-0001', 'LA-0007'])
})

test('a document says which roles assistants may act in, or that they may in none', async () => {
  const roles = (line: string) =>
    readSound(loanDesk, text => text.replace('- **Serves:**', `${line}\n- **Serves:**`)).assistants?.roles ?? null
  expect(['', '- **Assistants:** none', '- **Assistants:** TBD'].map(roles)).toEqual([null, [], []])
  const closed = await startTestWeb(
    inject('databaseUrl'),
    readSound(loanDesk, text =>
      text.replace(
        '- **Serves:**',
        '- **Assistants:** Manager, Borrower\n- **Assistants ask before:** submit of Loan, delete\n- **Serves:**',
      ),
    ),
  )
  try {
    expect(closed.run.runtime.app.assistants?.roles).toEqual(['Manager', 'Borrower'])
    const key = await keyOf('Cleo', 'Clerk', closed)
    const answer = await fetch(`${closed.url}/-/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    expect(answer.status).toBe(403)
    const borrower = await assistantOf(await keyOf('Ben', 'Borrower', closed), closed)
    const items = (await call(borrower, 'find', { entity: 'item', limit: 1 })).json as { data: { id: string }[] }
    const values = { out_on: '2026-03-02', due_back: '2026-03-05', lines: [{ item: items.data[0]!.id }] }
    const { id, number } = (await call(borrower, 'create', { entity: 'loan', values })).json as Record<string, string>
    for (const [tool, given, below] of [
      ['take_step', { step: 'submit' }, 'do/submit'],
      ['delete', {}, 'delete'],
    ] as const) {
      const left = await call(borrower, tool, { entity: 'loan', id, ...given })
      expect(left).toMatchObject({ isError: true, json: { status: 403, code: 'NF-ASK-PERSON' } })
      // Where the person does it.
      const [, address = ''] = /it: http:\/\/[^/]+([^"\s]+)/.exec(JSON.stringify(left.json)) ?? []
      const ben = await closed.browser('Ben')
      expect((await ben.get(address)).location).toBe(`/loans/${number}/${below}`)
    }
  } finally {
    await closed.stop()
  }
})
