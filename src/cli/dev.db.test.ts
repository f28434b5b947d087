/** `ninefold dev` as people start it: a process of its own, which is looked at from outside. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { patience } from '../../scripts/limits.ts'
import { raw } from '../expression/sql.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing.ts'

const bin = fileURLToPath(new URL('../../bin/ninefold.mjs', import.meta.url))

const shop = `# Shop
- **Ninefold:** 1

## 2 Screens and routes
| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /things | Things | everyone signed in | list of Thing |

## 3 Entities and their fields
### Thing
| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| note | text 80 | |
| pieces | integer | required |

#### Sample data
| name | note | pieces |
| --- | --- | --- |
| Lamp | from the attic | 3 |

## 5 Validation rules
| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Thing | \`pieces < 10\` | E-1 |

## 8 The error catalogue
| Code | Message | What to do | Status |
| --- | --- | --- | --- |
| E-1 | That is too many. | Take some away. | 422 |
`

let folder: string
let file: string
let database: TestDatabase
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold dev '))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'my documents'))
  file = join('my documents', 'shop.md')
  save(shop)
  database = await createTestDatabase(inject('databaseUrl'))
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const save = (text: string) => writeFileSync(join(folder, file), text)

interface Running {
  readonly output: () => string
  /** What of it stands on standard output. */
  readonly log: () => string
  /** Waits until it has printed this, after what was waited for before; the text up to there. */
  readonly says: (wanted: RegExp) => Promise<string>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Whoever reads what it prints goes away. */
  readonly unheard: () => void
  readonly ended: Promise<number | null>
}

function start(args: readonly string[], environment: Readonly<Record<string, string>>): Running {
  const { DATABASE_URL: _, VITEST: __, ...inherited } = process.env
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder, env: { ...inherited, ...environment } })
  started.push(child)
  let output = ''
  let log = ''
  let told = 0
  child.stdout.on('data', data => (log += String(data)))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += String(data)))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    output: () => output,
    log: () => log,
    async says(wanted) {
      for (let waited = 0; waited < patience.step; waited += 20) {
        const found = wanted.exec(output.slice(told))
        if (found !== null) {
          const text = output.slice(told, told + found.index + found[0].length)
          told += text.length
          return text
        }
        if (child.exitCode !== null) break
        await wait(20)
      }
      throw new Error(`It does not say ${wanted}, but: ${output.slice(told)}`)
    },
    signal: signal => void child.kill(signal),
    unheard: () => void child.stdout.destroy(),
    ended,
  }
}

const addressIn = (text: string) => /served on (http:\/\/localhost:\d+)/.exec(text)?.[1] ?? ''

/** Keeps a connection open as an open page does, and counts what it is told. */
async function openPage(url: string): Promise<{ readonly events: () => string; readonly close: () => void }> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/-/events`, { signal: leaving.signal })
  let events = ''
  const reading = (async () => {
    for await (const part of response.body!) events += Buffer.from(part).toString()
  })()
  reading.catch(() => {})
  return { events: () => events, close: () => leaving.abort() }
}

test('refuses a port that is taken or none, in words', async () => {
  const other = createServer().listen(0, 'localhost')
  await new Promise(done => other.once('listening', done))
  const { port } = other.address() as AddressInfo
  try {
    const taken = start(['dev', file], { DATABASE_URL: database.url, PORT: String(port) })
    expect(await taken.ended).toBe(1)
    expect(taken.output()).toBe(
      `Port ${port} is taken by another program. End that one, or choose another port: PORT=3001\n`,
    )
    expect(taken.output()).not.toContain('    at ')
  } finally {
    other.close()
  }
  const wrong = start(['dev', file], { DATABASE_URL: database.url, PORT: 'http' })
  expect(await wrong.ended).toBe(2)
  expect(wrong.output()).toBe("PORT is 'http'; it must be a whole number up to 65535.\n")
})

test('a second one of the same document says where the first serves, which a killed one does not', async () => {
  const server = createServer().listen(0, 'localhost')
  await new Promise(done => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  server.close()
  const environment = { DATABASE_URL: database.url, PORT: String(port) }
  const first = start(['dev', file], environment)
  const url = addressIn(await first.says(/browser shows it/))
  const second = start(['dev', file], environment)
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(
    new RegExp(`^\`dev\` serves this document already, on ${url} \\(process \\d+\\)\\. It shows each change`),
  )
  const embedded = start(['dev', file], { PORT: '0' })
  expect(await embedded.ended).toBe(1)
  expect(embedded.output()).toContain(`already, on ${url}`)
  first.signal('SIGKILL')
  await first.ended
  const third = start(['dev', file], environment)
  await third.says(/browser shows it/)
  third.signal('SIGINT')
  expect(await third.ended).toBe(0)
  expect(existsSync(join(folder, 'my documents', '.ninefold', 'shop.dev.json'))).toBe(false)
})

