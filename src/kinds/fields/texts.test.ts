import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asSeen, cleanLine, cleanLines } from './texts.ts'

test.each([
  ['a zero width space', 'Acme\u200b', 'Acme'],
  ['a word joiner', '\u2060Acme', 'Acme'],
  ['a soft hyphen', 'Ac\u00adme', 'Acme'],
  ['a mark that turns round what follows', '\u202eAcme', 'Acme'],
  ['marks of an address book', '\u202a+49 170 1\u202c', '+49 170 1'],
  ['a byte order mark', '\ufeffAcme', 'Acme'],
  ['a joiner between letters that nothing joins', 'Ac\u200d\u200cme', 'Acme'],
  ['tags without a flag', 'Acme\u{e0041}', 'Acme'],
  ['a letter that is blank', '\u3164', ''],
  ['the blank of Braille', '\u2800Acme\u2800 \u2800', 'Acme'],
  ['a mark of emoji behind letters and digits', 'Acme\ufe0f 2\ufe0e', 'Acme 2'],
  ['marks of an annotation', 'Ac\ufff9me\ufffb', 'Acme'],
])('%s is taken out', (_, text, seen) => {
  expect(asSeen(text)).toBe(seen)
  expect(cleanLine(text, 50)).toEqual({ value: seen === '' ? null : seen })
})

test.each([
  ['a joiner in Persian', 'می\u200cخواهم'],
  ['a joiner behind a vowel sign', 'بّ\u200cب'],
  ['a joiner in Hindi', 'क्\u200dष'],
  ['an emoji of two', '👩🏽\u200d🚀'],
  ['a heart in colour', '❤\ufe0f'],
  ['a sign that is a letter too', 'ℹ\ufe0f'],
  ['the sign of a key', '2\ufe0f\u20e3'],
  ['Braille', '⠓⠊\u2800⠽⠕⠥'],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
])('%s stays', (_, text) => expect(asSeen(text)).toBe(text))

test('what is seen of it is seen the same again', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    'ب',
    '👩',
    '❤',
    '🏴',
    '\u200b',
    '\u200c',
    '\u200d',
    '\ufe0f',
    '\u2800',
    '⠓',
    '2',
    '\u20e3',
    '\u00ad',
    '\u{e0067}',
  )
  fc.assert(
    fc.property(fc.string({ unit }), text => {
      expect(asSeen(asSeen(text))).toBe(asSeen(text))
    }),
  )
})

test('ends of lines and paragraphs that Unicode has are those of the text', () => {
  expect(cleanLine('Main\u2028Street', 50)).toEqual({ value: 'Main Street' })
  expect(cleanLines('Main\u2028Street\u2029Town', 50)).toEqual({ value: 'Main\nStreet\nTown' })
})
