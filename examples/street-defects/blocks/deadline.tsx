/** How much of a case's time has gone: a picture that no field can be. By weekdays where somebody asks for that. */
import { useState } from 'react'
import type { Blocks } from '../ninefold.d.ts'

const day = 86_400_000

/** Days after the first date up to the second. */
function daysBetween(from: string, to: string, weekdaysOnly: boolean): number {
  let days = 0
  for (let at = Date.parse(from) + day; at <= Date.parse(to); at += day)
    if (!weekdaysOnly || (new Date(at).getUTCDay() + 6) % 7 < 5) days++
  return days
}

export const Deadline: Blocks['Deadline'] = ({ record, today }) => {
  const [weekdaysOnly, setWeekdaysOnly] = useState(false)
  const { opened_on: opened, due_on: due } = record
  if (opened == null || due == null) return null
  const all = daysBetween(opened, due, weekdaysOnly)
  const gone = daysBetween(opened, today, weekdaysOnly)
  const kind = weekdaysOnly ? 'weekdays' : 'days'
  return (
    <>
      <label>
        {gone > all ? `${gone - all} ${kind} late` : `${all - gone} of ${all} ${kind} left`}{' '}
        <progress max={all} value={Math.min(gone, all)} />
      </label>{' '}
      <label>
        <input type="checkbox" checked={weekdaysOnly} onChange={() => setWeekdaysOnly(!weekdaysOnly)} /> Weekdays only
      </label>
    </>
  )
}
