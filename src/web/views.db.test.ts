/** Views of a list over HTTP: those of the document, and that nobody sees more by them. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create, takeStep } from '../run/write/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let keeper: TestBrowser
let helper: TestBrowser
let villager: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(join(import.meta.dirname, 'fixtures/shed.md')))
  const { runtime } = web.run
  const [saw] = await runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Saw'`)
  const as = await web.run.as('Kira')
  for (const [code, name, price] of [
    ['A', 'Anvil', '150'],
    ['B', 'Bellows', '5'],
    ['C', 'Chisel', '5'],
  ] as const) {
    const count = code === 'A' ? '2' : '1'
    const id = done(await create(runtime, as, 'tool', input({ code, name, kind: saw!.id, price, count, cost: '7' })))
    if (code !== 'A') done(await takeStep(runtime, as, 'tool', id, 'break', null, input({})))
  }
  ;[keeper, helper, villager] = await Promise.all([web.browser('Kira'), web.browser('Hugo'), web.browser('Vera')])
})
afterAll(() => web?.stop())

const codes = (text: string) =>
  Array.from(text.matchAll(/class="ttl" href="\/tools\/([^"?]+)/g), ([, code]) => code).join('')
const tabs = (text: string) =>
  Array.from(
    (/<nav class="views".*?<div/.exec(text)?.[0] ?? '').matchAll(
      /<a href="(\/tools[^"]*)"( aria-current="page")?(?: aria-keyshortcuts="\d")?>([^<]*)</g,
    ),
    ([, href, current, label]) => `${label}${current === undefined ? '' : '*'} ${href}`,
  )

test('who has a role with a home comes there, everybody else to the first screen', async () => {
  const homes = await Promise.all([keeper, villager].map(async one => (await one.get('/')).location))
  expect(homes).toEqual(['/kinds', '/tools'])
})

test('a view has its rows, its columns and its order', async () => {
  // The first page notes that the session is used.
  await keeper.get('/kinds')
  web.statements.length = 0
  const { text } = await keeper.get('/tools?_view=broken')
  expect(web.statements.length).toBe(2)
  expect(codes(text)).toBe('CB')
  expect(text).toContain('Cost')
  expect(text).not.toContain('>Bought<')
  expect(tabs(text)).toEqual([
    'All /tools',
    'Broken* /tools?_view=broken',
    'Mine /tools?_view=mine',
    'Dear /tools?_view=dear',
  ])
  expect(tabs((await keeper.get('/tools')).text)[0]).toBe('All* /tools')
  expect(codes((await keeper.get('/tools?_view=dear')).text)).toBe('A')
})

test('a mark stands beside a record in its list and on its page, for whoever sees all that decides it', async () => {
  const marks = (text: string) =>
    [...text.slice(text.indexOf('<main')).matchAll(/<span class="tag (\w+)">(?:<svg.*?<\/svg>)?([^<]+)/g)].map(
      ([, tone, word]) => `${tone} ${word}`,
    )
  const read = async (browser: TestBrowser, path: string) => marks((await browser.get(path)).text)
  expect(await read(keeper, '/tools')).toEqual(['bad Dear to us', 'bad Dear to us', 'bad Dear to us'])
  expect(await read(keeper, '/tools/A')).toEqual(['bad Dear to us'])
  expect(await read(villager, '/tools')).toEqual([])
  expect(await read(villager, '/tools/A')).toEqual([])
})

test('filters, order and columns of the reader go on top, and the view stays', async () => {
  const { text } = await keeper.get('/tools?_view=broken&sort=code&_columns=code&name.contains=e')
  expect(codes(text)).toBe('BC')
  expect(text).toContain('<input type="hidden" name="_view" value="broken"/>')
  expect(codes((await keeper.get('/tools?_view=broken&name.contains=Bell')).text)).toBe('B')
  expect(text).toContain(
    '_view=broken&amp;name.contains=e&amp;_open=filters'.replace(
      '&amp;name',
      '&amp;sort=code&amp;_columns=code&amp;name',
    ),
  )
})

test('nobody sees more by a view, and one that is not there is said', async () => {
  expect(codes((await villager.get('/tools?_view=broken')).text)).toBe('')
  expect(codes((await villager.get('/tools?_view=dear')).text)).toBe('A')
  expect((await villager.get('/tools?_view=broken')).text).not.toContain('Cost')
  const { text, status } = await keeper.get('/tools?_view=late')
  expect([status, codes(text)]).toEqual([200, 'ABC'])
  expect(text).toContain('_view=late')
  expect(text).toMatch(/not understood|nicht verstanden/i)
})

test('a file has what the view shows', async () => {
  const { text } = await keeper.get('/tools?_view=broken&_export=csv')
  expect(text.trim().split(/\r?\n/).length).toBe(3)
})

const post = (browser: TestBrowser, list: string, fields: Readonly<Record<string, string>>) =>
  browser.send('/-/view', [['_list', list], ...Object.entries(fields)])
const idOf = async (name: string) =>
  (await web.run.runtime.store.query<{ id: string }>(sql`select id from ninefold.view where name = ${name}`))[0]?.id ??
  ''

test('what is shown is saved under a name, for oneself, and is a tab from then on', async () => {
  const list = '/tools?name.contains=e&_columns=code,name&sort=-code&after=x&_open=views'
  const { location } = await post(keeper, list, { do: 'save', name: ' With  e ' })
  expect(location).toBe('/tools?_columns=code%2Cname&name.contains=e&sort=-code')
  web.statements.length = 0
  const { text } = await keeper.get(location!)
  expect(web.statements.length).toBe(2)
  expect(codes(text)).toBe('CB')
  expect(tabs(text).at(-1)).toBe('With e* /tools?_columns=code%2Cname&amp;name.contains=e&amp;sort=-code')
  // In whatever order the address says it.
  expect(tabs((await keeper.get('/tools?sort=-code&name.contains=e&_columns=code,name')).text).at(-1)).toMatch(
    /^With e\*/,
  )
  expect((await helper.get('/tools')).text).not.toContain('With e')
  // Under the same name again it takes its place.
  await post(keeper, '/tools?state=Ready', { do: 'save', name: 'With e' })
  expect(tabs((await keeper.get('/tools')).text).filter(tab => tab.startsWith('With e'))).toEqual([
    'With e /tools?state=Ready',
  ])
})

