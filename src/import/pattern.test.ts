import { expect, test } from 'vitest'
import { readPattern } from '../headings/3-entities/pattern.ts'
import { patternRule } from './pattern.ts'

test.each(['(?i)abc', 'a+?', '\\bword\\b', '[a-z&&[^b]]', '\\p{L}+', '(a+)+', '[\\S]', 'a{300}', '', '(', '[a', '\\'])(
  '%j has no portable form',
  source => {
    expect(patternRule(source)).toBeNull()
  },
)

test.each([
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'pattern `[^@ ]+@[^@ ]+\\.[^@ ]+`'],
  ['\\d{4}-\\w', 'pattern `[0-9]{4}-[A-Za-z0-9_]`'],
  // A picture would read A and 9 as any letter and any digit.
  ['A9', 'pattern `(A9)`'],
  ['a\\|b|c', 'pattern `a[|]b|c`'],
  ['x`y+', 'pattern ``x`y+``'],
  [' a+', 'pattern `( a+)`'],
])('%j is written %j', (source, rule) => {
  expect(patternRule(source)).toBe(rule)
})

test.each([
  ['.+x', ['aax', 'bx', '😀x'], ['x', 'ay']],
  ['A\\.B', ['A.B'], ['AxB']],
  ['[\\w.-]+', ['a.b-c_9'], ['a b', '']],
  ['\\S+ \\D', ['ab c'], ['a b c', 'ab 1']],
])('%j means the same', (source, good, bad) => {
  const written = patternRule(source)!.replace(/^pattern `|`$/g, '')
  const read = readPattern(written)
  if ('wrong' in read) throw new Error(read.wrong)
  const pattern = new RegExp(read.source, 'u')
  expect(good.filter(text => !pattern.test(text))).toEqual([])
  expect(bad.filter(text => pattern.test(text))).toEqual([])
})
