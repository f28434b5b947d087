/** Dashboards and reports over HTTP: what stands on them, for whom, in how many statements, and as a file. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { input, loanDesk, made, readSound } from '../../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

const screens = `
### Overview

#### Loans

- **Measure:** count of Loan

#### Worth

- **Measure:** sum of total_value of Loan
- **Meaning:** What is at stake.

#### By state

- **Measure:** count of Loan
- **By:** state

#### Per month

- **Measure:** count of Loan
- **By:** month of out_on

#### Newest

- **Shows:** list of Loan
- **Columns:** number, due_back, total_value
- **Sort:** number down

#### Drafts

- **Measure:** count of Loan where state = Draft

#### Later

- **Measure:** TBD (Board)

### In time

- **Period:** month

#### Lent

- **Measure:** count of Loan
- **Date:** out_on
- **Aim:** 3
- **Better:** higher

#### All

- **Measure:** count of Loan

#### Per month

- **Measure:** count of Loan
- **By:** month of out_on

#### States

- **Measure:** count of Loan
- **By:** month of out_on, state

#### Borrowers

- **Measure:** count of Loan
- **By:** borrower
- **Date:** out_on

### Grid

- **Across:** month of out_on
- **By:** state
- **Measure:** count as Loans
- **Measure:** average of days as Length

### Table

- **Where:** state = Draft

### Worth by month

- **Measure:** sum of total_value as Worth

### Length

- **Measure:** average of days as Length

### Nobody’s

- **Where:** \`state = Out\`

### Use

- **Asks:** from: date default today - 30
- **Where:** \`out_on >= asked.from\`
- **Measure:** count as Loans
- **Measure:** share of count
- **Measure:** sum of total_value as Worth
- **Columns:** number, due_back

## 3 Entities`

let web: TestWeb
let dan: TestBrowser
let ben: TestBrowser

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(
        '| /reports |',
        '| /overview | Overview | everyone signed in | dashboard |\n| /grid | Grid | everyone signed in | pivot of Loan by borrower |\n| /in-time | In time | everyone signed in | dashboard |\n| /stakes | Stakes | everyone signed in | report of Loan by approved_by, borrower |\n| /drawn | Drawn | everyone signed in | chart of Loan by approved_by |\n| /use | Use | everyone signed in | report of Loan by borrower, month of out_on |\n| /worth | Worth by month | everyone signed in | chart of Loan by month of out_on |\n| /years | Years | everyone signed in | report of Loan by year of out_on |\n| /length | Length | everyone signed in | report of Loan by borrower |\n| /nobody | Nobody’s | everyone signed in | chart of Loan by borrower |\n| /reports |',
      )
      .replace('| /loans | My', '| /table | Table | Clerk | table of Loan |\n| /loans | My')
      .replace('\n## 3 Entities', screens)
      .replace('| total_value | Clerk, Manager, Auditor |', '| approved_by | Clerk, Manager | none |\n$&')
      .replace(/(?<=### Loan\n\n)\| Role \| See [\s\S]*?(?=\n\n)/, table =>
        table
          .split('\n')
          .map(
            (line, at) => `${line} ${at === 0 ? 'Export' : at === 1 ? '---' : /Manager/.test(line) ? 'yes' : 'no'} |`,
          )
          .join('\n'),
      ),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  const { run } = web
  const [item] = await run.runtime.store.query<{ id: string }>(sql`select id from item order by tag`)
  for (const [who, out, due] of [
    ['Ben', '2026-01-05', '2026-01-08'],
    ['Ben', '2026-03-02', '2026-03-05'],
    ['Cleo', '2026-03-03', '2026-03-04'],
  ] as const) {
    run.now = new Date(`${out}T09:00:00Z`)
    await made(run, who, 'loan', input({ out_on: out, due_back: due }, { lines: [{ item: item!.id }] }))
  }
  run.now = new Date('2026-03-04T09:00:00Z')
  dan = await web.browser('Dan')
  ben = await web.browser('Ben')
})
afterAll(() => web?.stop())

/** The text of a page's main part, with one space between everything. */
const text = (html: string) =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main>'))
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('a chart may be a screen of its own; without numbers it says so, and what nobody may see draws nothing', async () => {
  const { text: page } = await dan.get('/worth')
  expect(text(page)).toMatch(/Worth by month Week .* Worth /)
  expect(page).toContain('class="plot"')
  const none = (await dan.get('/nobody')).text
  expect(text(none)).toContain('Nothing yet: there is no number to draw.')
  expect(none).not.toContain('<svg class="length"')
  expect((await ben.get('/worth')).text).not.toContain('class="plot"')
  expect((await dan.get('/table')).text).toContain('LN-2026-00001')
})

