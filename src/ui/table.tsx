/** Tables of records. Columns give way by priority and join the title, so that nothing is lost on a phone, where rows become cards. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Menu, type MenuItem } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { MoveHandle } from './move-handle.tsx'
import { type MarkOf, Marks, ScrollRegion } from './page.tsx'
import { roles } from './plain-table.tsx'
import { classes, type Reader, ReaderProvider, useReader } from './reader.tsx'
import { RowMenuLink } from './row-menu.tsx'
import { fillShape, type Shapes, shapesOf } from './shapes.tsx'

/** Where a column stands in a card: beside the title, under it, at the end of the second line. At most one column each. */
export type Slot = 'title' | 'figure' | 'state' | 'note'

/** 1 stays longest; 5 gives way first; 6 has no column anywhere. */
export type Priority = 1 | 2 | 3 | 4 | 5 | 6

export interface Column {
  readonly key: string
  readonly label: string
  /** Right-aligned with its head. */
  readonly numeric?: boolean
  /** A script may turn its cells into controls. */
  readonly edited?: boolean
  /** Exactly one column is the `title`: it is the row's head and links to the record. */
  readonly slot?: Slot
  readonly priority: Priority
  /** Its values are not broken into lines. */
  readonly short?: boolean
  /** A link that sorts by this column; `order` when the list is sorted by it. Null: not sortable. */
  readonly sort: { readonly href: string; readonly order: 'ascending' | 'descending' | null } | null
  /** When it joins the title, its value speaks for itself (a name, a reference) and needs no label. */
  readonly bare?: boolean
}

export interface TableRow {
  readonly id: string
  /** Names the row among those around it: `LN-2026-00007`, for the menu and the selection. */
  readonly object: string
  /** Null: no page of its own. */
  readonly href: string | null
  /** A second line below the title; empty, or absent: there is none. */
  readonly under?: string
  /** One per column, in their order; null for empty. */
  readonly cells: readonly ReactNode[]
  /** Waits for this person. */
  readonly mine?: boolean
  readonly marks?: readonly MarkOf[]
  readonly menu?: readonly MenuItem[]
  /** Where its place in an order by hand is changed; absent or null: nowhere. */
  readonly places?: string | null
  /** Instead of a menu of its own: which items of the `RowMenu` of the page it has, by their places: `0 3 4`. Needs `href`. */
  readonly shared?: string | null
}

/** A row of a long table: rows of the same shape differ in their texts only, and React renders each shape once. */
export interface ShapedRow {
  readonly id: string
  /** Everything that `row` depends on besides the texts. */
  readonly shape: string
  /** Texts and addresses: what `row` puts into cells, menus and links. */
  readonly texts: readonly string[]
  readonly row: (texts: readonly string[]) => TableRow
}

/** Rows that are HTML already. */
export interface MadeRows {
  readonly html: string
  readonly count: number
  readonly withMenu: boolean
}

export interface DataTableProps {
  /** What the table shows, in words: `Loans, 146 in all, newest first`. Seen by those who cannot see the page. */
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[] | MadeRows
  /** Boxes to select rows for the bulk bar; the table must stand in a `ListForm`. */
  readonly selectable?: boolean
  /** Totals over the whole result: a label and the cells, one per column. */
  readonly foot?: { readonly label: string; readonly cells: readonly ReactNode[] } | null
}

const slots: Readonly<Record<Slot, string>> = { title: 'c-ttl', figure: 'c-amt', state: 'c-st', note: 'c-due' }

const columnClass = ({ slot, priority, numeric, short }: Column) =>
  classes(
    slot === undefined ? 'c-x' : slots[slot],
    priority > 1 && `p${priority}`,
    numeric ? 'num' : short && (slot === undefined || slot === 'title') && 'nw',
  )

