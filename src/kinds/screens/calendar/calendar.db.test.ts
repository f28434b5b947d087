/** A calendar over HTTP: what lies on which day, for whom, and in how many statements. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../expression/sql.ts'
import { input, made } from '../../../run/testing.ts'
import { iconShape } from '../../../ui/icons.tsx'
import type { TestWeb } from '../../../web/testing.ts'
import { loansOnDays } from '../../../web/testing-days.ts'

const { numbers, ...desk } = loansOnDays(
  `| /calendar | Calendar | everyone signed in | calendar of Loan by out_on to due_back |
| /handed | Handed out | Clerk, Manager | calendar of Loan by handed_out_at |
| /lines | Values | everyone signed in | calendar of Item by retired_on |`,
  [
    ['Ben', '2026-03-02', '2026-03-05'],
    ['Ben', '2026-02-27', '2026-03-09'],
    ['Cleo', '2026-03-03', '2026-03-04'],
  ],
)
let web: TestWeb
beforeAll(() => {
  web = desk.web()
})

/** Titles per day, as the page shows them. */
async function days(name: string, query: string): Promise<Record<string, string[]>> {
  const browser = await web.browser(name)
  const page = await browser.get(`/calendar?${query}`)
  expect(page.status).toBe(200)
  const found: Record<string, string[]> = {}
  const reach = new Map<string, string[]>()
  const all = [...page.text.matchAll(/data-day="([\d-]+)"/g)].map(([, iso]) => iso!)
  let iso = ''
  for (const [, day, look, title] of page.text.matchAll(
    /data-day="([\d-]+)"|class="stay ([^"]*)"[^>]*>(?:(?!data-day).)*?(LN-\d{4}-\d{5})"/gs,
  )) {
    if (day !== undefined) iso = day
    else {
      const [, column, days] = /c(\d) w(\d)/.exec(look!)!
      const monday = all[Math.floor(all.indexOf(iso) / 7) * 7 + Number(column) - 1]!
      reach.set(`${title} ${monday}`, all.slice(all.indexOf(monday), all.indexOf(monday) + Number(days)))
    }
  }
  for (const [key, days] of reach) for (const day of days) found[day] = [...(found[day] ?? []), key.split(' ')[0]!]
  return found
}

test('a record stands on every day from the one to the other, and nobody else’s does', async () => {
  const [short, long] = [numbers['Ben 2026-03-02']!, numbers['Ben 2026-02-27']!]
  const ben = await days('Ben', 'view=week&on=2026-03-04')
  expect(Object.keys(ben).sort()).toEqual([
    '2026-03-02',
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-06',
    '2026-03-07',
    '2026-03-08',
  ])
  expect(ben['2026-03-04']!.sort()).toEqual([short, long].sort())
  expect(ben['2026-03-06']).toEqual([long])
  expect(JSON.stringify(ben)).not.toContain(numbers['Cleo 2026-03-03'])
  const dan = await days('Dan', 'view=week&on=2026-03-04')
  expect(dan['2026-03-04']).toHaveLength(3)
})

test('navigation has the icon of its kind', async () => {
  const page = await (await web.browser('Dan')).get('/calendar')
  const [, link] = /<a[^>]* href="\/calendar"[^>]*>(.*?)<\/a>/s.exec(page.text)!
  expect(link).toContain(iconShape('calendar'))
})

test('what ended before the days shown, or begins after them, is not there', async () => {
  expect(await days('Dan', 'view=week&on=2026-03-11')).toEqual({ '2026-03-09': [numbers['Ben 2026-02-27']] })
  expect(await days('Dan', 'view=week&on=2026-02-18')).toEqual({})
})

test('the page of a day is a list, and a page takes two statements', async () => {
  const browser = await web.browser('Dan')
  web.statements.length = 0
  const page = await browser.get('/calendar?view=day&on=2026-03-03')
  expect(web.statements.length).toBeLessThanOrEqual(2)
  expect(page.text).not.toContain('class="wk"')
  for (const number of Object.values(numbers)) expect(page.text).toContain(number)
})

