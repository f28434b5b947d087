import { expect, test } from 'vitest'
import { matches } from './matching.ts'
import { fitting, readPattern, shownPattern } from './pattern.ts'

const wrong = (text: string) => {
  const read = readPattern(text)
  return 'wrong' in read
    ? `${text.slice(0, read.at)}⟦${text.slice(read.at, read.at + read.length)}⟧: ${read.wrong}`
    : read.source
}

test.each([
  ['[A-Z]+.*', '[A-Z]+⟦.⟧: `.` means different things in different places; write a class such as [^,]'],
  ['\\w+', '⟦\\w⟧: \\w means different things in different places; write a class such as [A-Za-z0-9_]'],
  ['(?=a)b', '⟦(?=⟧: looking ahead or behind is not portable'],
  ['a**', 'a*⟦*⟧: a repetition cannot be repeated'],
  ['+a', '⟦+⟧: there is nothing before this to repeat'],
  ['a{2,1}', 'a⟦{2,1}⟧: the smaller number comes first'],
  ['a{999}', 'a⟦{999}⟧: a part may be repeated at most 255 times'],
  ['a{x}', 'a⟦{⟧: write a repetition as {2} or {2,5}'],
  ['(a{100}){100}', '⟦(a{100}){100}⟧: these repetitions multiply to more than 1,000'],
  [
    '(a?){201}',
    '⟦(a?){201}⟧: more than 200 parts may be left out, each counted as often as it is repeated; write one repetition such as [a-z]{0,255}',
  ],
  [
    '(a?){150}b(a?){51}',
    '⟦(a?){150}b(a?){51}⟧: more than 200 parts may be left out, each counted as often as it is repeated; write one repetition such as [a-z]{0,255}',
  ],
  ['[z-a]', '[⟦z-a⟧: this range is the wrong way round'],
  ['[]', '⟦[]⟧: this class is empty'],
  ['[a', '⟦[⟧: this class is never closed'],
  ['(a', '⟦(⟧: this bracket is never closed'],
  ['a)', 'a⟦)⟧: this bracket was never opened'],
  ['^a$b', '⟦^⟧: a pattern is always the whole text; leave out ^ and $'],
  ['a\\', 'a⟦\\⟧: nothing follows this backslash'],
])('%s is refused, with its place', (text, message) => expect(wrong(text)).toBe(message))

test.each(['(a|a)*b', '([a-z]|[a-z0-9])+!', '(a?b?)*c', '(a{1,2})*b', '(ab|ac)*d', '(a+)*b', '(a*b*)*c'])(
  '%s would take a time that doubles with each character, and is refused',
  text => expect(wrong(text)).toMatch(/: a text can go round this repetition in several ways/),
)

test.each([
  ['AA-9999', '^(?:[A-Z][A-Z]-[0-9][0-9][0-9][0-9])$', ['CA-0001'], ['ca-0001', 'CA-00011', 'CA-0001\n', 'XCA-0001']],
  ['9.9', '^(?:[0-9]\\.[0-9])$', ['1.2'], ['1x2']],
  ['[A-Z]{2}-\\d{4}', '^(?:[A-Z]{2}-[0-9]{4})$', ['CA-0001'], ['CA-٠٠٠١']],
  ['^(?:a|b)+$', '^(?:(?:a|b)+)$', ['abba'], ['abc']],
  ['[^,;]+(, [^,;]+)*', '^(?:[^,;]+(?:, [^,;]+)*)$', ['one', 'one, two'], ['one,two']],
  ['([A-Z]{1,3}-)*[0-9]+', '^(?:(?:[A-Z]{1,3}-)*[0-9]+)$', ['A-BCD-7'], ['ABCD-7']],
  ['[\\-\\]a]+', '^(?:[\\-\\]a]+)$', ['-]a'], ['\\']],
  ['\\(\\d+\\)', '^(?:\\([0-9]+\\))$', ['(12)'], ['12']],
  ['[😀-😂]x?', '^(?:[😀-😂]x?)$', ['😁', '😁x'], ['😃']],
])('%s is anchored and means what it says', (text, source, good, bad) => {
  const read = readPattern(text)
  expect(read).toMatchObject({ source })
  const made = 'signs' in read ? Array.from({ length: 9 }, (_, n) => fitting(read.signs, n)) : []
  for (const one of made) expect(matches(source, one), one).toBe(true)
  const pattern = new RegExp(source, 'u')
  for (const value of good) expect([pattern.test(value), matches(source, value)], value).toEqual([true, true])
  for (const value of bad) expect([pattern.test(value), matches(source, value)], value).toEqual([false, false])
})

test.each(['[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*1', '(a|a){100}b', '(a?b?){100}c', `${'a?'.repeat(200)}1`])(
  '%s can be read in more ways than anybody could try one after the other, and is answered at once',
  written => {
    const read = readPattern(written)
    const source = 'source' in read ? read.source : ''
    expect(matches(source, 'a'.repeat(2000))).toBe(false)
    expect(matches(source, `${'a'.repeat(100)}${written.at(-1)}`)).toBe(true)
  },
)

test.each([
  ['EM-\\d{6}', 'EM-999999'],
  ['[A-Z]{2}-[0-9]\\d', 'AA-99'],
  ['AA-9999', 'AA-9999'],
  ['A\\d{4}', 'A1234'],
  ['\\d+', '1'],
  ['[A-Z]{2,3}', 'AB'],
  ['v2\\.[0-9a-f]{3}', 'v2.abc'],
  ['(EUR|USD) [1-9][0-9]*', 'EUR 22'],
  ['[^,;]+(, [^,;]+)?', 'A, B'],
])('%s is told as %s', (text, shown) => {
  const read = readPattern(text)
  expect('signs' in read && shownPattern(text, read.signs)).toBe(shown)
})
