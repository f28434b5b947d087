/** The rows of one list of a record, with what they come to: on its page and on paper. */

import { PlainTable } from '../../ui/plain-table.tsx'
import { useReader } from '../../ui/reader.tsx'
import { Value } from './value.tsx'
import type { ChildTableView } from './view-model.ts'

/** `object`: the record that they are rows of. */
export function ChildTable({
  list: { label, columns, rows, totals },
  object,
}: {
  readonly list: ChildTableView
  readonly object: string
}) {
  const { words } = useReader()
  if (rows.length === 0) return <p className="muted body">{words('noCards')}</p>
  return (
    <PlainTable
      label={words('rowsOf', { list: label, object })}
      columns={columns.map(column => ({ key: column.field, label: column.label, numeric: column.numeric }))}
      rows={rows.map(row => ({
        id: row.id,
        cells: row.cells.map((cell, at) => <Value key={columns[at]?.field} value={cell} />),
        below:
          row.lists.length === 0
            ? null
            : row.lists.map(list => (
                <div key={list.key}>
                  <p className="muted">{list.label}</p>
                  <ChildTable list={list} object={row.cells[0]?.text ?? ''} />
                </div>
              )),
      }))}
      foot={totals === null ? null : totals.map((total, at) => total ?? (at === 0 ? words('total') : null))}
    />
  )
}
