import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '../load.ts'
import { ended, page, type Start } from './peer.ts'

/**
 * Payload under Next, whose pages are drawn in the browser from this, over tables of its own that are filled from the desk's:
 * in a folder, `npm i payload@3.90.2 @payloadcms/db-postgres@3.90.2 @payloadcms/next@3.90.2 next@16.4.6 react@19 react-dom@19 graphql@16
 * typescript@5`, and `BENCH_PAYLOAD` names it. It is built there once.
 */
export const payload: Start = async desk => {
  const folder = process.env.BENCH_PAYLOAD
  if (folder === undefined)
    return 'Payload is not here (which packages, bench/peers/payload.ts says; BENCH_PAYLOAD names their folder)'
  const port = 4123
  const key = randomUUID()
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: desk.url,
    PAYLOAD_SECRET: randomBytes(24).toString('hex'),
    PAYLOAD_KEY: key,
  }
  cpSync(join(import.meta.dirname, 'payload'), folder, { recursive: true })
  const run = (more: NodeJS.ProcessEnv, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...env, ...more },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
  }
  // It makes tables by itself in development alone.
  run({ NODE_ENV: 'development' }, 'fill.mjs')
  const next = join('node_modules', 'next', 'dist', 'bin', 'next')
  if (!existsSync(join(folder, '.next', 'BUILD_ID'))) run({}, next, 'build')
  const served = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const origin = `http://127.0.0.1:${port}/api/loans`
  const headers = { authorization: `users API-Key ${key}`, 'accept-encoding': 'identity' }
  while (!(await fetch(`${origin}?limit=1`, { headers }).catch(() => null))?.ok) {
    if (served.exitCode !== null) throw new Error(`Next ended with ${served.exitCode}`)
    await wait(200)
  }
  const asked = (path: string): Job => ({ method: 'GET', url: `${origin}${path}`, headers })
  return {
    name: 'Payload (JSON)',
    pid: served.pid!,
    list: asked(`?where[state][equals]=Out&sort=-due_back,number&limit=${page}&depth=1`),
    one: ({ id }) => asked(`/${id}?depth=1`),
    end: () => ended(served),
  }
}
