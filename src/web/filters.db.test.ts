/** Filters of a list as its address has them, over HTTP: what they let through, and that nobody learns by them what they may not see. */

import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { relativeDays } from '../kinds/screens/relative.ts'
import { filtersOf, saidQuery } from '../kinds/screens/sayable.ts'
import { addressOf } from '../kinds/screens/testing.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { done, input, readSound } from '../run/testing.ts'
import { create } from '../run/write/writes.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

/** A condition, what says it in the address of a list (null: nothing does), and whom it lets through. */
const conditions = [
  ['state = Ready', 'state=Ready', 'ABCD'],
  ['state != Ready', 'state.is-not=Ready', ''],
  ['state not in (Broken, Gone)', 'state=Ready', 'ABCD'],
  ['state in (Ready, Gone)', 'state=Ready&state=Gone', 'ABCD'],
  ['electric', 'electric=yes', 'B'],
  ['not electric', 'electric=no', 'ACD'],
  ['keeper = me', 'keeper=ME', ''],
  ['keeper is not me', 'keeper.is-not=ME', 'ABCD'],
  ['bought = today', 'bought=today', 'A'],
  ['today > bought', 'bought.before=today', 'BC'],
  ['bought >= today - 1 day', 'bought.at-least=2026-03-01', 'AB'],
  ['bought is empty', 'bought.is-empty=yes', 'D'],
  ['bought between 2026-02-01 and 2026-03-01', 'bought.at-least=2026-02-01&bought.at-most=2026-03-01', 'BC'],
  ['cost >= 7 and electric = no', 'cost.at-least=7&electric=no', 'C'],
  ['cost is not empty and cost != 5', 'cost.is-empty=no&cost.is-not=5', 'C'],
  ['count < 2', 'count.at-most=1', 'ABCD'],
  ['count < 1.5', null, 'ABCD'],
  ['code = "A"', 'code.is=A', 'A'],
  ['name contains "Saw"', null, 'AD'],
  ['kind.since < 2021-01-01', 'kind.since.before=2021-01-01', 'AD'],
  ['code = "A" or (electric and cost is empty)', '1.code.is=A&2.electric=yes&2.cost.is-empty=yes', 'AB'],
  ['(code = "A" or electric) and (code = "B" or electric)', null, 'B'],
  ['cost > 5', null, 'C'],
  ['length(name) > 4', null, 'ABCD'],
] as const

let web: TestWeb
let keeper: TestBrowser
let helper: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(
    inject('databaseUrl'),
    readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
      text
        .replace('- **Languages:** English', '- **Languages:** English, German')
        .replace('| /kinds | Kinds |', '| /board | Board | everyone signed in | board of Tool by state |\n$&')
        .replace('| cost | Keeper | Keeper |', '$&\n| keeper | Keeper | Keeper |')
        .replace(
          '- **Views shared by',
          `${conditions.map(([where], at) => `- **View:** C${at} where ${where}\n`).join('')}- **Filters:** kind.name, cost, electric, code, state, kind\n- **Views shared by`,
        ),
    ),
  )
  const kinds = Object.fromEntries(
    (await web.run.runtime.store.query<{ name: string; id: string }>(sql`select name, id from public.kind`)).map(
      ({ name, id }) => [name, id],
    ),
  )
  const as = await web.run.as('Kira')
  const tool = async (code: string, kind: string, more: Readonly<Record<string, string | boolean>>) =>
    done(
      await create(
        web.run.runtime,
        as,
        'tool',
        input({ code, name: `${kind} ${code}`, kind: kinds[kind]!, price: '1', ...more }),
      ),
    )
  // The clock says Monday, 2 March 2026, 10:00 in Berlin.
  await tool('A', 'Saw', { bought: '2026-03-02', serviced: '2026-03-01T23:30:00.000Z', cost: '5' })
  await tool('B', 'Drill', { bought: '2026-03-01', serviced: '2026-03-01T22:30:00.000Z', electric: true })
  await tool('C', 'Drill', { bought: '2026-02-01', cost: '7' })
  await tool('D', 'Saw', {})
  await signIn()
})
afterAll(() => web?.stop())

const signIn = async () => {
  ;[keeper, helper] = await Promise.all([web.browser('Kira'), web.browser('Hugo')])
}

