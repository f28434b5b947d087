/** Pages of prose and the inbox over HTTP: what waits for whom, and that nothing that people write becomes markup. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { done, input, loanDesk, made, readSound } from '../../run/testing.ts'
import { takeStep } from '../../run/write/writes.ts'
import { startTestWeb, type TestWeb } from '../testing.ts'

const screens = `
### House rules

- **Meaning:** For everybody.

Items are lent for **two weeks**. See [your loans](/loans) and [nothing](javascript:alert(1)).

* Bring them back clean.
* Say what is broken.

#### Late?

<script>alert('x')</script>

#### Notes for authors

This is not shown.

### For me

- **Meaning:** What waits at the desk & nowhere else.
- **Steps:** approve, hand out

## 3 Entities`

let web: TestWeb
const loans: string[] = []

beforeAll(async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace(
        '| /reports |',
        '| /rules | House rules | everyone | text |\n| /inbox | Inbox | everyone signed in | inbox |\n| /me | For me | everyone signed in | inbox |\n| /reports |',
      )
      .replace('\n## 3 Entities', screens)
      .replace(/^\| Transition(?:.*\n)+?(?=\n)/m, table =>
        table
          .replace(/ \|$/gm, ' | |')
          .replace('Then | |', 'Then | Meaning |')
          .replace('| --- | |', '| --- | --- |')
          .replace('approved_by = me | |', 'approved_by = me | The items are kept for them. |'),
      )
      .replace('| purpose | long text 500 |', '| purpose | markdown 500 |'),
  )
  web = await startTestWeb(inject('databaseUrl'), app)
  const { run } = web
  const [item] = await run.runtime.store.query<{ id: string }>(sql`select id from item order by tag`)
  const lend = async (who: string) => {
    const purpose = 'A **film** of:\n\n- [a place](https://a.example/)\n- <b onclick="x">it</b>\n\n[no](javascript:x)'
    const values = { out_on: '2026-03-02', due_back: '2026-03-05', purpose }
    const id = await made(run, who, 'loan', input(values, { lines: [{ item: item!.id }] }))
    const [loan] = await run.runtime.store.query<{ number: string }>(sql`select number from loan where id = ${id}`)
    loans.push(loan!.number)
    return id
  }
  for (const who of ['Ben', 'Ben', 'Cleo']) {
    const id = await lend(who)
    done(await takeStep(run.runtime, await run.as(who), 'loan', id, 'submit', null))
  }
  await lend('Ben')
})
afterAll(() => web?.stop())

async function inbox(name: string, path = '/inbox'): Promise<Record<string, string[]>> {
  const page = await (await web.browser(name)).get(path)
  expect(page.status).toBe(200)
  const groups = page.text.split('<ul class="waits">')
  return Object.fromEntries(
    groups.slice(1).map((rows, at) => [
      [...groups[at]!.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].at(-1)![1]!,
      [...rows.split('</ul>')[0]!.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, row]) =>
        [
          /LN-[\d-]+/.exec(row!)?.[0],
          // Behind the link that shows it beside the others.
          ...Array.from(row!.matchAll(/class="btn[^"]* sm[^>]*>([^<]+)/g), one => one[1]).slice(1),
        ].join(' '),
      ),
    ]),
  )
}

test('what waits for somebody is what they may do now, the longest waiting first', async () => {
  const [first, second, cleos, draft] = loans
  expect(await inbox('Ben')).toEqual({ Loans: [`${draft} Submit`] })
  expect(await inbox('Dan')).toEqual({ Loans: [first, second, cleos].map(one => `${one} Approve Decline`) })
  // Cleo is a clerk as well, but nobody approves what they borrow themselves.
  expect(await inbox('Cleo')).toEqual({
    Loans: [`${first} Approve Decline`, `${second} Approve Decline`, `${cleos} Decline`],
  })
})

test('an inbox that names steps waits for no others', async () => {
  expect(await inbox('Ben', '/me')).toEqual({})
  expect(await inbox('Dan', '/me')).toEqual({ Loans: loans.slice(0, 3).map(one => `${one} Approve`) })
})

test('all that waits is read in one statement beside its number, what stands beside it in another, and each step is one link away', async () => {
  const dan = await web.browser('Dan')
  web.statements.length = 0
  const page = await dan.get('/inbox')
  expect(web.statements.filter(one => one !== 'transaction')).toHaveLength(4)
  const address = `/loans/${loans[0]}/do/approve?_next=%2Finbox`
  expect(page.text).toContain(`href="${address}"`)
  expect((await dan.get(address)).status).toBe(200)
})

test('whoever takes a step from the inbox, or leaves it, is back there, and reads what has become of it', async () => {
  const cleo = await web.browser('Cleo')
  const address = `/loans/${loans[2]}/do/decline?_next=%2Finbox`
  const page = await cleo.get(address)
  expect(page.text).toContain('href="/inbox">Cancel<')
  const done = await cleo.submit(address, address)
  expect([done.status, done.headers.get('location')]).toEqual([303, '/inbox'])
  expect((await cleo.get('/inbox')).text).toContain(`${loans[2]} is now Declined.`)
})

test('a text is shown to whoever may open it, and nothing in it becomes markup or script', async () => {
  const page = await (await web.browser(null)).get('/rules')
  expect(page.status).toBe(200)
  const main = page.text.slice(page.text.indexOf('<main'))
  expect(main).toContain('<strong>two weeks</strong>')
  expect(main).toContain('<a href="/loans">your loans</a>')
  expect(main).toMatch(/<li>Bring them back clean\.<\/li>/)
  expect(main).toContain('<h2>Late?</h2>')
  expect(main).toContain('&lt;script&gt;')
  // What may be no link stands as it was written.
  expect(main).toContain('and [nothing](javascript:alert(1)).')
  expect(main).not.toMatch(/<script>alert|="javascript:|not shown|For everybody|Meaning/)
})

test('what a screen and a step are for is said where somebody looks for help', async () => {
  const dan = await web.browser('Dan')
  expect((await dan.get('/me')).text).toMatch(
    /<h1>For me<\/h1><p class="rec-sub">What waits at the desk &amp; nowhere else\./,
  )
  const told = 'The items are kept for them. Then it is Approved.'
  const page = (await dan.get(`/loans/${loans[0]}`)).text
  expect(page).toContain(told)
  const why = /href="(\/-\/why[^"#]*)/.exec(page)![1]!.replaceAll('&amp;', '&')
  expect((await dan.get(why)).text).toContain(told)
})

test('what people write with Markdown is shown as such, and never as anything that runs; the form and the API have what was written', async () => {
  const ben = await web.browser('Ben')
  const page = (await ben.get(`/loans/${loans[3]}`)).text
  expect(page).toContain('<p>A <strong>film</strong> of:</p><ul>')
  expect(page).toContain('<a href="https://a.example/" rel="noopener noreferrer">a place</a>')
  expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;it&lt;/b&gt;')
  expect(page).not.toContain('javascript:x')
  expect((await ben.get(`/loans/${loans[3]}/edit`)).text).toContain('A **film** of:')
  const api = JSON.parse((await ben.get(`/api/v1/loan?number=${loans[3]}`)).text)
  expect(JSON.stringify(api)).toContain('A **film** of:')
})
