/** The figures beside inbox and notices: counted as far as somebody sees what is counted, and told to their open pages when they change. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { addComment } from '../run/people/commenting.ts'
import { done, input, loanDesk, made, readSound } from '../run/testing.ts'
import { takeStep } from '../run/write/writes.ts'
import { openStore, type Store } from '../store/pool.ts'
import type { RunningWeb } from './server.ts'
import { fieldsOf, type Page, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'
import { type Hearing, hear } from './testing-live.ts'

let web: TestWeb
/** Two more processes: one that serves, and one that writes. They have the database in common, and nothing else. */
let second: RunningWeb
let elsewhere: Store
let camera: string

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text.replace('| /reports | Reports |', '| /todo | To do | everyone signed in | inbox |\n| /reports | Reports |'),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  second = await web.another()
  elsewhere = openStore(web.run.runtime.store.url)
  camera = (await elsewhere.query<{ id: string }>(sql`select id from item where name like 'Sony%'`))[0]!.id
})
afterAll(async () => {
  await elsewhere.close()
  await second.close()
  await web.stop()
})

const runtime = () => ({ ...web.run.runtime, store: elsewhere })
const loanOf = (borrower: string) =>
  made(
    { ...web.run, runtime: runtime() },
    borrower,
    'loan',
    input({ due_back: '2026-03-09' }, { lines: [{ item: camera }] }),
  )
const comment = async (who: string, loan: string, text: string) =>
  done(await addComment(runtime(), await web.run.as(who), 'loan', loan, { text }))
const submit = async (who: string, loan: string) =>
  done(await takeStep(runtime(), await web.run.as(who), 'loan', loan, 'submit', null))
const giveTo = (person: string, loan: string) =>
  elsewhere.inTransaction(async tx => {
    await tx.write(sql`update loan set borrower = ${web.run.people[person]!}::uuid where id = ${loan}::uuid`)
    tx.tell('loan', loan, null)
  })
const readAll = async (who: TestBrowser) => expect((await who.send('/-/notices', { read: 'all' })).status).toBe(303)

type Counts = { readonly waiting: string; readonly unread: string }
const countsOf = (hearing: Hearing) => hearing.of('counts').map(line => JSON.parse(line) as Counts)
const unreadOf = (hearing: Hearing) => countsOf(hearing).map(({ unread }) => unread)
const waitingOf = (hearing: Hearing) => Number(countsOf(hearing).at(-1)?.waiting)
const heard = (hearing: Hearing, figures: readonly string[]) => expect.poll(() => unreadOf(hearing)).toEqual(figures)
const shownTo = async (who: TestBrowser): Promise<Counts> => shownOn(await who.get('/-/account'))
const shownOn = ({ text }: Page): Counts => {
  const of = (name: string) => new RegExp(`data-counts="${name}">(\\d+)<`).exec(text)?.[1] ?? ''
  return { waiting: of('waiting'), unread: of('unread') }
}
const at = (name: string, served?: RunningWeb) => web.signedIn(web.run.people[name]!, served)

test('whoever is told of something hears the figure, in whatever process; for others nothing changes, and they hear nothing', async () => {
  const loan = await loanOf('Ben')
  const [ben, beside, dan, mia] = await Promise.all([
    at('Ben').then(who => hear(who, [['/loans']], elsewhere)),
    // A form, which shows nothing that changes, has the figures, too.
    at('Ben', second).then(who => hear(who, [['/loans/new']], elsewhere)),
    at('Dan').then(who => hear(who, [['/desk']], elsewhere)),
    at('Mia', second).then(who => hear(who, [['/desk']], elsewhere)),
  ])
  const first = [ben, beside, dan, mia].map(countsOf)
  expect(first.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  await comment('Dan', loan, '@Ben, look')
  await heard(ben, ['', '1'])
  await heard(beside, ['', '1'])
  // What Mia hears comes after all that she did not hear.
  await comment('Dan', loan, '@Mia, look')
  await heard(mia, ['', '1'])
  await heard(ben, ['', '1', '2'])
  await heard(beside, ['', '1', '2'])
  await readAll(await at('Ben', second))
  await heard(ben, ['', '1', '2', ''])
  await heard(beside, ['', '1', '2', ''])
  expect(unreadOf(dan)).toEqual([''])
  await readAll(await at('Mia'))
  for (const one of [ben, beside, dan, mia]) one.end()
})

test('what somebody was told of a record that they do not see any more is neither counted nor shown', async () => {
  const [kept, lost] = [await loanOf('Ben'), await loanOf('Ben')]
  await comment('Dan', kept, 'Kept')
  await comment('Dan', lost, 'Lost')
  const browser = await at('Ben')
  const ben = await hear(browser, [['/loans']], elsewhere)
  expect([unreadOf(ben), (await shownTo(browser)).unread]).toEqual([['2'], '2'])
  await giveTo('Mia', lost)
  await heard(ben, ['2', '1'])
  const { text } = await browser.get('/-/notices')
  expect([(await shownTo(browser)).unread, text.includes('Kept'), text.includes('Lost')]).toEqual(['1', true, false])
  ben.end()
  // All that is left is what he does not see: it goes with one press.
  await giveTo('Mia', kept)
  expect((await shownTo(browser)).unread).toBe('')
  expect((await browser.get('/-/notices')).text).toContain('Mark all as read')
  await readAll(browser)
  expect((await browser.get('/-/notices')).text).not.toContain('Mark all as read')
})

test('what waits is counted anew for those for whom it may be different, in one statement for each set of roles', async () => {
  const loan = await loanOf('Ben')
  const names = ['Dan', 'Mia', 'Dan', 'Cleo', 'Ben']
  // What others borrow is nothing to Eve.
  const browsers = [...(await Promise.all(names.map(name => at(name)))), await web.newcomer('Eve')]
  const all = await Promise.all(browsers.map(browser => hear(browser, [['/loans']], elsewhere)))
  const before = all.map(waitingOf)
  web.statements.length = 0
  await submit('Ben', loan)
  await expect.poll(() => all.slice(0, 3).map(waitingOf)).toEqual(before.slice(0, 3).map(count => count + 1))
  expect(all.map(one => countsOf(one).length)).toEqual([2, 2, 2, 2, 2, 1])
  expect(await shownTo(await at('Dan'))).toEqual(countsOf(all[0]!).at(-1))
  const asked = web.statements.filter(text => text.includes('"counted for"') && !text.includes('ninefold.notice'))
  expect(asked.length).toBeGreaterThan(0)
  expect(new Set(asked).size).toBe(asked.length)
  for (const one of all) one.end()
})

test('a form that comes back has the figures of the page that it was on', async () => {
  const loan = await loanOf('Ben')
  await submit('Ben', loan)
  await comment('Ben', loan, '@Cleo, look')
  const cleo = await at('Cleo')
  const form = '/loans/new'
  const page = await cleo.get(form)
  expect(Number(shownOn(page).waiting)).toBeGreaterThan(0)
  expect(shownOn(page).unread).toBe('1')
  const refused = await cleo.post(form, fieldsOf(page.text, form))
  expect([refused.status, shownOn(refused)]).toEqual([422, shownOn(page)])
  const [top = ''] = /<header class="top">.*?<\/header>/s.exec(refused.text) ?? []
  expect(shownOn({ ...refused, text: top })).toEqual(shownOn(page))
})
