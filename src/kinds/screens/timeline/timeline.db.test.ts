/** A timeline over HTTP: what lies in which lane, for whom, and in how many statements. */
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../expression/sql.ts'
import type { TestWeb } from '../../../web/testing.ts'
import { loansOnDays } from '../../../web/testing-days.ts'

const { numbers, ...desk } = loansOnDays(
  `| /who | Who has what | everyone signed in | timeline of Loan by borrower, from out_on to due_back |
| /handed | Handed out | Clerk, Manager | timeline of Loan by state, from handed_out_at to returned_at |
| /mine | Approved by | Borrower | timeline of Loan by approved_by, from out_on |`,
  [
    ['Ben', '2026-03-02', '2026-03-05'],
    ['Ben', '2026-03-05', '2026-03-09'],
    ['Cleo', '2026-02-20', '2026-03-03'],
  ],
)
let web: TestWeb
beforeAll(() => {
  web = desk.web()
})

/** Of each lane its name, and what lies in it, with its place. */
async function lanes(name: string, path: string): Promise<Record<string, string[]>> {
  const page = await (await web.browser(name)).get(path)
  expect(page.status).toBe(200)
  const found = page.text.split('<li class="lane').slice(1)
  return Object.fromEntries(
    found.map(lane => {
      const [, label] = /<h3>(?:<a[^>]*>)?([^<]*)/.exec(lane)!
      const bars = [...lane.matchAll(/<li class="stay p(\d) q(\d) y(\d) z(\d)([^"]*)"[^>]*>(.*?)<\/li>/g)]
      return [
        label!,
        bars.map(([, p, q, y, z, looks, text]) => {
          const number = /LN-\d{4}-\d{5}/.exec(text!)![0]
          return `${number} ${p}${q}+${y}${z}${looks!.match(/begun|goes-on|twice/g)?.join(' ') ?? ''}`
        }),
      ]
    }),
  )
}

test('a bar lies in the lane of its record, from the one day to the other; what lies at the same time is named', async () => {
  const week = await lanes('Dan', '/who?view=week&on=2026-03-04')
  expect(week.Ben).toEqual([
    `${numbers['Ben 2026-03-02']} 01+04twice`,
    `${numbers['Ben 2026-03-05']} 04+04goes-on twice`,
  ])
  expect(week.Cleo).toEqual([`${numbers['Cleo 2026-02-20']} 01+02begun`])
  // Whoever has nothing can be given something.
  expect(week.Dan).toEqual([])
  const { text } = await (await web.browser('Dan')).get('/who?view=week&on=2026-03-04')
  expect(text).toContain('1 overlap')
  // Six of the five working days are taken, and two of them.
  expect(text.match(/title="\d+% taken"/g)).toEqual(expect.arrayContaining(['title="120% taken"', 'title="40% taken"']))
})

test('nobody is shown what is not theirs to see, nor a lane of a field that they never see', async () => {
  const ben = await lanes('Ben', '/who?view=week&on=2026-03-04')
  expect(Object.values(ben).flat()).toHaveLength(2)
})

test('what is looked for is all there is, and only lanes with something stay', async () => {
  const found = await lanes('Dan', `/who?view=week&on=2026-03-04&number=${numbers['Cleo 2026-02-20']}`)
  expect(found).toEqual({ Cleo: [`${numbers['Cleo 2026-02-20']} 01+02begun`] })
})

test('of a state each is a lane; what has no time waits in the tray', async () => {
  const found = await lanes('Dan', '/handed?on=2026-03-04')
  expect(Object.keys(found)).toEqual(['Draft', 'Requested', 'Approved', 'Out', 'Overdue', 'Returned', 'Declined'])
  const { text } = await (await web.browser('Dan')).get('/handed')
  const tray = /<ul class="tray">.*?<\/ul>/s.exec(text)![0]
  for (const number of Object.values(numbers)) expect(tray).toContain(number)
})

test('a lane has the form for something new in it, in which lane and day stand already', async () => {
  const browser = await web.browser('Dan')
  const page = await browser.get('/who?view=week&on=2026-03-04')
  const [, href] = /href="(\/loans\/new\?borrower=[^"]*)" aria-label="New loan, Ben"/.exec(page.text)!
  expect(href).toMatch(/&amp;out_on=2026-03-04&amp;due_back=2026-03-04$/)
})

test('a move is judged as the form is: by rights, rules and what others did since', async () => {
  const number = numbers['Cleo 2026-02-20']!
  const [mia, dan, ben] = await Promise.all(['Mia', 'Dan', 'Ben'].map(name => web.browser(name)))
  const move = (browser: typeof mia, fields: Record<string, string>, of = `/loans/${number}/edit`) =>
    browser!.send(`/-/move?${new URLSearchParams({ of })}`, fields)
  const days = async () => {
    const [row] = await web.run.runtime.store.query<{ days: string; version: string }>(
      sql`select out_on::text || ' ' || due_back::text as days, version from loan where number = ${number}`,
    )
    return [row!.days, Number(row!.version)]
  }
  const at = async (browser: typeof mia) => (await browser!.get('/who?view=week&on=2026-03-04')).text
  // Only where it can be changed there is something to drag.
  expect(await at(mia)).toContain(`data-move="/loans/${number}/edit" data-version="1" data-begins="2026-02-20"`)
  expect(await at(dan)).not.toContain('data-move=')
  expect((await move(dan, { due_back: '2026-03-06' })).status).toBe(403)
  expect((await move(ben, { due_back: '2026-03-06' })).status).toBe(404)
  for (const address of [`/loans/${number}`, '/loans/new', '/loans/x/edit', '', '/nothing'])
    expect((await move(mia, { due_back: '2026-03-06' }, address)).status).toBe(404)
  expect(await days()).toEqual(['2026-02-20 2026-03-03', 1])
  const refused = await move(mia, { due_back: '2026-02-01' })
  expect([refused.status, refused.text.includes('The return date must be after the day')]).toEqual([422, true])
  const moved = await move(mia, { out_on: '2026-02-21', due_back: '2026-03-04', _version: '1' })
  expect([moved.status, moved.text.includes(`${number} moved.`), moved.text.includes('form="undo"')]).toEqual([
    200,
    true,
    true,
  ])
  expect(await days()).toEqual(['2026-02-21 2026-03-04', 2])
  expect((await move(mia, { due_back: '2026-03-05', _version: '1' })).status).toBe(409)
  expect(await days()).toEqual(['2026-02-21 2026-03-04', 2])
})

test('a page takes two statements, and weighs no more than it may', async () => {
  const browser = await web.browser('Dan')
  for (const view of ['week', 'month', 'quarter']) {
    web.statements.length = 0
    const { text } = await browser.get(`/who?view=${view}&on=2026-03-04`)
    expect(web.statements.length).toBeLessThanOrEqual(2)
    expect(brotliCompressSync(text).length).toBeLessThan(12_000)
  }
})

test('where there is more than a page reads, it says so', async () => {
  await web.run.runtime.store.query(
    sql`insert into loan (id, number, borrower, out_on, due_back, state, state_since, created_at, changed_at)
      select gen_random_uuid(), 'LN-2026-' || (50000 + n), (select id from person order by name limit 1), date '2026-07-01', date '2026-07-02',
        'Out', now(), now(), now() from generate_series(1, 401) as n`,
  )
  const { text } = await (await web.browser('Dan')).get('/who?on=2026-07-01')
  expect(text).toContain('Only the first 400 are shown')
})
