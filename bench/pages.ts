/**
 * How fast is what Ninefold serves, against the hand-written floor of `floor.tsx`, on the same database, in one run, round by round in turn?
 * Prints ratios (Ninefold's requests per second ÷ the floor's; the median of the rounds), processor time and bytes per page.
 * Environment: `BENCH_ROUNDS` (5), `BENCH_LOANS` (100,000), `DATABASE_URL` for a server of your own, `BENCH_PROFILE` a folder for the CPU profile.
 */
import { v7 as newId } from 'uuid'
import { type Borrower, openBenchDesk, serveDesk } from './desk.ts'
import { type Job, load, type Measured, send } from './load.ts'
import { processesOf, usedBy } from './processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** Requests that warm up, in those of a round: what is measured is a server that has been running for a while, and compiled what it runs often. */
const warmUp = 24
/** `BENCH_PROFILE=folder`: where Ninefold's process leaves its CPU profile. */
const profile =
  process.env.BENCH_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
/** As browsers send it. */
const accepted = 'gzip, deflate, br, zstd'
const ports = { ninefold: 4100, react: 4101, strings: 4102 } as const

/** Loans that the floor has made: it has no numbers of its own. */
let made = 0
const desk = await openBenchDesk(Number(process.env.BENCH_LOANS ?? 100_000))
try {
  const floor = ['--import', './scripts/tsx-hook.mjs', 'bench/floor.tsx']
  await Promise.all([
    desk.start('ninefold', ports.ninefold, [...profile, ...serveDesk]),
    desk.start('react', ports.react, floor, { FLOOR: 'react' }),
    desk.start('strings', ports.strings, floor, { FLOOR: 'strings' }),
  ])
  await desk.caughtUp()
  await measure(desk.borrowers, desk.item, desk.manager)
} finally {
  await desk.close()
}

async function measure(borrowers: readonly Borrower[], item: string, manager: string): Promise<void> {
  const [first] = borrowers
  const cookie = `ninefold=${first!.session}`
  const oneOf = (n: number) => borrowers[n % borrowers.length]!
  const origin = `http://localhost:${ports.ninefold}`
  const json = { 'content-type': 'application/json', host: `localhost:${ports.ninefold}` }
  const listOf = (token: string, more = ''): Job => ({
    method: 'GET',
    url: `http://127.0.0.1:${ports.ninefold}/loans?state=Out&sort=-due_back${more}`,
    headers: { cookie: `ninefold=${token}`, 'accept-encoding': accepted, host: `localhost:${ports.ninefold}` },
  })
  const list = {
    ninefold: (n: number) => listOf(oneOf(n).session),
    manager: () => listOf(manager),
    react: (n: number) => floorList(ports.react, oneOf(n).id),
    strings: (n: number) => floorList(ports.strings, oneOf(n).id),
  }
  const counted = {
    ninefold: () => listOf(manager, '&_count=all'),
    react: () => floorList(ports.react),
  }
  const create = {
    ninefold: (): Job => ({
      method: 'POST',
      url: `http://127.0.0.1:${ports.ninefold}/api/v1/loan`,
      headers: { cookie, origin, prefer: 'return=minimal', ...json },
      body: JSON.stringify({ out_on: '2026-03-02', due_back: '2026-03-09', lines: [{ item }] }),
    }),
    react: (): Job => ({
      method: 'POST',
      url: `http://127.0.0.1:${ports.react}/loans`,
      headers: json,
      body: JSON.stringify({
        id: newId(),
        line: newId(),
        number: `LN-2019-${String(++made).padStart(5, '0')}`,
        borrower: first!.id,
        item,
        out_on: '2026-03-02',
        due_back: '2026-03-09',
      }),
    }),
  }
  const lists = await compare('list of 25 rows', list, { requests: 1500, expect: 200 })
  const counts = await compare('list of all, counted to the end', counted, { requests: 300, expect: 200 })
  const creates = await compare('create', create, { requests: 1000, expect: 201 })
  console.log(`
list, against React floor:    ${ratio(lists, 'react')}   (to reach: 0.8)
list, against string floor:   ${ratio(lists, 'strings')}
list, borrower's p95 ÷ manager's:   ${spread(lists.get('ninefold')!.map(({ p95 }, round) => p95 / lists.get('manager')![round]!.p95))}   (at most: 1.5)
list of all, counted to the end, React floor's rate ÷ its own: ${spread(counts.get('react')!.map(({ rate }, round) => rate / counts.get('ninefold')![round]!.rate))}   (at most: 3)
create, against raw inserts:  ${ratio(creates, 'react')}   (to reach: 0.7)`)
  await weigh(list.ninefold(0))
}

