/** The table of requirements: each once, and each held by a test that is there, or with a reason. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are numbered from 1. */
const sections: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1, '3.2': 2, '3.3': 4 },
  ...{ '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4, '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5 },
  ...{
    '7.5': 2,
    '7.6': 2,
    '8.1': 2,
    '8.2': 3,
    '8.3': 1,
    '8.4': 1,
    '9.1': 3,
    '9.2': 4,
    '10.1': 2,
    '10.2': 2,
    '10.3': 4,
  },
  ...{ '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3, '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3, '17.1': 1, '17.2': 4 },
  ...{ '17.3': 2 },
}
const required = Object.entries(sections)
  .flatMap(([section, count]) => Array.from({ length: count }, (_, at) => `${section}.${at + 1}`))
  .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }))

const page = readFileSync('docs/security.md', 'utf8')
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+?) \| (.*) \|$/gm)].map(
  ([, id = '', asks = '', held = '']) => ({
    id,
    asks,
    held,
  }),
)

test('every requirement has its row, once and in order', () => {
  expect(required).toHaveLength(253)
  expect(rows.map(({ id }) => id)).toEqual(required)
})

const named = rows.flatMap(({ id, held }) =>
  [...held.matchAll(/`([\w./-]+\.test\.tsx?)` “(.+?)”(?=; |$)/g)].map(([, path = '', title = '']) => ({
    id,
    path,
    title,
  })),
)

test('each names a test, or says why there is none', () => {
  const tested = new Set(named.map(({ id }) => id))
  const reason = /\*\*(?:Documented|Operator|Not applicable|Accepted)\*\*: \S.{5,}/
  expect(rows.filter(({ id, held }) => !tested.has(id) && !reason.test(held))).toEqual([])
  // Whatever ends in `.test.ts` is read as a name of a test above.
  expect(rows.flatMap(({ held }) => held.match(/\.test\.tsx?/g) ?? [])).toHaveLength(named.length)
})

test('each test that is named is there, under this title', () => {
  const isThere = (path: string, title: string) => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return ["'", '"', '`'].some(quote => text.includes(quote + title + quote))
  }
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter(({ path, title }) => !isThere(path, title))).toEqual([])
})
