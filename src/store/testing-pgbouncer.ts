/** For tests: PgBouncer as it comes, in front of a database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accountForServer, plainEnvironment } from './binaries.ts'

const program = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  .map(folder => join(folder, 'pgbouncer'))
  .find(path => existsSync(path))

export const hasPgBouncer = program !== undefined

if (!hasPgBouncer) console.log('PgBouncer is not on this machine: nothing is tried through it.')

export interface Bouncer {
  /** Of the database, through it. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** With three connections of the server for all who come. */
export async function startPgBouncer(database: string, mode: 'transaction' | 'session'): Promise<Bouncer> {
  const { hostname, port, username, password, pathname } = new URL(database)
  const name = pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-pgbouncer-'))
  chmodSync(folder, 0o755)
  const own = await freePort()
  const given = password === '' ? '' : ` password='${decodeURIComponent(password)}'`
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} user=${decodeURIComponent(username)}${given}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 3
`,
  )
  const account = accountForServer()
  const bouncer = spawn(program!, ['-q', join(folder, 'pgbouncer.ini')], {
    ...account,
    env: plainEnvironment,
    stdio: 'ignore',
  })
  await answers(own, bouncer)
  const url = new URL(database)
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    async stop() {
      const gone = once(bouncer, 'exit')
      bouncer.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function answers(port: number, bouncer: ChildProcess): Promise<void> {
  while (bouncer.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await wait(20)
  }
  throw new Error(`PgBouncer ended with ${bouncer.exitCode}.`)
}
