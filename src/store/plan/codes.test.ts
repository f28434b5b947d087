/** Every code of a plan has its page. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrationCodes } from './codes.ts'

const folder = new URL('../../../docs/codes/', import.meta.url)

test('codes and pages are the same', () => {
  const pages = readdirSync(folder).filter(name => /^N09\d\d\.md$/.test(name))
  expect(pages.map(name => name.replace('.md', ''))).toEqual(Object.keys(migrationCodes))
  for (const page of pages) {
    const text = readFileSync(new URL(page, folder), 'utf8')
    expect(text).toMatch(new RegExp(`^# ${page.replace('.md', '')}: .+\\n\\n.+\\n\\n## What to do\\n\\n.+\\n$`))
  }
})
