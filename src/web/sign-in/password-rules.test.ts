import { expect, test } from 'vitest'
import { passwordFault } from './password-rules.ts'

test.each([
  ['short', 'length'],
  ['x'.repeat(257), 'length'],
  ['\ud800abcdefgh', 'length'],
  ['12345678', 'common'],
  ['PassWord1', 'common'],
  ['qwertyuiop', 'common'],
  // As full-width letters, which a keyboard of another language gives.
  ['ｐａｓｓｗｏｒｄ', 'common'],
  ['Loan Desk', 'known'],
  ['dan@example.org', 'known'],
  ['four unrelated words here', null],
  ['ünïcödé gesucht', null],
  ['tr0mbone-harvest', null],
  ['gzqwvkpt', null],
  ['83746592', null],
  ['%%  ☂  %%', null],
  [`${'lang und '.repeat(28)}gut`, null],
])('length, and what everybody tries or knows, decide, and not which signs it has: %s, %s', async (password, fault) => {
  expect(await passwordFault(password, ['Loan desk', 'Dan@example.org'])).toBe(fault)
})
