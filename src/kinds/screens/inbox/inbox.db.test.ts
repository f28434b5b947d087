/** Deciding from an inbox: what one must know stands beside it, and each decision leads on to the next one. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../../expression/sql.ts'
import { takingBack } from '../../../run/read/history.ts'
import { input, loanDesk, made, readSound, testId } from '../../../run/testing.ts'
import { takeStep } from '../../../run/write/writes.ts'
import { fieldsOf, startTestWeb, type TestBrowser, type TestWeb } from '../../../web/testing.ts'

let web: TestWeb
let dan: TestBrowser
const numbers: string[] = []

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('| /reports |', '| /inbox | Inbox | everyone signed in | inbox |\n| /reports |')
      .replace('## 3 Entities and their fields\n', '### Inbox\n\n- **Steps:** approve, decline\n\n$&'),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  const { run } = web
  const [item] = await run.runtime.store.query<{ id: string }>(sql`select id from item order by tag`)
  for (const purpose of ['A film', 'A talk', 'A trip']) {
    const values = { out_on: '2026-03-02', due_back: '2026-03-05', purpose }
    const id = await made(run, 'Ben', 'loan', input(values, { lines: [{ item: item!.id }] }))
    await takeStep(run.runtime, await run.as('Ben'), 'loan', id, 'submit', null)
    const [row] = await run.runtime.store.query<{ number: string }>(sql`select number from loan where id = ${id}::uuid`)
    numbers.push(row!.number)
  }
  dan = await web.browser('Dan')
})
afterAll(() => web?.stop())

const beside = async (path: string) => {
  const { text, status } = await dan.get(path)
  expect(status).toBe(200)
  return /<section class="beside stack".*?<\/section><\/section>|<section class="beside stack".*/s.exec(text)?.[0] ?? ''
}
const decide = async (path: string, step: string, number: string) => {
  const action = `/loans/${number}/do/${step}`
  return dan.post(action, fieldsOf(await beside(path), action))
}

test('the first that waits stands beside the others, with what one must know; each has a link to stand there', async () => {
  const [first, second] = numbers as [string, string, string]
  web.statements.length = 0
  const shown = await beside('/inbox')
  expect(web.statements.length).toBeLessThanOrEqual(4)
  expect(shown).toContain('A film')
  expect(shown).toContain('1 of 3')
  expect((await dan.get('/inbox')).text).toContain(`href="/inbox?open=loan.${second}"`)
  expect(await beside(`/inbox?open=loan.${second}`)).toContain('A talk')
  expect(shown).toContain(`href="/loans/${first}"`)
})

test('a decision leads on to the next one, the last one to the inbox', async () => {
  const [first, second, third] = numbers as [string, string, string]
  const taken = await decide(`/inbox?open=loan.${second}`, 'approve', second)
  expect([taken.status, taken.location]).toEqual([303, `/inbox?open=loan.${third}`])
  // What was decided meanwhile is said, and the next one is there.
  const { text } = await dan.get(`/inbox?open=loan.${second}`)
  expect(text).toContain('That does not wait for you any more.')
  expect(await beside(`/inbox?open=loan.${second}`)).toContain('A film')
  expect((await decide(`/inbox?open=loan.${third}`, 'decline', third)).location).toBe(`/inbox?open=loan.${first}`)
  expect((await decide('/inbox', 'approve', first)).location).toBe('/inbox')
  expect((await dan.get('/inbox')).text).toContain('Nothing waits for you.')
})

const doneOf = async (who: TestBrowser) => {
  const { text, status } = await who.get('/inbox?show=done')
  expect(status).toBe(200)
  const rows = /<ul class="waits">(.*?)<\/ul>/s.exec(text)?.[1] ?? ''
  return { text, shown: ['A film', 'A talk', 'A trip'].filter((_, at) => rows.includes(numbers[at]!)), rows }
}

