import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { loanDesk, readSound } from '../run/testing.ts'
import { explain } from '../trace/explain.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const pages = ['', '/states', '/entities', '/permissions', '/versions'].map(page => `/-/document${page}`)
const forRole = (who: string) =>
  readSound(loanDesk, text =>
    text
      .replace('- **Languages:** English', `- **Languages:** English\n- **Document for:** ${who}`)
      .replace(
        '| Borrower | `borrower = me` | yes |',
        '| never | | | `state = Out` |\n| Borrower | `borrower = me` | yes |',
      ),
  )

/** Without the marks that React leaves between texts. */
const plain = (html: string): string => html.replaceAll('<!-- -->', '')

let web: TestWeb
let ben: TestBrowser
let mia: TestBrowser

/** Outside `dev` nobody signs in with one click. */
const signedIn = (name: string) => web.signedIn(web.run.people[name]!)

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), forRole('Manager'), { mode: 'serve' })
  ben = await signedIn('Ben')
  mia = await signedIn('Mia')
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from item limit 1`)
  for (const _ of [1, 2])
    await ben.json('POST', '/api/v1/loan', {
      out_on: '2026-03-02',
      due_back: '2026-03-05',
      lines: [{ item: item!.id }],
    })
})
afterAll(() => web?.stop())

test.each(pages)('%s is read by those whom the document names, in at most four statements', async page => {
  const visitor = await web.browser(null)
  expect((await ben.get(page)).status).toBe(404)
  expect((await visitor.get(page)).location).toContain('/-/sign-in')
  web.statements.length = 0
  expect((await mia.get(page)).status).toBe(200)
  expect(web.statements.length).toBeLessThanOrEqual(4)
})

test('the address stands in the navigation of those alone', async () => {
  expect((await mia.get('/desk')).text).toContain('href="/-/document"')
  expect((await ben.get('/loans')).text).not.toContain('/-/document')
  // Lines stand on the pages about the document only.
  expect((await mia.get('/desk')).text).not.toMatch(/§\d line/)
  expect((await mia.get('/-/document')).text).toMatch(/href="\/-\/document\?file=loan-desk\.md#L\d+"/)
})

test('records are counted as far as one may see them, by state', async () => {
  expect((await mia.get('/-/document')).text).toContain('2 loans')
  const states = plain((await mia.get('/-/document/states')).text)
  expect(states).toMatch(/Draft<\/span> 2</)
  expect(states).toContain('role="img"')
})

test('the matrix says what each role may, with its condition and its line', async () => {
  const text = plain((await mia.get('/-/document/permissions')).text)
  expect(text).toMatch(/never[\s\S]*?<code>state = Out<\/code>/)
  expect(text).toMatch(/<code>borrower = me and state = Draft and not \(state = Out\)<\/code>/)
  expect(text).toMatch(/<code>borrower = me and state = Draft<\/code>/)
  expect(text).toMatch(/Comments<\/span><span class="muted">whoever is signed in and sees the record/)
  // Clerks may what everybody may, too, and what they may without conditions stands alone.
  const [, clerk = ''] = /<tr[^>]*>(?:<th[^>]*>|<td[^>]*>)(?:<span[^>]*>)*Clerk(.*?)<\/tr>/.exec(text) ?? []
  expect(clerk).toMatch(/<code>borrower = me and state = Draft and not \(state = Out\)<\/code> \(Borrower\)/)
  expect(clerk).not.toMatch(/<code>borrower = me<\/code>/)
  expect(text).toMatch(/Purpose<\/span><span class="muted">See: Borrower, Clerk,? and Manager · Change: Borrower/)
})

test('entities are drawn with who refers to whom; the version that is served stands with the others', async () => {
  expect((await mia.get('/-/document/entities')).text).toMatch(/<title[^>]*>Diagram of entities: .*Loan/)
  expect((await mia.get('/-/document/versions')).text).toContain('served now')
})

test('nobody reads it where nothing, nobody or a mistake is written', () => {
  expect(readSound(loanDesk).documentFor.roles).toEqual([])
  expect(forRole('none').documentFor.roles).toEqual([])
  expect(forRole('Manager, Clerk').documentFor.roles).toEqual(['Manager', 'Clerk'])
  expect(() => forRole('Managr')).toThrow(/Managr/)
  const open = forRole('TBD (IT)')
  expect([open.documentFor.roles, open.gaps.some(({ code }) => code === 'documentFor')]).toEqual([[], true])
  expect(JSON.stringify(explain(forRole('Manager'), 'document for'))).toContain('Manager: at /-/document')
})