test('tells programs, a line each, what keeps it from serving and what it serves', async () => {
  save(shop.replace('pieces < 10', 'peices < 10'))
  const dev = start(['dev', file, '--json'], { DATABASE_URL: database.url, PORT: '0' })
  await dev.says(/"error":[^\n]*\n/)
  save(shop)
  await dev.says(/"serving":[^\n]*\n/)
  dev.signal('SIGINT')
  expect(await dev.ended).toBe(0)
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/schemas', `${name}.json`), 'utf8'))
  const ajv = new Ajv2020()
  for (const name of ['finding', 'error', 'dev']) ajv.addSchema(schema(name))
  const lines = dev
    .log()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const fits = lines.map(line => ['error', 'dev'].find(name => ajv.validate(`${name}.json`, line)))
  expect(fits).toEqual(['error', 'dev'])
  expect(lines[1].serving).toMatchObject({ name: 'Shop', url: expect.stringMatching(/^http:\/\/localhost:\d+$/) })
})

test('begins when the document is sound, and follows it', async () => {
  const { store } = database
  save(shop.replace('pieces < 10', 'peices < 10'))
  const dev = start(['dev', file], { DATABASE_URL: database.url, PORT: '0', NODE_ENV: 'development' })
  expect(await dev.says(/save it: it is read again/)).toContain('shop.md:25:18 error N0201 no field named `peices`')
  save(shop)
  const url = addressIn(await dev.says(/browser shows it/))
  expect((await fetch(`${url}/`)).status).toBe(200)
  const page = await openPage(url)

  // A mistake: told in the terminal and in the browser; what was served goes on.
  save(shop.replace('| pieces | integer |', '| pieces | intger |'))
  expect(await dev.says(/is still served until you correct the document/)).toMatch(/error N\d{4} .*`intger`/)
  expect(await (await fetch(`${url}/-/diagnostics`)).text()).toContain('intger')
  save(shop)
  await dev.says(/The document is back at version/)
  expect(await (await fetch(`${url}/-/diagnostics`)).text()).not.toContain('intger')

  // A renamed field keeps its values; one that vanishes stays until it is dropped by name.
  const renamed = shop
    .replace('| note | text', '| remark (was note) | text')
    .replace('| name | note |', '| name | remark |')
  save(renamed)
  await dev.says(/Serving version/)
  expect(await store.query(raw('select remark from thing'))).toEqual([{ remark: 'from the attic' }])
  save(
    shop
      .replace(/\| note .*\n/, '')
      .replace(' note |', '')
      .replace(' from the attic |', '')
      .replace('| --- | --- | --- |\n| Lamp', '| --- | --- |\n| Lamp'),
  )
  await dev.says(/Serving version/)
  expect(await store.query(raw('select remark from thing'))).toEqual([{ remark: 'from the attic' }])

  // A rule that records violate: refused with their number, and the tables are as they were.
  save(renamed.replace('pieces < 10', 'pieces < 3'))
  expect(await dev.says(/is still served until/)).toMatch(/error N\d{4} .*\b1 /)
  save(renamed.replace('pieces < 10', 'pieces < 4'))
  await dev.says(/Serving version/)
  const checks = await store.query<{ said: string }>(
    raw("select pg_get_constraintdef(oid) as said from pg_constraint where conname = 'thing_rule_v_1'"),
  )
  expect(checks).toEqual([{ said: 'CHECK ((pieces < 4))' }])
  // The last one may still be on its way.
  await expect.poll(() => page.events().match(/event: reload/g)?.length).toBeGreaterThanOrEqual(6)

  // What holds for a type is said by its name, not by its alphabet.
  expect(dev.output()).toContain('Enforce `text 80` for remark of thing\n')
  expect(dev.output()).not.toContain('u0009')

  // One Ctrl-C that arrives twice, while a page is open.
  dev.signal('SIGINT')
  dev.signal('SIGINT')
  expect(await dev.ended).toBe(0)
  expect(dev.output()).toMatch(/Stopped\.\n$/)
  page.close()
  expect(readdirSync(folder)).toEqual(['my documents'])
})