const codes = async (query: string, browser = keeper): Promise<string> => {
  const { text, status } = await browser.get(`/tools?${query}`)
  expect([query, status]).toEqual([query, 200])
  return Array.from(text.matchAll(/class="ttl" href="\/tools\/([^"?]+)/g), ([, code]) => code).join('')
}

test('days that move with the calendar, in the zone of the application', async () => {
  expect(await codes('bought.within=today')).toBe('A')
  expect(await codes('bought.within=yesterday')).toBe('B')
  expect(await codes('bought.within=this-week')).toBe('A')
  expect(await codes('bought.within=last-week')).toBe('B')
  expect(await codes('bought.within=last-30-days')).toBe('ABC')
  expect(await codes('bought.before=today')).toBe('BC')
  expect(await codes('serviced.within=today')).toBe('A')
  expect(await codes('serviced.before=today')).toBe('B')
  expect(await codes('bought.is-empty=yes')).toBe('D')
  expect(await codes('bought.is-empty=no')).toBe('ABC')
})

test('a word of the calendar lets the same through on a page and in the API, by the clock that is served', async () => {
  const words = [
    ...relativeDays.flatMap(word => [`bought.within=${word}`, `serviced.within=${word}`]),
    ...['today', 'yesterday', 'tomorrow'].flatMap(word =>
      ['before', 'after', 'at-least', 'at-most'].flatMap(ending => [
        `bought.${ending}=${word}`,
        `serviced.${ending}=${word}`,
      ]),
    ),
  ]
  const through = async (query: string) => {
    const { status, text } = await keeper.get(`/api/v1/tool?${query}`)
    expect([query, status]).toEqual([query, 200])
    return (JSON.parse(text) as { data: { code: string }[] }).data
      .map(({ code }) => code)
      .sort()
      .join('')
  }
  for (const query of words) expect([query, await through(query)]).toEqual([query, await codes(query)])
  expect(await through('bought.within=today')).toBe('A')
  expect(await through('serviced.before=today')).toBe('B')
  expect(await through('serviced.after=today')).toBe('')
  expect(await through('serviced.after=yesterday')).toBe('A')
  expect(await through('serviced.at-most=today')).toBe('AB')
  expect(await through('serviced.at-most=yesterday')).toBe('B')
  expect(await through('serviced.at-least=today')).toBe('A')
})

test('a condition is said in the address of a list where that means the same, and not at all where it does not', async () => {
  const { app } = web.run.runtime
  const as = await web.run.as('Kira')
  const environment = {
    ...as,
    row: {},
    old: null,
    me: as.actor.id,
    my: null,
    now: as.now.toISOString(),
    related: () => undefined,
  }
  const tool = app.entities.get('tool')!
  const { views } = usesOf(app.screens.find(({ key }) => key === 'tools')!)
  for (const [at, [where, wanted, through]] of conditions.entries()) {
    const view = views.find(({ key }) => key === `c${at}`)!
    const filters = filtersOf(view.where!, environment)
    const query = filters && saidQuery(tool, app, filters, addressOf('', { today: as.today }))
    expect([where, query?.toString() ?? null]).toEqual([where, wanted?.replace('ME', as.actor.id!) ?? null])
    expect([where, await codes(`_view=c${at}`)]).toEqual([where, through])
    if (query != null) expect([where, await codes(query.toString())]).toEqual([where, through])
  }
})

