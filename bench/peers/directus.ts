import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '../load.ts'
import { ended, page, type Start } from './peer.ts'

/** Directus, whose pages are drawn in the browser from this: in a folder, `npm i directus@12.4.0`, and `BENCH_DIRECTUS` names it. */
export const directus: Start = async desk => {
  const folder = process.env.BENCH_DIRECTUS
  if (folder === undefined)
    return 'Directus is not here (in a folder: npm i directus@12.4.0, which BENCH_DIRECTUS names)'
  const port = 4122
  const [token, secret] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')]
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: desk.url,
    SECRET: secret,
    ADMIN_EMAIL: 'bench@example.org',
    ADMIN_PASSWORD: secret,
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  const cli = join(folder, 'node_modules', 'directus', 'cli.js')
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, 'bootstrap'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  const served = spawn(process.execPath, [cli, 'start'], { cwd: folder, env, stdio: 'inherit' })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/server/ping`).catch(() => null))?.ok) {
    if (served.exitCode !== null) throw new Error(`Directus ended with ${served.exitCode}`)
    await wait(200)
  }
  const asked = (path: string): Job => ({
    method: 'GET',
    url: `${origin}/items/loan${path}`,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  const columns = 'id,number,state,out_on,due_back,purpose,borrower.name'
  return {
    name: 'Directus (JSON)',
    pid: served.pid!,
    list: asked(`?filter[state][_eq]=Out&sort=-due_back,number&limit=${page}&fields=${columns}&meta=filter_count`),
    one: ({ id }) => asked(`/${id}?fields=*,borrower.name`),
    end: () => ended(served),
  }
}
