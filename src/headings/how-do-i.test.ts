/** Each answer of the page of questions is a part of a document with which nothing is wrong. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApp } from './index.ts'
import { rooted } from './testing-standard.ts'

const page = readFileSync(new URL('../../docs/language/how-do-i.md', import.meta.url), 'utf8')
const questions = page.split(/^### (?=.*\?$)/m).slice(1)

test('forty questions and more, each with an answer of a few lines', () => {
  expect(questions.length).toBeGreaterThanOrEqual(40)
  for (const question of questions) {
    expect(question).toMatch(/^.*\?\n/)
    expect(question.match(/^```md$/gm)).toHaveLength(1)
    expect(question.split('\n').length).toBeLessThan(45)
  }
})

test.each(questions.map(question => [question.split('\n')[0]!, question]))('%s', (_, question) => {
  const [, block] = /^```md\n([\s\S]*?)^```$/m.exec(question)!
  const { found } = readApp('document.md', path => (path === 'document.md' ? rooted(block!) : null))
  const wrong = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
  expect(wrong.map(({ code, message }) => `${code} ${message}`)).toEqual([])
})
