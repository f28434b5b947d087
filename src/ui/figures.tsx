/** Figures: sheets of them beside each other, and tables of many with their sums. */
import type { ReactNode } from 'react'
import { ScrollRegion } from './page.tsx'
import { useReader } from './reader.tsx'

/** Sheets beside each other where there is room. `spans`: by sheet, of twelve columns. */
export const SheetGrid = ({
  spans,
  children,
}: {
  readonly spans: readonly number[]
  readonly children: readonly ReactNode[]
}) => (
  <div className="dash">
    {children.map((sheet, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rendered once; a sheet stays in its place
      <div key={at} className={`d-${spans[at]}`}>
        {sheet}
      </div>
    ))}
  </div>
)

interface FigureTableProps {
  readonly label: string
  readonly columns: readonly { readonly key: string; readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly {
    readonly id: string
    readonly isSum: boolean
    readonly href: string | null
    readonly cells: readonly string[]
  }[]
  readonly total: readonly string[] | null
}

/** What rows are called by themselves, where a group is written once, in its first row. */
function groupNames(rows: FigureTableProps['rows'], groups: number): readonly string[] {
  const now: string[] = []
  return rows.map(({ cells }) => {
    for (const [at, text] of cells.slice(0, groups).entries()) if (text !== '') now[at] = text
    return now.filter(Boolean).join(', ')
  })
}

/** Groups in rows, measures in columns. The last group of a row is the link to what lies behind it. */
export function FigureTable({ label, columns, rows, total }: FigureTableProps) {
  const { words } = useReader()
  const lastGroup = columns.filter(({ numeric, key }) => !numeric && key.startsWith('g')).length - 1
  const names = groupNames(rows, lastGroup + 1)
  const line = (row: FigureTableProps['rows'][number], object: string) =>
    columns.map(({ key, numeric }, at) => {
      const text = row.cells[at] ?? ''
      const looks = numeric ? 'num' : at === 0 ? 'c-ttl' : undefined
      const isHead = at === lastGroup && !row.isSum
      const said =
        at === lastGroup && row.href !== null ? (
          <a key="behind" href={row.href} aria-label={words('showBehind', { object })}>
            {text}
          </a>
        ) : (
          text
        )
      return isHead || (row.isSum && at === 0) ? (
        <th key={key} scope="row" className={looks}>
          {said}
        </th>
      ) : (
        <td key={key} className={looks}>
          {said}
        </td>
      )
    })
  return (
    <ScrollRegion className="tw" label={label}>
      <table className="t figures">
        <caption className="vh">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ key, label: text, numeric }) =>
              text === '' ? (
                <td key={key} />
              ) : (
                <th key={key} scope="col" className={numeric ? 'num' : undefined}>
                  {text}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.id} className={row.isSum ? 'sum' : undefined}>
              {line(row, names[at]!)}
            </tr>
          ))}
        </tbody>
        {total !== null && (
          <tfoot>
            <tr>{line({ id: 'total', isSum: true, href: null, cells: total }, '')}</tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}
