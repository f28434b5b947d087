/** Parcels on a database of their own, and `serve` as it is started in production: two machines, of which one has two processes, by one clock. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client as Database } from 'pg'
import { v7 as newId } from 'uuid'
import { patience } from '../../scripts/limits.ts'
import { loadApp } from '../../src/cli/load.ts'
import { seed } from '../../src/run/many/seed.ts'
import { applyMigration } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/pool.ts'
import { createDatabase, dropDatabase, preparedTemplate } from '../../src/store/testing.ts'
import { openSession } from '../../src/web/sign-in/session.ts'
import { Client } from '../client.ts'
import { type Started, startNode } from '../desk.ts'
import type { MovedClock } from './clock.ts'
import type { Outside } from './outside.ts'

const document = join(import.meta.dirname, 'parcels.md')

/** A row of the outbox. */
export interface Sent {
  readonly id: string
  readonly name: string
  readonly record: string
  readonly parcel: string
  readonly repeat_key: string
  readonly state: string
  readonly attempts: number
  readonly turn: string
  readonly first_at: Date | null
  readonly finished_at: Date | null
  readonly created_at: Date
}

export interface Machine {
  readonly started: Started
  readonly port: number
}

export interface Parcels {
  /** `processes`: so many that serve and deliver. */
  readonly start: (processes: number) => Promise<Machine>
  /** As somebody who has signed in just now: sessions do not last for days. */
  readonly signedIn: (machine: Machine) => Promise<Client>
  readonly outbox: () => Promise<readonly Sent[]>
  /** Until nothing is on its way any more. */
  readonly settled: () => Promise<void>
  /** How many processes have something on its way. */
  readonly atWork: () => Promise<number>
  readonly drop: () => Promise<void>
}

export async function openParcels(serverUrl: string, clock: MovedClock, outside: Outside): Promise<Parcels> {
  const url = await createDatabase(serverUrl, await preparedTemplate(serverUrl))
  const { app } = loadApp(document)
  if (app === null) throw new Error(`${document} is not a sound document.`)
  const now = clock.now()
  const store = openStore(url, { connections: 2 })
  await applyMigration(store, app, null, { now })
  const { people } = await seed({ app, store }, { now, id: 'seed', locale: 'en', newId })
  const sql = new Database({ connectionString: url })
  await sql.connect()
  const machines: Machine[] = []
  const clients: Client[] = []
  const claimed = async (): Promise<number> => {
    const { rows } = await sql.query<{ n: string }>(
      `select count(distinct claimed_by) as n from ninefold.outbox where state = 'waiting' and claimed_until > now()`,
    )
    return Number(rows[0]!.n)
  }
  return {
    async start(processes) {
      const started = startNode(
        ['--import', './conformance/days/moved-clock.mjs', 'bin/ninefold.mjs', 'serve', document],
        {
          DATABASE_URL: url,
          HOST: '127.0.0.1',
          PORT: '0',
          WEB_PROCESSES: String(processes),
          MOVED_CLOCK: clock.port,
          PARTNER_URL: outside.url,
          SMTP_URL: outside.smtp,
        },
      )
      const port = Number(await started.find(/"event":"serving","url":"[^"]*:(\d+)"/))
      const machine = { started, port }
      machines.push(machine)
      return machine
    },
    async signedIn({ port }) {
      const door = { now: clock.now(), random: randomBytes, agent: 'conformance' }
      const client = new Client(port, await openSession(store, people[0]!.id, door))
      clients.push(client)
      return client
    },
    outbox: async () =>
      (
        await sql.query<Sent>(
          `select o.id, o.name, o.record, p.name as parcel, o.repeat_key, o.state, o.attempts, o.turn, o.first_at, o.finished_at, o.created_at
           from ninefold.outbox as o join public.parcel as p on p.id = o.record order by o.turn`,
        )
      ).rows,
    async settled() {
      const end = performance.now() + patience.step
      while ((await claimed()) > 0) {
        if (performance.now() > end) throw new Error('Something stays on its way.')
        await wait(5)
      }
    },
    atWork: claimed,
    async drop() {
      for (const client of clients) client.close()
      for (const { started } of machines) await started.kill()
      await store.close()
      await sql.end()
      await dropDatabase(serverUrl, url)
    },
  }
}