/** Of all loans, where no borrower is named. */
function floorList(port: number, borrower?: string): Job {
  const url = `http://127.0.0.1:${port}/loans?state=Out${borrower === undefined ? '' : `&borrower=${borrower}`}`
  return { method: 'GET', url, headers: { 'accept-encoding': accepted } }
}

/** By candidate, one measurement a round; a longer first round warms up and does not count. */
async function compare(
  title: string,
  candidates: Readonly<Record<string, (n: number) => Job>>,
  { requests, expect }: { readonly requests: number; readonly expect: number },
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const used = new Map<string, number>()
  const found = new Map<string, Measured[]>(Object.keys(candidates).map(name => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    const line: string[] = []
    for (const [name, job] of Object.entries(candidates)) {
      const before = busy(name)
      const measured = await load(job, { clients: 8, requests: round === 0 ? requests * warmUp : requests, expect })
      if (round > 0) {
        found.get(name)!.push(measured)
        used.set(name, (used.get(name) ?? 0) + busy(name) - before)
      }
      line.push(`${name} ${measured.rate.toFixed(0)}/s`)
    }
    console.log(`${title}, ${round === 0 ? 'warm-up' : `round ${round}`}: ${line.join(', ')}`)
  }
  const times = [...used].map(([name, all]) => `${name} ${(all / rounds / requests).toFixed(2)} ms`)
  console.log(`${title}, processor time of Node per request: ${times.join(', ')}`)
  return found
}

/** Requests per second against a floor's. */
function ratio(found: ReadonlyMap<string, readonly Measured[]>, floor: string): string {
  return spread(found.get('ninefold')!.map(({ rate }, round) => rate / found.get(floor)![round]!.rate))
}

/** What a child and its own children have used so far; nothing where the system has no `/proc`. */
function busy(name: string): number {
  try {
    return usedBy(processesOf(desk.children.get(name === 'manager' ? 'ninefold' : name)!.pid!))
  } catch {
    return Number.NaN
  }
}

/** The median, and between which figures it stands. */
function spread(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((left, right) => left - right)
  return `${sorted[Math.floor(sorted.length / 2)]!.toFixed(2)}  [${sorted[0]!.toFixed(2)} to ${sorted.at(-1)!.toFixed(2)}]`
}

/** Compressed bytes of the page and of what it loads before anything is touched, the font aside. */
async function weigh(job: Job): Promise<void> {
  const page = await send(job)
  const html = (await send({ ...job, headers: { ...job.headers, 'accept-encoding': 'identity' } })).body.toString()
  const files = [
    ...new Set([...html.matchAll(/(?:href|src)="(\/-\/assets\/[^"]+\.(?:css|js))"/g)].map(match => match[1]!)),
  ]
  let total = page.body.length
  for (const file of files) {
    const { body } = await send({ ...job, url: new URL(file, job.url).href })
    total += body.length
    console.log(`${String(body.length).padStart(7)} bytes  ${file}`)
  }
  console.log(
    `${String(page.body.length).padStart(7)} bytes  the page itself\n${String(total).padStart(7)} bytes in all, font aside   (at most 100 KB)`,
  )
}