test('where there are more than a page reads, no day looks empty: its own page has all, and goes on', async () => {
  await web.run.runtime.store.inTransaction(tx =>
    tx.write(sql`insert into item (id, tag, name, category, value, retired_on, created_at, changed_at)
      select gen_random_uuid(), 'ZZ-' || lpad(n::text, 4, '0'), 'Old', (select id from category limit 1), 1,
        date '2026-05-03' + case when n = 1 then 0 when n <= 402 then 1 else 17 end, now(), now() from generate_series(1, 405) as n`),
  )
  const browser = await web.browser('Dan')
  const tags = (text: string) => new Set(text.match(/ZZ-\d{4}/g)).size
  const month = (await browser.get('/lines?on=2026-05-10')).text
  const more = (iso: string) => new RegExp(`data-day="${iso}"(?:(?!data-day).)*`, 's').exec(month)![0]
  expect(tags(more('2026-05-03'))).toBe(1)
  expect(more('2026-05-03')).not.toContain('link-more')
  for (const iso of ['2026-05-04', '2026-05-20']) expect(more(iso)).toContain('>The whole day</a>')
  expect(month).toContain('The first 400 are shown. From 4 May 2026 on, some may be missing')
  expect(tags((await browser.get('/lines?view=day&on=2026-05-20')).text)).toBe(3)
  const day = (await browser.get('/lines?view=day&on=2026-05-04')).text
  const [, further] = /href="([^"]*)" rel="next">More on this day/.exec(day)!
  const rest = (await browser.get(further!.replaceAll('&amp;', '&'))).text
  expect([tags(day), tags(rest), rest.includes('More on this day')]).toEqual([400, 1, false])
})

test('records are looked for as in a list, and the period stays; a day has the form in which it stands already', async () => {
  const browser = await web.browser('Dan')
  const page = await browser.get('/calendar?view=week&on=2026-03-04&borrower.name=Ben')
  expect(page.text).toContain('view=month&amp;on=2026-03-04&amp;borrower.name=Ben')
  expect(page.text).not.toContain(numbers['Cleo 2026-03-03'])
  expect(page.text).toContain('/loans/new?out_on=2026-03-05&amp;due_back=2026-03-05')
  const form = await browser.get('/loans/new?out_on=2026-03-05&due_back=2026-03-05')
  expect(form.text).toMatch(/name="due_back"[^>]*value="2026-03-05"/)
  expect((await browser.get('/calendar?nothing=1&sort=out_on')).text).toContain('nothing=1, sort=out_on')
})

test('in a week what has hours stands at them, in the zone of its reader; what is at the same time beside each other', async () => {
  const { run } = web
  const [item] = await run.runtime.store.query<{ id: string }>(sql`select id from item order by tag`)
  for (const minute of ['13:40', '13:50']) {
    run.now = new Date(`2026-03-17T${minute}:00Z`)
    const id = await made(run, 'Ben', 'loan', input({ due_back: '2026-03-19' }, { lines: [{ item: item!.id }] }))
    await run.runtime.store.query(sql`update loan set handed_out_at = ${run.now} where id = ${id}`)
  }
  const dan = await web.browser('Dan')
  const week = (await dan.get('/handed?view=week&on=2026-03-17')).text
  const zone = run.runtime.app.product.timeZone.name
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(run.now),
  )
  const row = (hour - 8) * 2 + 2
  expect([...week.matchAll(/class="stay (p\d q\d y\d z\d k\d+ n\d+)/g)].map(([, place]) => place)).toEqual([
    `p${Math.floor(row / 10)} q${row % 10} y0 z3 k1 n6`,
    `p${Math.floor(row / 10)} q${row % 10} y0 z3 k7 n6`,
  ])
  expect(week).toContain(`<span>${hour}:00</span>`)
  // Days have none.
  expect((await dan.get('/calendar?view=week&on=2026-03-17')).text).not.toContain('at-hours')
  run.now = new Date('2026-03-04T09:00:00Z')
})

test('a visitor is asked to sign in', async () => {
  const browser = await web.browser(null)
  expect((await browser.get('/calendar')).status).toBe(303)
})
