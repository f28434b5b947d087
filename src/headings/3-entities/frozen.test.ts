/** What `frozen` may name, and what becomes of it in the steps. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const document = readFileSync(join(import.meta.dirname, '../../run/fixtures/offers.md'), 'utf8')
const read = (edit: (text: string) => string = text => text) => readApp('offers.md', () => edit(document))
const found = (from: string, to: string) =>
  read(text => text.replaceAll(from, to)).found.flatMap(({ code, severity }) => (severity === 'error' ? [code] : []))

test('the steps write what they freeze, behind what they do otherwise', () => {
  const then = (key: string) =>
    read()
      .app!.workflows.get('offer')!
      .transitions.find(step => step.key === key)!
      .then.map(({ cell, freezes }) => [cell.text, freezes ?? false])
  const all = 'frozen on send until take back'
  expect(then('send')).toEqual([
    ['for each lines: set extra = 1', false],
    [`${all}; frozen on send, agree`, true],
    [all, true],
  ])
  expect(then('take_back')).toEqual([
    [all, true],
    [all, true],
  ])
  expect(then('close')).toEqual([['frozen on close, except note', true]])
})

test('what keeps it is named to nobody', () => {
  const { found } = read(text => text.replace('except note', 'except notice'))
  const { message, help } = found.find(({ code }) => code === 'N1304')!
  expect(message + help).toContain('live_total')
  expect(message + help).not.toContain('total_frozen')
})

test.each([
  ['a step that there is not', 'frozen on send, agree', 'frozen on sent, agree', ['N1403']],
  ['a step behind until', 'until take back', 'until takes back', ['N1403']],
  ['no step', 'frozen on send, agree', 'frozen', ['N1306']],
  ['a record without `on`', 'Frozen:** on close', 'Frozen:** close', ['N1376']],
  ['a field that there is not', 'except note', 'except notes', ['N1304']],
  ['what nobody enters', '| note | text 80 | |', '| note | text 80 | set by steps only; frozen on close |', ['N1308']],
  [
    'the name of what keeps it',
    '| note | text 80 | |',
    '| note | text 80 | |\n| total_frozen | money EUR | |',
    ['N1317'],
  ],
  [
    'rows as a whole',
    '### Offer line (part of Offer)\n',
    '### Offer line (part of Offer)\n\n- **Frozen:** on send\n',
    ['N1342'],
  ],
  ['names that are too long together', 'take back', `take ${'back '.repeat(9)}now`, Array(5).fill('N1376')],
])('%s is told', (_, from, to, codes) => expect(found(from, to)).toEqual(codes))
