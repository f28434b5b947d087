/** Records in a plain table, inside of another screen; the first cell is the link. */
import { Fragment } from 'react'
import { Marks } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { useReader } from '../../ui/reader.tsx'
import { Value } from './value.tsx'
import type { LinesView } from './view-model.ts'

export function Lines({ label, lines }: { readonly label: string; readonly lines: LinesView }) {
  const { words } = useReader()
  if (lines.rows.length === 0) return <p className="muted body">{lines.empty}</p>
  return (
    <PlainTable
      label={words('tableOf', { title: label })}
      columns={lines.columns.map(({ field, label: text, numeric }) => ({ key: field, label: text, numeric }))}
      rows={lines.rows.map(({ id, href, cells, marks = [] }) => ({
        id,
        cells: cells.map((value, at) => (
          <Fragment key={lines.columns[at]?.field}>
            <Value value={at === 0 && href !== null ? { ...value, href } : value} />
            {at === 0 && <Marks of={marks} />}
          </Fragment>
        )),
      }))}
    />
  )
}
