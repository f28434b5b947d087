import { expect, test } from 'vitest'
import { zoneMeant } from './zones.ts'

test.each([
  ['Berlin', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['Europe/Wien', 'Europe/Vienna'],
  ['WIEN', 'Europe/Vienna'],
  ['Österreich', 'Europe/Vienna'],
  ['Zürich', 'Europe/Zurich'],
  ['New York', 'America/New_York'],
  ['Europe/Berln', 'Europe/Berlin'],
  ['Berln', 'Europe/Berlin'],
  ['Hambrug', 'Europe/Berlin'],
  ['Kolkata', 'Asia/Calcutta'],
  ['UTC+2', null],
  ['', null],
  ['the moon', null],
])('%s is %s', (written, zone) => {
  expect(zoneMeant(written)).toBe(zone)
  if (zone !== null) expect(Intl.supportedValuesOf('timeZone')).toContain(zone)
})
