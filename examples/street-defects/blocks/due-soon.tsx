/** Open cases by the day on which they are due, the late ones first: a whole screen of one's own. */
import { useState } from 'react'
import type { Blocks } from '../ninefold.d.ts'

export const DueSoon: Blocks['DueSoon'] = ({ records, more, today, locale }) => {
  const [lateOnly, setLateOnly] = useState(false)
  const shown = records.filter(({ due_on: due }) => due != null && (!lateOnly || due < today))
  const days = [...new Set(shown.map(({ due_on: due }) => due ?? ''))]
  const named = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
  return (
    <>
      <p>
        <label>
          <input type="checkbox" checked={lateOnly} onChange={() => setLateOnly(!lateOnly)} /> Late ones only
        </label>
      </p>
      {days.map(day => (
        <section key={day}>
          <h2>
            {named.format(new Date(day))}
            {day < today ? ' (late)' : ''}
          </h2>
          <ul>
            {shown
              .filter(({ due_on: due }) => due === day)
              .map(({ id, number, place, href }) => (
                <li key={id}>
                  {href === null ? number : <a href={href}>{number}</a>} {place}
                </li>
              ))}
          </ul>
        </section>
      ))}
      {days.length === 0 && <p>Nothing is due.</p>}
      {more && <p>There are more on the next page.</p>}
    </>
  )
}
