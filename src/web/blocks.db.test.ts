/** A React component of the document on the page of a record: what it is given, where its script goes, and what happens when it fails. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const document = join(import.meta.dirname, '../../examples/street-defects/street-defects.md')

let web: TestWeb
let dispatcher: TestBrowser
let inspector: TestBrowser
let path: string

const holderOf = async (role: string) =>
  (
    await web.run.runtime.store.query<{ id: string; name: string }>(
      sql`select p.id, p.name from person as p join ninefold.appointment as a on a.person = p.id where a.role = ${role}`,
    )
  )[0]!
const idOf = async (table: 'category' | 'street') =>
  (
    await web.run.runtime.store.query<{ id: string }>(
      table === 'street' ? sql`select id from street limit 1` : sql`select id from category limit 1`,
    )
  )[0]!.id

async function serve(edit: (text: string) => string = text => text) {
  web = await startTestWeb(inject('databaseUrl'), readSound(document, edit))
  const who = await holderOf('Inspector')
  dispatcher = await web.browser((await holderOf('Dispatcher')).name)
  inspector = await web.browser(who.name)
  const made = await dispatcher.json('POST', '/api/v1/case', {
    category: await idOf('category'),
    street: await idOf('street'),
    place: 'Before number 4',
    inspector: who.id,
  })
  path = `/cases/${JSON.parse(made.text).number}`
}

beforeAll(() => serve())
afterAll(() => web?.stop())

test('colour, logo and a word at the door are those of the document, on every page', async () => {
  const door = (await (await web.browser(null)).get('/-/sign-in')).text
  expect(door).toContain('For people who work for Harwick.')
  const inside = (await dispatcher.get(path)).text
  for (const page of [door, inside]) {
    const [, sheet] = /ninefold\.\w+\.css"\/><link rel="stylesheet" href="([^"]+)"/.exec(page)!
    expect((await dispatcher.get(sheet!)).text).toContain('--accent:light-dark(oklch(')
    const [, logo] = /<img src="([^"]+)" alt="" width="48" height="48"\/>/.exec(page)!
    const [, manifest] = /<link rel="manifest" href="([^"]+)"/.exec(inside)!
    const app = await dispatcher.get(manifest!)
    expect(app.headers.get('content-type')).toBe('application/manifest+json')
    expect(JSON.parse(app.text)).toMatchObject({ name: 'Street defects', start_url: '/', icons: [{ src: logo }] })
    expect(door, 'whoever is not signed in is offered no application').not.toContain('rel="manifest"')
    const image = await dispatcher.get(logo!)
    expect([image.headers.get('content-type'), image.text]).toEqual([
      'image/svg+xml',
      expect.stringContaining('#7a1f3d'),
    ])
    // An image that is opened by itself runs nothing.
    expect(image.headers.get('content-security-policy')).toContain("script-src 'self'")
  }
  expect(inside).toContain('class="letterhead"')
})

const dataOf = (text: string) => {
  const attribute = /data-data="([^"]*)"/.exec(text)![1]!
  return JSON.parse(attribute.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')).props
}
const scriptOf = (text: string) => /src="([^"]*\/block-[^"]*\.js)"/.exec(text)?.[1]

test('the server renders it, and its script stands only on pages that have it', async () => {
  const { text } = await dispatcher.get(path)
  expect(text).toMatch(/data-block="\w+"[^>]*><label>5 of 5 days left/)
  const script = scriptOf(text)!
  const answer = await dispatcher.get(script)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(scriptOf((await dispatcher.get('/cases')).text)).toBe(undefined)
})

test('it is given what this person sees, and the steps that are open to them', async () => {
  const all = dataOf((await dispatcher.get(path)).text)
  const less = dataOf((await inspector.get(path)).text)
  expect(all.record).toMatchObject({ state: 'Open', place: 'Before number 4', cost: '0.00' })
  expect(less.record).toMatchObject({ state: 'Open', place: 'Before number 4' })
  expect(less.record).not.toHaveProperty('cost')
  expect(all.steps.map(({ key }: { key: string }) => key)).toEqual(['reject'])
  expect(less.steps).toEqual([])
})

test('a block is a whole screen: given the records that this person sees, with their steps and addresses', async () => {
  const page = await inspector.get('/due')
  expect(page.text, 'made of parts of ours').toMatch(
    /<section class="stack"><h2>[^<]+<\/h2><section class="tw"|<div class="empty">/,
  )
  expect(page.text).toContain('<h1>Due soon</h1>')
  expect(page.text).toContain(`<a href="${path}">`)
  const given = dataOf(page.text)
  expect(given.records[0]).toMatchObject({ place: 'Before number 4', href: path, steps: [] })
  expect(given.records[0]).not.toHaveProperty('cost')
  expect(dataOf((await dispatcher.get('/due')).text).records[0].steps.map(({ key }: { key: string }) => key)).toEqual([
    'reject',
  ])
  expect((await dispatcher.get(scriptOf(page.text)!)).status).toBe(200)
  expect(page.text).toContain('aria-current="page"')
  expect((await (await web.browser(null)).get('/due')).status).toBe(303)
})

test.each([
  ['throws', "throw new Error('nothing works')", 'nothing works', /^blocks\/deadline\.tsx:\d+:\d+$/],
  ['never ends', 'for (;;) ;', 'timed out', /^blocks\/deadline\.tsx/],
  ['reaches outside', 'process.exit(1)', 'process is not defined', /^blocks\/deadline\.tsx:\d+:\d+$/],
])(
  'a block that %s says so, with its name and file; the page stands and the log knows',
  async (_, code, why, place) => {
    await web.stop()
    await serve(text => text.replace('const [weekdaysOnly', `${code}\n  const [weekdaysOnly`))
    const { status, text } = await dispatcher.get(path)
    expect(status).toBe(200)
    expect(text).toContain('Deadline (blocks/deadline.tsx) could not be shown.')
    expect(text).toContain('Before number 4')
    expect(scriptOf(text)).toBe(undefined)
    const [entry] = web.log.filter(({ event }) => event === 'code failed')
    expect(entry!.detail).toMatchObject({ block: 'Deadline', file: expect.stringMatching(place) })
    expect(entry!.detail.why).toContain(why)
  },
)
