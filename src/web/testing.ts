/** For tests: the loan desk (or another document) served over real HTTP, and a browser-like client without scripts. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { startTestRun, type TestRun, testId } from '../run/testing.ts'
import { folderFiles } from '../store/files.ts'
import type { Store } from '../store/pool.ts'
import { type Assets, assetRoot, assetsOf } from './client.ts'
import { gzipOptions } from './compress.ts'
import type { LogEntry, Served, WebOptions } from './request-context.ts'
import { type RunningWeb, startWeb } from './server.ts'
import { openSession } from './sign-in/session.ts'

export interface TestWeb {
  readonly run: TestRun
  readonly web: RunningWeb
  readonly url: string
  /** What is served, for `web.reload`. */
  readonly served: Served
  readonly log: readonly LogEntry[]
  /** Where files lie. */
  readonly folder: string
  /** Texts of the statements that requests sent; a transaction counts as one. Empty it before what is measured. */
  readonly statements: string[]
  /** Somebody's browser, signed in as this demo person; null: a visitor. */
  readonly browser: (name: string | null) => Promise<TestBrowser>
  /** Somebody's browser, by the id of any person: signed in already, at this server or at another one. */
  readonly signedIn: (person: string, at?: RunningWeb) => Promise<TestBrowser>
  /** The browser of a person who is new: whoever is signed in has no other role. */
  readonly newcomer: (name: string) => Promise<TestBrowser>
  /** Another process, as it were: the same database, nothing else in common. It is closed by whoever starts it. */
  readonly another: (options?: Partial<WebOptions>) => Promise<RunningWeb>
  readonly stop: () => Promise<void>
}

/** Serves it in the way of `dev`, on a free port, with the clock of the test run. */
export async function startTestWeb(
  databaseUrl: string,
  app?: App,
  options: Partial<WebOptions> = {},
): Promise<TestWeb> {
  const run = await (app === undefined ? startTestRun(databaseUrl) : startTestRun(databaseUrl, app))
  const served = await serveTestRun(run, options)
  const stop = async () => {
    await served.stop()
    await run.drop()
  }
  return { ...served, stop }
}