test('who appoints to a role shares with it, or whom the screen lets; others do not', async () => {
  expect((await keeper.get('/tools?_open=views')).text).toContain('<option value="Helper">')
  expect((await villager.get('/tools?_open=views')).text).not.toContain('name="role"')
  expect((await post(villager, '/tools', { do: 'save', name: 'V', role: 'Helper' })).status).toBe(404)
  expect((await post(helper, '/tools?state=Broken', { do: 'save', name: 'To mend', role: 'Villager' })).status).toBe(
    303,
  )
  expect(tabs((await villager.get('/tools')).text)).toContain('To mend /tools?state=Broken')
  expect((await (await web.browser(null)).get('/tools')).text).not.toContain('To mend')
})

test('a shared view that names what its reader never sees is not there for them', async () => {
  for (const [name, list] of [
    ['Costly', '/tools?cost.at-least=5'],
    ['By cost', '/tools?sort=cost'],
    ['Costs', '/tools?_columns=code,cost'],
  ] as const) {
    await post(keeper, list, { do: 'save', name, role: 'Helper' })
    expect((await keeper.get('/tools')).text).toContain(name)
    const { text } = await helper.get('/tools')
    expect(text).not.toContain(name)
    expect(text).not.toMatch(/cost/i)
  }
  // Nor can they keep it.
  expect((await post(helper, '/tools?cost.at-least=5', { do: 'save', name: 'Mine' })).status).toBe(422)
})

test('a view is renamed and removed by who saved it', async () => {
  await post(keeper, '/tools?state=Gone', { do: 'save', name: 'Given' })
  const id = await idOf('Given')
  expect((await post(villager, '/tools', { do: 'change', id, name: 'Stolen' })).status).toBe(422)
  expect((await post(villager, '/tools', { do: 'remove', id })).status).toBe(404)
  expect((await post(keeper, '/tools', { do: 'change', id, name: '  ' })).status).toBe(422)
  expect((await post(keeper, '/tools', { do: 'change', id, name: 'With e' })).status).toBe(422)
  await post(keeper, '/tools', { do: 'change', id, name: 'Given away' })
  expect(await idOf('Given away')).toBe(id)
  await post(keeper, '/tools', { do: 'remove', id })
  expect(await idOf('Given away')).toBe('')
  expect((await post(keeper, '/kinds/1', { do: 'save', name: 'x' })).status).toBe(404)
  expect((await post(villager, '/kinds', { do: 'save', name: 'x' })).status).toBe(404)
})

test('a list opens with the view that one chose', async () => {
  expect((await post(keeper, '/tools', { do: 'first', view: 'nothing' })).status).toBe(404)
  await post(keeper, '/tools', { do: 'first', view: 'broken' })
  expect((await keeper.get('/tools')).location).toBe('/tools?_view=broken')
  const all = await keeper.get('/tools?_view=all')
  expect([codes(all.text), tabs(all.text)[0]]).toEqual(['ABC', 'All* /tools?_view=all'])
  expect((await helper.get('/tools')).status).toBe(200)
  // What is not there any more is not opened.
  await post(keeper, '/tools?state=Gone', { do: 'save', name: 'First' })
  const id = await idOf('First')
  await post(keeper, '/tools', { do: 'first', view: id })
  expect((await keeper.get('/tools')).location).toBe('/tools?state=Gone')
  await post(keeper, '/tools', { do: 'remove', id })
  expect((await keeper.get('/tools')).status).toBe(200)
  expect((await keeper.get('/tools?_open=views')).text, 'nor offered by its id').not.toContain(id)
  await post(keeper, '/tools', { do: 'first', view: '' })
})

