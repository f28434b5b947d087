/** A sample of `npm run mutants` and of `scripts/alarms.ts`, one of a kind: what verify saw once, it sees. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { someOf } from '../../scripts/limits.ts'
import { generatedDocuments } from '../leak/generated.ts'
import { judged } from './judged.ts'
import { alarmsOf } from './sound.ts'

const sample = [
  'See is read as yes',
  'Create asks no condition',
  'what is deleted stays',
  'a step leads to the first state',
  'rules that name a step are not asked',
  'min itself is refused',
  'errors say nothing',
  'a mail to a role goes to everybody',
  'calls are made twice',
  'calls of several kinds keep no order',
  'messages find another record',
  'steps are not in the history',
  'forms need no token',
  'forms for everyone take every field',
  'a step for many is taken for none',
  'an import makes anew what it finds',
  'people approve what is theirs',
  'copies are empty',
  'figures count what one may not see',
  'a cell that was changed is not stored',
  'groups say more than they have',
  'reports leave out their first group',
  'columns of a pivot stand below another name',
  'open pages are told of what their reader does not see',
]

test.each(someOf(sample, 4))('seen: %s', async name => {
  expect((await judged(inject('databaseUrl'), name)).verdict).toBe('seen')
})

test.each(someOf(['keys', 'turns', 'messages'], 3))('nothing is said against %s', async name => {
  const text = readFileSync(join(import.meta.dirname, `${name}.md`), 'utf8')
  expect(await alarmsOf(inject('databaseUrl'), text)).toEqual([])
})

test.each(someOf(generatedDocuments(10, 3), 10))(
  'nothing is said against an application that does what its document says',
  async text => {
    expect(await alarmsOf(inject('databaseUrl'), text)).toEqual([])
  },
)