test('brings its own PostgreSQL, leaves none behind, and finds its data again', async () => {
  const data = join(folder, 'my documents', '.ninefold', 'shop')
  const isRunning = () => {
    const elsewhere = join(data, 'elsewhere')
    const place = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : data
    return readdirSync(place).some(name => existsSync(join(place, name, 'data', 'postmaster.pid')))
  }
  const first = start(['dev', file], { PORT: '0' })
  await first.says(/Preparing the database/)
  await first.says(/browser shows it/)
  expect(isRunning()).toBe(true)
  const planned = start(['plan', file], {})
  expect(await planned.ended).toBe(0)
  expect(planned.output()).toContain('Nothing to do')
  first.signal('SIGKILL')
  await first.ended
  const second = start(['dev', file], { PORT: '0' })
  expect(await second.says(/browser shows it/)).not.toMatch(/Preparing|steps/)
  // Its records do not fit a document: they can be given up.
  save(shop.replace('| note | text 80 | |', '| owner | text 80 | required |').replaceAll('| note |', '| owner |'))
  const refused = await second.says(/is still served until/)
  expect(refused).toMatch(/N0902 1 of `Thing` have no value for `owner`/)
  expect(refused).toContain(`remove the folder ${join('my documents', '.ninefold', 'shop')}, and start again`)
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(isRunning()).toBe(false)
  rmSync(data, { recursive: true })
  const third = start(['dev', file], { PORT: '0' })
  await third.says(/browser shows it/)
  third.signal('SIGTERM')
  expect(await third.ended).toBe(0)
})

test('ends without a failure where a signal reaches what prepares its database, too', async () => {
  const { DATABASE_URL: _, VITEST: __, ...inherited } = process.env
  const place = mkdtempSync(join(folder, 'ended-'))
  writeFileSync(join(place, 'shop.md'), shop)
  const child = spawn(process.execPath, [bin, 'dev', 'shop.md'], {
    cwd: place,
    env: { ...inherited, PORT: '0' },
    detached: true,
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += String(data)))
  const ended = new Promise(resolve => child.once('close', resolve))
  await vi.waitFor(() => expect(output).toContain('Preparing the database'), patience.step)
  // By then initdb runs; where it has ended already, what was begun is only left.
  await wait(200)
  process.kill(-child.pid!, 'SIGTERM')
  expect(await ended).toBe(0)
  expect(output).toMatch(/^Starting …\nPreparing the database[^\n]*\n(?:.*\n)*Stopped\.\n$/)
  expect(output).not.toContain('could not be prepared')
})

test('ends with the shell by which npx started it', async () => {
  const { VITEST: _, ...inherited } = process.env
  const shell = spawn('/bin/sh', ['-c', '"$0" "$@"; true', process.execPath, bin, 'dev', file], {
    cwd: folder,
    env: { ...inherited, DATABASE_URL: database.url, PORT: '0', npm_command: 'exec' },
    detached: true,
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', data => (output += String(data)))
  const ended = new Promise(resolve => shell.once('close', resolve))
  const says = (what: RegExp) => vi.waitFor(() => expect(output).toMatch(what), patience.step)
  try {
    await says(/browser shows it/)
    // To it alone, as npm does.
    shell.kill('SIGTERM')
    await says(/Stopped\.\n$/)
  } finally {
    try {
      process.kill(-shell.pid!, 'SIGTERM')
    } catch {
      // All of them have ended.
    }
    await ended
  }
})

test('serves on when nobody reads its log any more, and ends cleanly', async () => {
  const settings = { DATABASE_URL: database.url, HOST: '127.0.0.1', PORT: '0', SHUTDOWN_DELAY: '0' }
  const early = start(['person', file, '--email', 'ada@example.org', '--name', 'Ada'], settings)
  expect(await early.ended).toBe(1)
  expect(early.output()).toContain('The database does not match the document. Look at the plan: npx ninefold plan ')
  expect(await start(['apply', file], settings).ended).toBe(0)
  const served = start(['serve', file], settings)
  const [, port] = /"url":"http:\/\/localhost:(\d+)"/.exec(await served.says(/"event":"serving".*\n/))!
  served.unheard()
  // A failure is logged at once.
  await database.store.query(raw('alter table ninefold.session rename to gone'))
  for (const _ of [1, 2]) expect((await fetch(`http://localhost:${port}/things`)).status).toBe(500)
  expect((await fetch(`http://localhost:${port}/livez`)).status).toBe(200)
  served.signal('SIGTERM')
  expect(await served.ended).toBe(0)
})

test('serves in several processes: one that dies is replaced, and all end together', async () => {
  const settings = {
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    WEB_PROCESSES: '2',
    METRICS_PORT: '0',
    SHUTDOWN_DELAY: '0',
  }
  const refused = start(['serve', file], settings)
  expect(await refused.ended).toBe(1)
  expect(refused.output().match(/^The database does not match the document/gm)).toHaveLength(1)
  expect(refused.log().match(/does not match the document/g)).toHaveLength(1)
  expect(await start(['apply', file], settings).ended).toBe(0)
  const served = start(['serve', file], settings)
  const [, figures] = /"event":"metrics","url":"([^"]+)"/.exec(await served.says(/"event":"metrics".*\n/))!
  const serving = /"pid":(\d+)[^\n]*"event":"serving","url":"http:\/\/localhost:(\d+)"/
  const [, first, port] = serving.exec(await served.says(/"event":"serving".*\n/))!
  const [, second, same] = serving.exec(await served.says(/"event":"serving".*\n/))!
  expect([second === first, same]).toEqual([false, port])
  // Whichever of the two answers: the figures are those of both.
  for (const _ of [1, 2, 3]) await (await fetch(`http://localhost:${port}/nowhere`)).text()
  const told = await (await fetch(figures!)).text()
  expect(told).toMatch(/ninefold_http_request_duration_seconds_count\{[^}]*status="404"\} 3\n/)
  expect(told).toContain('ninefold_database_up 1\n')
  expect((await fetch(new URL('/things', figures))).status).toBe(404)
  await database.store.query(raw('alter table public.thing rename to gone'))
  process.kill(Number(first), 'SIGKILL')
  await served.says(/"event":"process ended","why":"SIGKILL"/)
  // One that cannot take its place is tried again, and the others serve.
  await served.says(/"event":"process ended","why":"1"/)
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)
  await database.store.query(raw('alter table public.gone rename to thing'))
  const [, third] = serving.exec(await served.says(/"event":"serving".*\n/))!
  served.signal('SIGTERM')
  expect(await served.ended).toBe(0)
  for (const pid of [second, third]) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})

