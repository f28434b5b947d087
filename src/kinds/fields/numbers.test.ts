import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldKind } from './index.ts'
import { parseExact } from './json/exact.ts'
import { shownNumber } from './numbers.ts'

function read(text: string, locale: string, kind = 'decimal', parameters = {}) {
  const parsed = fieldKind(kind).parse(text, parameters, locale, 'UTC')
  return 'value' in parsed ? parsed.value : parsed.invalid.code
}

test.each([
  ['de', '1.234,50', '1234.5'],
  ['de', '1234,5', '1234.5'],
  ['de', '12.345.678', '12345678'],
  ['de', ' -0,5 ', '-0.5'],
  ['de', '\u22120,5', '-0.5'],
  ['de', '1234.56', '1234.56'],
  ['de', '1.23', '1.23'],
  ['de', '0.125', '0.125'],
  ['fr', '1 234,5', '1234.5'],
  ['fr', '1\u202f234\u202f567', '1234567'],
  ['de-CH', "1'234.5", '1234.5'],
  ['de-CH', '1’234.5', '1234.5'],
  ['en-IN', '12,34,567.8', '1234567.8'],
  ['ar-EG', '١٬٢٣٤٫٥', '1234.5'],
  ['en', '+5', '5'],
  ['en', '0001', '1'],
  ['en', '.5', '0.5'],
  ['en', '(12.50)', '-12.5'],
  ['de', '( 1.234,50 )', '-1234.5'],
  ['en', '12.50-', '-12.5'],
  ['de', '12,50 -', '-12.5'],
  ['en', "1'234.50", '1234.5'],
  ['de', '1’234.567', '1234.567'],
  ['de', '1 234,50', '1234.5'],
  ['en', '1 234', '1234'],
  ['en', '12\u202f345\u202f678.5', '12345678.5'],
  ['en', '(1\u00a0234.50)', '-1234.5'],
])('%s: %s is %s', (locale, text, value) => {
  expect(read(text, locale)).toBe(value)
})

test.each([
  ['en', '1,5', 'NF-NUMBER'],
  ['en', '1,23', 'NF-NUMBER'],
  ['en', '0,125', 'NF-NUMBER'],
  ['en', '0 125', 'NF-NUMBER'],
  ['en', '12,34,567', 'NF-NUMBER'],
  ['en', '1.234,5', 'NF-NUMBER'],
  ['en', '1 23', 'NF-NUMBER'],
  ['en', '1234 567', 'NF-NUMBER'],
  ['en', "1 234'567", 'NF-NUMBER'],
  ['en', '1 234,567', 'NF-NUMBER'],
  ['de', '1,234,5', 'NF-NUMBER'],
  ['de', '1.2345', '1.2345'],
  ['en', '-5-', 'NF-NUMBER'],
  ['en', '(-5)', 'NF-NUMBER'],
  ['en', '(5', 'NF-NUMBER'],
  ['en', '-', 'NF-NUMBER'],
  ['en', '- - 5', 'NF-NUMBER'],
  ['en', '½', 'NF-NUMBER'],
  ['en', '1'.repeat(500_000), 'NF-NUMBER'],
])('%s: %s gives %s', (locale, text, outcome) => {
  expect(read(text, locale)).toBe(outcome)
})

test('a number with two readings is not guessed, unless only one of them fits the field', () => {
  expect(read('1.234', 'de')).toBe('NF-AMBIGUOUS')
  expect(read('1.234', 'de', 'money', { currency: 'EUR', scale: 2 })).toBe('1234.00')
  expect(read('1.234', 'de', 'integer')).toBe('1234')
  expect(read('0.125', 'de', 'integer')).toBe('NF-WHOLE')
  expect(read('1.234', 'en')).toBe('1.234')
  expect(read('1,234', 'de')).toBe('1.234')
})

test('money takes its own currency only', () => {
  const euros = { currency: 'EUR', scale: 2 }
  expect(read('1.234,50 €', 'de', 'money', euros)).toBe('1234.50')
  expect(read('EUR 12', 'de', 'money', euros)).toBe('12.00')
  expect(read('$12', 'en', 'money', euros)).toBe('NF-NUMBER')
})

test('too many decimals are refused, not rounded', () => {
  expect(fieldKind('money').parse('1.005', { currency: 'EUR', scale: 2 }, 'en', 'UTC')).toEqual({
    invalid: { code: 'NF-DECIMALS', detail: { scale: 2, found: 3 } },
  })
  expect(read('1.100', 'en', 'money', { currency: 'EUR', scale: 2 })).toBe('1.10')
})

test('JSON numbers are taken only where nothing was lost', () => {
  const { fromJson } = fieldKind('decimal')
  expect(fromJson(0.1, {})).toEqual({ value: '0.1' })
  expect(fromJson(123456789012345, {})).toEqual({ value: '123456789012345' })
  expect(fromJson(1e-7, {})).toEqual({ value: '0.0000001' })
  for (const json of [0.1 + 0.2, 2 ** 53, 1e21, Number.NaN, '1,5', '1e3', ' 1', '+1', ''])
    expect(fromJson(json, {})).toHaveProperty('invalid')
})

test('what is wrong with a JSON number is said of the number', () => {
  const money = (json: unknown) => fieldKind('money').fromJson(json, { currency: 'EUR', scale: 2 })
  expect(money(0.1 + 0.2)).toEqual({ invalid: { code: 'NF-DECIMALS', detail: { scale: 2, found: 17 } } })
  expect(money(parseExact('0.300000000000000040001'))).toMatchObject({ invalid: { detail: { found: 21 } } })
  expect(money(1e21)).toMatchObject({ invalid: { code: 'NF-RANGE' } })
  expect(money(parseExact('1e300'))).toMatchObject({ invalid: { code: 'NF-RANGE' } })
  expect(money(1.5e3)).toEqual({ value: '1500.00' })
  expect(fieldKind('integer').fromJson(2 ** 53, {})).toEqual({
    invalid: { code: 'NF-JSON-NUMBER', detail: { found: '9007199254740992' } },
  })
})

test('whole numbers leave as JSON numbers while they are exact there', () => {
  const { toJson } = fieldKind('integer')
  expect(toJson('42', {})).toBe(42)
  expect(toJson('9007199254740993', {})).toBe('9007199254740993')
})

test('what Intl writes for a locale is read as the same number', () => {
  const cents = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n })
  fc.assert(
    fc.property(
      cents,
      fc.constantFrom('en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG', 'sv', 'es', 'pl'),
      (cents, locale) => {
        const sign = cents < 0n ? '-' : ''
        const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
        const text = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
        const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
        expect(read(format.format(text as `${number}`), locale, 'money', { currency: 'EUR', scale: 2 })).toBe(text)
        expect(read(shownNumber(text, locale), locale, 'money', { currency: 'EUR', scale: 2 })).toBe(text)
      },
    ),
  )
})

test('a number in JSON that is beyond everything is refused wherever it stands, and not kept as null', () => {
  for (const text of ['9e900', '[1, -9e900]', '{"a": 1e500}'])
    expect([text, read(text, 'en', 'json')]).toEqual([text, 'NF-JSON'])
})