test('a dashboard has one statement for each card, and counts for everybody what they may see', async () => {
  web.statements.length = 0
  const page = await dan.get('/overview')
  // Who asks; and seven cards, of which one is not decided and asks for nothing.
  expect([page.status, web.statements.length]).toEqual([200, 7])
  expect(text(page.text)).toMatch(/Loans §\d line \d+ 3 Worth §\d line \d+ €7,200 €7,200\.00 What is at stake\./)
  expect(text(page.text)).toContain('What stands here is not decided yet.')
  const own = text((await ben.get('/overview')).text)
  expect(own).toMatch(/Loans §\d line \d+ 2 /)
  expect(own).not.toMatch(/Worth|7,200|Total value/)
})

test('a number and each group of a chart lead to the list of just what they count', async () => {
  const leads = async (browser: TestBrowser, address: string) => {
    const { text: page } = await browser.get(address)
    const found = [...page.slice(page.indexOf('<main')).matchAll(/<a href="(\/[a-z]+\?[^"]*)" aria-label="([^"]*)">/g)]
    return found.map(([, href, name]) => [name, href!.replaceAll('&amp;', '&')] as const)
  }
  const all = await leads(ben, '/overview')
  expect(all.map(([name]) => name)).toEqual([
    'Loans: 2',
    'Drafts: 2',
    'Records behind Draft',
    'Records behind January 2026',
    'Records behind March 2026 so far',
  ])
  for (const [name, href] of all) {
    const rows = [...(await ben.get(href)).text.matchAll(/class="ttl" href="/g)].length
    expect([name, rows]).toEqual([name, /January|March/.test(name!) ? 1 : 2])
  }
  // Dan's first list leaves records out: it is right only where the figure leaves them out, too.
  const his = new Map(await leads(dan, '/overview'))
  expect([his.get('Loans: 3'), his.get('Drafts: 3')]).toEqual(['/loans?_view=all', '/table?_view=all'])
})

test('a month in which nothing was has a number, too; nothing in a chart needs a style attribute', async () => {
  const { text: html } = await dan.get('/overview')
  expect(text(html)).toContain('January 2026 1 February 2026 0 March 2026 so far 2')
  // `Mar 26` would be a day.
  expect(html).toMatch(/>Jan 2026<\/text>.*>Feb<\/text>.*>Mar<\/text>/)
  expect(html.slice(html.indexOf('<main'))).not.toMatch(/<[^>]+\sstyle=/)
})

test('a report has a sum behind each group, and its records one link away', async () => {
  const page = await dan.get('/use?from=2026-01-01')
  const shown = text(page.text)
  expect(shown).toContain('Ben January 2026 1 33.33% €2,400.00 March 2026 1 33.33% €2,400.00 Ben, all 2 66.67%')
  expect(shown).toContain('Total 3 100.00% €7,200.00')
  const link = /href="([^"]*group\.0=[^"]*group\.1=2026-01-01[^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  expect(link).toContain('from=2026-01-01')
  web.statements.length = 0
  const behind = text((await dan.get(link.split('#')[0]!)).text)
  expect(web.statements.length).toBeLessThanOrEqual(3)
  expect(behind).toMatch(/Loans: Ben, January 2026 .*LN-2026-00001/)
  expect(behind).not.toMatch(/LN-2026-00002/)
})

test('what a report asks is preset, and what is not understood is said', async () => {
  expect(text((await dan.get('/use')).text)).toContain('Total 2 100.00%')
  const page = await dan.get('/use?from=tomorrow')
  expect(text(page.text)).toContain('from=tomorrow')
  expect(page.text).toContain('value="2026-02-02"')
})

test('the figures of a column have as many decimals as the one with most', async () => {
  expect(text((await dan.get('/length')).text)).toContain('Ben 3.00 Cleo 1.00 Total 2.33')
})

test('somebody else’s group is empty, whoever writes its address', async () => {
  const page = await dan.get('/use?from=2026-01-01')
  const link = /href="([^"]*group\.0=[^"]*group\.1=2026-03-01[^"]*)"/g
  const cleos = [...page.text.matchAll(link)].map(([, href]) => href!.replaceAll('&amp;', '&').split('#')[0]!).at(-1)!
  expect(text((await dan.get(cleos)).text)).toContain('LN-2026-00003')
  expect(text((await ben.get(cleos)).text)).not.toContain('LN-2026-00003')
})

test('a report is grouped by what its reader may see, and what would be empty is not offered', async () => {
  expect(text((await dan.get('/stakes')).text)).toContain('Approved by Borrower')
  const own = await ben.get('/stakes')
  expect(own.status).toBe(200)
  expect(text(own.text)).toContain('Stakes: Loans Borrower Loans Ben 2 Total 2')
  expect(own.text).not.toMatch(/approved_by|Approved by/)
  expect((await dan.get('/loans')).text).toContain('href="/drawn"')
  expect((await ben.get('/loans')).text).not.toContain('href="/drawn"')
  expect((await ben.get('/drawn')).text).not.toMatch(/Approved by/)
})

