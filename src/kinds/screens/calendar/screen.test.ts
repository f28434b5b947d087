import { expect, test } from 'vitest'
import { appOf } from '../../testing.ts'
import { addressOf } from '../testing.ts'
import { calendarNeed } from './screen.ts'

const app = appOf(`# Desk

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /days | Days | everyone signed in | calendar of Loan by out_on to due_back |
| /hours | Hours | everyone signed in | calendar of Shift by begins_at |

## 3 Entities and their fields

### Loan

| Field | Type |
| --- | --- |
| out_on | date |
| due_back | date |

### Shift

| Field | Type |
| --- | --- |
| begins_at | date and time |
`)

function asked(key: string, query: string, zone = 'Europe/Berlin') {
  const screen = app.screens.find(screen => screen.key === key)!
  const { need, ignored } = calendarNeed(screen, app, addressOf(query, { today: '2026-11-21', zone }))!
  return { ...need, ignored }
}

test('without an address it is the month of today, in whole weeks from Monday', () => {
  expect(asked('days', '')).toMatchObject({
    view: 'month',
    on: '2026-11-21',
    first: '2026-10-26',
    last: '2026-12-06',
    rows: { during: { from: 'out_on', to: 'due_back', start: '2026-10-26', end: '2026-12-07' } },
    ignored: [],
  })
})

test('a week and a day are those of the address', () => {
  expect(asked('days', 'view=week&on=2026-03-01')).toMatchObject({ first: '2026-02-23', last: '2026-03-01' })
  expect(asked('days', 'view=day&on=2026-03-01')).toMatchObject({ first: '2026-03-01', last: '2026-03-01' })
})

test('moments are asked for between the midnights of the zone, also where its clocks change between them', () => {
  const { during } = asked('hours', 'view=week&on=2026-10-25').rows
  expect([during.start, during.end]).toEqual(['2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
})

test.each([
  ['view=year', ['view=year']],
  ['on=2026-02-30', ['on=2026-02-30']],
  ['on=0001-01-01', ['on=0001-01-01']],
  ['nothing=Out&_x=1', ['nothing=Out']],
  ['sort=out_on', ['sort=out_on']],
])('what %s does not say is left out and named', (query, ignored) => {
  expect(asked('days', query)).toMatchObject({ view: 'month', on: '2026-11-21', ignored })
})
