/**
 * `npm run bench -- overload`: many times what can be answered comes for a minute. Prints, for `serve` with its own front and, where the
 * program is found, for haproxy in front of as many processes of it: how many are answered in time, how long those wait, what becomes
 * of the others, whether `/livez` answers meanwhile, and how soon all is as before. Whoever asks has a core of their own, where there are two.
 * Environment: `BENCH_SECONDS` (60), `BENCH_TIMES` (10, of the capacity), `BENCH_LOANS` (20,000), `WEB_PROCESSES` (2), `DATABASE_URL`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Came, keepTo, openCrowd, partedCores } from './crowds.ts'
import { openBenchDesk, serveDesk } from './desk.ts'
import { usedBy } from './processes.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const times = Number(process.env.BENCH_TIMES ?? 10)
const processes = Number(process.env.WEB_PROCESSES ?? 2)
const ports = { ninefold: 4110, haproxy: 4111, behind: 4112 } as const
/** Of the capacity: nobody waits for anybody. */
const easy = 0.3

const haproxy = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map(folder => join(folder, 'haproxy'))
  .find(path => existsSync(path))

const cores = partedCores()
if (cores === null) console.log('One core, or no taskset: what asks takes from what answers.')
else {
  keepTo(cores.answering, process.pid)
  const database = process.env.DATABASE_URL === undefined ? ' and PostgreSQL' : ''
  console.log(
    `Requests are made on core ${cores.asking}; whatever answers them${database} has core ${cores.answering}.`,
  )
}
const crowd = openCrowd(cores?.asking ?? null)
const probe = openCrowd(cores?.asking ?? null)
const desk = await openBenchDesk(Number(process.env.BENCH_LOANS ?? 20_000))
try {
  await desk.start('ninefold', ports.ninefold, serveDesk, {
    WEB_PROCESSES: String(processes),
    SHUTDOWN_DELAY: '0',
  })
  await desk.caughtUp()
  await measure('ninefold', ports.ninefold, desk.children.get('ninefold')!.pid!)
  await desk.end('ninefold')
  if (haproxy === undefined) console.log('haproxy is not on this machine: nothing is compared.')
  else await besideHaproxy(haproxy)
} finally {
  await desk.close()
  crowd.end()
  probe.end()
}

/** `front`: the process that answers whoever is refused. */
async function measure(name: string, port: number, front: number): Promise<void> {
  const headOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${more}`
  const heads = desk.borrowers.map(({ session }) =>
    headOf('/loans?state=Out&sort=-due_back', `cookie: ninefold=${session}\r\naccept-encoding: br\r\n`),
  )
  const busy = { port, heads, clients: 8, requests: 4000 }
  await crowd.come(busy)
  const all = await crowd.come(busy)
  if (!all.every(({ status }) => status === 200)) throw new Error(`${name} did not answer all of eight at a time.`)
  const capacity = (all.length / all.at(-1)!.at) * 1000
  const calm = await crowd.come({ port, heads, rate: capacity * easy, seconds: Math.min(10, seconds) })
  const usual = percentile(waits(calm), 0.99)
  const used = usedBy([front])
  const asked = probe.come({ port, heads: [headOf('/livez')], rate: 10, seconds })
  const came = await crowd.come({ port, heads, rate: capacity * times, seconds })
  const share = (usedBy([front]) - used) / (seconds * 1000)
  const back = await recovery(port, heads, usual)
  const lives = await asked

  const answered = waits(came)
  const refused = came.filter(({ status }) => status === 503)
  const other = came.filter(({ status }) => status !== 0 && status !== 200 && status !== 503).length
  const goodput = answered.length / seconds
  const figures: readonly (readonly [what: string, is: string, aim: string])[] = [
    ['capacity', `${capacity.toFixed(0)}/s`, ''],
    ['came', `${(came.length / seconds).toFixed(0)}/s for ${seconds} s`, `${times} times that`],
    ['answered ÷ capacity', (goodput / capacity).toFixed(2), 'at least 0.9'],
    ['  over connections that are kept', both(came, one => one.status === 200), ''],
    ['p99 of the answered ÷ unloaded', ratio(percentile(answered, 0.99), usual), 'at most 10'],
    ['refused with 503', String(refused.length), ''],
    ['  over connections that are kept', both(came, one => one.status === 503), ''],
    ['of these with Retry-After', String(refused.filter(({ retryAfter }) => retryAfter).length), 'all'],
    [
      'wait of the refused, median, p99',
      [0.5, 0.99].map(at => `${percentile(took(refused), at).toFixed(0)} ms`).join(', '),
      '',
    ],
    ['other answers', String(other), '0'],
    ['without an answer', failuresOf(came), '0'],
    ['/livez, longest', `${Math.max(...waits(lives)).toFixed(0)} ms of ${waits(lives).length}`, 'below 100 ms'],
    ['/livez, silent', failuresOf(lives), '0'],
    ['as before again after', `${(back / 1000).toFixed(1)} s`, 'at most 5 s'],
    ['processor time of the front', `${(share * 100).toFixed(0)} % of a core`, ''],
  ]
  console.log(`\n${name}`)
  for (const [what, is, aim] of figures) console.log(`${what.padEnd(34)}${is.padEnd(32)}${aim}`)
}

function took(came: readonly Came[]): readonly number[] {
  return came.map(one => one.took)
}

function waits(came: readonly Came[]): readonly number[] {
  return took(came.filter(({ status }) => status === 200))
}

/** Of those that came over connections that are kept, and of the others. */
function both(came: readonly Came[], is: (one: Came) => boolean): string {
  const share = (kept: boolean) => {
    const those = came.filter(({ isKept }) => isKept === kept)
    return `${((those.filter(is).length / those.length) * 100).toFixed(1)} %`
  }
  return `${share(true)}, others ${share(false)}`
}

function failuresOf(came: readonly Came[]): string {
  const failures = Map.groupBy(
    came.flatMap(({ failure }) => failure ?? []),
    code => code,
  )
  return [...failures].map(([code, all]) => `${code} ${all.length}`).join(', ') || '0'
}

function ratio(long: number, usual: number): string {
  return `${(long / usual).toFixed(1)} (${long.toFixed(0)} ms ÷ ${usual.toFixed(0)} ms)`
}

/** Nearest rank. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Milliseconds after which ten in a row, one every tenth of a second, are answered within twice what 99 of 100 take when it is calm. */
async function recovery(port: number, heads: readonly string[], usual: number): Promise<number> {
  const begun = performance.now()
  let good = 0
  let since = 0
  while (good < 10 && performance.now() < begun + 60_000) {
    const asked = performance.now()
    const [one] = await crowd.come({ port, heads, clients: 1, requests: 1 })
    if (one!.status !== 200 || one!.took > 2 * usual) good = 0
    else if (good++ === 0) since = asked - begun
    await wait(100)
  }
  return good < 10 ? Number.POSITIVE_INFINITY : since
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
    await measure('haproxy', ports.haproxy, front.pid!)
  } finally {
    front.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}
