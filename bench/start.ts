/**
 * What it takes to start, and to stay: processor time of `check`, and of `serve` until `/readyz` and until it is at rest, the memory of all processes of `serve` after a
 * load, and the size of what is installed, round by round in turn for each folder that is named: a clone, or a package in `node_modules`.
 * `npm run bench -- start OLD NEW`; environment: `BENCH_ROUNDS` (5), `DATABASE_URL` for a server of your own.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createTestDatabase, startTestServer, type TestDatabase } from '../src/store/testing.ts'
import { load } from './load.ts'
import { heldBy, processesOf, usedBy, usedByEnded } from './processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** Of a list and of a record in turn. */
const requests = 3000
const port = 4110
const origin = `http://localhost:${port}`
const folders = process.argv.slice(3).map(folder => realpathSync(resolve(folder)))
const measures = ['check', 'ready', 'rest', 'memory'] as const
const units = { check: 'ms', ready: 'ms', rest: 'ms', memory: 'MB' } as const

interface Candidate {
  readonly folder: string
  readonly database: TestDatabase
  readonly found: Record<(typeof measures)[number], number[]>
}

const server = process.env.DATABASE_URL === undefined ? await startTestServer() : null
const candidates: Candidate[] = []
try {
  for (const folder of folders) {
    const database = await createTestDatabase(server?.url ?? process.env.DATABASE_URL!)
    const candidate: Candidate = { folder, database, found: { check: [], ready: [], rest: [], memory: [] } }
    candidates.push(candidate)
    await run(candidate, 'apply')
  }
  for (let round = 1; round <= rounds; round++) for (const candidate of candidates) await measure(candidate)
  for (const { folder, found } of candidates) {
    console.log(`\n${folder}`)
    for (const name of measures) console.log(`  ${name.padEnd(8)}${spread(found[name])} ${units[name]}`)
    if (basename(dirname(folder)) === 'node_modules')
      console.log(`  installed ${Math.round(bytesIn(dirname(folder)) / 1e6)} MB, without what is optional`)
  }
  const [old, ...others] = candidates
  for (const { folder, found } of others) {
    console.log(`\n${folder} ÷ ${old!.folder}`)
    for (const name of measures)
      console.log(`  ${name.padEnd(8)}${(middle(found[name]) / middle(old!.found[name])).toFixed(2)}`)
  }
} finally {
  for (const { database } of candidates) await database.drop()
  await server?.stop()
}

/** One round of one candidate. */
async function measure(candidate: Candidate): Promise<void> {
  const before = usedByEnded()
  await run(candidate, 'check')
  candidate.found.check.push(usedByEnded() - before)
  const child = spawn(...command(candidate, 'serve'), {
    env: environment(candidate),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  try {
    candidate.found.ready.push(await ready(child))
    candidate.found.rest.push(await atRest(child))
    const cookie = await signIn(candidate)
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br, zstd' }
    const list = await (await fetch(`${origin}/loans`, { headers })).text()
    const paths = ['/loans', /href="(\/loans\/[^"/?]+)"/.exec(list)![1]!]
    const jobs = (n: number) => ({ method: 'GET', url: origin + paths[n % 2], headers })
    await load(jobs, { clients: 8, requests, expect: 200 })
    candidate.found.memory.push(Math.round(heldBy(processesOf(child.pid!)) / 1e6))
  } finally {
    child.kill('SIGTERM')
    await new Promise(ended => child.once('exit', ended))
  }
  console.log(candidate.folder, ...measures.map(name => `${name} ${candidate.found[name].at(-1)} ${units[name]}`))
}

/** Until `/readyz` says yes for the first time. */
async function ready(child: ChildProcess): Promise<number> {
  for (; child.exitCode === null; await wait(100))
    if ((await fetch(`${origin}/readyz`).catch(() => null))?.status === 200) return usedBy(processesOf(child.pid!))
  throw new Error(`serve ended with code ${child.exitCode}`)
}

/** Until the processes that it starts one after another have come to rest, too. */
async function atRest(child: ChildProcess): Promise<number> {
  for (let last = -1; ; await wait(2000)) {
    const used = usedBy(processesOf(child.pid!))
    if (used - last < 20) return used
    last = used
  }
}

/** The cookie of somebody new who may see all loans, by the link that `person` gives. */
async function signIn(candidate: Candidate): Promise<string> {
  const said = await run(candidate, 'person', '--email', 'bench@example.org', '--name', 'Bench', '--role', 'Manager')
  const page = await fetch(/http\S+/.exec(said)![0])
  const hidden = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g)]
  const answer = await fetch(`${origin}/-/link`, {
    method: 'POST',
    headers: { origin, cookie: cookiesOf(page) },
    body: new URLSearchParams(hidden.map(([, name, value]) => [name!, value!])),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`Signing in was answered with ${answer.status}.`)
  return cookiesOf(answer)
}

function cookiesOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie().map(cookie => cookie.split(';')[0])
  return cookies.join('; ')
}

function command({ folder }: Candidate, name: string): [string, string[]] {
  return [process.execPath, [join(folder, 'bin/ninefold.mjs'), name, join(folder, 'examples/loan-desk/loan-desk.md')]]
}

function environment({ database }: Candidate): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: String(port),
    HOST: 'localhost',
    PUBLIC_URL: origin,
  }
}

async function run(candidate: Candidate, name: string, ...options: readonly string[]): Promise<string> {
  const [node, args] = command(candidate, name)
  return (await promisify(execFile)(node, [...args, ...options], { env: environment(candidate) })).stdout
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function middle(found: readonly number[]): number {
  return found.toSorted((one, other) => one - other)[Math.floor(found.length / 2)]!
}

function spread(found: readonly number[]): string {
  return `${middle(found)} [${Math.min(...found)} to ${Math.max(...found)}]`
}
