/**
 * `npm run bench -- peers`: the same question to the same table, asked of Ninefold and of what others use: 25 of many loans that are out,
 * those due last first, with the names of people, and one of them; by somebody who may see all. Each answer is compared with what is in
 * the table. Prints milliseconds of processor time for each request, of the server and of PostgreSQL, which say the same on a busy
 * machine as on an idle one. Environment: `BENCH_LOANS` (`10000,100000`), `BENCH_REQUESTS` (300), `BENCH_DIRECTUS`, `DATABASE_URL` of a server on
 * this machine.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raw, sql } from '../src/expression/sql.ts'
import { openStore, type Store } from '../src/store/pool.ts'
import { type BenchDesk, openBenchDesk, serveDesk } from './desk.ts'
import { type Job, load, send } from './load.ts'
import { processesOf, usedBy } from './processes.ts'

const sizes = (process.env.BENCH_LOANS ?? '10000,100000').split(',').map(Number)
const requests = Number(process.env.BENCH_REQUESTS ?? 300)
const warmUp = 100
const page = 25

/** One of those that are compared, as it runs. */
interface Peer {
  readonly name: string
  /** Processes that serve. */
  readonly pid: number
  readonly list: Job
  readonly one: (loan: Loan) => Job
  readonly end: () => Promise<void>
}

interface Loan {
  readonly id: string
  readonly number: string
  readonly due: string
}

/** Starts it over the tables of the desk; a text: why it cannot be on this machine. */
type Start = (desk: BenchDesk, store: Store) => Promise<Peer | string>

const ninefold: Start = async desk => {
  const port = 4120
  await desk.start('ninefold', port, serveDesk, { WEB_PROCESSES: '2', SHUTDOWN_DELAY: '0' })
  await desk.caughtUp()
  const asked = (path: string): Job => ({
    method: 'GET',
    url: `http://127.0.0.1:${port}${path}`,
    headers: { cookie: `ninefold=${desk.manager}`, host: `localhost:${port}`, 'accept-encoding': 'identity' },
  })
  return {
    name: 'Ninefold',
    pid: desk.children.get('ninefold')!.pid!,
    list: asked('/loans?state=Out&sort=-due_back'),
    one: ({ number }) => asked(`/loans/${number}`),
    end: () => desk.end('ninefold'),
  }
}

