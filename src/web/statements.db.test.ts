/** Every page that the people of every example come to, from link to link: how many statements it takes. */

import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { identifier, sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { exampleFiles } from '../headings/testing.ts'
import { archivedName, onlyArchived } from '../kinds/screens/query.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { archives } from '../run/access/archived.ts'
import { readSound, startTestRun } from '../run/testing.ts'
import { internal } from './internal.ts'
import { continueHref } from './screens/drafts.ts'
import { fieldsOf, serveTestRun, type TestBrowser, type TestWeb } from './testing.ts'

const examples = join(import.meta.dirname, '../../examples')

/** Who asks is one of them. */
const most = 4

/** What no link need lead to. */
const beside = [
  '/',
  '/nowhere',
  '/-/search?q=a',
  ...Object.entries(internal).flatMap(([url, { get }]) => (get === undefined || /\.json$|\*$/.test(url) ? [] : [url])),
]

/** What is asked of a list by a form. */
const askedOf = (app: App) =>
  app.screens.flatMap(({ shows, route }) => {
    const list = specified(shows)
    const path = specified(route)?.pattern
    if (list?.kind !== 'list' || path === undefined) return []
    return [`${path}?q=nowhere`, ...(archives(app, list.entity!) ? [`${path}?${archivedName}=${onlyArchived}`] : [])]
  })

/** Files, and what a browser is led to elsewhere. */
const isNoPage = (path: string) =>
  /^\/(api|-\/(assets|files|events|sign-out|person-data\/file))|[?&]_export=/.test(path)

/** Of addresses that differ in the record, or in what they ask for, one is opened; of those that ask for several things, none. */
const isOpened = (kind: string): boolean =>
  kind
    .split(' ')
    .slice(1)
    .filter(name => !name.includes('=')).length < 2

/** What the parameter says is which page it is. */
const telling = new Set(['view', 'entity', 'screen', '_show'])

function kindOf({ pathname, searchParams }: URL): string {
  const names = [...searchParams].flatMap(([name, value]) => {
    // The list that a record was opened from: what is archived is found there.
    if (name === '_list') return value.includes(archivedName) ? [archivedName] : []
    return telling.has(name) ? `${name}=${value}` : name
  })
  return [pathname.replace(/\/(?![a-z-]*(\/|$))[^/]*/g, '/{}'), ...new Set(names.sort())].join(' ')
}

const entities: Readonly<Record<string, string>> = { amp: '&', '#x27': "'", quot: '"' }
const hrefsIn = (text: string) =>
  Array.from(text.matchAll(/<a\b[^>]*?href="([^"#]+)/g), ([, href]) =>
    href!.replaceAll(/&(amp|#x27|quot);/g, (_, name: string) => entities[name]!),
  )

/** On a dashboard, each card has a statement of its own, and one more for what it is compared with. */
function allowed({ served }: TestWeb, path: string): number {
  const of = served.runtime.app.screens.find(({ route }) => specified(route)?.pattern === path.split('?', 1)[0])
  return of === undefined ? most : Math.max(most, 1 + 2 * usesOf(of).cards.length)
}

/** Where something is filled in. */
const isForm = /\/(new|edit|do\/\w+)$/

/** A form that is sent with nothing in it, and comes back refused, takes as many as its page. */
async function refused(web: TestWeb, browser: TestBrowser, path: string, text: string): Promise<readonly string[]> {
  if (!isForm.test(path) || !text.includes('name="_once"')) return []
  const own = Object.entries(fieldsOf(text, path)).filter(([name]) => /^_(csrf|once|version|was|asked)$/.test(name))
  if (own.length === 0) return []
  web.statements.length = 0
  const { status } = await browser.post(path, own)
  const { length } = web.statements
  return status === 422 && length > most ? [`${path} refused takes ${length}: ${web.statements.join(' | ')}`] : []
}

/** Pages that took more, with what they asked for; and how many were opened. */
async function walk(
  web: TestWeb,
  browser: TestBrowser,
): Promise<{ readonly over: readonly string[]; readonly pages: number }> {
  const over: string[] = []
  const opened = new Set<string>()
  const queue = [...beside, ...askedOf(web.served.runtime.app)]
  let pages = 0
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = kindOf(new URL(path, web.url))
    if (isNoPage(path) || opened.has(kind) || !isOpened(kind)) continue
    opened.add(kind)
    web.statements.length = 0
    const { status, headers, text, location } = await browser.get(path)
    const statements = [...web.statements]
    if (status >= 500) over.push(`${path} is ${status}`)
    if (headers.get('content-type')?.startsWith('text/html') === true) pages++
    if (statements.length > allowed(web, path))
      over.push(
        `${path} takes ${statements.length}: ${statements.map(one => one.replaceAll(/\s+/g, ' ').slice(0, 160)).join(' | ')}`,
      )
    if (text.includes('name="_keep"') && !path.includes('?')) {
      await browser.post(path, { ...fieldsOf(text, path), _keep: 'draft' })
      queue.push(continueHref(path))
    }
    over.push(...(await refused(web, browser, path, text)))
    for (const href of [...hrefsIn(text), ...(location === null ? [] : [location])]) {
      const to = new URL(href, web.url + path)
      if (to.origin === new URL(web.url).origin) queue.push(to.pathname + to.search)
    }
  }
  return { over, pages }
}

/** One record of every entity whose records are archived is. */
async function archiveSome({ run: { runtime, now } }: TestWeb): Promise<void> {
  for (const entity of runtime.app.entities.keys())
    if (archives(runtime.app, entity))
      await runtime.store.query(
        sql`update ${identifier('public', entity)} set archived_at = ${now.toISOString()}::timestamptz where id = (select min(id::text)::uuid from ${identifier('public', entity)})`,
      )
}

test.each(exampleFiles)('%s', async file => {
  const run = await startTestRun(inject('databaseUrl'), readSound(join(examples, file)), null, { files: true })
  const web = await serveTestRun(run)
  await archiveSome(web)
  const over: string[] = []
  for (const [name, id] of [['a visitor', null], ...Object.entries(run.people)] as const) {
    const browser = id === null ? await web.browser(null) : await web.signedIn(id)
    const found = await walk(web, browser)
    over.push(...found.over.map(line => `As ${name}: ${line}`))
    expect(found.pages).toBeGreaterThan(10)
  }
  await web.stop()
  await run.drop()
  expect(over).toEqual([])
})
