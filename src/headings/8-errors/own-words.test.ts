import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const read = (rows: string, section1 = '') =>
  readApp(
    'a.md',
    () =>
      `# A\n\n${section1}## 8 The error catalogue\n\n| Code | Message | What to do | Status |\n| --- | --- | --- | --- |\n${rows}\n`,
  )
const codes = (rows: string, section1 = '') =>
  read(rows, section1)
    .found.filter(({ severity }) => severity !== 'gap')
    .map(({ code }) => code)

test('a built-in refusal is worded anew, keeps its status, and is not reported as one that nothing gives', () => {
  const { app } = read('| NF-NOT-FOUND | Nothing here. | | |')
  expect(app?.errors.get('NF-NOT-FOUND')).toMatchObject({ status: 404, message: { text: 'Nothing here.' } })
  expect(codes('| NF-NOT-FOUND | Nothing here. | | |')).toEqual([])
  expect(read('| NF-NOT-FOUND | Nothing here. | | 410 |').app?.errors.get('NF-NOT-FOUND')?.status).toBe(410)
})

test.each([
  ['| NF-TOO-LONG | {label}: {max} {max\\|character\\|characters}, not {length}. | Cut {label}. | |', []],
  ['| NF-REQUIRED | {title} is missing. | | |', ['N1806']],
  ['| NF-REQUIRED | {label} is missing. | Ask {count(lines)}. | |', ['N1806']],
  ['| NF-REQUIRED | {label\\|one} is missing. | | |', ['N1806']],
  ['| NF-NEVER | No. | | |', ['N1805']],
  ['| nf-required | No. | | |', ['N1805']],
])('%s', (rows, expected) => {
  expect(codes(rows)).toEqual(expected)
})

test('a translation of it is checked as it is', () => {
  const german = (words: string) =>
    `## 1 What the product does and for whom\n\n- **Languages:** en, de\n\n### German\n\n| Text | Translation |\n| --- | --- |\n| {label}, please. | ${words} |\n\n`
  expect(codes('| NF-REQUIRED | {label}, please. | | |', german('Bitte {label}.'))).toEqual([])
  expect(codes('| NF-REQUIRED | {label}, please. | | |', german('Bitte {feld}.'))).toEqual(['N1806'])
})
