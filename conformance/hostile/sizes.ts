/** Values that are few letters and much: the first and the last of what an address or a field takes, and what is usual there. */

/** `path`: of a page; `usual` and each of `greatest`: what its address asks for. */
interface Sizes {
  readonly path: string
  readonly usual: string
  readonly greatest: readonly string[]
}

const days = ['0001-01-01', '0002-01-01', '0003-01-01', '9997-12-31', '9998-12-31', '9999-12-31']
const whole = ['0001-01-01&to=9999-12-31', '0003-01-01&to=9997-12-31', '9999-12-31&to=0001-01-01']

/** Of all pages that show figures by periods. */
const periods = [
  ...whole.map(dates => `from=${dates}`),
  ...whole.map(dates => `against=before&from=${dates}`),
  ...days.flatMap(on => ['week', 'year'].map(period => `period=${period}&on=${on}`)),
]
const numbers = ['0', '-1', '999999999', '9007199254740993', '1e308', '9'.repeat(40)]

export const sizes: readonly Sizes[] = [
  ...['/figures', '/overview', '/weeks', '/pivot'].map(path => ({ path, usual: 'period=month', greatest: periods })),
  {
    path: '/pivot',
    usual: 'rows=day&across=colour',
    greatest: ['rows=day&rows=day&across=day', ...numbers.map(size => `rows=colour&_largest=${size}`)],
  },
  {
    path: '/calendar',
    usual: 'view=month',
    greatest: days.flatMap(on => ['day', 'week', 'month'].map(view => `view=${view}&on=${on}`)),
  },
  {
    path: '/timeline',
    usual: 'view=month',
    greatest: days.flatMap(on => ['day', 'month', 'quarter'].map(view => `view=${view}&on=${on}`)),
  },
  {
    path: '/notes',
    usual: 'day.from=2026-01-01',
    greatest: [
      ...days.flatMap(day => [`day.from=${day}`, `day.before=${day}`]),
      ...numbers.flatMap(size => [`amount.min=${size}`, `_page=${size}`, `_rows=${size}`, `_after=${size}`]),
    ],
  },
  {
    path: '/api/v1/note',
    usual: 'limit=50',
    greatest: numbers.flatMap(size => [`limit=${size}`, `after=${size}`, `offset=${size}`, `amount=${size}`]),
  },
]

/** Records of a few letters that lie far apart, or take all the time there is. */
export const records: readonly Readonly<Record<string, string>>[] = [
  { day: '0001-01-01', until: '9999-12-31', colour: 'Red', amount: '9999999.99' },
  { day: '9999-12-31', until: '9999-12-31', colour: 'Blue', amount: '-9999999.99' },
  { day: '0001-01-01', until: '0001-01-01', duration: '999999999 days', moment: '9999-12-31T23:59:59Z' },
  { duration: '99999999999999999999 years', amount: '9e99' },
]
