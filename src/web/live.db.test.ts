/** Open pages hear of what they show, from whatever process it was written in, and of nothing that their reader does not see. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { done, input, made } from '../run/testing.ts'
import { takeStep, change as write } from '../run/write/writes.ts'
import { openStore, type Store } from '../store/pool.ts'
import { liveSeconds, openConnections } from './bounds.ts'
import { livePath, lookHeader } from './paths.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'
import { hear } from './testing-live.ts'

let web: TestWeb
/** Another process that writes: it has the database in common with the one that serves, and nothing else. */
let elsewhere: Store
let camera: string

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  elsewhere = openStore(web.run.runtime.store.url)
  const items = await elsewhere.query<{ id: string }>(sql`select id from item where name like 'Sony%'`)
  camera = items[0]!.id
})
afterAll(async () => {
  await elsewhere.close()
  await web.stop()
})

const newLoan = async (borrower: string) => {
  const id = await made(
    { ...web.run, runtime: { ...web.run.runtime, store: elsewhere } },
    borrower,
    'loan',
    input({ due_back: '2026-03-09' }, { lines: [{ item: camera }] }),
  )
  const [row] = await elsewhere.query<{ number: string }>(sql`select number from loan where id = ${id}::uuid`)
  return { id, address: `/loans/${row!.number}` }
}
const step = async (who: string, id: string, key: string) =>
  done(await takeStep({ ...web.run.runtime, store: elsewhere }, await web.run.as(who), 'loan', id, key, null))

/** What a browser hears was written, as lines. `until` waits for one more. */
async function follow(browser: TestBrowser, pages: Parameters<typeof hear>[1]) {
  const { response, of, until, end } = await hear(browser, pages, elsewhere)
  return { response, end, until: () => until('written'), heard: () => of('written') }
}

test('a loan that somebody makes is told to those who see it, and to nobody else', async () => {
  const clerk = await follow(await web.browser('Dan'), [['/desk']])
  const other = await follow(await web.newcomer('Eve'), [['/loans']])
  const owner = await follow(await web.browser('Ben'), [['/loans']])
  const came = Promise.all([clerk.until(), owner.until()])
  const { id } = await newLoan('Ben')
  await came
  expect([clerk.heard(), owner.heard()]).toEqual([['["/desk"]'], ['["/loans"]']])
  // What she is told now comes after what she was not told.
  const last = other.until()
  await elsewhere.inTransaction(async tx => {
    await tx.write(sql`update loan set borrower = (select id from person where name = 'Eve') where id = ${id}::uuid`)
    tx.tell('loan', id, null)
  })
  await last
  expect(other.heard()).toHaveLength(1)
  for (const one of [clerk, other, owner]) one.end()
})

test('the page of a record hears of that one alone; what leaves the view of its reader is told once', async () => {
  const [shown, beside] = [await newLoan('Ben'), await newLoan('Ben')]
  const ben = await web.browser('Ben')
  const one = await follow(ben, [[shown.address], ['/loans', beside.address]])
  let came = one.until()
  await step('Ben', shown.id, 'submit')
  await came
  expect(one.heard()).toEqual([`["${shown.address}","/loans"]`])
  came = one.until()
  const cleo = web.run.people.Cleo!
  const away = async (at: string) => {
    await elsewhere.inTransaction(async tx => {
      await tx.write(sql`update loan set borrower = ${cleo}::uuid, purpose = ${at} where id = ${shown.id}::uuid`)
      tx.tell('loan', shown.id, null)
    })
  }
  await away('taken over')
  await came
  expect(one.heard().at(-1)).toBe(`["${shown.address}"]`)
  came = one.until()
  await away('again')
  await step('Ben', beside.id, 'submit')
  await came
  expect(one.heard().slice(2)).toEqual(['["/loans"]'])
  one.end()
})

