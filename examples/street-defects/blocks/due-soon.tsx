/** Open cases by the day on which they are due, the late ones first: a whole screen of one's own. */
import { Empty, Note, Section, Stack, Table, Tag } from 'ninefold/ui'
import { useState } from 'react'
import type { Blocks } from '../ninefold.d.ts'

export const DueSoon: Blocks['DueSoon'] = ({ records, more, today, locale }) => {
  const [lateOnly, setLateOnly] = useState(false)
  const shown = records.filter(({ due_on: due }) => due != null && (!lateOnly || due < today))
  const days = [...new Set(shown.map(({ due_on: due }) => due ?? ''))]
  const named = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' })
  const columns = [{ label: 'Case' }, { label: 'Place' }, { label: 'How long' }]
  return (
    <Stack>
      <label>
        <input type="checkbox" checked={lateOnly} onChange={() => setLateOnly(!lateOnly)} /> Late ones only
      </label>
      {days.map(day => {
        const said = named.format(new Date(day))
        const rows = shown
          .filter(({ due_on: due }) => due === day)
          .map(({ id, number, place, href }) => {
            const name =
              href === null ? (
                number
              ) : (
                <a key="case" href={href}>
                  {number}
                </a>
              )
            const mark =
              day < today ? (
                <Tag key="mark" tone="bad">
                  late
                </Tag>
              ) : (
                <Tag key="mark">in time</Tag>
              )
            return { key: id, cells: [name, place, mark] }
          })
        return (
          <Section key={day} title={said}>
            <Table of={`Due on ${said}`} columns={columns} rows={rows} />
          </Section>
        )
      })}
      {days.length === 0 && <Empty title="Nothing is due" />}
      {more && <Note>There are more on the next page.</Note>}
    </Stack>
  )
}
