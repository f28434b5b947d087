/** Every fault finds the defence that it takes away: code that moved must take its fault along. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { mutants } from './mutants/mutants.ts'

const all = { ...faults, ...Object.fromEntries(Object.entries(mutants).map(([name, { edits }]) => [name, edits])) }

test.each(Object.entries(all))('%s', (_, edits) => {
  for (const { file, from } of edits) {
    const source = readFileSync(join(import.meta.dirname, '../src', file), 'utf8')
    expect([file, from, source.split(from).length - 1]).toEqual([file, from, 1])
  }
})