test('a change of what is closed to somebody is none for them, whether their page shows the record or a list', async () => {
  const before = await follow(await web.browser('Ben'), [['/loans']])
  let came = before.until()
  const shown = await newLoan('Ben')
  // That it was made is not heard any more by who follows from here on.
  await came
  before.end()
  const owner = await follow(await web.browser('Ben'), [[shown.address], ['/loans', shown.address]])
  const clerk = await follow(await web.browser('Dan'), [[shown.address]])
  const change = (...fields: readonly string[]) =>
    elsewhere.inTransaction(async tx => tx.tell('loan', shown.id, new Set(fields)))
  came = clerk.until()
  await change('total_value')
  await came
  came = owner.until()
  await change('total_value', 'purpose')
  await came
  expect([owner.heard(), clerk.heard()[0]]).toEqual([[`["${shown.address}","/loans"]`], `["${shown.address}"]`])
  // As writes tell it.
  came = owner.until()
  const run = { ...web.run.runtime, store: elsewhere }
  done(await write(run, await web.run.as('Ben'), 'loan', shown.id, null, input({ purpose: 'A talk' })))
  await came
  expect(owner.heard()).toHaveLength(2)
  for (const one of [owner, clerk]) one.end()
})

test('records that somebody does not see are not followed by naming them; visitors follow nothing', async () => {
  const hidden = await newLoan('Dan')
  const own = await newLoan('Ben')
  const ben = await follow(await web.browser('Ben'), [[hidden.address], [own.address, hidden.address]])
  const came = ben.until()
  await step('Dan', hidden.id, 'submit')
  await step('Ben', own.id, 'submit')
  await came
  expect(ben.heard()).toEqual([`["${own.address}"]`])
  ben.end()
  const serving = await web.another({ mode: 'serve' })
  const asked = async (browser: TestBrowser | null, query: string) => {
    const cookie = browser === null ? '' : [...browser.cookies].map(pair => pair.join('=')).join('; ')
    const { status, body } = await fetch(`http://localhost:${serving.port}${livePath}?${query}`, {
      headers: { cookie },
    })
    await body?.cancel()
    return status
  }
  const signedIn = await web.browser('Ben')
  expect(await asked(null, 'at=/loans')).toBe(204)
  expect(await asked(signedIn, 'at=/loans')).toBe(200)
  await serving.close()
})

test('one person keeps so many connections open and no more, whatever session they come from; others have their own', async () => {
  const { ofPerson } = openConnections
  const all = await Promise.all([web.browser('Ben'), web.browser('Ben')])
  const kept = []
  for (let at = 0; at < ofPerson; at++) kept.push(await follow(all[at % 2]!, [['/loans']]))
  expect(kept.map(({ response }) => response.status)).toEqual(Array(ofPerson).fill(200))
  const more = async (browser: TestBrowser) => {
    const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
    const { status, headers, body } = await fetch(`${browser.url}${livePath}?at=/loans`, { headers: { cookie } })
    await body?.cancel()
    return [status, headers.get('retry-after')]
  }
  expect(await more(all[0]!)).toEqual([429, String(liveSeconds)])
  expect(await more(await web.browser('Dan'))).toEqual([200, null])
  kept.pop()!.end()
  await expect.poll(() => more(all[1]!)).toEqual([200, null])
  for (const one of kept) one.end()
})

test('however many read and however many are written, permissions are asked once for each set of roles', async () => {
  const browsers = await Promise.all(['Ben', 'Cleo', 'Dan', 'Ben'].map(name => web.browser(name)))
  const all = await Promise.all(browsers.map(browser => follow(browser, [['/loans']])))
  web.statements.length = 0
  const came = all[0]!.until()
  await Promise.all([newLoan('Ben'), newLoan('Ben'), newLoan('Ben')])
  await came
  const asked = web.statements.filter(text => text.includes('unnest'))
  expect(new Set(asked).size).toBe(asked.length)
  for (const one of all) one.end()
})

test('a page that looks again by itself is no use of its session', async () => {
  const ben = await web.browser('Ben')
  const seen = () => elsewhere.query(sql`select seen_at::text from ninefold.session order by seen_at desc limit 1`)
  web.run.now = new Date(web.run.now.getTime() + 10 * 60_000)
  const before = await seen()
  expect((await ben.get('/loans', { [lookHeader]: '1' })).status).toBe(200)
  expect(await seen()).toEqual(before)
  await ben.get('/loans')
  expect(await seen()).not.toEqual(before)
})
