/**
 * `npm run bench -- changes`: each kind of change to a document with many records is applied while the version before it serves. Prints how
 * long each took, how long anybody waited for a lock of it at most, and what its clients saw: what they wrote and read meanwhile, the
 * longest answer, what was refused. Each `apply` is killed on its way and begun again, and at the end the tables are compared with those
 * of a database that had three records and no kill. Environment: `BENCH_RECORDS` (1,000,000), `DATABASE_URL` for a
 * server of your own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadApp } from '../src/cli/load.ts'
import { raw } from '../src/expression/sql.ts'
import { applyMigration, planMigration } from '../src/store/migrate.ts'
import { openStore } from '../src/store/pool.ts'
import { createTestDatabase, startTestServer, type TestDatabase } from '../src/store/testing.ts'
import { catalogueOf } from '../src/store/testing-tables.ts'
import { openSession } from '../src/web/sign-in/session.ts'
import { send } from './load.ts'

const records = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const port = 4130
const home = dirname(import.meta.dirname)
/** Milliseconds between two looks at who waits for a lock. */
const looks = 5

const document = `# Orders

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /orders | Orders | everyone signed in | list of Order |
| /orders/{id} | Order | everyone signed in | one Order |

### Orders

- **Columns:** number, state

## 3 Entities and their fields

### Order

| Field | Type | Rules |
| --- | --- | --- |
| number | text 20 | |
| remark | text 200 | |
| amount | text 20 | |
| days | integer | |
| code | text 20 | |
| gone | text 20 | |

## 4 States and transitions

### Order

| State | Kind |
| --- | --- |
| Open | start |
| Shut | |
| Lost | |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| shut | Open | Shut | Clerk |

## 6 Roles and permissions

| Role | Who | Meaning |
| --- | --- | --- |
| Clerk | everyone signed in | Does all of it |

### Order

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes | all |
`

interface Change {
  readonly name: string
  readonly edits: readonly (readonly [from: string, to: string])[]
  readonly drop?: string
}

/** One after the other, each to the document that the one before it left. */
const changes: readonly Change[] = [
  { name: 'a field is renamed', edits: [['| remark | text 200 | |', '| note (was remark) | text 200 | |']] },
  { name: 'a field gets another type', edits: [['| amount | text 20 | |', '| amount | decimal 12.2 | |']] },
  {
    name: 'a state is renamed',
    edits: [
      ['| Shut | |', '| Closed (was Shut) | |'],
      ['| Open | Shut |', '| Open | Closed |'],
    ],
  },
  {
    name: 'a state is split: another one beside it',
    edits: [['| Lost | |', '| Lost | |\n| Waiting | |']],
  },
  {
    name: 'a state goes, its records move',
    edits: [
      ['| Closed (was Shut) | |', '| Closed (was Shut, Lost) | |'],
      ['| Lost | |\n', ''],
    ],
  },
  {
    name: 'rules get tighter',
    edits: [
      ['| number | text 20 | |', '| number | text 20 | required; unique |'],
      ['| days | integer | |', '| days | integer | required; min 1; default 1 |'],
      ['| note (was remark) | text 200 | |', '| note (was remark) | text 100 | |'],
    ],
  },
  {
    name: 'a required field comes, with a default',
    edits: [['| code | text 20 | |', '| code | text 20 | |\n| size | integer | required; default 1 |']],
  },
  { name: 'a field leaves the document', edits: [['| gone | text 20 | |\n', '']] },
  { name: 'and is dropped, with what it held', edits: [], drop: 'order.gone' },
  {
    name: 'an entity is renamed',
    edits: [
      ['list of Order |', 'list of Purchase |'],
      ['one Order |', 'one Purchase |'],
      ['### Order\n\n| Field', '### Purchase (was Order)\n\n| Field'],
      ['### Order\n\n| State', '### Purchase\n\n| State'],
      ['### Order\n\n| Role', '### Purchase\n\n| Role'],
    ],
  },
]

/** What a client of the version before meets, and what anybody waits for. */
interface Seen {
  wrote: number
  read: number
  readonly refused: Map<number, number>
  longest: number
  lock: number
}

const orders = (count: number) =>
  raw(`
    insert into "order" (id, version, created_at, changed_at, state, state_since, number, remark, amount, days, code, gone)
    select gen_random_uuid(), 1, now(), now(), (array['Open','Shut','Lost'])[1 + n % 3], now(), 'O' || n, 'none', n::text, n, 'C' || n, 'x'
    from generate_series(1, ${count}) n`)

