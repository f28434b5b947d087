import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { raw } from '../../src/expression/sql.ts'
import type { Job } from '../load.ts'
import { ended, type Start } from './peer.ts'

/** Django's admin (Debian: `apt-get install python3-django gunicorn python3-psycopg2`), with as many processes. */
export const django: Start = async (desk, store) => {
  const port = 4121
  const password = randomBytes(12).toString('hex')
  const env = {
    ...process.env,
    DATABASE_URL: desk.url,
    DJANGO_SETTINGS_MODULE: 'django_desk.settings',
    DJANGO_SECRET_KEY: randomBytes(32).toString('hex'),
    DJANGO_SUPERUSER_PASSWORD: password,
    PYTHONPATH: [import.meta.dirname, process.env.PYTHONPATH].filter(Boolean).join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  // Whoever has another Python besides finds Debian's behind it.
  const program = ['python3', '/usr/bin/python3'].find(
    one => spawnSync(one, ['-c', 'import django, gunicorn, psycopg2'], { env }).status === 0,
  )
  if (program === undefined)
    return 'Django, gunicorn and psycopg2 are not on this machine (Debian: apt-get install python3-django gunicorn python3-psycopg2)'
  const python = (...args: string[]) => spawnSync(program, args, { env, encoding: 'utf8' })
  await store.query(raw('create schema if not exists django'))
  for (const args of [
    ['migrate'],
    ['createsuperuser', '--noinput', '--username', 'bench', '--email', 'bench@example.org'],
  ]) {
    const { status, stderr } = python('-m', 'django', ...args)
    if (status !== 0) throw new Error(stderr)
  }
  const served = spawn(
    program,
    ['-m', 'gunicorn', '--workers', '2', '--bind', `127.0.0.1:${port}`, '--log-level', 'error', 'django_desk.wsgi'],
    { env, stdio: 'inherit' },
  )
  const origin = `http://127.0.0.1:${port}`
  const cookie = await signedIn(origin, password, served)
  const asked = (path: string): Job => ({ method: 'GET', url: `${origin}${path}`, headers: { cookie } })
  return {
    name: 'Django admin',
    pid: served.pid!,
    list: asked('/admin/django_desk/loan/?state__exact=Out&o=-5'),
    one: ({ id }) => asked(`/admin/django_desk/loan/${id}/change/`),
    end: () => ended(served),
  }
}

async function signedIn(origin: string, password: string, served: ChildProcess): Promise<string> {
  const url = `${origin}/admin/login/`
  for (;;) {
    const form = await fetch(url).catch(() => null)
    if (form === null) {
      if (served.exitCode !== null) throw new Error(`gunicorn ended with ${served.exitCode}`)
      await wait(200)
      continue
    }
    const token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await form.text())![1]!
    const csrf = form.headers.getSetCookie()[0]!.split(';')[0]!
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: csrf, referer: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfmiddlewaretoken: token, username: 'bench', password, next: '/admin/' }),
    })
    const session = answer.headers.getSetCookie().find(one => one.startsWith('sessionid='))
    if (session === undefined) throw new Error(`Signing in to Django gave ${answer.status}.`)
    return session.split(';')[0]!
  }
}