/** The same over a run that is there already, and stays. */
export async function serveTestRun(run: TestRun, options: Partial<WebOptions> = {}): Promise<TestWeb> {
  const log: LogEntry[] = []
  const statements: string[] = []
  const people = await run.runtime.store.query<{ id: string; name: string; email: string }>(
    sql`select id, name, email from public.person order by name`,
  )
  const served: Served = {
    runtime: { ...run.runtime, store: watched(run.runtime.store, statements) },
    found: [],
    files: run.runtime.app.document.files,
    outdated: false,
    people: people.map(person => ({ ...person, roles: [] })),
  }
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-files-'))
  const serving: WebOptions = {
    served,
    mode: 'dev',
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    clock: () => run.now,
    newId: testId,
    random: randomBytes,
    log: entry => void log.push(entry),
    files: folderFiles(folder),
    assets: assetsOf([
      { name: 'ninefold.css', content: 'body{}' },
      { name: 'worker.js', content: '' },
    ]),
    ...options,
  }
  const web = await startWeb(serving)
  const browser = async (name: string | null) => {
    const made = new TestBrowser(web.url)
    if (name !== null) await made.signIn(run.people[name] ?? '')
    return made
  }
  const signedIn = async (person: string, at = web) => {
    const made = new TestBrowser(`http://localhost:${at.port}`)
    const now = { now: run.now, random: randomBytes, agent: undefined }
    made.cookies.set('ninefold', await openSession(run.runtime.store, person, now))
    return made
  }
  const newcomer = async (name: string) => {
    const id = testId()
    await run.runtime.store.inTransaction(tx =>
      tx.write(sql`insert into public.person (id, name, email, created_at, changed_at)
        values (${id}, ${name}, ${`${name.toLowerCase()}@example.org`}, ${run.now}, ${run.now})`),
    )
    return signedIn(id)
  }
  const another = (more: Partial<WebOptions> = {}) => startWeb({ ...serving, ...more })
  const stop = async () => {
    await web.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { run, web, url: web.url, served, log, folder, statements, browser, signedIn, newcomer, another, stop }
}

function watched(store: Store, statements: string[]): Store {
  return {
    ...store,
    run: (statement, bindings) => {
      statements.push(statement.text)
      return store.run(statement, bindings)
    },
    query: (query, bindings) => {
      statements.push(query.texts.join('$'))
      return store.query(query, bindings)
    },
    inTransaction: (work, options) => {
      statements.push('transaction')
      return store.inTransaction(work, options)
    },
  }
}

/**
 * Bytes that a browser fetches before anything on this page is touched, with gzip: the page, what it names, and what its scripts cannot
 * begin without; the others are `import(…)`ed when they are needed.
 */
export function weigh(assets: Assets, text: string): { readonly scripts: number; readonly all: number } {
  const files = new Map<string, number>()
  const add = (path: string) => {
    const file = assets.files.get(path)
    if (file === undefined) throw new Error(`There is no ${path}.`)
    if (files.has(path)) return
    files.set(path, (file.gzip ?? file.plain).length)
    if (path.endsWith('.js'))
      for (const [, name] of file.plain.toString().matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
        add(assetRoot + name)
  }
  for (const [, path] of text.matchAll(/(?:href|src)="(\/-\/assets\/[\w.-]+)"/g)) add(path!)
  const sum = (ending: string) => [...files].reduce((all, [path, size]) => all + (path.endsWith(ending) ? size : 0), 0)
  return { scripts: sum('.js'), all: sum('') + gzipSync(text, gzipOptions).length }
}

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Buffer
  readonly location: string | null
}

/** The words of each page of a PDF. */
export async function pagesOf({ bytes }: Page): Promise<readonly string[]> {
  const { extractText } = await import('unpdf')
  return (await extractText(new Uint8Array(bytes))).text.map(page => page.replace(/\s+/g, ' '))
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** Signs that stand in pages as numbers (see `ui/shapes.tsx`), as a browser reads them. */
const asRead = (html: string): string =>
  html.replace(/&#(8\d{3});/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** Keeps cookies and posts forms as a browser does; follows nothing by itself. */
export class TestBrowser {
  readonly url: string
  readonly cookies = new Map<string, string>()

  constructor(url: string) {
    this.url = url
  }

  async request(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { cookie }), 'sec-fetch-site': 'same-origin', ...init.headers },
      ...(init.body === undefined ? {} : { body: init.body as string }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, headers } = response
    return { status, headers, text: asRead(bytes.toString()), bytes, location: headers.get('location') }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.request('GET', path, { headers: { 'sec-fetch-site': 'none', ...headers } })
  }

  /** Exactly these fields, whatever a form has. */
  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Page> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
    const body = new URLSearchParams(pairs as [string, string][]).toString()
    return this.request('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  }

  json(method: string, path: string, value?: unknown, headers: Record<string, string> = {}): Promise<Page> {
    if (value === undefined) return this.request(method, path, { headers })
    return this.request(method, path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(value),
    })
  }

  /** Fills in the form that posts to `action` on a page, and sends it. */
  async submit(page: string, action: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { text } = await this.get(page)
    return this.post(action, { ...fieldsOf(text, action), ...fields })
  }

  /** The token that forms of this browser carry, from a page that everybody has. */
  async token(): Promise<string> {
    const { text, status } = await this.get('/-/account')
    const page = status === 200 ? text : (await this.get('/-/sign-in')).text
    return /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  }

  /** Exactly these fields and the token. */
  async send(path: string, fields: Fields): Promise<Page> {
    const pairs = (Array.isArray(fields) ? fields : Object.entries(fields)) as [string, string][]
    return this.post(path, [...pairs, ['_csrf', await this.token()]])
  }

  async signIn(person: string): Promise<void> {
    const page = await this.send('/-/demo', { person })
    if (page.status !== 303) throw new Error(`Signing in gave ${page.status}.`)
  }
}

/** Refuses cookies. */
export class ForgetfulBrowser extends TestBrowser {
  override request(...[method, path, init = {}]: Parameters<TestBrowser['request']>): Promise<Page> {
    this.cookies.clear()
    return super.request(method, path, { ...init, headers: { origin: this.url, ...init.headers } })
  }
}

/** A control of a form: its name, its text or bytes, and the name of the file if it is one. */
export type Part = readonly [name: string, content: string | Buffer, filename?: string]

/** A body with files, for `request`. */
export function multipart(parts: readonly Part[]): { headers: Record<string, string>; body: Buffer } {
  const boundary = '----ninefold'
  const body = parts.flatMap(([name, content, filename]) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`}\r\n\r\n`,
    ),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** Names and values of the controls of the form that posts to this action, as a browser would send them untouched. */
export function fieldsOf(html: string, action: string): Readonly<Record<string, string>> {
  const forms = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)]
  const form = forms.find(([, attributes = '', inner = '']) => {
    const own = attributeOf(attributes, 'action')
    const posts = attributeOf(attributes, 'method') !== 'get'
    return (
      (posts && own === action) || inner.includes(`formAction="${action}"`) || inner.includes(`formaction="${action}"`)
    )
  })
  if (form === undefined) throw new Error(`There is no form for ${action}.`)
  const inner = form[2] ?? ''
  const fields: Record<string, string> = {}
  for (const [, attributes = ''] of inner.matchAll(/<input\b([^>]*)>/g)) {
    const name = attributeOf(attributes, 'name')
    const type = attributeOf(attributes, 'type')
    const isOff = (type === 'checkbox' || type === 'radio') && !/\bchecked\b/.test(attributes)
    if (name !== null && !isOff && type !== 'file') fields[name] = attributeOf(attributes, 'value') ?? ''
  }
  for (const [, attributes = '', text = ''] of inner.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g)) {
    const name = attributeOf(attributes, 'name')
    if (name !== null) fields[name] = unescaped(text)
  }
  for (const [, attributes = '', options = ''] of inner.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const name = attributeOf(attributes, 'name')
    const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, of = '']) => of)
    const chosen = all.find(of => /\bselected\b/.test(of)) ?? all[0]
    if (name !== null && chosen !== undefined) fields[name] = attributeOf(chosen, 'value') ?? ''
  }
  return fields
}

function attributeOf(attributes: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'i').exec(attributes)
  return match === null ? null : unescaped(match[1] ?? '')
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
