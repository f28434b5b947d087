/** What stands around pages is kept, and still everybody's own: each is given what a server gives them that has served nobody else. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { startTestWeb, TestBrowser, type TestWeb } from './testing.ts'

const people = ['Ben', 'Cleo', 'Mia', 'Bea']
let web: TestWeb
let browsers: readonly TestBrowser[]

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(/(- \*\*Languages:\*\*) English/, '$1 English, German')
      .replace(/(## 6 .*\n)/, '$1\n- **Act as others:** Manager\n'),
  )
  web = await startTestWeb(inject('databaseUrl'), app, { mode: 'serve' })
  const known = await Promise.all(['Ben', 'Cleo', 'Mia'].map(name => web.signedIn(id(name))))
  browsers = [...known, await web.newcomer('Bea'), new TestBrowser(web.url)]
})
afterAll(() => web?.stop())

/** What stands around the content of pages that somebody is given, in each language. */
async function pages(browser: TestBrowser): Promise<readonly string[]> {
  const found: string[] = []
  for (const language of ['en', 'de'])
    for (const path of ['/loans', '/-/sign-in', '/-/act']) {
      const { text } = await browser.get(path, { 'accept-language': language })
      found.push(text.split('<main')[0]!.replace(/name="_csrf" value="[^"]*"/g, ''))
    }
  return found
}

/** The same browser at a server that has just begun. */
async function alone(browser: TestBrowser): Promise<readonly string[]> {
  const fresh = await web.another()
  try {
    const same = new TestBrowser(`http://localhost:${fresh.port}`)
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    return await pages(same)
  } finally {
    await fresh.close()
  }
}

/** The first page of each. */
async function everybodysOwn(): Promise<string[]> {
  const own: (readonly string[])[] = []
  for (const browser of browsers) own.push(await alone(browser))
  for (const at of [...browsers.keys(), ...browsers.keys()]) expect(await pages(browsers[at]!)).toEqual(own[at])
  return own.map(([first]) => first!)
}

const write = (statement: ReturnType<typeof sql>) => web.run.runtime.store.inTransaction(tx => tx.write(statement))
const id = (name: string) => web.run.people[name]!

test('whatever differs between them: names, roles, languages, counts, choices, and who acts as whom', async () => {
  const lists = await everybodysOwn()
  for (const [at, name] of people.entries())
    expect(people.filter(other => lists[at]!.includes(`<strong>${other}</strong>`))).toEqual([name])
  expect(new Set(lists).size).toBe(browsers.length)

  await write(sql`insert into ninefold.preference (person, theme, density, shortcuts, changed_at)
    values (${id('Ben')}::uuid, 'dark', 'compact', 'off', ${web.run.now})`)
  const chosen = await everybodysOwn()
  expect(chosen.map(text => /<html[^>]*data-theme="dark" data-density="compact"/.test(text))).toEqual(
    browsers.map((_, at) => people[at] === 'Ben'),
  )

  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item where tag = 'CA-0001'`)
  const asked = { out_on: '2026-03-02', due_back: '2026-03-05', lines: [{ item: item!.id }] }
  const loan = JSON.parse((await browsers[0]!.json('POST', '/api/v1/loan', asked)).text) as { id: string }
  await browsers[1]!.send('/-/comments', { entity: 'loan', record: loan.id, do: 'add', text: '@Mia, look' })
  await write(sql`delete from ninefold.appointment where person = ${id('Cleo')}::uuid`)
  await browsers[2]!.submit('/-/act', '/-/act', { do: 'preview', role: 'Clerk' })
  const after = await everybodysOwn()
  // It is Ben's loan.
  const told = people.filter((_, at) => after[at]!.includes('data-counts="unread">1<'))
  expect(told).toEqual(['Ben', 'Mia'])
  expect(after[1]!.includes('Clerk')).toBe(false)
  expect(after[2]!.includes('class="acting"')).toBe(true)
})
