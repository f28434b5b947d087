import { expect, test } from 'vitest'
import { formatsFor, localeOf } from './format.ts'

const english = formatsFor('en-GB', 'Europe/Berlin')
const german = formatsFor('de-DE', 'Europe/Berlin')
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('what is not a value is shown as it is', () => {
  for (const text of ['', 'abc', '1e5', '12,5', 'NaN', '0x10']) expect(english.decimal(text)).toBe(text)
  expect(english.date('2026-13-45')).toBe('2026-13-45')
  expect(english.date('soon')).toBe('soon')
  expect(english.moment('never')).toBe('never')
  expect(english.relative('never', new Date('2026-03-01T00:00:00Z'))).toBe('never')
})

test('decimals beyond floating point keep every digit', () => {
  expect(english.integer('9007199254740993')).toBe('9,007,199,254,740,993')
  expect(english.decimal('12345678901234567890.123456789')).toBe('12,345,678,901,234,567,890.123456789')
  expect(german.decimal('12345678901234567890.10')).toBe('12.345.678.901.234.567.890,10')
  expect(english.money('90071992547409.93', 'EUR')).toBe('€90,071,992,547,409.93')
})

test('zero, negative and scale are deliberate', () => {
  expect(english.money('0', 'EUR')).toBe('€0.00')
  expect([english.currencySign('EUR'), german.currencySign('EUR'), german.currencySign('CHF')]).toEqual([
    '€',
    '€',
    'CHF',
  ])
  expect(english.money('-12.5', 'EUR')).toBe('-€12.50')
  expect(plain(german.money('-1234.5', 'EUR'))).toBe('-1.234,50 €')
  expect(plain(english.money('100', 'JPY'))).toBe('JP¥100')
  expect(english.money('1.2345', 'EUR')).toBe('€1.2345')
  // Two figures with two places each, multiplied.
  expect(english.money('157.6300', 'EUR')).toBe('€157.63')
  expect(english.decimal('1.50')).toBe('1.50')
  expect(english.percent('0.255')).toBe('25.5%')
})

test('dates have no zone, moments are shown in the zone of the application', () => {
  expect(english.date('2026-11-23')).toBe('23 Nov 2026')
  expect(english.longDate('2026-11-23')).toBe('23 November 2026')
  expect(german.date('2026-11-23')).toBe('23.11.2026')
  expect(formatsFor('en-GB', 'America/Los_Angeles').date('2026-11-23')).toBe('23 Nov 2026')
  expect(english.moment('2026-11-22T23:30:00.000Z')).toBe('23 Nov 2026, 00:30')
  expect(english.time('2026-07-01T10:00:00Z')).toBe('12:00')
  expect(german.moment('2026-11-22T23:30:00.000Z')).toBe('23.11.2026, 00:30')
})

test('relative times count calendar days of the zone', () => {
  const now = new Date('2026-11-20T09:00:00Z')
  const at = (iso: string) => english.relative(iso, now)
  expect(at('2026-11-20T08:59:50Z')).toBe('just now')
  expect(at('2026-11-20T08:45:00Z')).toBe('15 minutes ago')
  expect(at('2026-11-20T07:00:00Z')).toBe('2 hours ago')
  expect(at('2026-11-19T22:30:00Z')).toBe('yesterday')
  expect(at('2026-11-21T01:00:00Z')).toBe('tomorrow')
  expect(at('2026-11-15T01:00:00Z')).toBe('5 days ago')
  expect(at('2026-11-01T23:30:00Z')).toBe('2 Nov 2026')
  expect(german.relative('2026-11-18T22:30:00Z', now)).toBe('vorgestern')
})

test('counts, waits, lists and sizes', () => {
  expect([english.count(1000), german.count(5321)]).toEqual(['1,000', '5.321'])
  expect([1, 90, 3598, 7200].map(english.wait)).toEqual(['1 second', '90 seconds', '60 minutes', '2 hours'])
  expect(german.wait(3598)).toBe('60 Minuten')
  expect(english.anyOf(['Approved', 'Out', 'Overdue'])).toBe('Approved, Out or Overdue')
  expect(german.allOf(['A', 'B'])).toBe('A und B')
  expect([1, 120, 412_000].map(english.bytes)).toEqual(['1 byte', '120 bytes', '412 kB'])
  expect(german.bytes(120)).toBe('120 Byte')
})

test('a formatter is made once', () => {
  expect(formatsFor('en-GB', 'Europe/Berlin')).toBe(english)
  expect(localeOf('English')).toBe('en-GB')
  expect(localeOf('en-GB')).toBe('en-GB-u-rg-gbzzzz')
  expect(localeOf('en-IE')).toBe('en-IE')
  expect(localeOf(' german ')).toBe('de-DE')
  expect(localeOf('fr-CA')).toBe('fr-CA')
})

test('a year has four digits, that nobody takes the first century for this one', () => {
  expect(english.date('0026-11-27')).toBe('27 Nov 0026')
  expect(german.date('0026-11-27')).toBe('27.11.0026')
  expect(english.longDate('0999-12-31')).toBe('31 December 0999')
  expect(english.date('1000-01-01')).toBe('1 Jan 1000')
  expect(english.moment('0500-06-01T10:00:00.000Z')).toMatch(/^1 Jun 0500, \d\d:\d\d$/)
  expect(formatsFor('ar-EG', 'UTC').date('0026-11-27')).toContain('٠٠٢٦')
})
