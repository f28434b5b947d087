/** A table that only shows: what tables of records do besides stands in `table.tsx`. */
import { Fragment, type ReactNode } from 'react'
import { ScrollRegion } from './page.tsx'

/**
 * Rows that become cards (display: grid) lose their table roles in some browsers: the roles are written out. Spread, because to a
 * linter that does not know the style sheet they look redundant.
 */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  column: { role: 'columnheader', scope: 'col' },
  head: { role: 'rowheader', scope: 'row' },
} as const

interface PlainColumn {
  readonly key: string
  readonly label: string
  readonly numeric?: boolean
  /** Its cells speak for themselves, as buttons do: the label is for those who do not see the page. */
  readonly bare?: boolean
}

interface PlainTableProps {
  readonly label: string
  readonly columns: readonly PlainColumn[]
  readonly rows: readonly {
    readonly id: string
    readonly cells: readonly ReactNode[]
    /** What stands across all columns, under the row. */
    readonly below?: ReactNode
  }[]
  readonly foot?: readonly ReactNode[] | null
  /** Of many columns: rows are cards also where the table has less room than a page. */
  readonly roomy?: boolean
}

/** A table that is neither sorted nor chosen from, for child rows, reports and administration; the first cell of a row is its head. On a phone, rows of more than two cells are cards. */
export function PlainTable({ label, columns, rows, foot = null, roomy = false }: PlainTableProps) {
  const cell = (column: PlainColumn, at: number, value: ReactNode) => {
    const className = column.numeric ? 'num' : undefined
    return at === 0 ? (
      <th key={column.key} className={className} {...roles.head}>
        {value}
      </th>
    ) : (
      <td
        key={column.key}
        className={className}
        data-label={value === null || column.bare ? undefined : column.label}
        {...roles.cell}
      >
        {value}
      </td>
    )
  }
  return (
    <ScrollRegion className={roomy ? 'tw roomy' : 'tw'} label={label}>
      <table className={columns.length > 2 ? 't fold' : 't'} {...roles.table}>
        <caption className="vh">{label}</caption>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {columns.map(column => (
              <th key={column.key} className={column.numeric ? 'num' : undefined} {...roles.column}>
                {column.bare ? <span className="vh">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {rows.map(row => (
            <Fragment key={row.id}>
              <tr {...roles.row}>{columns.map((column, at) => cell(column, at, row.cells[at]))}</tr>
              {row.below != null && (
                <tr className="below" {...roles.row}>
                  <td colSpan={columns.length} {...roles.cell}>
                    {row.below}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
        {foot !== null && (
          <tfoot {...roles.group}>
            <tr {...roles.row}>{columns.map((column, at) => cell(column, at, foot[at]))}</tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}
