/** A document is read in time that grows with its length, sound or not: somebody waits for each check while they type. */
import { Session } from 'node:inspector/promises'
import { expect, test, vi } from 'vitest'
import { expectGrowthWithLength } from '../../scripts/growth.ts'
import { readApp } from './index.ts'

const times = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

/** Names that no one letter turns into another one. */
const named = (at: number) => [...String(at * 7919)].map(digit => 'abcdefghij'[Number(digit)]).join('')

const fields = '| Field | Type | Rules |\n| --- | --- | --- |\n'
const entity = (rows: string) => `## 3 Entities\n\n### Thing\n\n${fields}${rows}\n`
const screens = '## 2 Screens\n\n| Route | Screen | For | Shows |\n| --- | --- | --- | --- |\n'
const samples = (header: string, rows: string) => `#### Sample data\n\n${header}\n| --- | --- |\n${rows}`

/** Each with the number of its lines at which it takes some 50 milliseconds. */
const documents: Readonly<Record<string, readonly [count: number, document: (count: number) => string]>> = {
  entities: [
    100,
    n => `## 3 Entities\n\n${times(n, at => `### E ${named(at)}\n\n${fields}| other | E ${named(at >> 1)} | |\n\n`)}`,
  ],
  parts: [
    100,
    n =>
      entity(times(n, at => `| l${named(at)} | list of P ${named(at)} | |\n`)) +
      times(n, at => `### P ${named(at)} (part of Thing)\n\n${fields}| a | integer | |\n\n`),
  ],
  'headings 3 again': [100, n => times(n, at => `## 3 Entities\n\n### E ${named(at)}\n\n${fields}| a | text | |\n\n`)],
  fields: [800, n => entity(times(n, at => `| f${named(at)} | integer | = 1 + 1 |\n`))],
  'screens with keys': [
    250,
    n =>
      `${screens}${times(n, at => `| /p${at} | S ${named(at)} | everyone signed in | list of Thing |\n`)}\n${times(n, at => `### S ${named(at)}\n\n- **Columns:** a\n\n`)}${entity('| a | text | |\n')}`,
  ],
  'rows that name rows': [
    1500,
    n =>
      entity('| name | text 40 | required; unique |\n| of | Thing | |\n') +
      samples(
        '| name | of |',
        times(n, at => `| x${at} | x${(at * 7) % n} |\n`),
      ),
  ],
  'rows that name nothing': [
    500,
    n =>
      entity('| name | text 40 | required; unique |\n| of | Thing | |\n') +
      samples(
        '| name | of |',
        times(n, at => `| x${named(at)} | y${named(at)} |\n`),
      ),
  ],
  'values that do not fit': [
    1000,
    n =>
      entity('| name | text 40 | |\n| pieces | integer | |\n') +
      samples(
        '| name | pieces |',
        times(n, at => `| x${at} | z${at} |\n`),
      ),
  ],
  'names that are not known': [400, n => entity(times(n, at => `| f${named(at)} | integer | = x${named(at)} + 1 |\n`))],
  'lines that nothing reads': [2000, n => times(n, at => `- **Key ${named(at)}:** x\n`)],
}

test.each(Object.entries(documents))('%s', (_, [count, document]) => {
  expectGrowthWithLength(count, size => {
    const text = `# A\n\n- **Ninefold:** 1\n\n${document(size)}`
    readApp('a.md', path => (path === 'a.md' ? text : null))
  })
})

test('the text of a sound document is not gone through for each of its names', () => {
  const searches = (count: number) => {
    const entities = times(count, at => `### E${at}\n\n${fields}| sibling | E${at >> 1} | |\n\n`)
    const text = `# A\n\n- **Ninefold:** 1\n\n## 3 Entities\n\n${entities}`
    const split = vi.spyOn(String.prototype, 'split')
    try {
      readApp('a.md', path => (path === 'a.md' ? text : null))
      return split.mock.contexts.filter(context => String(context) === text).length
    } finally {
      split.mockRestore()
    }
  }
  expect(searches(40)).toBe(searches(10))
})

/** As many lines as somebody edits without a pause. */
const long = (entities: number) => {
  const rows = times(19, at => `| amount_${named(at)} | decimal 10.2 | required; min ${at} |\n`)
  return `# A\n\n- **Ninefold:** 1\n\n## 3 Entities\n\n${times(entities, at => `### E ${named(at)}\n\n${fields}${rows}\n`)}`
}
const read = (text: string) => readApp('a.md', path => (path === 'a.md' ? text : null))

test('no expression of its own is made for a row or a cell', () => {
  const made = (entities: number) => {
    const text = long(entities)
    read(text)
    let count = 0
    const Original = globalThis.RegExp
    globalThis.RegExp = class extends Original {
      constructor(pattern: string | RegExp, flags?: string) {
        super(pattern, flags)
        count++
      }
    } as RegExpConstructor
    try {
      read(text)
    } finally {
      globalThis.RegExp = Original
    }
    return count
  }
  expect(made(20)).toBe(made(10))
})

test('a changed cell of 1,000 lines takes no more calls than a tenth of a second has room for', async () => {
  const text = long(40)
  const lines = text.split('\n').length
  expect(lines).toBeGreaterThan(950)
  read(text)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  read(text.replace('min 7', 'min 8'))
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const counts = result.flatMap(({ url, functions }) =>
    /\/(?:src|node_modules)\/(?!.*(?:vitest|@vitest|vite))/.test(url)
      ? functions.map(({ ranges }) => ranges[0]!.count)
      : [],
  )
  expect(counts.reduce((sum, count) => sum + count, 0) / lines).toBeLessThan(1_100)
})