const folder = mkdtempSync(join(tmpdir(), 'ninefold-changes-'))
const server = process.env.DATABASE_URL === undefined ? await startTestServer() : null
const serverUrl = server?.url ?? process.env.DATABASE_URL!
const database = await createTestDatabase(serverUrl)
let serving: ChildProcess | null = null
try {
  let text = document
  let path = written(text, 0)
  const { app } = loadApp(path)
  const now = new Date()
  await applyMigration(database.store, app!, null, { now })
  const session = await filled(database)
  let entity = 'order'
  for (const [nth, change] of changes.entries()) {
    text = change.edits.reduce((all, [from, to]) => {
      if (!all.includes(from)) throw new Error(`${change.name}: the document has no ${from}`)
      return all.replace(from, to)
    }, text)
    const next = written(text, nth + 1)
    serving = await served(path)
    const { seconds, attempts, seen, ends } = await applied(next, change, entity, session)
    serving.kill('SIGTERM')
    await once(serving, 'exit')
    path = next
    if (text.includes('### Purchase')) entity = 'purchase'
    const refusals = [...seen.refused].map(([status, count]) => `${status} ${count}`).join(', ') || 'nothing'
    console.log(
      `${change.name.padEnd(42)}${seconds.toFixed(0).padStart(4)} s in ${attempts} attempts; waited for a lock ${seen.lock.toFixed(0)} ms; wrote ${seen.wrote}, read ${seen.read}, longest answer ${seen.longest.toFixed(0)} ms; refused ${refusals}${ends}`,
    )
  }
  await compared(path)
} finally {
  serving?.kill('SIGKILL')
  await database.drop()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

function written(text: string, nth: number): string {
  const path = join(folder, `orders-${nth}.md`)
  writeFileSync(path, text)
  return path
}

/** Many records, each with an entry of history; gives the session of somebody who may do all. */
async function filled({ store, url }: TestDatabase): Promise<string> {
  console.log(`Making ${records.toLocaleString('en')} orders …`)
  const filler = openStore(url, { statementTimeout: 1_800_000 })
  await filler.query(orders(records))
  await filler.query(
    raw(`
    insert into ninefold.history (id, at, entity, record, version, what, kind, to_state, changes, request, document)
    select gen_random_uuid(), now(), 'order', id, 1, 'create', 'create', state, jsonb_build_object('remark', jsonb_build_array(null, remark)), 'bench', 'bench'
    from "order"`),
  )
  await filler.query(
    raw(
      `insert into person (id, version, created_at, changed_at, name, email) values (gen_random_uuid(), 1, now(), now(), 'Ada', 'ada@example.org')`,
    ),
  )
  await filler.query(raw('vacuum analyze'))
  const [ada] = await filler.query<{ id: string }>(raw(`select id::text from person where name = 'Ada'`))
  await filler.close()
  return openSession(store, ada!.id, { now: new Date(), random: randomBytes, agent: 'bench' })
}

function ninefold(...args: string[]): ChildProcess {
  const settings = { DATABASE_URL: database.url, PORT: String(port), HOST: '127.0.0.1', WEB_PROCESSES: '1' }
  return spawn(process.execPath, [join(home, 'bin/ninefold.mjs'), ...args], {
    cwd: home,
    env: { ...process.env, NODE_ENV: 'production', SHUTDOWN_DELAY: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function served(path: string): Promise<ChildProcess> {
  const child = ninefold('serve', path)
  let said = ''
  const tell = (text: Buffer) => {
    said += text.toString()
  }
  child.stderr!.on('data', tell)
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (text: Buffer) => {
      tell(text)
      if (/"event":"serving"/.test(text.toString())) resolve()
      for (const line of text.toString().split('\n')) if (/"level":50/.test(line)) console.log(`  ${line}`)
    })
    child.once('exit', () => reject(new Error(said)))
  })
  return child
}

/** Applies it while two clients write and read by the version that serves; kills the first attempt on its way. */
async function applied(path: string, { drop }: Change, entity: string, session: string) {
  const seen: Seen = { wrote: 0, read: 0, refused: new Map(), longest: 0, lock: 0 }
  let over = false
  const clients = [client(entity, session, seen, () => over), client(entity, session, seen, () => over)]
  const watching = watched(seen, () => over)
  const begun = performance.now()
  const args = ['apply', path, ...(drop === undefined ? [] : ['--drop', drop])]
  let attempts = 0
  for (let done = false; !done; ) {
    const child = ninefold(...args)
    attempts++
    let said = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (said += text.toString()))
    // Once it says what it does, a moment later: then it is at it.
    if (attempts === 1) child.stdout!.once('data', () => setTimeout(() => child.kill('SIGKILL'), 1500))
    const [code] = (await once(child, 'exit')) as [number | null]
    done = code === 0
    if (code !== null && code !== 0) throw new Error(said)
  }
  const seconds = (performance.now() - begun) / 1000
  // The version before is not retired yet: it reads and writes as it did.
  const before = { wrote: seen.wrote, read: seen.read }
  await wait(2000)
  over = true
  await Promise.all([...clients, watching])
  const goesOn = seen.wrote > before.wrote && seen.read > before.read
  return { seconds, attempts, seen, ends: goesOn ? '' : '; THE VERSION BEFORE DOES NOT GO ON' }
}

/** Creates, reads and changes, one after the other. */
async function client(entity: string, session: string, seen: Seen, isOver: () => boolean): Promise<void> {
  const address = `http://127.0.0.1:${port}/api/v1/${entity}`
  const headers = {
    cookie: `ninefold=${session}`,
    origin: `http://localhost:${port}`,
    host: `localhost:${port}`,
    'content-type': 'application/json',
    connection: 'close',
  }
  let last: string | null = null
  for (let n = 0; !isOver(); n++) {
    const kind = n % 3
    const to = last === null || kind === 0 ? '' : `/${last}`
    const method = to === '' ? 'POST' : kind === 1 ? 'GET' : 'PATCH'
    const body =
      method === 'GET' ? undefined : JSON.stringify({ number: `B${randomBytes(6).toString('hex')}`, days: 1 + (n % 9) })
    const sent = performance.now()
    const asked = send({ method, url: address + to, headers, ...(body === undefined ? {} : { body }) })
    // 0: the connection broke.
    const { status, body: answer } = await asked.catch(() => ({ status: 0, body: Buffer.of() }))
    seen.longest = Math.max(seen.longest, performance.now() - sent)
    if (status === 0 || status >= 300) {
      seen.refused.set(status, (seen.refused.get(status) ?? 0) + 1)
      if (status !== 503 && (seen.refused.get(status) ?? 0) === 1)
        console.log(`  ${method} answered ${status}: ${answer.toString().slice(0, 300)}`)
    } else if (method === 'GET') seen.read++
    else seen.wrote++
    if (method === 'POST' && status === 201) last = (JSON.parse(answer.toString()) as { id: string }).id
    await wait(10)
  }
}

/** The longest that anybody who is not the migration waits for a lock. */
async function watched(seen: Seen, isOver: () => boolean): Promise<void> {
  const store = openStore(database.url, { connections: 1 })
  const asked = raw(`
    select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000), 0)::float8 as waits
    from pg_locks l where not l.granted and l.relation is not null and l.mode in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`)
  while (!isOver()) {
    const [row] = await store.query<{ waits: number }>(asked)
    seen.lock = Math.max(seen.lock, Number(row!.waits))
    await wait(looks)
  }
  await store.close()
}

/** The tables are those that a database gets that had three records and no kill, and nothing is left to do. */
async function compared(path: string): Promise<void> {
  const { app } = loadApp(path)
  const { steps } = await planMigration(database.store, app!)
  const other = await createTestDatabase(serverUrl)
  try {
    for (const nth of Array.from({ length: changes.length + 1 }, (_, at) => at)) {
      const one = loadApp(join(folder, `orders-${nth}.md`)).app!
      const { drop } = changes[nth - 1] ?? {}
      const done = await applyMigration(other.store, one, null, {
        now: new Date(),
        drop: drop === undefined ? [] : [drop],
      })
      // What nobody has filled is changed at once.
      if (nth === 0) await other.store.query(orders(3))
      if (done.kind !== 'applied')
        throw new Error(`not applied: ${done.plan.found.map(({ message }) => message).join('\n')}`)
    }
    const linesOf = async ({ store }: TestDatabase) => (await catalogueOf(store)).split('\n')
    const [here, there] = [await linesOf(database), await linesOf(other)]
    const differ = [
      ...here.filter(line => !there.includes(line)).map(line => `here: ${line}`),
      ...there.filter(line => !here.includes(line)).map(line => `there: ${line}`),
    ]
    console.log(`Steps left: ${steps.length}. Lines of the catalogue that differ: ${differ.length}.`)
    for (const line of differ) console.log(`  ${line}`)
  } finally {
    await other.drop()
  }
}
