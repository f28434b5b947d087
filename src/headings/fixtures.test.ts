/** Documents with mistakes, and the terminal output that they must give: `fixtures/*.md` beside each heading, `*.out` expected. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printFrames, printSummary } from '../document/print.ts'
import { listGaps } from './gaps/list.ts'
import { readApp } from './index.ts'

const here = new URL('.', import.meta.url)
const fixtures = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter(path => /fixtures[\\/][^\\/]+\.md$/.test(path))
  .sort()

test('every heading has fixtures', () => {
  const folders = new Set(fixtures.map(path => path.split(/[\\/]/)[0]))
  expect([...folders].map(folder => Number(folder!.charAt(0)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

for (const path of fixtures) {
  test(path, async () => {
    const name = path.split(/[\\/]/).at(-1)!
    const text = readFileSync(new URL(path, here), 'utf8')
    const { app, found } = readApp(name, asked => (asked === name ? text : null))
    const frames = printFrames(
      found.filter(({ severity }) => severity !== 'gap'),
      { color: false },
    )
    const output = [frames, printSummary(found), '', ...listGaps(app!), ''].join('\n')
    await expect(output).toMatchFileSnapshot(fileURLToPath(new URL(path.replace(/\.md$/, '.out'), here)))
  })
}
