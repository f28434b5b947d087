import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatted } from './format.ts'
import { readDocument } from './markdown.ts'

test('tables have one space around each cell and three dashes a column; what is written so already stays to the letter', () => {
  const text = '# A\n\n|Field|Type   | Rules |\n|:-|-----:|:---:|\n|  due_back|date ||\n| a \\| b | text |\n'
  const even = '# A\n\n| Field | Type | Rules |\n| :--- | ---: | :---: |\n| due_back | date | |\n| a \\| b | text |\n'
  expect(formatted(text)).toBe(even)
  expect(formatted(even)).toBe(even)
})

test('line ends stay as they are, and so does what is no table', () => {
  expect(formatted('|a|b|\r\n|-|-|\r\n|1|2|')).toBe('| a | b |\r\n| --- | --- |\r\n| 1 | 2 |')
  const fenced = '```\n|a|b|\n|-|-|\n```\n\n> |a|b|\n> |-|-|\n'
  expect(formatted(fenced)).toBe(fenced)
})

const root = join(import.meta.dirname, '../..')
const documents = globSync(['examples/**/*.md', 'src/*/fixtures/**/*.md', 'docs/**/*.md'], { cwd: root })

/** What a document says, without where it says it. */
function said(text: string) {
  const { document, found } = readDocument('a.md', path => (path === 'a.md' ? text : null))
  const placeless = (key: string, value: unknown) =>
    ['file', 'files', 'start', 'end', 'span', 'related', 'fixes', 'text of fence'].includes(key) ? undefined : value
  return JSON.stringify([document, found], placeless)
}

test('every document of ours says the same afterwards, and is not changed again', () => {
  expect(documents.length).toBeGreaterThan(100)
  for (const path of documents) {
    const text = readFileSync(join(root, path), 'utf8')
    const even = formatted(text)
    expect(formatted(even), path).toBe(even)
    expect(said(even), path).toBe(said(text))
    // With the tables drawn wide, as many editors draw them.
    const wide = text.replace(/^\|.*\|$/gm, line => line.replace(/(?<!\\)\|/g, '  |  ').trim())
    expect(formatted(wide), path).toBe(formatted(formatted(wide)))
  }
})

test('the examples are written so', () => {
  for (const path of globSync('examples/*/*.md', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8')
    expect(formatted(text), path).toBe(text)
  }
})