test('what keeps `serve` from starting is a line of its log, with its code, and told in words besides', async () => {
  const settings = { DATABASE_URL: database.url, HOST: '127.0.0.1', WEB_PROCESSES: '1' }
  const refused = async (environment: Readonly<Record<string, string>>, document = file) => {
    const serve = start(['serve', document], { ...settings, ...environment })
    const code = await serve.ended
    const lines = serve.log().trimEnd().split('\n')
    const failures = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 50)
    for (const { why } of failures) expect(serve.output().replace(serve.log(), '')).toContain(why)
    return [code, ...failures.map(({ event, code, line }) => [event, code, line])]
  }
  const event = 'not started'
  expect(await refused({ PORT: 'http' })).toEqual([2, [event, null, undefined]])
  expect(await refused({ WEB_PROCESSES: 'many' })).toEqual([2, [event, null, undefined]])
  expect(await refused({}, 'nowhere.md')).toEqual([2, [event, null, undefined]])
  expect(await refused({})).toEqual([1, [event, null, undefined]])
  expect(await refused({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toEqual([
    1,
    [event, 'ECONNREFUSED', undefined],
  ])
  save(shop.replace('| pieces | integer |', '| pieces | intger |'))
  expect(await refused({})).toEqual([1, [event, 'N1305', expect.stringMatching(/^shop\.md:15$/)]])
  save(shop)
  expect(await start(['apply', file], settings).ended).toBe(0)
  const other = createServer().listen(0, '127.0.0.1')
  try {
    await new Promise(listening => other.once('listening', listening))
    const { port } = other.address() as AddressInfo
    // The figures that are shown meanwhile keep nothing from ending.
    for (const more of [{}, { METRICS_PORT: '0' }])
      expect(await refused({ ...more, PORT: String(port) })).toEqual([1, [event, 'EADDRINUSE', undefined]])
  } finally {
    other.close()
  }
  await database.store.query(raw("insert into ninefold.system (number, applied_at) values (999, '2027-02-03')"))
  expect(await refused({})).toEqual([1, [event, 'N0923', undefined]])
})

test('verify that is ended on its way leaves neither database nor files behind', async () => {
  const example = fileURLToPath(new URL('../../examples/loan-desk/loan-desk.md', import.meta.url))
  const place = mkdtempSync(join(folder, 'place-'))
  const tried = start(['verify', example], { DATABASE_URL: database.url, TMPDIR: place })
  await tried.says(/ok {6}/)
  const own = raw(`select datname from pg_database where datname like 'test%\\_${started.at(-1)!.pid}\\_%'`)
  expect(await database.store.query(own)).toHaveLength(1)
  const folders = () => readdirSync(place).filter(name => name.startsWith('ninefold-verify-'))
  expect(folders()).toHaveLength(1)
  tried.signal('SIGTERM')
  expect(await tried.ended).toBe(130)
  expect(await database.store.query(own)).toEqual([])
  expect(folders()).toEqual([])
})
