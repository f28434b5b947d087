/** `#### Fields: medical`: one row of permissions for all fields of the group. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const page = readFileSync(new URL('../../../docs/language/6-permissions.md', import.meta.url), 'utf8')
const practice = /```md ninefold alone\n(# Practice[\s\S]*?)```/.exec(page)![1]!
const read = (text: string) => readApp('practice.md', () => text)
const codes = (text: string) => read(text).found.flatMap(({ code, severity }) => (severity === 'error' ? [code] : []))

test('a row of a group speaks for each of its fields', () => {
  const { app } = read(practice)
  expect(app!.entities.get('patient')!.fields.map(({ key }) => key)).toEqual(['name', 'diagnosis', 'allergies'])
  const rows = app!.access.get('patient')!.fields
  expect(rows.map(({ field }) => field)).toEqual(['diagnosis', 'allergies'])
  for (const { see, change } of rows)
    for (const said of [see, change]) expect(said).toMatchObject({ roles: ['Doctor'] })
  expect(codes(practice)).toEqual([])
})

test('a field stands once, by itself or in its group', () => {
  expect(
    codes(practice.replace('| medical | Doctor | Doctor |', '| medical | Doctor | Doctor |\n| diagnosis | all | |')),
  ).toEqual(['N1608'])
  expect(codes(practice.replace('| medical | Doctor', '| medicla | Doctor'))).toEqual(['N1304'])
  expect(codes(practice.replace('Fields: medical', 'Fields: name'))).toEqual(['N1352', 'N1304'])
})
