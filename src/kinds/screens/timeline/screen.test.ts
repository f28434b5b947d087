import { expect, test } from 'vitest'
import { appOf } from '../../testing.ts'
import { addressOf } from '../testing.ts'
import { timelineNeed } from './screen.ts'

const app = appOf(`# Rooms

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /rooms | By room | everyone signed in | timeline of Booking by room, from begins_at to ends_at |
| /kinds | By kind | everyone signed in | timeline of Booking by kind from due_on |
| /states | By state | everyone signed in | timeline of Booking by \`state\`, from due_on |

## 3 Entities and their fields

### Room

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

### Booking

| Field | Type | Rules |
| --- | --- | --- |
| room | Room | |
| kind | choice: Talk, Party | |
| begins_at | date and time | required |
| ends_at | date and time | |
| due_on | date | |

## 4 States and transitions

### Booking

| State | Kind |
| --- | --- |
| Asked | start |
| Confirmed | end |
`)

function asked(key: string, query: string) {
  const screen = app.screens.find(screen => screen.key === key)!
  const { need, ignored } = timelineNeed(screen, app, addressOf(query, { today: '2026-11-21', zone: 'Europe/Berlin' }))!
  return { ...need, ignored }
}

test('lanes are the records that a field refers to, read apart; what always has a time needs no tray', () => {
  expect(asked('by_room', 'view=week&on=2026-10-25')).toMatchObject({
    view: 'week',
    zooms: ['day', 'week', 'month', 'quarter'],
    by: 'room',
    lanes: { records: { entity: 'room', limit: 60 } },
    rows: {
      entity: 'booking',
      limit: 400,
      during: { from: 'begins_at', to: 'ends_at', start: '2026-10-18T22:00:00.000Z', end: '2026-10-25T23:00:00.000Z' },
    },
    tray: null,
    ignored: [],
  })
})

test('of a choice and a state all values are lanes; days have no page of one day, and what has none waits in the tray', () => {
  expect(asked('by_kind', 'view=day')).toMatchObject({
    view: 'month',
    zooms: ['week', 'month', 'quarter'],
    first: '2026-11-01',
    last: '2026-11-30',
    lanes: { values: ['Talk', 'Party'] },
    tray: { filters: [{ field: 'due_on', comparison: 'is empty', value: true }], limit: 20 },
    ignored: ['view=day'],
  })
  expect(asked('by_state', '')).toMatchObject({ lanes: { values: ['Asked', 'Confirmed'] } })
})

test('the tray is looked through as the lanes are', () => {
  const { rows, tray } = asked('by_kind', 'kind=Party&q=x&sort=due_on')
  expect(rows.filters).toEqual([{ field: 'kind', comparison: 'is', value: 'Party' }])
  expect(tray!.filters).toEqual([...rows.filters, { field: 'due_on', comparison: 'is empty', value: true }])
  expect(asked('by_kind', 'sort=due_on').ignored).toEqual(['sort=due_on'])
})
