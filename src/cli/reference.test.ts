import { expect, test, vi } from 'vitest'
import { exampleSections, manualSections, search } from './manual.ts'
import { text } from './output.ts'
import { reference } from './reference.ts'

interface Answer {
  readonly found: readonly { readonly title: string; readonly text: string; readonly more: boolean }[]
  readonly pages: number
}

const manual = manualSections()
const first = (question: string) => search(manual, question, 5).map(({ path, title }) => `${path}: ${title}`)

/** Questions as they are asked, and the section that answers each. */
test.each([
  ['how do several people approve depending on the amount', /4-states\.md: .*Approvals/],
  ['archive deleted records', /3-entities\.md: .*Archive/],
  ['remind somebody after three working days', /(?:4-states|9-limits)\.md: .*(?:Timer|Working time)/],
  ['forbid double bookings overlap', /field-rules\.md: .*No overlap/],
  ['translate into German, languages', /1-product\.md: .*Languages/],
  ['sum of child rows', /3-entities\.md: .*Child rows|expressions\.md|field-rules\.md: .*Computed/],
])('%s', (question, answer) => {
  expect(first(question)).toContainEqual(expect.stringMatching(answer))
})

test('a code leads to its article, as a whole', () => {
  const [found] = search(manual, 'N1304', 3)
  expect(found).toMatchObject({ path: 'docs/codes/N1304.md', title: expect.stringContaining('unknown field') })
  expect(found!.text).toContain('## Wrong')
})

test('what stands in a fence is no heading, and nothing is found for words that stand nowhere', () => {
  expect(manual.filter(({ title }) => title.includes('› Loan ›'))).toEqual([])
  expect(search(manual, 'xyzzy the and', 3)).toEqual([])
})

test('the pages of an answer are all of each section that was found, at the ends of its lines', async () => {
  const question = 'scenarios'
  const found = search(manual, question, 5)
  const read = new Map<string, string>()
  let pages = 1
  for (let page = 1; page <= pages; page++) {
    const result = vi.fn()
    await reference.run([question], { page: String(page) }, { ...text, result, say: () => {} })
    const answer = result.mock.lastCall![0] as Answer
    pages = answer.pages
    for (const { title, text, more } of answer.found) {
      expect(text.length).toBeLessThanOrEqual(3000)
      read.set(title, `${read.get(title) ?? ''}${text}${more ? '\n' : ''}`)
    }
  }
  expect(pages).toBeGreaterThan(1)
  expect(found.map(({ title }) => read.get(title))).toEqual(found.map(({ text }) => text))
})

test('examples are found by topic', () => {
  const [found] = search(exampleSections(), 'approvals by amount', 1)
  expect(found!.path).toBe('examples/purchasing/purchasing.md')
})
