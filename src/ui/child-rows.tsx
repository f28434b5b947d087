/** Rows that belong to a record, as they are filled in with it. */
import type { ClipboardEventHandler, ReactNode } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { FieldGroup, type FormSubmit, wrongness } from './form.tsx'
import { Icon } from './icons.tsx'
import { keysThatMove, MoveHandle, type RowMove } from './move-handle.tsx'
import { classes, type Line, useReader } from './reader.tsx'

interface ChildColumn {
  readonly label: string
  readonly numeric?: boolean
  readonly optional?: boolean
  /** Of records that a script may turn into a search: its room does not go by what is offered. */
  readonly picks?: boolean
}

interface ChildRow {
  readonly key: string
  /** What is wrong with the row as a whole leads to it. */
  readonly id: string
  /** "Row 2". */
  readonly name: string
  /** Id of the stored child, its version: names as the form's own inputs are named. */
  readonly hidden: readonly Hidden[]
  /** One control per column, each with `aria-label` ("Row 1, item"). */
  readonly cells: readonly ReactNode[]
  /** Rows of its own; null: it has none. */
  readonly below?: ReactNode
  /** Messages of this row, by column; the control's `aria-describedby` names `${key}-${column}-e`. */
  readonly errors: readonly (string | null)[]
  /** Which of these may be confirmed. */
  readonly warns?: readonly boolean[]
  readonly remove: FormSubmit | null
  /** With a script: instead of the submit. */
  readonly onRemove?: () => void
  readonly move?: RowMove
}

interface ChildRowsProps {
  readonly id: string
  readonly label: string
  readonly hint?: ReactNode
  /** What is said of the columns, above them. */
  readonly about?: ReactNode
  readonly error?: string | null
  readonly warns?: boolean
  readonly columns: readonly ChildColumn[]
  readonly rows: readonly ChildRow[]
  /** Null when no more rows may be added. */
  readonly add: FormSubmit | null
  /** With a script: instead of the submit. */
  readonly onAdd?: () => void
  /** With a script: what has just become of a row, for those who do not see it go. */
  readonly told?: string
  /** With a script: cells that did not take what was pasted. */
  readonly noted?: string | null
  readonly onPaste?: ClipboardEventHandler<HTMLTableElement>
  /** Totals, aligned with the columns. */
  readonly totals?: readonly ReactNode[]
  readonly line?: Line | null
}

/** Rows that belong to the record, as a table of controls. Add and remove are submits, so they work without a script. */
export function ChildRows(props: ChildRowsProps) {
  const { id, label, hint, about, error, warns, columns, rows, add, onAdd, told, noted, onPaste, totals, line } = props
  const { words } = useReader()
  return (
    <FieldGroup id={id} label={label} hint={hint} error={error ?? null} warns={warns ?? false} line={line ?? null}>
      {() => (
        <>
          {about}
          {rows.length > 0 && (
            <div className={classes('scrolls', columns.length > 6 && 'many')}>
              <table className="t lines" aria-label={label} onPaste={onPaste}>
                <thead>
                  <tr>
                    {columns.map(column => (
                      <th
                        key={column.label}
                        scope="col"
                        className={column.numeric ? 'num' : column.picks ? 'pk' : undefined}
                      >
                        {column.label} {column.optional && <span className="req">{words('optional')}</span>}
                      </th>
                    ))}
                    <th scope="col">
                      <span className="vh">{words('remove')}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, at) => (
                    <ChildRowView key={row.key} row={row} at={at} of={rows.length} columns={columns} />
                  ))}
                </tbody>
                {totals !== undefined && (
                  <tfoot>
                    <tr>
                      {columns.map((column, at) => (
                        <td
                          key={column.label}
                          className={column.numeric ? 'num' : undefined}
                          data-label={at === 0 || totals[at] == null ? undefined : column.label}
                        >
                          {totals[at]}
                        </td>
                      ))}
                      <td className="c-rm" />
                    </tr>
                  </tfoot>
                )}
              </table>
            </div>
          )}
          {add !== null && (
            <div>
              <button
                type="submit"
                className="btn sm add"
                name={add.name}
                value={add.value}
                formNoValidate
                onClick={instead(onAdd)}
              >
                <Icon name="plus" />
                {add.label}
              </button>
            </div>
          )}
          {told !== undefined && <output className="vh">{told}</output>}
          {noted != null && (
            <p className="err" role="status">
              <Icon name="alert" />
              <span>{noted}</span>
            </p>
          )}
        </>
      )}
    </FieldGroup>
  )
}

const instead = (act: (() => void) | undefined) =>
  act === undefined
    ? undefined
    : (event: { readonly preventDefault: () => void }) => {
        event.preventDefault()
        act()
      }

function ChildRowView(props: {
  readonly row: ChildRow
  readonly at: number
  readonly of: number
  readonly columns: readonly ChildColumn[]
}) {
  const { words } = useReader()
  const { row, at: place, of, columns } = props
  const own = (
    <tr
      id={row.id}
      {...(row.move?.onMove === undefined ? {} : { onKeyDown: keysThatMove(row.move.onMove, place, of) })}
    >
      {columns.map((column, at) => (
        <td
          key={column.label}
          className={wrongness(row.errors[at], row.warns?.[at]) || undefined}
          data-label={column.label}
        >
          {at === 0 && <HiddenInputs inputs={row.hidden} />}
          {row.errors[at] != null && (
            <p className={classes('err', row.warns?.[at] && 'wait')} id={`${row.key}-${at}-e`}>
              <span>
                <span className="vh">{words(row.warns?.[at] ? 'warningPrefix' : 'errorPrefix')}</span>
                {row.errors[at]}
              </span>
            </p>
          )}
          {row.cells[at]}
        </td>
      ))}
      <td className="c-rm">
        {row.move !== undefined && <MoveHandle move={{ ...row.move, at: { place, of } }} />}
        {row.remove !== null && (
          <button
            type="submit"
            className="btn quiet sq"
            name={row.remove.name}
            value={row.remove.value}
            formNoValidate
            aria-label={words('removeRow', { row: row.name })}
            onClick={instead(row.onRemove)}
          >
            <Icon name="close" />
          </button>
        )}
      </td>
    </tr>
  )
  if (row.below == null) return own
  return (
    <>
      {own}
      <tr className="below">
        <td colSpan={columns.length + 1}>{row.below}</td>
      </tr>
    </>
  )
}
