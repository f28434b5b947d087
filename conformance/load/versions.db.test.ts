/** `serve` goes on with the document of before, while a newer one that gives a field another type is applied and served beside it. */
import { afterEach, expect, inject, test } from 'vitest'
import { Client, type Response } from '../client.ts'
import { type Desk, editedDesk, openDesk, type Started, startNode } from '../desk.ts'

const field = (type: string) =>
  editedDesk([['| purpose | long text 500 | | |', `| purpose | long text 500 | | |\n| seats | ${type} | | |`]])

const documents = [field('decimal 6.2'), field('integer')] as const
const started: Started[] = []
const clients: Client[] = []
let desk: Desk | undefined
afterEach(async () => {
  for (const one of clients) one.close()
  for (const one of started) await one.kill()
  await desk?.drop()
  for (const one of documents) one.drop()
})

type Asking = (method: string, path: string, value?: unknown) => Promise<Response>

async function serve(document: string): Promise<Asking> {
  const settings = { DATABASE_URL: desk!.url, HOST: '127.0.0.1', PORT: '0' }
  const server = startNode(['bin/ninefold.mjs', 'serve', document], settings)
  started.push(server)
  const port = Number(await server.find(/"event":"serving".*?"url":"[^"]*:(\d+)"/))
  const client = new Client(port, desk!.people.Ben.session)
  clients.push(client)
  return (method, path, value) => client.api(method, path, value, { host: `localhost:${port}` })
}

test('each reads and writes by its own type, and what the other one does not hold is refused', async () => {
  const [before, after] = documents
  desk = await openDesk(inject('databaseUrl'), before.path, new Date().toISOString())
  const item = desk.items['CA-0001']
  const former = await serve(before.path)
  const dueBack = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const create = (who: Asking, seats: string | number) =>
    who('POST', '/loan', { due_back: dueBack, seats, lines: [{ item }] })
  const made = async (who: Asking, seats: string | number) => {
    const { status, text } = await create(who, seats)
    expect([status, text]).toEqual([201, expect.anything()])
    return (JSON.parse(text) as { id: string }).id
  }
  const seats = async (who: Asking, id: string) =>
    (JSON.parse((await who('GET', `/loan/${id}`)).text) as { seats: unknown }).seats
  const first = await made(former, '3.00')

  const applying = startNode(['bin/ninefold.mjs', 'apply', after.path], { DATABASE_URL: desk.url })
  started.push(applying)
  expect(await new Promise(resolve => applying.child.once('exit', resolve))).toBe(0)
  const latter = await serve(after.path)

  const [second, third] = [await made(former, '4.00'), await made(latter, 5)]
  expect(await Promise.all([first, second, third].map(id => seats(former, id)))).toEqual(['3.00', '4.00', '5.00'])
  expect(await Promise.all([first, second, third].map(id => seats(latter, id)))).toEqual([3, 4, 5])
  const refused = await create(former, '7.50')
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ code: 'NF-NOT-KEPT', pointer: '/seats' })] }),
  ])
  const changed = await former('PATCH', `/loan/${third}`, { seats: '6.00' })
  expect(changed.status).toBe(200)
  expect(await seats(latter, third)).toBe(6)
})