test('a record knows its neighbours in the list that it was opened from, and nothing that this person does not see', async () => {
  const from = async (browser: TestBrowser, code: string, list: string) => {
    web.statements.length = 0
    const { text } = await browser.get(`/tools/${code}?${new URLSearchParams({ _list: list })}`)
    const links = [...text.matchAll(/rel="(prev|next)" href="\/tools\/(\w+)\?_list=([^"]*)" aria-label="([^"]*)"/g)]
    return links.map(([, rel, of, carried, label]) => [rel, of, decodeURIComponent(carried ?? ''), label].join(' '))
  }
  const near = async (...args: Parameters<typeof from>) =>
    (await from(...args)).map(link => link.replace(/^(\w+ \w+) .*/, '$1'))

  const list = '/tools?_view=broken'
  const opened = /class="ttl" href="(\/tools\/C[^"]*)"/.exec((await keeper.get(`${list}&after=`)).text)?.[1] ?? ''
  expect(opened).toBe(`/tools/C?${new URLSearchParams({ _list: list })}`)
  expect(await from(keeper, 'C', list)).toEqual([`next B ${list} Next: Bellows · B`])
  // Who asks, the record, its history, its neighbours; nothing refers to a tool.
  expect(web.statements).toHaveLength(3)
  expect(await near(keeper, 'B', list)).toEqual(['prev C'])
  // Two cost the same: the id decides, as in the list. Empty values have their place.
  expect(await near(keeper, 'B', '/tools?sort=-price')).toEqual(['prev C'])
  expect(await near(keeper, 'A', '/tools?sort=bought,-code')).toEqual(['prev B'])
  expect(await near(keeper, 'B', '/tools?sort=code&name.contains=h')).toEqual(['next C'])
  // A record that the filters leave out still stands between others.
  expect(await near(keeper, 'B', '/tools?sort=code&price.at-least=150')).toEqual(['prev A'])

  // A villager sees tools that are ready only; nobody is led through a list that is not theirs, or is none.
  expect(await near(villager, 'A', '/tools?sort=code')).toEqual([])
  expect(await near(villager, 'A', '/tools?sort=cost')).toEqual([])
  for (const none of ['/kinds', '//evil.example/tools', '/-/people', '/tools/A', 'tools', ''])
    expect(await near(helper, 'B', none)).toEqual([])
  expect((await helper.get('/tools/B')).text).not.toContain('rel="next"')
  // The way back is the list as it was, and a change comes back to where one can go on.
  const { text } = await keeper.get(opened)
  expect(text).toContain('<a href="/tools?_view=broken">Tools</a>')
  const edit = /href="([^"]*\/edit[^"]*)"/.exec(text)?.[1] ?? ''
  expect(edit).toBe(opened.replace('/C?', '/C/edit?'))
  expect((await keeper.submit(edit, edit, { name: 'Chisel' })).location).toBe(opened)
})

test('a record stands in the sections and tabs of the document, as far as its reader sees it, and its form too', async () => {
  const main = async (browser: TestBrowser, address: string) =>
    (await browser.get(address)).text
      .replace(/^[\s\S]*<main/, '')
      .replace(/<section class="(?:sheet )?noprint"[\s\S]*/, '')
  const shapeOf = (html: string) =>
    [
      ...html.matchAll(
        /<a href="[^"]*"( aria-current="page")?(?: aria-keyshortcuts="\d")?>(Overview|Care)(?:<!-- -->| )|<div class="(stack(?: shut)?)">|<h2[^>]*>([^<]*)<|<dt>([^<]*)/g,
      ),
    ]
      .map(([, current, tab, panel, title, label]) =>
        tab !== undefined
          ? `${tab}${current === undefined ? '' : '*'}`
          : (panel?.replace('stack', '|') ?? (title === undefined ? label!.trim() : `${title}:`)),
      )
      .join(' ')
      .replace(/^.*?(?=Overview)/, '')
  expect(shapeOf(await main(keeper, '/tools/A'))).toBe(
    'Overview* Care | Details: Count Electric Purchase: Price Bought Cost | shut Service: Keeper Serviced Anything else: Notes',
  )
  const list = encodeURIComponent('/tools')
  const care = await main(villager, `/tools/A?_tab=care&_list=${list}`)
  expect(shapeOf(care)).toBe(
    'Overview Care* | shut Details: Count Electric Purchase: Price Bought | Service: Keeper Serviced Anything else: Notes',
  )
  expect(care).toContain(`href="/tools/A?_list=${list}">Overview`)
  expect(care).toContain('Who looks after it.')
  expect(shapeOf(await main(keeper, '/tools/A?_tab=nothing'))).toMatch(/^Overview\* Care/)
  const form = (await keeper.get('/tools/new')).text
  const names = (html: string) => [...html.matchAll(/ name="([a-z]+)"/g)].map(([, name]) => name)
  const [first = '', ...sections] = form.split('<fieldset class="sec">').slice(1)
  expect(names(first)).toEqual(expect.arrayContaining(['code', 'name', 'kind', 'count', 'electric']))
  expect(sections.map(one => [/<legend>([^<]*)/.exec(one)?.[1], ...names(one)].slice(0, 4))).toEqual([
    ['Purchase', 'price', 'bought', 'cost'],
    ['Service', 'keeper', 'serviced'],
    ['Anything else', 'notes'],
  ])
})
