/** `serve` in two processes is asked to end while people use it: nobody notices, whoever sends them elsewhere in time. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Desk, editedDesk, openDesk, type Started, startNode } from '../desk.ts'

let desk: Desk
let server: Started
let port: number
let lines: string[]

async function serve(delay: number, document = desk.document) {
  server = startNode(['bin/ninefold.mjs', 'serve', document], {
    DATABASE_URL: desk.url,
    HOST: '127.0.0.1',
    PORT: '0',
    WEB_PROCESSES: '2',
    SHUTDOWN_DELAY: String(delay),
  })
  lines = []
  server.child.stdout!.on('data', text => lines.push(String(text)))
  port = Number(await server.find(/"event":"serving","url":"[^"]*:(\d+)".*\n(?:.*\n)*.*"event":"serving"/))
}
/** What was written down as a failure, the end awaited. */
async function ended() {
  const code = server.child.exitCode ?? (await new Promise<number | null>(end => server.child.once('exit', end)))
  const failures = lines
    .join('')
    .split('\n')
    .filter(line => line.startsWith('{"level":50'))
  return { code, failures, complaints: server.complaints() }
}

beforeEach(async () => {
  desk = await openDesk(inject('databaseUrl'), undefined, new Date().toISOString())
})
afterEach(async () => {
  await server?.kill()
  await desk?.drop()
})

interface Got {
  readonly status: number
  readonly closes: boolean
}

function get(path: string, agent: Agent | false = false): Promise<Got> & { readonly giveUp: () => void } {
  const headers = { host: `localhost:${port}`, cookie: `ninefold=${desk.people.Cleo.session}` }
  const asked = request({ host: '127.0.0.1', port, path, headers, agent })
  const got = new Promise<Got>((resolve, reject) => {
    asked.once('error', reject).once('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response
      response.resume().once('end', () => resolve({ status, closes: headers.connection === 'close' }))
      response.once('error', reject)
    })
  })
  asked.end()
  return Object.assign(got, { giveUp: () => asked.destroy() })
}

test('while others take over what comes, all that comes is answered: no reset and no failure', async () => {
  await serve(5)
  const [before, after]: [string[], string[]] = [[], []]
  let isSent = false
  let isReady = true
  const person = async (agent: Agent | false) => {
    while (isReady) {
      const what = await get('/loans', agent).then(
        ({ status, closes }) => (agent === false ? String(status) : `${status}${closes ? ' and closes' : ''}`),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )
      ;(isSent ? after : before).push(what)
    }
  }
  // Some keep their connections, as browsers do, and some come anew each time, as from a proxy.
  const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const people = [...agents, ...Array<false>(6).fill(false)].map(person)
  while (before.length < 48) await wait(20)
  isSent = server.child.kill('SIGTERM')
  while ((await get('/readyz')).status === 200) await wait(1)
  // Whoever balances load looks once in a while, and sends people here until it has seen that.
  while (after.length < 24) await wait(20)
  expect((await get('/livez')).status).toBe(200)
  isReady = false
  await Promise.all(people)
  expect(new Set(before)).toEqual(new Set(['200']))
  expect(new Set(after)).toEqual(new Set(['200', '200 and closes']))
  expect(await ended()).toEqual({ code: 0, failures: [], complaints: '' })
})

test('without time for that, what is under way is answered, and what nobody waits for any more is let come to its end', async () => {
  await serve(0)
  // Each process has some of these, and closes them when it ends.
  const idle = new Agent({ keepAlive: true })
  await Promise.all(Array.from({ length: 4 }, () => get('/-/sign-in', idle)))
  const open = Object.values(idle.freeSockets).flatMap(sockets => sockets ?? [])
  await desk.sql.query('begin')
  await desk.sql.query('lock table public.loan in access exclusive mode')
  const asked = Array.from({ length: 8 }, () => get('/loans'))
  const held = `select count(*)::integer as held from pg_locks where not granted and relation = 'public.loan'::regclass`
  while ((await desk.sql.query<{ held: number }>(held)).rows[0]!.held < asked.length) await wait(20)
  const waiting = asked.splice(0, 2)
  for (const one of asked) one.giveUp()
  expect(await Promise.allSettled(asked)).toEqual(Array(6).fill(expect.objectContaining({ status: 'rejected' })))
  server.child.kill('SIGTERM')
  await Promise.all(open.map(socket => socket.closed || once(socket, 'close')))
  await desk.sql.query('rollback')
  expect(await Promise.all(waiting)).toEqual(Array(2).fill({ status: 200, closes: true }))
  expect(await ended()).toEqual({ code: 0, failures: [], complaints: '' })
})

test('one by one gives way to a process that read the document anew, and none to one that cannot: nobody notices', async () => {
  const edited = editedDesk([])
  try {
    await serve(1, edited.path)
    const text = readFileSync(edited.path, 'utf8')
    const events = (name: string) => lines.join('').split(`"event":"${name}"`).length - 1
    const agent = new Agent({ keepAlive: true, maxSockets: 2 })
    const got: number[] = []
    let isOver = false
    const people = Array.from({ length: 4 }, async (_, nth) => {
      while (!isOver) got.push((await get('/loans', nth < 2 ? agent : false)).status)
    })
    writeFileSync(edited.path, text.replace('# Loan desk', '# Camera desk'))
    server.child.kill('SIGUSR2')
    while (events('serving') < 4 || events('stopped') < 2) await wait(100)
    const page = await fetch(`http://127.0.0.1:${port}/-/sign-in`)
    expect(await page.text()).toContain('Camera desk')

    writeFileSync(edited.path, text.replace('## 4 ', '## 14 '))
    server.child.kill('SIGUSR2')
    while (events('not started') < 1) await wait(100)
    await wait(1500)
    expect((await get('/loans')).status).toBe(200)
    isOver = true
    await Promise.all(people)
    expect(new Set(got)).toEqual(new Set([200]))
    expect([events('serving'), events('stopped'), events('process ended')]).toEqual([4, 2, 0])
    agent.destroy()
  } finally {
    edited.drop()
  }
})
