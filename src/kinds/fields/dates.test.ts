import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greatBritain, localMoment, parseDate, parseMoment, parseTime } from './dates.ts'
import type { Parsed } from './field-kind.ts'

const outcome = (parsed: Parsed) => ('value' in parsed ? parsed.value : parsed.invalid.code)
const day = (text: string, locale: string) => outcome(parseDate(text, locale))
const moment = (text: string, zone = 'Europe/Berlin', locale = 'en') => outcome(parseMoment(text, locale, zone))

test.each<[string, string, string]>([
  ['en', '28/03/2026', '2026-03-28'],
  ['en', '03/28/2026', '2026-03-28'],
  ['en', '3/3/2026', '2026-03-03'],
  ['en', '28.03.2026', '2026-03-28'],
  ['en', 'March 28th, 2026', '2026-03-28'],
  ['en', '28 mar 2026', '2026-03-28'],
  ['en', '28 Sept 2026', 'NF-DATE'],
  ['en-GB', '28 Sept 2026', '2026-09-28'],
  ['de', '28.3.2026', '2026-03-28'],
  ['de', '3.4.2026', '2026-04-03'],
  ['de', '3/4/2026', '2026-04-03'],
  ['de', '28. März 2026', '2026-03-28'],
  ['de', '28. Ma\u0308rz 2026', '2026-03-28'],
  ['fr', '03/04/2026', '2026-04-03'],
  ['fr', '1 avril 2026', '2026-04-01'],
  ['sv', '2026-03-28', '2026-03-28'],
  ['en', '2026/3/8', '2026-03-08'],
  ...['en-IE', 'en-NZ', 'en-AU', 'en-IN', greatBritain].map((one): [string, string, string] => [
    one,
    '01/11/2026',
    '2026-11-01',
  ]),
  ['en-US', '01/11/2026', '2026-01-11'],
  ['en-US', '28/03/2026', 'NF-NO-SUCH-DATE'],
  ['en-IE', '03-28-2026', 'NF-NO-SUCH-DATE'],
  ['en', '1-Feb-2026', '2026-02-01'],
  ['en-US', 'Feb/1/2026', '2026-02-01'],
  ['de', '1-Mär-2026', '2026-03-01'],
  ['de', '1. März-2026', '2026-03-01'],
  ['de', '01-Dez-2026', '2026-12-01'],
  ['en', '1-Feb-26', 'NF-DATE'],
  ['en', '20260201', '2026-02-01'],
  ['en', '2026/02/01', '2026-02-01'],
  ['en', '20260230', 'NF-DATE'],
  ['en', '28022026', 'NF-DATE'],
  ['en', '01022026', 'NF-DATE'],
])('%s: %s', (locale, text, expected) => {
  expect(day(text, locale)).toBe(expected)
})

test.each([
  ['03/04/2026', 'en'],
  ['3-4-2026', 'en'],
  ['03/04/2026', 'en-GB'],
  ['03/04/2026', 'en-CA'],
  ['03/04/2026', 'en-ZA'],
])('%s is not guessed in %s', (text, locale) => {
  expect(parseDate(text, locale)).toEqual({
    invalid: { code: 'NF-AMBIGUOUS', detail: { first: '2026-04-03', second: '2026-03-04' } },
  })
})

test.each(['28 March', 'March 2026', '28 28 March 2026', '2026-W13', '1/2/3/2026', '28-03/2026', '٢٨/٠٣/٢٠٢٦x'])(
  '%s is no date',
  text => {
    expect(day(text, 'en')).toBe('NF-DATE')
  },
)

test.each(['30 February 2026', '2026-02-30', '31.31.2026', '30/02/2026'])('%s is a date that does not exist', text => {
  expect(day(text, 'en')).toBe('NF-NO-SUCH-DATE')
})

test.each([
  ['09:30', '09:30'],
  ['9.30', '09:30'],
  ['9h30', '09:30'],
  ['12:15 am', '00:15'],
  ['12:15 pm', '12:15'],
  ['9:30:00', '09:30'],
  ['0:15 am', 'NF-TIME'],
  ['9:3', 'NF-TIME'],
  ['25:00', 'NF-TIME'],
])('%s o’clock', (text, expected) => {
  expect(outcome(parseTime(text))).toBe(expected)
})

test.each(['en', 'en-IE', 'en-US', greatBritain, 'de', 'fr', 'de-CH', 'sv', 'ar-EG'])(
  '%s: what is refused is told by an example that is taken',
  locale => {
    const exampleOf = (parsed: Parsed) => ('invalid' in parsed ? String(parsed.invalid.detail.example) : '')
    const date = exampleOf(parseDate('soon', locale))
    expect([outcome(parseDate(date, locale)), locale !== 'de' || date === '28.03.2026']).toEqual(['2026-03-28', true])
    const at = exampleOf(parseMoment('soon', locale, 'Europe/Berlin'))
    expect(moment(at, 'Europe/Berlin', locale)).toBe('2026-03-28T08:30:00.000Z')
  },
)

test('a moment is meant in the zone of the application', () => {
  expect(moment('2026-03-28T09:30')).toBe('2026-03-28T08:30:00.000Z')
  expect(moment('2026-07-01T09:30')).toBe('2026-07-01T07:30:00.000Z')
  expect(moment('2026-03-28T09:30', 'America/St_Johns')).toBe('2026-03-28T12:00:00.000Z')
  expect(moment('28.03.2026, 9:30 Uhr', 'Europe/Berlin', 'de')).toBe('2026-03-28T08:30:00.000Z')
  expect(moment('2026-03-28T09:30:00+05:45')).toBe('2026-03-28T03:45:00.000Z')
})

test('an hour that clocks show twice is the earlier one; one that they never show is refused', () => {
  expect(moment('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z')
  expect(moment('2026-03-29T02:30')).toBe('NF-NO-SUCH-TIME')
  expect(moment('2026-03-29T03:00')).toBe('2026-03-29T01:00:00.000Z')
  expect(moment('2026-03-29T01:59')).toBe('2026-03-29T00:59:00.000Z')
})

test('the second of two equal hours is shown so that it is not lost', () => {
  expect(localMoment('2026-10-25T00:30:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T02:30')
  expect(localMoment('2026-10-25T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z')
})

test('every moment is read back from its control, in every zone', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Monrovia',
  ]
  const moments = fc.date({
    min: new Date('1850-01-01T00:00:00Z'),
    max: new Date('2150-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (at, zone) => {
      expect(moment(localMoment(at.toISOString(), zone), zone)).toBe(at.toISOString())
    }),
    { numRuns: 2000 },
  )
})

test('the clock changes of many years are read back to the minute', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])
    for (let at = Date.parse('2026-01-01T00:00:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += 30 * 60_000) {
      const iso = new Date(at).toISOString()
      expect(moment(localMoment(iso, zone), zone)).toBe(iso)
    }
})