test('what is kept of a list for whoever asks next shows in no page of anybody', async () => {
  const { people, runtime } = web.run
  const kira = people.Kira!
  const addresses = [
    '/tools',
    '/tools?sort=-name',
    '/tools?state=Ready&_columns=code,cost',
    `/tools?keeper=${kira}`,
    '/tools?bought.within=today&electric=no',
    '/tools?cost.at-least=6&_open=filters',
    '/tools?q=Saw&_open=columns',
    '/tools?_open=views',
    '/tools?after=x&unknown=1',
    '/tools?before=x&sort=unknown',
  ]
  const readers = [
    ['Kira', 'en'],
    ['Kira', 'de'],
    ['Hugo', 'en'],
    ['Vera', 'en'],
  ] as const
  const token = /(name="_csrf" value=|"token":)"[^"]*"/g
  const pages = async (asked: readonly string[], browser: TestBrowser, language: string) => {
    const texts: Record<string, string> = {}
    for (const address of asked)
      texts[address] = (await browser.get(address, { 'accept-language': language })).text.replace(token, '')
    return texts
  }
  const asAlone = async () => {
    for (const [name, language] of readers) {
      const fresh = await web.another()
      const alone = await pages(addresses.toReversed(), await web.signedIn(people[name]!, fresh), language)
      await fresh.close()
      const browser = await web.browser(name)
      expect(await pages(addresses, browser, language)).toEqual(alone)
      // From what the first time kept.
      expect(await pages(addresses, browser, language)).toEqual(alone)
    }
  }
  await asAlone()
  const called = async (person: string, kind: string) => {
    await runtime.store.query(sql`update public.person set name = ${person} where id = ${kira}`)
    await runtime.store.query(sql`update public.kind set name = ${kind} where name like '%Saw'`)
  }
  await called('Kira Klug', 'Band Saw')
  await asAlone()
  const { now } = web.run
  web.run.now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  await asAlone()
  web.run.now = now
  // Sessions of yesterday have ended.
  await signIn()
  await called('Kira', 'Saw')
})

test('one relation away, and alternatives', async () => {
  expect(await codes('kind.name.is=Drill')).toBe('BC')
  expect(await codes('kind.since.before=2021-01-01')).toBe('AD')
  expect(await codes('1.kind.name.is=Saw&1.bought.is-empty=yes&2.electric=yes')).toBe('BD')
  expect(await codes('kind.name.is=Drill&1.electric=yes&2.bought.within=last-month')).toBe('BC')
  expect(await codes('kind.name.is=Drill&1.electric=yes&2.bought.within=next-week')).toBe('B')
  expect(await codes('keeper.name=Kira')).toBe('')
})

test('what is none of several is neither of them, and what is empty is none', async () => {
  expect(await codes('code.is-not=A&code.is-not=C')).toBe('BD')
  expect(await codes('cost.is-not=5&cost.is-not=7')).toBe('BD')
  expect(await codes('kind.name.is-not=Saw&kind.name.is-not=Chisel')).toBe('BC')
  const { location } = await keeper.get('/tools?_f0=state&_c0=is%20not&_v0=Broken&_v0=Gone&_build=apply')
  expect(location).toBe('/tools?state.is-not=Broken&state.is-not=Gone')
  expect((await keeper.get(location!)).text).toContain('Remove filter: State is not Broken or Gone')
})

test('of two filters alike on one field each holds, and each is taken away by itself', async () => {
  expect(await codes('name=Saw&name=D')).toBe('D')
  expect(await codes('cost.at-least=5&cost.at-least=6')).toBe('C')
  expect(await codes('name.is=Saw A&name.is=Saw D')).toBe('AD')
  const { text } = await keeper.get('/tools?name=Saw&name=D')
  const without = Array.from(text.matchAll(/href="([^"]+)"[^>]*aria-label="Remove filter: Name/g), ([, href]) => href)
  expect(without).toEqual(['/tools?name=D', '/tools?name=Saw'])
})

test('nobody finds by a field that they do not see, here or one relation away', async () => {
  expect(await codes('cost.at-least=6')).toBe('C')
  expect(await codes('cost.at-least=6', helper)).toBe('ABCD')
  const { text } = await helper.get('/tools?cost.at-least=6&_open=filters&_columns=code,cost')
  expect(text).toContain('cost.at-least=6')
  expect(text).not.toMatch(/value="cost"|>Cost</)
  expect(await codes('keeper.email.is-empty=no', helper)).toBe('ABCD')
})

