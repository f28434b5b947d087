/** When timers with a rhythm are due next: days of a month, a quarter and a year, and so many minutes or hours from midnight. */
import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { dueBy } from './due.ts'
import type { About } from './names.ts'
import { partOf } from './read.ts'
import { read } from './told.ts'
import { wireOf } from './values.ts'

const { app } = readApp('desk.md', () => '# Desk\n\n## 1 What\n\n- **Time zone:** Europe/Berlin\n')
const row = { entity: 'person', record: {}, up: null }
const about: About = {
  told: read(app!.document),
  read: partOf,
  row,
  self: row,
  old: null,
  me: null,
  now: Date.parse('2026-02-10T09:20:00Z'),
  // Christmas.
  closed: new Set([Date.parse('2026-12-25') / 86_400_000]),
  changed: new Map(),
  record: () => undefined,
  records: () => [],
}

test.each([
  ['every 15 minutes', '2026-02-10T09:30:00.000Z'],
  ['every 2 hours, each missed', '2026-02-10T11:00:00.000Z'],
  ['every month on the 1st at 06:00', '2026-03-01T05:00:00.000Z'],
  ['every month on the 31st at 06:00', '2026-02-28T05:00:00.000Z'],
  ['every month on the last day at 06:00, skip if missed by 2 hours', '2026-02-28T05:00:00.000Z'],
  ['every month on the last working day at 18:00', '2026-02-27T17:00:00.000Z'],
  ['every month on the first Monday at 08:00', '2026-03-02T07:00:00.000Z'],
  ['every month on the second last Friday at 08:00', '2026-02-20T07:00:00.000Z'],
  ['every quarter on the last day at 08:00', '2026-03-31T06:00:00.000Z'],
  ['every year on the first day at 08:00', '2027-01-01T07:00:00.000Z'],
  ['every year on 31 December at 18:00', '2026-12-31T17:00:00.000Z'],
  ['every weekday at 10:00', '2026-02-11T09:00:00.000Z'],
])('%s', (written, due) => {
  expect(wireOf(dueBy(written, about))).toBe(due)
})
