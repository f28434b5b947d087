import { expect, test } from 'vitest'
import { exampleSections, manualSections, search } from './manual.ts'

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

test('examples are found by topic', () => {
  const [found] = search(exampleSections(), 'approvals by amount', 1)
  expect(found!.path).toBe('examples/purchasing/purchasing.md')
})