test('what the screen names stands over it, in its order, for those who see it', async () => {
  const over = async (browser: TestBrowser, query = '') => {
    const { text } = await browser.get(`/tools?${query}`)
    return Array.from(text.matchAll(/<(?:input|select)[^>]*id="filter-[^>]*name="([^"]+)"/g), ([, name]) => name)
  }
  expect(await over(keeper)).toEqual(['kind.name', 'cost', 'electric', 'code', 'state', 'kind'])
  expect(await over(helper)).toEqual(['kind.name', 'electric', 'code', 'state', 'kind'])
  const { text } = await keeper.get('/tools?kind.name=Dri&cost=7')
  expect(text).toMatch(/name="kind.name"[^>]*value="Dri"|value="Dri"[^>]*name="kind.name"/)
  expect(await codes('kind.name=Dri&cost=7')).toBe('C')
})

test('the form of filters makes the address, row by row, and keeps what was there', async () => {
  const built = async (query: string) => decodeURIComponent((await keeper.get(`/tools?${query}`)).location ?? '')
  expect(await built('q=saw&sort=-code&_build=add&_add=kind.since')).toBe(
    '/tools?sort=-code&q=saw&_open=filters&_new=kind.since',
  )
  const rows =
    '_f0=bought&_c0=within.this-week&_v0=&_f1=kind.name&_c1=is not&_v1=Saw&_g1=2&_f2=electric&_c2=is empty&_f3=secret'
  expect(await built(`${rows}&_build=apply`)).toBe(
    '/tools?bought.within=this-week&2.kind.name.is-not=Saw&electric.is-empty=yes',
  )
  expect(await built(`${rows}&_build=drop1`)).toBe('/tools?bought.within=this-week&electric.is-empty=yes&_open=filters')
  expect(await built('_f0=bought&_c0=before.today&_v0=2026-01-01&_build=apply')).toBe('/tools?bought.before=today')
  expect(await built('_f0=bought&_c0=before.next-year&_v0=&_build=apply')).toBe('/tools')
  expect(await built('_f0=state&_c0=is&_v0=Ready&_v0=Broken&_build=apply')).toBe('/tools?state=Ready&state=Broken')
  const { text } = await keeper.get('/tools?bought.within=this-week&1.state=Ready&_open=filters&_new=kind.since')
  expect(text).toContain('name="_f2" value="kind.since"')
  expect(text).toMatch(/<option value="within.this-week" selected="">/)
  // What was asked for has the focus: what was just added, else where one goes on.
  expect(text.match(/<(?:select|input)[^>]*autofocus[^>]*>/gi)).toEqual([expect.stringContaining('name="_v2"')])
  const { text: opened } = await keeper.get('/tools?bought.within=this-week&_open=filters')
  expect(opened.match(/<select[^>]*autofocus[^>]*>/gi)).toEqual([expect.stringContaining('name="_add"')])
  expect(opened, 'one alone is joined with nothing').not.toContain('name="_g0"')
  const { text: columns } = await keeper.get('/tools?_open=columns')
  expect(columns.match(/<input[^>]*autofocus[^>]*>/gi)).toEqual([expect.stringContaining('name="_columns"')])
})

test('a record is chosen by its name: here, one relation away, and looked for where there are many', async () => {
  const { store } = web.run.runtime
  const ids = await store.query<{ name: string; id: string }>(sql`select name, id from public.kind order by name`)
  const [drill, saw] = ids.map(({ id }) => id)
  expect(await codes(`kind=${drill}`)).toBe('BC')
  expect(await codes(`kind=${drill}&kind=${saw}`)).toBe('ABCD')
  const chosen = async (query: string, browser = keeper) => {
    web.statements.length = 0
    const { text } = await browser.get(`/tools?${query}`)
    expect(web.statements).toHaveLength(2)
    return text
  }
  const boxes = (text: string) =>
    Array.from(text.matchAll(/name="_v0"[^>]*value="[^"]+"\/?><span>([^<]+)/g), ([, label]) => label)
  expect(await chosen(`kind=${saw}`)).toMatch(new RegExp(`<option value="${saw}" selected="">Saw</option>`))
  expect(boxes(await chosen('_open=filters&_new=kind'))).toEqual(['Drill', 'Saw'])
  expect(boxes(await chosen('_open=filters&_new=keeper')), 'by name, though the screen does not name it').toContain(
    'Hugo',
  )
  const { location } = await keeper.get(`/tools?_f0=kind&_c0=is&_v0=&_v0=${saw}&_v0=${drill}&_build=apply`)
  expect(location).toBe(`/tools?kind=${saw}&kind=${drill}`)
  // What can be named now and then by many.
  await store.inTransaction(tx =>
    tx.write(sql`insert into public.kind select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'name', 'Kind ' || n))).*
      from public.kind as k, generate_series(100, 159) as n where k.name = 'Saw'`),
  )
  const closed = await chosen('')
  expect(closed).not.toContain('id="filter-kind"')
  expect(closed).toMatch(/href="\/tools\?_open=filters&amp;_new=kind">Kind…<\/a>/)
  const many = await chosen(`kind=${saw}&_open=filters`)
  expect(boxes(many), 'what is chosen stays').toEqual(['Saw'])
  expect(many).toContain('name="_q._v0"')
  for (const pressed of ['_pick=_v0', '_build=apply']) {
    const { location: found } = await keeper.get(`/tools?_f0=kind&_c0=is&_v0=&_q._v0=159&${pressed}`)
    expect(decodeURIComponent(found!)).toBe('/tools?_find=kind:159&_open=filters&_new=kind')
    expect(boxes((await keeper.get(found!)).text)).toEqual(['Kind 159'])
  }
  await store.inTransaction(tx => tx.write(sql`delete from public.kind where name like 'Kind %'`))
})

test('a board is searched and filtered as a list is, and so is its address', async () => {
  const cards = async (query: string, browser = keeper) => {
    web.statements.length = 0
    const { text, status } = await browser.get(`/board?${query}`)
    expect([query, status, web.statements.length]).toEqual([query, 200, 2])
    const found = Array.from(text.matchAll(/<a[^>]*href="\/tools\/([A-Z])"/g), ([, code]) => code)
    return { text, found: [...new Set(found)].sort().join('') }
  }
  expect((await cards('')).found).toBe('ABCD')
  expect((await cards('q=saw')).found).toBe('AD')
  expect((await cards('q=saw&bought.within=today')).found).toBe('A')
  expect((await cards('1.kind.name=Saw&2.electric=yes')).found).toBe('ABD')
  expect((await cards('cost.at-least=6')).found).toBe('C')
  const unseen = await cards('cost.at-least=6&sort=name', helper)
  expect(unseen.found).toBe('ABCD')
  expect(unseen.text).toContain('cost.at-least=6, sort=name')
  const { text } = await cards('q=saw&_open=filters')
  expect(text).toMatch(/aria-label="Remove filter: Search saw"/)
  expect(text).toMatch(/_group=Broken&amp;|q=saw[^"]*_group=Broken/)
  expect(text).toContain('<option value="kind.since">')
  expect((await cards('q=nothing')).text).toContain('Nothing matches')
  const { location } = await keeper.get('/board?_f0=electric&_c0=is&_v0=yes&_build=apply')
  expect(location).toBe('/board?electric=yes')
})

test('columns are chosen, and stay when filters change', async () => {
  const heads = (text: string) =>
    Array.from(text.matchAll(/<th[^>]*role="columnheader"[^>]*>(.*?)<\/th>/gs), ([, head]) =>
      head!.replaceAll(/<[^>]+>/g, ''),
    )
  const { text } = await keeper.get('/tools?_columns=code&_columns=notes&_columns=nothing')
  // What stands under the first head is what tools are called, with the code below it.
  expect(heads(text)).toEqual(['Name', 'Notes', 'Actions'])
  expect(text).toMatch(/sort=name"[^>]*>Name</)
  expect(heads((await keeper.get('/tools?_columns=code,name')).text)).toEqual(['Code', 'Name', 'Actions'])
  expect(text).toContain('name="_columns" value="code,notes,nothing"')
})

test('a chosen column changes places with its neighbour, and the button stays the one that was pressed', async () => {
  const moved = async (query: string) => decodeURIComponent((await keeper.get(`/tools?${query}`)).location ?? '')
  const chosen = '_columns=code&_columns=name&_columns=price&sort=-code&after=x'
  expect(await moved(`${chosen}&_move=price.before`)).toBe(
    '/tools?_columns=code,price,name&sort=-code&_open=columns&_moved=price.before',
  )
  expect(await moved(`${chosen}&_move=price.after`)).toContain('_columns=code,name,price&')
  expect(await moved(`${chosen}&_move=nothing.before`)).toContain('_columns=code,name,price&')
  const focused = async (query: string) =>
    /<button[^>]*autofocus[^>]*>/i.exec((await keeper.get(`/tools?_open=columns&${query}`)).text)?.[0]
  expect(await focused('_columns=code,price,name&_moved=price.before')).toContain('value="price.before"')
  expect(await focused('_columns=price,code,name&_moved=price.before')).toContain('value="price.after"')
  const { text } = await keeper.get('/tools?_open=columns&_columns=price,code')
  expect(text.match(/[a-z]+\.(before|after)(?=")/g)).toEqual(['price.after', 'code.before'])
  expect(text).toContain('Put Price after Code')
})

test('a list takes two statements whatever is asked of it, and a page stays small', async () => {
  web.statements.length = 0
  const { text } = await keeper.get('/tools?kind.name.is=Drill&1.electric=yes&2.bought.within=last-month&_open=filters')
  expect(web.statements).toHaveLength(2)
  const { gzipSync } = await import('node:zlib')
  expect(gzipSync(text).length).toBeLessThan(10_000)
})

test('the search looks in what the references of the columns are called, for those who see them', async () => {
  const as = await web.run.as('Kira')
  const [kind] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.kind where name = 'Drill'`)
  const tool = { code: 'E', name: 'Hammer', kind: kind!.id, price: '1', keeper: as.actor.id! }
  done(await create(web.run.runtime, as, 'tool', input(tool)))
  expect(await codes('q=kira')).toBe('E')
  // Each word anywhere.
  expect(await codes('q=Drill+kir')).toBe('E')
  expect(await codes('q=Saw+kir')).toBe('')
  expect(await codes('q=kira&_columns=code,name')).toBe('')
  expect(await codes('q=kira', helper)).toBe('')
  // A letter off, too.
  expect([await codes('q=kria'), await codes('q=kria', helper)]).toEqual(['E', ''])
  const hint = async (browser: TestBrowser, query = '') =>
    Array.from((await browser.get(`/tools?${query}`)).text.matchAll(/placeholder="([^"]+)"/g), ([, text]) => text)
  expect(await hint(keeper)).toContain('Code, Name, Notes, Kind or Keeper')
  expect(await hint(helper)).toContain('Code, Name, Notes or Kind')
  expect(await hint(keeper, '_columns=code')).toContain('Code, Name or Notes')
})

test('where a search finds nothing, what is a letter off is shown, said as such, by one statement more', async () => {
  const note = 'Nothing was found for “hamemr”. Similar:'
  const asked = async (address: string) => {
    web.statements.length = 0
    const { text } = await keeper.get(address)
    return { text, statements: web.statements.length }
  }
  const list = await asked('/tools?q=hamemr')
  expect(list.text).toContain(note)
  // Where it leads to is the same list: its order, its file, what is done with all of it.
  for (const part of ['q=hamemr&amp;_similar=yes&amp;sort=name', 'q=hamemr&amp;_similar=yes&amp;_export=csv'])
    expect(list.text).toContain(part)
  expect(list.text).toContain('value="/tools?q=hamemr&amp;_similar=yes"')
  expect(await codes('q=hamemr&_similar=yes&sort=name')).toBe('E')
  const [found, none, nothing] = [
    await asked('/tools?q=hammer'),
    await asked('/tools?q=qqq'),
    await asked('/tools?q=qwertz'),
  ]
  expect([found.text, none.text, nothing.text].filter(text => text.includes('Similar'))).toEqual([])
  expect(nothing.text).toContain('Nothing matches these filters.')
  expect(nothing.text).toContain('The search looks in: Code, Name, Notes, Kind or Keeper.')
  expect((await asked('/tools?name=qwertz')).text).not.toContain('The search looks in')
  const once = found.statements
  expect([none, nothing, list].map(({ statements }) => statements)).toEqual([once, once + 1, once + 1])
  expect((await asked('/tools?q=a+b+c+d+e+f+g+h')).text).toContain('first 6 words are looked for, without: g h.')

  const everywhere = await asked('/-/search?q=hamemr')
  expect(everywhere.text).toContain(note)
  expect(everywhere.text).toMatch(/href="\/tools\/E"/)
  expect(JSON.parse((await asked('/-/search.json?q=hamemr')).text)).toMatchObject({ notes: [note] })
  const [little, much] = [await asked('/-/search?q=qqq'), await asked('/-/search?q=hammer')]
  expect(much.text).not.toContain('Similar')
  expect([little, everywhere].map(({ statements }) => statements)).toEqual([much.statements, much.statements + 1])

  // The API answers to what was asked, no less and no more.
  expect(JSON.parse((await asked('/api/v1/tool?q=hamemr')).text).data).toEqual([])
  expect((await keeper.get('/api/v1/tool?q=hamemr&_similar=yes')).status).toBe(400)
  expect((await keeper.get('/api/v1/tool?q=a+b+c+d+e+f+g')).status).toBe(400)
})