test('what one has done stands in a tab of its own, the newest first; nobody else sees it as theirs', async () => {
  const { text, shown, rows } = await doneOf(dan)
  expect(text).toMatch(/<a href="\/inbox\?show=done" aria-current="page"[^>]*>Done/)
  expect(text).toContain('<a href="/inbox" aria-keyshortcuts="1">To decide')
  expect(shown).toEqual(['A film', 'A talk', 'A trip'])
  const order = [numbers[0]!, numbers[2]!, numbers[1]!].map(number => rows.indexOf(number))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect([rows.includes('Decline, '), rows.includes('Approve, ')]).toEqual([true, true])
  web.statements.length = 0
  await dan.get('/inbox?show=done')
  expect(web.statements.length).toBeLessThanOrEqual(3)
  const ben = await doneOf(await web.browser('Ben'))
  // He submitted them, which is no step that this inbox waits for.
  expect([ben.shown, ben.text.includes('Nothing done here yet.')]).toEqual([[], true])
})

test('what was taken back is not done, and what one does not see any more is not shown', async () => {
  const { run } = web
  const { query } = run.runtime.store
  const [last] = await query<{ id: string; record: string; version: string }>(
    sql`select id, record, version from ninefold.history where kind = 'step' and what = 'approve' order by id desc limit 1`,
  )
  await query(sql`insert into ninefold.history (id, at, entity, record, version, what, kind, from_state, to_state, request, document, actor)
    select ${testId()}::uuid, at, entity, record, version + 1, ${takingBack}, 'change', to_state, from_state, 'r', document, actor from ninefold.history where id = ${last!.id}::uuid`)
  expect((await doneOf(dan)).shown).toEqual(['A talk', 'A trip'])
  await query(sql`delete from ninefold.appointment where person = ${run.people.Dan}::uuid`)
  expect((await doneOf(dan)).shown).toEqual([])
})

test('what is late comes first, then what is due by the next working day; the tab says how many wait', async () => {
  const { run } = web
  const { query } = run.runtime.store
  const [item] = await query<{ id: string }>(sql`select id from item order by tag`)
  const due = async (day: string) => {
    const values = { out_on: '2026-03-02', due_back: '2026-03-05', purpose: `Until ${day}` }
    const id = await made(run, 'Ben', 'loan', input(values, { lines: [{ item: item!.id }] }))
    await takeStep(run.runtime, await run.as('Ben'), 'loan', id, 'submit', null)
    await query(sql`update loan set out_on = ${day}::date - 2, due_back = ${day}::date where id = ${id}::uuid`)
    return (await query<{ number: string }>(sql`select number from loan where id = ${id}::uuid`))[0]!.number
  }
  // The test run is on a Monday.
  const [later, tomorrow, late] = [await due('2026-03-20'), await due('2026-03-03'), await due('2026-02-27')]
  const cleo = await web.browser('Cleo')
  web.statements.length = 0
  const { text } = await cleo.get('/inbox')
  expect(web.statements.length).toBeLessThanOrEqual(4)
  const [, ...groups] = text.split(/<ul class="waits">/)
  const titles = [...text.matchAll(/<h2[^>]*>(Late|Due by the next working day|Later)<\/h2>/g)].map(
    ([, title]) => title,
  )
  expect(titles).toEqual(['Late', 'Due by the next working day', 'Later'])
  expect(groups.map((group, at) => group.includes([late, tomorrow, later][at]!))).toEqual([true, true, true])
  expect(text).toMatch(/1 of 3(?:(?!<\/section>).)*Until 2026-02-27/s)
  for (const path of ['/inbox', '/inbox?show=done'])
    expect(/To decide[^a-z]*<span class="n">\d+<\/span>/.exec((await cleo.get(path)).text)?.[0]).toMatch(/>3</)
  expect((await cleo.get('/inbox?show=done')).text).toMatch(/href="\/inbox\?show=done"[^>]*>Done\s*</)
})

test.each(['open=loan.LN-0', 'open=person.x', 'open=', 'open=loan', 'open=%00'])(
  'what %s asks for is not there, and nothing breaks',
  async query => {
    expect((await dan.get(`/inbox?${query}`)).status).toBe(200)
  },
)