test('figures leave as a file only where their records may', async () => {
  expect((await dan.get('/use?_export=csv')).status).toBe(404)
  expect(text((await dan.get('/use')).text)).not.toContain('CSV')
  const manager = await web.browser(Object.keys(web.run.people).find(name => name.startsWith('M'))!)
  const link = /href="([^"]*_export=csv[^"]*)"/.exec((await manager.get('/use?from=2026-01-01')).text)![1]!
  const file = await manager.get(link.replaceAll('&amp;', '&'))
  expect(file.text.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual([
    'Borrower,Month of out on,Loans,Share of loans,Worth',
    'Ben,2026-01-01,1,0.3333,2400.00',
    'Ben,2026-03-01,1,0.3333,2400.00',
    'Cleo,2026-03-01,1,0.3333,2400.00',
  ])
  const years = await manager.get('/years?_export=csv')
  expect(years.text.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual(['Year of out on,Loans', '2026,3'])
})

test('the switch over a dashboard asks all that has a day; what it shows is compared, and leads to as many records', async () => {
  web.statements.length = 0
  const page = await dan.get('/in-time')
  // Who asks, five cards, and two of them compared.
  expect([page.status, web.statements.length]).toEqual([200, 8])
  const shown = text(page.text)
  expect(shown).toContain('1 Mar to 4 Mar 2026, so far')
  expect(shown).toMatch(
    /Lent §\d line \d+ 2 nothing before, 1 Feb to 4 Feb 2026 Aim: 3 , not reached All §\d line \d+ 3 /,
  )
  const lead = /href="([^"]*)" aria-label="Lent: 2"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  expect([...(await dan.get(lead)).text.matchAll(/class="ttl" href="/g)]).toHaveLength(2)
  const ours = text((await ben.get('/in-time')).text)
  expect(ours).toMatch(/Lent §\d line \d+ 1 nothing before,/)
  const dates = text((await dan.get('/in-time?from=2026-01-30&to=2026-03-04')).text)
  expect(dates).toMatch(/Lent §\d line \d+ 2 up 100% against 1, 27 Dec 2025 to 29 Jan 2026 /)
  expect(text((await dan.get('/in-time?period=week&against=none')).text)).toMatch(/Lent §\d line \d+ 2 Aim/)
  expect(text((await dan.get('/in-time?period=decade')).text)).toContain('was not understood: period=decade')
})

test('a drawing has the days of its period, those before them pale, and what parts each of them', async () => {
  const page = (await dan.get('/in-time')).text
  const [, days = ''] = /<h2[^>]*>Per month<\/h2>(.*?)<\/section>/s.exec(page)!
  expect(text(`<main${days}</main>`)).toContain(
    '1 Mar 2026 0 0 2 Mar 2026 1 0 3 Mar 2026 1 0 4 Mar 2026 0 0 5 Mar 2026',
  )
  expect(days).toContain('<path class="hue-b"')
  // One place for the Tab key, whatever the number of days; each says all that is to be read there.
  expect(days.match(/<(a|span)[^>]* tabindex="0"/g)).toHaveLength(1)
  expect(days).toContain('<b>2 Mar 2026</b><i class="hue-1"></i> <span>Loans</span> <span>1</span>')
  const [, states = ''] = /<h2[^>]*>States<\/h2>(.*?)<\/section>/s.exec(page)!
  expect(text(`<main${states}</main>`)).toContain('Draft Together 1 Mar 2026 0 0 2 Mar 2026 1 1 3 Mar 2026 1 1')
  expect(page).toMatch(/class="d-6"/)
})