export function DataTable({ caption, columns, rows, selectable = false, foot = null }: DataTableProps) {
  const { words } = useReader()
  const id = useId()
  const made = isMade(rows) ? rows : null
  const plain = isMade(rows) ? [] : rows
  const withMenu =
    made?.withMenu ?? plain.some(({ menu, shared, places }) => (shared ?? places) != null || (menu ?? []).length > 0)
  const look = { columns, selectable, withMenu }
  return (
    <ScrollRegion className="tw" labelledBy={id}>
      <table className={classes('t cards', selectable && 'sel')} {...roles.table}>
        <caption className="vh" id={id}>
          {caption}
        </caption>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {selectable && (
              <td className="c-sel" {...roles.cell}>
                <SelectBox data-all="" aria-label={words('selectAll', { count: made?.count ?? plain.length })} />
              </td>
            )}
            {columns.map(column => (
              <ColumnHead key={column.key} column={column} />
            ))}
            {withMenu && (
              <th className="c-act" {...roles.column}>
                <span className="vh">{words('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        {made !== null ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: this is what React made of the rows' shapes, with texts escaped as React does
          <tbody {...roles.group} dangerouslySetInnerHTML={{ __html: made.html }} />
        ) : (
          <tbody {...roles.group}>
            {plain.map(row => (
              <Row key={row.id} row={row} {...look} />
            ))}
          </tbody>
        )}
        {foot !== null && (
          <tfoot {...roles.group}>
            <SumRow {...look} label={foot.label} cells={foot.cells} />
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

interface SumRowProps extends Omit<RowProps, 'row'> {
  readonly className?: string
  readonly label: ReactNode
  readonly cells: readonly ReactNode[]
}

/** Figures under their columns: of all rows, or of a group of them. */
function SumRow({ columns, selectable, withMenu, className, label, cells }: SumRowProps) {
  return (
    <tr className={className} {...roles.row}>
      {selectable && <td className="c-sel" {...roles.cell} />}
      {columns.map((column, at) =>
        column.slot === 'title' ? (
          <th key={column.key} className="c-ttl" {...roles.head}>
            {label}
            {joined({ cells }, columns)}
          </th>
        ) : (
          <td key={column.key} className={columnClass(column)} {...roles.cell}>
            {cells[at]}
          </td>
        ),
      )}
      {withMenu && <td className="c-act" {...roles.cell} />}
    </tr>
  )
}

/** The head of a group of rows. Texts are empty where there is nothing to say. */
interface GroupHead {
  /** Unique on the page. */
  readonly id: string
  readonly label: string
  readonly count: string
  /** Shows its rows, or leaves them out. */
  readonly fold: string
  readonly isFolded: boolean
  /** One per column. */
  readonly cells: readonly string[]
}

/** Heads for a table with the same columns. */
export function groupHeads(
  reader: Reader,
  heads: readonly GroupHead[],
  look: Omit<RowProps, 'row'>,
): readonly string[] {
  const shapes = shapesOf(reader, 'group', JSON.stringify(look))
  return heads.map(({ id, label, count, fold, isFolded, cells }) =>
    fillShape(shapes, String(isFolded), [id, label, count, fold, ...cells], ([own, name, n, href, ...sums]) => (
      <ReaderProvider reader={reader}>
        <SumRow
          {...look}
          className="grp"
          label={
            <span>
              {href === '' ? (
                name
              ) : (
                <a className="twist" id={own} href={href} aria-expanded={!isFolded}>
                  <Icon name="down" />
                  {name}
                </a>
              )}
              {n !== '' && <span className="n">{n}</span>}
            </span>
          }
          cells={sums.map(sum => (sum === '' ? null : sum))}
        />
      </ReaderProvider>
    )),
  )
}

const isMade = (rows: DataTableProps['rows']): rows is MadeRows => 'html' in rows

/** A row that may have been made before: `of`, `object` and `places` decide what it looks like. */
export interface KeptRow {
  readonly of: object
  /** Names it among the rows around it. */
  readonly object: string
  /** Of the menu of the page; null: it has its own, or none. */
  readonly places: string | null
  readonly withMenu: boolean
  readonly shaped: () => ShapedRow
}

type MadeRow = Pick<KeptRow, 'object' | 'places'> & { readonly html: string }

const made = new WeakMap<Shapes, WeakMap<object, MadeRow>>()

/** Rows for a `DataTable` with the same columns, each as HTML. */
export function shapedRows(
  reader: Reader,
  rows: readonly KeptRow[],
  { columns, selectable }: Pick<RowProps, 'columns' | 'selectable'>,
): Omit<MadeRows, 'html'> & { readonly each: readonly string[] } {
  const withMenu = rows.some(row => row.withMenu)
  const heads = columns.map(({ label, slot, priority, numeric, short, bare }) => [
    label,
    slot,
    priority,
    numeric,
    short,
    bare,
  ])
  const shapes = shapesOf(reader, JSON.stringify([heads, selectable, withMenu]))
  const known = made.get(shapes) ?? new WeakMap<object, MadeRow>()
  made.set(shapes, known)
  const each = rows.map(({ of, object, places, shaped }) => {
    const before = known.get(of)
    if (before?.places === places && before.object === object) return before.html
    const { shape, texts, row } = shaped()
    const now = fillShape(shapes, shape, texts, given => (
      <ReaderProvider reader={reader}>
        <Row row={row(given)} columns={columns} selectable={selectable} withMenu={withMenu} />
      </ReaderProvider>
    ))
    known.set(of, { object, places, html: now })
    return now
  })
  return { each, count: rows.length, withMenu }
}

function ColumnHead({ column }: { readonly column: Column }) {
  const { key, label, sort, edited } = column
  return (
    <th
      className={columnClass(column)}
      data-cell={edited ? key : undefined}
      aria-sort={sort?.order ?? undefined}
      {...roles.column}
    >
      {sort === null ? (
        label
      ) : (
        <a href={sort.href}>
          {label}
          {sort.order !== null && <Icon name={sort.order === 'ascending' ? 'up' : 'down'} />}
        </a>
      )}
    </th>
  )
}

/** The label makes what is pressed larger than the box. */
const SelectBox = (props: ComponentProps<'input'>) => (
  <label>
    <input type="checkbox" {...props} />
  </label>
)

interface RowProps {
  readonly row: TableRow
  readonly columns: readonly Column[]
  readonly selectable: boolean
  readonly withMenu: boolean
}

function Row({ row, columns, selectable, withMenu }: RowProps) {
  const { words } = useReader()
  const turn = row.mine && <span className="tag go noprint">{words('yourTurn')}</span>
  const { marks = [] } = row
  const hasState = columns.some(({ slot }) => slot === 'state')
  return (
    <tr className={row.mine ? 'mine' : undefined} {...roles.row}>
      {selectable && (
        <td className="c-sel" {...roles.cell}>
          <SelectBox name="id" value={row.id} aria-label={words('select', { object: row.object })} />
        </td>
      )}
      {columns.map((column, at) =>
        column.slot === 'title' ? (
          <th key={column.key} className={columnClass(column)} {...roles.head}>
            {marks.length > 0 || (turn && !hasState) ? (
              <span>
                <RowTitle row={row} value={row.cells[at]} />
                {!hasState && turn && <> {turn}</>}
                <Marks of={marks} />
              </span>
            ) : (
              <RowTitle row={row} value={row.cells[at]} />
            )}
            {joined(row, columns)}
          </th>
        ) : (
          <td key={column.key} className={columnClass(column)} {...roles.cell}>
            {column.slot === 'state' && row.mine ? (
              <span className="stc">
                {row.cells[at]} {turn}
              </span>
            ) : (
              <>
                {column.slot === 'note' && !column.bare && isSaid(row.cells[at]) && <i>{`${column.label} `}</i>}
                {row.cells[at]}
              </>
            )}
          </td>
        ),
      )}
      {withMenu && (
        <td className="c-act" {...roles.cell}>
          {row.places != null && (
            <MoveHandle
              move={{
                id: `place-${row.id}`,
                label: words('moveRow', { row: row.object }),
                name: '_move',
                value: row.id,
                action: row.places,
              }}
            />
          )}
          {row.shared != null && row.href !== null ? (
            <RowMenuLink href={row.href} places={row.shared} object={row.object} />
          ) : row.menu === undefined || row.menu.length === 0 ? null : (
            <Menu
              id={`m-${row.id}`}
              label={words('actionsFor', { object: row.object })}
              icon="dots"
              small
              tone="quiet"
              items={row.menu}
            />
          )}
        </td>
      )}
    </tr>
  )
}

const RowTitle = ({ row: { href, object }, value }: { readonly row: TableRow; readonly value: ReactNode }) =>
  href === null ? (
    <span className="ttl">{value ?? object}</span>
  ) : (
    <a className="ttl" href={href}>
      {value ?? object}
    </a>
  )

/** A date has its place in a card: only in a row that waits for somebody, where the state says more than its name, is there no room for it. */
const joinedClass = ({ slot, priority }: Column, { mine }: Pick<TableRow, 'mine'>) =>
  classes(priority > 1 && `j${priority}`, slot === 'note' && !mine && 'jn')

const isSaid = (value: ReactNode): boolean => value != null && value !== ''

/** So many of those that have no column anywhere stand under the title; the record itself has the rest. */
const mostJoined = 4

/** What columns that gave way say, under the title. The style sheet shows each part exactly while its column is hidden; the first priority only gives way to cards. */
function joined(row: Pick<TableRow, 'cells' | 'mine' | 'under'>, columns: readonly Column[]): ReactNode {
  const parts: ReactNode[] = []
  if (row.under !== undefined && row.under !== '')
    parts.push(
      <span key="" className="j6">
        {row.under}
      </span>,
    )
  let homeless = 0
  columns.forEach((column, at) => {
    const value = row.cells[at]
    const staysInCards = column.slot !== undefined && column.priority === 1 && !(column.slot === 'note' && row.mine)
    if (!isSaid(value) || staysInCards || column.slot === 'title') return
    if (column.priority === 6 && ++homeless > mostJoined) return
    // One text, not two: a list has hundreds of these.
    const label = column.bare ? '' : `${column.label} `
    parts.push(
      <span key={column.key} className={joinedClass(column, row)}>
        {typeof value === 'string' ? (
          label + value
        ) : (
          <>
            {label}
            {value}
          </>
        )}
      </span>,
    )
  })
  return parts.length === 0 ? null : <small className="also">{parts}</small>
}
