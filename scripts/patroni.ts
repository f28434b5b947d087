/** Patroni from Debian, with etcd and HAProxy as its manual sets them up, under the loan desk: the machine of the first server is lost, comes back, and gets the lead again. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raw } from '../src/expression/sql.ts'
import { openStore } from '../src/store/pool.ts'
import {
  began,
  bin,
  databaseOf,
  deskAt,
  folder,
  foundOf,
  freePort,
  hold,
  own,
  run,
  urlOf,
  writing,
} from './recovering.ts'

/** Seconds that the lead lasts without being renewed: Patroni allows no fewer. */
const lead = 20

interface Node {
  readonly name: string
  readonly port: number
  readonly api: number
  readonly config: string
}

export async function byPatroni(): Promise<void> {
  const [etcd, peers, entry] = [await freePort(), await freePort(), await freePort()]
  const nodes = [await nodeOf('one', etcd), await nodeOf('two', etcd)]
  const programs = new Map<string, ChildProcess>()
  const begin = ({ name, config }: Node) => programs.set(name, began('patroni', [config], { LC_ALL: 'C.UTF-8' }))
  const [client, peer] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peers}`]
  programs.set(
    'etcd',
    began('etcd', [
      ...['--data-dir', own(join(folder, 'etcd')), '--initial-cluster', `default=${peer}`],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ]),
  )
  const proxy = join(folder, 'haproxy.cfg')
  writeFileSync(proxy, proxyTo(entry, nodes))
  try {
    begin(nodes[0]!)
    await until('one leads', async () => (await leaderOf(nodes)) === nodes[0])
    begin(nodes[1]!)
    await until('two follows in step', async () => (await isIn(nodes[1]!, 'sync')) === true)
    programs.set('haproxy', began('haproxy', ['-f', proxy, '-db']))
    await until('the way leads there', () => answers(urlOf(entry)))

    const desk = await deskAt(urlOf(entry))
    const url = urlOf(entry, databaseOf(desk.run.runtime.store))
    const people = writing(desk, url)
    await wait(3000)
    const before = people.saved.length
    people.longest()
    await lose(programs.get('one')!, nodes[0]!)
    await until('two leads', async () => (await leaderOf(nodes)) === nodes[1])
    const since = people.saved.length
    await until('somebody goes on', async () => people.saved.length > since + 20)
    const away = people.longest()
    begin(nodes[0]!)
    await until('one follows in step again', async () => (await isIn(nodes[0]!, 'sync')) === true)
    people.longest()
    run('patronictl', [
      '-c',
      nodes[1]!.config,
      'switchover',
      '--master',
      'two',
      '--candidate',
      'one',
      '--force',
      'desk',
    ])
    await until('one leads again', async () => (await leaderOf(nodes)) === nodes[0])
    await wait(3000)
    const changed = people.longest()
    await people.end()

    const found = await foundOf(people.saved, url)
    hold(
      'Patroni: what people were told was saved is there, after the first server was lost, came back, and was given the lead again',
      found === people.saved.length,
      `${found} of ${people.saved.length}, ${before} of them before`,
    )
    hold(
      'Patroni: they go on without a restart',
      people.saved.length > since,
      `${people.refused()} asked to try again; nothing saved for ${seconds(away)} when it was lost, for ${seconds(changed)} when the lead was given back`,
    )
    await desk.run.runtime.store.close()
  } finally {
    for (const name of ['haproxy', 'one', 'two', 'etcd']) {
      const program = programs.get(name)
      if (program === undefined || program.exitCode !== null || program.signalCode !== null) continue
      const gone = once(program, 'exit')
      program.kill('SIGTERM')
      await gone
    }
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** As where the machine loses its power: Patroni and all of its server at once. */
async function lose(patroni: ChildProcess, { name }: Node): Promise<void> {
  const gone = once(patroni, 'exit')
  process.kill(-patroni.pid!, 'SIGKILL')
  run('sh', ['-c', `kill -9 $(head -1 ${join(folder, name, 'postmaster.pid')})`])
  await gone
}

async function nodeOf(name: string, etcd: number): Promise<Node> {
  const [port, api] = [await freePort(), await freePort()]
  const config = join(folder, `${name}.yml`)
  writeFileSync(
    config,
    `scope: desk
name: ${name}
restapi: { listen: '127.0.0.1:${api}', connect_address: '127.0.0.1:${api}' }
etcd3: { host: '127.0.0.1:${etcd}' }
bootstrap:
  dcs:
    ttl: ${lead}
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { wal_log_hints: 'on' }
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums ]
  pg_hba: [ 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust' ]
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${own(join(folder, name))}
  bin_dir: ${bin}
  parameters: { unix_socket_directories: '${folder}' }
  basebackup: [ { checkpoint: fast } ]
  authentication:
    superuser: { username: postgres, password: postgres }
    replication: { username: replicator, password: replicator }
    rewind: { username: postgres, password: postgres }
`,
  )
  return { name, port, api, config }
}

/** As Patroni's manual has it: whoever leads says so at \`/primary\`. */
const proxyTo = (entry: number, nodes: readonly Node[]): string => `defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
listen desk
  bind 127.0.0.1:${entry}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}\n`).join('')}`

const isIn = async ({ api }: Node, role: 'primary' | 'sync'): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${api}/${role}`).catch(() => null))?.status === 200

async function leaderOf(nodes: readonly Node[]): Promise<Node | null> {
  for (const node of nodes) if (await isIn(node, 'primary')) return node
  return null
}

async function answers(url: string): Promise<boolean> {
  const store = openStore(url, { connectTimeout: 2000 })
  return store
    .query(raw('select 1'))
    .then(
      () => true,
      () => false,
    )
    .finally(() => store.close())
}

async function until(what: string, is: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await is()); await wait(200))
    if (performance.now() - begun > 120_000) throw new Error(`Two minutes on, it is not so: ${what}.`)
}
