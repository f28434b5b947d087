/** A document with rows of rows, and an application that says something else of them: `verify` finds each difference by itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import type { Line } from '../verify/verify.ts'
import { verifyOn } from './verify.ts'

const jobs = readFileSync(join(import.meta.dirname, '../web/fixtures/jobs.md'), 'utf8')
const read = (text: string) => readApp('jobs.md', path => (path === 'jobs.md' ? text : null)).app!

async function linesOn(told: string): Promise<readonly Line[]> {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    return await verifyOn(read(jobs), store, () => undefined, read(told))
  } finally {
    await drop()
  }
}

test('rows of rows are made, changed and led to their edges, and each person is held against their rights', async () => {
  const lines = await linesOn(jobs)
  expect(lines.filter(({ passed }) => !passed)).toEqual([])
  const titles = lines.filter(({ untried }) => untried !== true).map(({ title }) => title.replace(/:[^:]*$/, ''))
  for (const title of [
    'Part, name: what it takes, and what not',
    'Task, minutes: what it takes, and what not',
    'Use, pieces: what it takes, and what not',
    'Task: who may see it',
    'Task: who may create it',
    'Task: who may change it',
    'Task: who may delete it',
  ])
    expect(titles).toContain(title)
})

test('what the application says otherwise of them is told', async () => {
  const changes: readonly (readonly [string, string])[] = [
    ['max 480', 'max 400'],
    ['min 1; max 50', 'min 1; max 49'],
    ['| Worker | `not hidden` | yes | `minutes < 100` | no | yes |', '| Worker | `not hidden` | no | no | yes | yes |'],
    ['| Guest | `not hidden` | no |', '| Guest | `hidden` | no |'],
    ['| deep | integer | = sum(parts.tasks.minutes) |', '| deep | integer | = sum(parts.tasks.minutes) + 1 |'],
  ]
  const told = changes.reduce((text, [before, after]) => {
    expect(text).toContain(before)
    return text.replace(before, after)
  }, jobs)
  const failed = (await linesOn(told)).filter(({ passed }) => !passed)
  const said = failed.map(({ title, detail }) => `${title}: ${detail}`).join('\n')
  const expected = [
    'parts.0.tasks.0.minutes',
    'parts.0.tasks.0.uses.0.pieces',
    'Gus, a row of a new record: see: the application says ok, the document refuses it',
    'Wim, a row of a new record: create: the application says ok, the document refuses it',
    'Wim, a row of a new record: change: the application says ok, the document refuses it',
    'deep',
  ]
  expect(expected.filter(text => !said.includes(text))).toEqual([])
})
