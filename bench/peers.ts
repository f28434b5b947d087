/**
 * `npm run bench -- peers`: the same question to the same table, asked of Ninefold and of what others use: 25 of many loans that are out,
 * those due last first, with the names of people, and one of them; by somebody who may see all. Each answer is compared with what is in
 * the table. Prints milliseconds of processor time for each request, of the server and of PostgreSQL, which say the same on a busy
 * machine as on an idle one. Environment: `BENCH_LOANS` (`10000,100000`), `BENCH_REQUESTS` (300), `BENCH_DIRECTUS`, `BENCH_PAYLOAD`, `DATABASE_URL` of a server on
 * this machine.
 */
import { sql } from '../src/expression/sql.ts'
import { openStore, type Store } from '../src/store/pool.ts'
import { openBenchDesk } from './desk.ts'
import { type Job, load, send } from './load.ts'
import { directus } from './peers/directus.ts'
import { django } from './peers/django.ts'
import { ninefold } from './peers/ninefold.ts'
import { payload } from './peers/payload.ts'
import { type Loan, type Peer, page } from './peers/peer.ts'
import { processesOf, usedBy } from './processes.ts'

const sizes = (process.env.BENCH_LOANS ?? '10000,100000').split(',').map(Number)
const requests = Number(process.env.BENCH_REQUESTS ?? 300)
const warmUp = 100

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
    for (const start of [ninefold, django, directus, payload]) {
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
