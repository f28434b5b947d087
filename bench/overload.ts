/**
 * `npm run bench -- overload`: many times what can be answered comes for a minute. Prints, for `serve` with its own front and, where the
 * program is found, for haproxy in front of as many processes of it: how many are answered in time, how long those wait, what becomes
 * of the others, whether `/livez` answers meanwhile, and how soon all is as before.
 * Environment: `BENCH_SECONDS` (60), `BENCH_TIMES` (10, of the capacity), `BENCH_LOANS` (20,000), `WEB_PROCESSES` (2), `DATABASE_URL`.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openBenchDesk, serveDesk } from './desk.ts'
import { type Came, come, type Job, load, openLoad, percentile } from './load.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const times = Number(process.env.BENCH_TIMES ?? 10)
const processes = Number(process.env.WEB_PROCESSES ?? 2)
const ports = { ninefold: 4110, haproxy: 4111, behind: 4112 } as const
/** Of the capacity: nobody waits for anybody. */
const easy = 0.3

const haproxy = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map(folder => join(folder, 'haproxy'))
  .find(path => existsSync(path))

const desk = await openBenchDesk(Number(process.env.BENCH_LOANS ?? 20_000))
try {
  await desk.start('ninefold', ports.ninefold, serveDesk, {
    WEB_PROCESSES: String(processes),
    SHUTDOWN_DELAY: '0',
  })
  await desk.caughtUp()
  await measure('ninefold', ports.ninefold)
  await desk.end('ninefold')
  if (haproxy === undefined) console.log('haproxy is not on this machine: nothing is compared.')
  else await besideHaproxy(haproxy)
} finally {
  await desk.close()
}

async function measure(name: string, port: number): Promise<void> {
  const job = (n: number): Job => ({
    method: 'GET',
    url: `http://127.0.0.1:${port}/loans?state=Out&sort=-due_back`,
    headers: {
      cookie: `ninefold=${desk.borrowers[n % desk.borrowers.length]!.session}`,
      host: `localhost:${port}`,
      'accept-encoding': 'br',
    },
  })
  await load(job, { clients: 8, requests: 3000, expect: 200 })
  const { rate: capacity } = await load(job, { clients: 8, requests: 3000, expect: 200 })
  const calm = await openLoad(job, { rate: capacity * easy, seconds: Math.min(10, seconds) })
  const usual = percentile(waits(calm), 0.99)
  const probe = fork(join(import.meta.dirname, 'probe.ts'), [`http://127.0.0.1:${port}/livez`], {
    execArgv: process.execArgv,
  })
  const came = await openLoad(job, { rate: capacity * times, seconds })
  const back = await recovery(job, usual)
  const lives = await answersOf(probe)

  const answered = waits(came)
  const refused = came.filter(({ status }) => status === 503)
  const failures = Map.groupBy(
    came.flatMap(({ failure }) => failure ?? []),
    code => code,
  )
  const other = came.filter(({ status }) => status !== 0 && status !== 200 && status !== 503).length
  const goodput = answered.length / seconds
  const figures: readonly (readonly [what: string, is: string, aim: string])[] = [
    ['capacity', `${capacity.toFixed(0)}/s`, ''],
    ['came', `${(came.length / seconds).toFixed(0)}/s for ${seconds} s`, `${times} times that`],
    ['answered ÷ capacity', (goodput / capacity).toFixed(2), 'at least 0.9'],
    ['p99 of the answered ÷ unloaded', ratio(percentile(answered, 0.99), usual), 'at most 10'],
    ['refused with 503', String(refused.length), ''],
    ['of these with Retry-After', String(refused.filter(({ retryAfter }) => retryAfter).length), 'all'],
    ['median wait of the refused', `${percentile(took(refused), 0.5).toFixed(0)} ms`, ''],
    ['other answers', String(other), '0'],
    ['without an answer', [...failures].map(([code, all]) => `${code} ${all.length}`).join(', ') || '0', '0'],
    ['/livez, longest', `${Math.max(...lives.took).toFixed(0)} ms of ${lives.took.length}`, 'below 100 ms'],
    ['/livez, silent', String(lives.silent), '0'],
    ['as before again after', `${(back / 1000).toFixed(1)} s`, 'at most 5 s'],
  ]
  console.log(`\n${name}`)
  for (const [what, is, aim] of figures) console.log(`${what.padEnd(34)}${is.padEnd(24)}${aim}`)
}

function took(came: readonly Came[]): readonly number[] {
  return came.map(one => one.took)
}

function waits(came: readonly Came[]): readonly number[] {
  return took(came.filter(({ status }) => status === 200))
}

function ratio(long: number, usual: number): string {
  return `${(long / usual).toFixed(1)} (${long.toFixed(0)} ms ÷ ${usual.toFixed(0)} ms)`
}

/** Milliseconds after which ten in a row, one every tenth of a second, are answered within twice what 99 of 100 take when it is calm. */
async function recovery(job: (n: number) => Job, usual: number): Promise<number> {
  const begun = performance.now()
  let good = 0
  let since = 0
  for (let n = 0; good < 10 && performance.now() < begun + 60_000; n++) {
    const asked = performance.now()
    const one = await come(job(n), n)
    if (one.status !== 200 || one.took > 2 * usual) good = 0
    else if (good++ === 0) since = asked - begun
    await wait(100)
  }
  return good < 10 ? Number.POSITIVE_INFINITY : since
}

async function answersOf(probe: ChildProcess): Promise<{ readonly took: readonly number[]; readonly silent: number }> {
  probe.send('end')
  const [said] = (await once(probe, 'message')) as [{ took: number[]; silent: number }]
  return said
}

/** As many processes, each on its own, behind haproxy with short queues. */
async function besideHaproxy(program: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-haproxy-'))
  const all = Array.from({ length: processes }, (_, nth) => ports.behind + nth)
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(
    config,
    `defaults
  mode http
  option forwardfor
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  timeout queue 250ms
frontend people
  bind 127.0.0.1:${ports.haproxy}
  monitor-uri /livez
  default_backend desk
backend desk
  balance leastconn
${all.map((port, nth) => `  server p${nth} 127.0.0.1:${port} maxconn 6`).join('\n')}
`,
  )
  for (const port of all)
    await desk.start(`behind ${port}`, port, serveDesk, {
      WEB_PROCESSES: '1',
      TRUSTED_PROXIES: '1',
      SHUTDOWN_DELAY: '0',
    })
  const front = spawn(program, ['-f', config, '-db', '-q'], { stdio: 'inherit' })
  try {
    await wait(1000)
    await measure('haproxy', ports.haproxy)
  } finally {
    front.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}
