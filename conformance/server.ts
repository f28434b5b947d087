/**
 * The loan desk (or another document) behind HTTP in a process of its own, with everything that varies held still: the clock stands,
 * request ids and chance are always the same. Two servers that hold the same data then give the same bytes. No worker runs: what
 * is in the database changes only by requests. Started by `startServer` in desk.ts.
 */
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patience } from '../scripts/limits.ts'
import '../scripts/tsx-hook.mjs'

export interface ServerOptions {
  /** A server for each, in this one process. */
  readonly databases: readonly string[]
  /** Root file of the document. */
  readonly document: string
  /** `dev` has more pages. */
  readonly mode: 'serve' | 'dev'
  /** What the clock says, for ever. */
  readonly now: string
  /** First eight hexadecimal digits of every id that it gives: a second server on the same database needs others. */
  readonly series: string
}

process.env.NODE_ENV = 'production'
const { databases, document, mode, now, series } = JSON.parse(process.env.CONFORMANCE_SERVER ?? '{}') as ServerOptions
// After the loader of `.tsx` is in place.
const { loadApp } = await import('../src/cli/load.ts')
const { folderFiles } = await import('../src/store/files.ts')
const { openStore } = await import('../src/store/pool.ts')
const { startWeb } = await import('../src/web/server.ts')
const { assetsOf } = await import('../src/web/client.ts')

const { app } = loadApp(document)
if (app === null) throw new Error(`${document} is not a sound document.`)
// Those who ask at once on a busy machine wait for each other; how long is not what is looked at.
const patient = { connectTimeout: patience.step, lockTimeout: patience.step, statementTimeout: patience.step }
const ports: number[] = []
const counts: number[] = []
for (const [at, url] of databases.entries()) {
  let ids = 0
  counts.push(0)
  const { port } = await startWeb({
    served: {
      runtime: { app, store: openStore(url, { ...patient, connections: 30, onStatement: () => counts[at]!++ }) },
      found: [],
      files: app.document.files,
      outdated: false,
      people: [],
    },
    mode,
    host: '127.0.0.1',
    port: 0,
    // The same for every server, whatever its port: it stands in answers.
    publicUrl: 'http://localhost:3000',
    clock: () => new Date(now),
    moveClock: () => {},
    newId: () => `${series}-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    random: size => Buffer.alloc(size, 0x5a),
    log({ level, event, detail }) {
      if (level === 'error') console.error(event, detail)
    },
    files: folderFiles(join(tmpdir(), `ninefold-conformance-${process.pid}`)),
    assets: assetsOf([{ name: 'ninefold.css', content: 'body{}' }]),
  })
  ports.push(port)
}
// How many statements each has sent since it was last asked.
const told = createServer((_, response) =>
  response.end(JSON.stringify(counts.splice(0, counts.length, ...counts.map(() => 0)))),
)
told.listen(0, '127.0.0.1', () =>
  console.log(`ports ${ports.join(' ')} counts ${(told.address() as AddressInfo).port}`),
)
// It is going to be killed; the next one need not compile the same sources.
flushCompileCache()