test('a pivot has a figure where rows and columns cross; averages are worked out anew, and each leads to what it counts', async () => {
  web.statements.length = 0
  const page = await dan.get('/grid')
  expect([page.status, web.statements.length <= 4]).toEqual([200, true])
  const grid = (html: string) => text(html).replace(/^.*Month of out on [^A-Z]*Show /s, '')
  expect(grid(page.text)).toContain(
    'January 2026 March 2026 All Borrower Loans Length Loans Length Loans Length Ben 1 3.00 1 3.00 2 3.00 Cleo – – 1 1.00 1 1.00 All 1 3.00 2 2.00 3 2.33',
  )
  const links = [...page.text.matchAll(/<td class="num[^"]*"><a href="([^"]*)" aria-label="([^"]*)"/g)]
  expect(links.map(([, , name]) => name)).toContain('2: Records behind Ben, All')
  for (const [, href, name] of links) {
    if (!/^\d+:/.test(name!)) continue
    const rows = [...(await dan.get(href!.replaceAll('&amp;', '&'))).text.matchAll(/class="ttl" href="/g)].length
    expect([name, rows]).toEqual([name, Number(/^\d+/.exec(name!)![0])])
  }
  expect(grid((await ben.get('/grid')).text)).not.toContain('Cleo')
})

test('the period of a pivot is asked for by the day of its groups: figures, their records and the file are of these days', async () => {
  const grid = (html: string) => text(html).replace(/^.*Month of out on [^A-Z]*Show /s, '')
  const month = await dan.get('/grid?period=month&rows=borrower')
  expect(grid(month.text)).toContain(
    'March 2026 All Borrower Loans Length Loans Length Ben 1 3.00 1 3.00 Cleo 1 1.00 1 1.00 All 2 2.00 2 2.00',
  )
  expect(text(month.text)).toContain('1 Mar to 4 Mar 2026, so far')
  for (const [, href, name] of month.text.matchAll(/<td class="num[^"]*"><a href="([^"]*)" aria-label="(\d+):/g)) {
    const list = await dan.get(href!.replaceAll('&amp;', '&'))
    expect([href, [...list.text.matchAll(/class="ttl" href="/g)].length]).toEqual([href, Number(name)])
  }
  // What stands where stays, whatever days are asked for.
  const [, nav = ''] = /<nav class="seg" aria-label="Period">(.*?)<\/nav>/s.exec(month.text)!
  expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toContain('/grid?rows=borrower&amp;period=year')
  const [, dates = ''] = /<form id="dates"(.*?)<\/form>/s.exec(month.text)!
  expect(dates).toContain('name="rows" value="borrower"')
  expect(dates).not.toContain('name="period"')
  const days = await dan.get('/grid?from=2026-01-01&to=2026-01-31&across=')
  expect(text(days.text)).toContain('Borrower Loans Length Ben 1 3.00 All 1 3.00')
  expect(text((await dan.get('/grid?period=moon')).text)).toContain('not understood: period=moon')
  const manager = await web.browser(Object.keys(web.run.people).find(name => name.startsWith('M'))!)
  const file = await manager.get('/grid?period=month&across=&_export=csv')
  expect(file.text.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual([
    'Borrower,Loans,Length',
    'Ben,1,3.00',
    'Cleo,1,1.00',
  ])
})

test('what stands in rows and columns of a pivot is in its address, filters and export with it', async () => {
  const turned = text((await dan.get('/grid?rows=borrower&rows=state&across=')).text)
  expect(turned).toContain('Borrower, State Loans Length Ben 2 3.00 Draft 2 3.00 Cleo 1 1.00 Draft 1 1.00 All 3 2.33')
  // A group is folded where it stands, and counts all the same; rows stand by a measure, with their groups.
  const folded = await dan.get('/grid?rows=borrower&rows=state&across=&_largest=0')
  const link = /<a class="twist" href="([^"]+)" aria-expanded="true">(?:(?!<\/a>).)*Ben<\/a>/.exec(folded.text)![1]!
  expect(text((await dan.get(link.replaceAll('&amp;', '&'))).text)).toContain(
    'Borrower, State Loans Length Ben 2 3.00 Cleo 1 1.00 Draft 1 1.00 All 3 2.33',
  )
  const first = await dan.get('/grid?rows=borrower&across=&_largest=1')
  expect(text(first.text)).toContain('Length Ben 2 3.00 Cleo 1 1.00 All')
  expect(first.text).toMatch(
    /<th scope="col"[^>]*aria-sort="descending"><a href="\/grid\?rows=borrower&amp;across=">Length/,
  )
  expect(text((await dan.get('/grid?rows=&across=state')).text)).toContain(
    'Draft All Loans Length Loans Length All 3 2.33 3 2.33',
  )
  const some = await dan.get('/grid?out_on.before=2026-02-01&across=')
  expect(text(some.text)).toContain('Borrower Loans Length Ben 1 3.00 All 1 3.00')
  // Without its filters it is turned as it was.
  const turnedSome = await dan.get('/grid?out_on.before=2026-02-01&rows=state&across=&_largest=0&q=B')
  const [, clear] = /<a[^>]*href="([^"]*)"[^>]*>Clear/.exec(turnedSome.text)!
  expect(clear!.replaceAll('&amp;', '&')).toBe('/grid?rows=state&across=&_largest=0')
  expect(text((await dan.get('/grid?rows=secret')).text)).toContain('not understood: rows=secret')
  expect((await dan.get('/grid?_export=csv')).status).toBe(404)
  const manager = await web.browser(Object.keys(web.run.people).find(name => name.startsWith('M'))!)
  const file = await manager.get('/grid?_export=csv')
  expect(file.text.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual([
    'Borrower,"2026-01-01, Loans","2026-01-01, Length","2026-03-01, Loans","2026-03-01, Length","All, Loans","All, Length"',
    'Ben,1,3.00,1,3.00,2,3.00',
    'Cleo,,,1,1.00,1,1.00',
  ])
})