/** Django's admin (Debian: `apt-get install python3-django gunicorn python3-psycopg2`), with as many processes. */
const django: Start = async (desk, store) => {
  const port = 4121
  const password = randomBytes(12).toString('hex')
  const env = {
    ...process.env,
    DATABASE_URL: desk.url,
    DJANGO_SETTINGS_MODULE: 'django_desk.settings',
    DJANGO_SECRET_KEY: randomBytes(32).toString('hex'),
    DJANGO_SUPERUSER_PASSWORD: password,
    PYTHONPATH: [join(import.meta.dirname, 'peers'), process.env.PYTHONPATH].filter(Boolean).join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  // Whoever has another Python besides finds Debian's behind it.
  const program = ['python3', '/usr/bin/python3'].find(
    one => spawnSync(one, ['-c', 'import django, gunicorn, psycopg2'], { env }).status === 0,
  )
  if (program === undefined)
    return 'Django, gunicorn and psycopg2 are not on this machine (Debian: apt-get install python3-django gunicorn python3-psycopg2)'
  const python = (...args: string[]) => spawnSync(program, args, { env, encoding: 'utf8' })
  await store.query(raw('create schema if not exists django'))
  for (const args of [
    ['migrate'],
    ['createsuperuser', '--noinput', '--username', 'bench', '--email', 'bench@example.org'],
  ]) {
    const { status, stderr } = python('-m', 'django', ...args)
    if (status !== 0) throw new Error(stderr)
  }
  const served = spawn(
    program,
    ['-m', 'gunicorn', '--workers', '2', '--bind', `127.0.0.1:${port}`, '--log-level', 'error', 'django_desk.wsgi'],
    { env, stdio: 'inherit' },
  )
  const origin = `http://127.0.0.1:${port}`
  const cookie = await signedIn(origin, password, served)
  const asked = (path: string): Job => ({ method: 'GET', url: `${origin}${path}`, headers: { cookie } })
  return {
    name: 'Django admin',
    pid: served.pid!,
    list: asked('/admin/django_desk/loan/?state__exact=Out&o=-5'),
    one: ({ id }) => asked(`/admin/django_desk/loan/${id}/change/`),
    end: () => ended(served),
  }
}

/** Directus, whose pages are drawn in the browser from this: in a folder, `npm i directus@12.4.0`, and `BENCH_DIRECTUS` names it. */
const directus: Start = async desk => {
  const folder = process.env.BENCH_DIRECTUS
  if (folder === undefined)
    return 'Directus is not here (in a folder: npm i directus@12.4.0, which BENCH_DIRECTUS names)'
  const port = 4122
  const [token, secret] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')]
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: desk.url,
    SECRET: secret,
    ADMIN_EMAIL: 'bench@example.org',
    ADMIN_PASSWORD: secret,
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  const cli = join(folder, 'node_modules', 'directus', 'cli.js')
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, 'bootstrap'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  const served = spawn(process.execPath, [cli, 'start'], { cwd: folder, env, stdio: 'inherit' })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/server/ping`).catch(() => null))?.ok) {
    if (served.exitCode !== null) throw new Error(`Directus ended with ${served.exitCode}`)
    await wait(200)
  }
  const asked = (path: string): Job => ({
    method: 'GET',
    url: `${origin}/items/loan${path}`,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  const columns = 'id,number,state,out_on,due_back,purpose,borrower.name'
  return {
    name: 'Directus (JSON)',
    pid: served.pid!,
    list: asked(`?filter[state][_eq]=Out&sort=-due_back,number&limit=${page}&fields=${columns}&meta=filter_count`),
    one: ({ id }) => asked(`/${id}?fields=*,borrower.name`),
    end: () => ended(served),
  }
}

async function ended(served: ChildProcess): Promise<void> {
  const gone = once(served, 'exit')
  served.kill('SIGTERM')
  await gone
}

async function signedIn(origin: string, password: string, served: ChildProcess): Promise<string> {
  const url = `${origin}/admin/login/`
  for (;;) {
    const form = await fetch(url).catch(() => null)
    if (form === null) {
      if (served.exitCode !== null) throw new Error(`gunicorn ended with ${served.exitCode}`)
      await wait(200)
      continue
    }
    const token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await form.text())![1]!
    const csrf = form.headers.getSetCookie()[0]!.split(';')[0]!
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: csrf, referer: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfmiddlewaretoken: token, username: 'bench', password, next: '/admin/' }),
    })
    const session = answer.headers.getSetCookie().find(one => one.startsWith('sessionid='))
    if (session === undefined) throw new Error(`Signing in to Django gave ${answer.status}.`)
    return session.split(';')[0]!
  }
}

for (const loans of sizes) {
  const desk = await openBenchDesk(loans)
  const store = openStore(desk.url, { statementTimeout: 60_000 })
  try {
    const wanted = await store.query<Loan & { readonly name: string }>(
      sql`select l.id, l.number, l.due_back::text as due, p.name from loan l join person p on p.id = l.borrower
        where l.state = 'Out' order by l.due_back desc, l.number limit 2000`,
    )
    console.log(
      `\n${loans.toLocaleString('en')} loans: milliseconds of processor time for each request, server + PostgreSQL`,
    )
    for (const start of [ninefold, django, directus]) {
      const peer = await start(desk, store)
      if (typeof peer === 'string') {
        console.log(`not compared: ${peer}`)
        continue
      }
      try {
        await judge(peer, wanted)
        const list = await spent(peer, store, () => peer.list)
        const one = await spent(peer, store, n => peer.one(wanted[n % wanted.length]!))
        console.log(`${peer.name.padEnd(16)}list ${list.padEnd(18)}one ${one}`)
      } finally {
        await peer.end()
      }
    }
  } finally {
    await store.close()
    await desk.close()
  }
}

/** The rows that the table has, and no others; many have the same day, so that their order is each one's own. */
async function judge({ name, list, one }: Peer, wanted: readonly (Loan & { readonly name: string })[]): Promise<void> {
  const { status, body } = await send(list)
  const html = body.toString()
  const byNumber = new Map(wanted.map(loan => [loan.number, loan]))
  const shown = [...new Set(html.match(/LN-2020-\d{6,}/g) ?? [])]
  const days = shown.map(number => byNumber.get(number)?.due ?? 'none of them')
  const right = wanted.slice(0, page).map(({ due }) => due)
  const named = shown.every(number => html.includes(byNumber.get(number)?.name ?? '?'))
  if (status !== 200 || JSON.stringify(days) !== JSON.stringify(right) || !named)
    throw new Error(`${name} answers ${status}, and shows ${days.join(' ')} instead of ${right.join(' ')}`)
  const first = wanted[0]!
  const single = await send(one(first))
  if (single.status !== 200 || !single.body.toString().includes(first.number))
    throw new Error(`${name} answers ${single.status} for ${first.number}`)
}

async function spent({ pid }: Peer, store: Store, job: (n: number) => Job): Promise<string> {
  await load(job, { clients: 4, requests: warmUp, expect: 200 })
  const used = async () => ({ server: usedBy(processesOf(pid)), database: usedBy(await backends(store)) })
  const before = await used()
  await load(job, { clients: 4, requests, expect: 200 })
  const after = await used()
  const each = (of: keyof typeof after) => ((after[of] - before[of]) / requests).toFixed(1)
  return `${each('server')} + ${each('database')}`
}

/** The processes of PostgreSQL that answer this database; it has to be on this machine. */
async function backends(store: Store): Promise<readonly string[]> {
  const found = await store.query<{ pid: string }>(
    sql`select pid::text as pid from pg_stat_activity where datname = current_database()`,
  )
  return found.map(({ pid }) => pid)
}
