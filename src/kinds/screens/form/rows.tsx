/** Child rows in a form: a small table of controls, each row with its remove button, the add button below. */
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { ChildRows } from '../../../ui/child-rows.tsx'
import type { RowMove } from '../../../ui/move-handle.tsx'
import { pastedRows } from '../../../ui/pasted.ts'
import { useReader } from '../../../ui/reader.tsx'
import { placedErrorText } from '../value.tsx'
import { Conditional } from './conditional.tsx'
import { Conditions, Control, isNumeric, isPicked, messageOf, onlyWarns } from './control.tsx'
import { typeable } from './live-rows.ts'
import { fillIn } from './paste.ts'
import type { Live } from './use-live.tsx'
import type { RowsView } from './view-model.ts'

export function FormRows({ rows, live }: { readonly rows: RowsView; readonly live: Live }) {
  const { words } = useReader()
  const { id, label, hint, columns, addLabel, blank, mark, moves } = rows
  const list = live.rowsOf(rows)
  const rowId = (at: number) => `${id}-${at}`
  /** "Row 2", of a row in the first row "Row 1.2". */
  const rowName = (at: number) => words('row', { number: [...placesIn(rows.key), at + 1].join('.') })
  const [told, setTold] = useState('')
  const [refused, setRefused] = useState<readonly string[]>([])
  const movesOf = (at: number, key: string): RowMove => ({
    label: words('moveRow', { row: rowName(at) }),
    id: `${id}-${at}-move`,
    name: '_move',
    value: `${rows.key}.${at}`,
    ...(list.move === null
      ? {}
      : {
          onMove: to => {
            list.move?.(key, to)
            setTold(words('rowMoved', { row: rowName(at), to: to + 1, count: list.rows.length }))
          },
        }),
  })
  /** One cell is text that is pasted as always. */
  const paste = async (event: ClipboardEvent<HTMLTableElement>) => {
    const lines = pastedRows(event.clipboardData.getData('text/plain'))
    const cell = (event.target as Element).closest('td')
    const first = list.rows.findIndex(({ row }) => rowId(row.index) === cell?.parentElement?.id)
    if (cell === null || first < 0 || (lines.length === 1 && lines[0]!.length === 1)) return
    event.preventDefault()
    const missing = first + lines.length - list.rows.length
    if (missing > 0) list.append?.(cell.cellIndex, missing)
    await new Promise(resolve => setTimeout(resolve))
    const left: string[] = []
    let count = 0
    for (const [down, cells] of lines.entries())
      for (const [across, text] of cells.entries()) {
        const at = cell.cellIndex + across
        const row = document.getElementById(rowId(first + down)) as HTMLTableRowElement | null
        const control = row?.cells[at]?.querySelector<HTMLInputElement>(typeable) ?? null
        if (text === '' && control === null) continue
        if (control !== null && (await fillIn(control, text, { yes: words('yes'), no: words('no') }))) count++
        else left.push(`${rowName(first + down)}, ${columns[at]?.label ?? ''} (${text})`)
      }
    setRefused(left)
    setTold(words('pasted', { count }))
  }
  return (
    <ChildRows
      id={id}
      label={label}
      hint={hint}
      about={columns.map(({ label: of, conditions }) => <Conditions key={of} of={of} conditions={conditions} />)}
      error={list.errors.length === 0 ? null : list.errors.map(placedErrorText).join(' ')}
      warns={onlyWarns(list.errors)}
      columns={columns.map((column, at) => ({
        label: column.label,
        optional: !column.required && blank[at]?.control.kind !== 'checkbox',
        numeric: blank[at] !== undefined && isNumeric(blank[at].control),
        picks: blank[at] !== undefined && isPicked(blank[at].control),
      }))}
      rows={list.rows.map(({ key, row }) => {
        const rowCalled = rowName(row.index)
        const messages = row.fields.map(field => messageOf(live.errorsAt(field)))
        const warns = row.fields.map(field => onlyWarns(live.errorsAt(field)))
        return {
          key,
          id: rowId(row.index),
          name: rowCalled,
          hidden: row.hidden,
          cells: row.fields.map((field, at): ReactNode => {
            const wrong = messages[at] != null
            const aid = {
              id: field.id,
              ...(wrong ? { 'aria-describedby': `${key}-${at}-e` } : {}),
              ...(wrong && !warns[at] ? { 'aria-invalid': true as const } : {}),
            }
            const name = `${rowCalled}, ${field.label}`
            return (
              <Conditional key={field.key} now={live.controlOf(field)}>
                <Control field={live.shown(field)} aid={aid} label={name} />
              </Conditional>
            )
          }),
          below:
            row.lists.length === 0
              ? null
              : row.lists.map(one => <FormRows key={one.key.split('.').at(-1)} rows={one} live={live} />),
          errors: messages,
          warns,
          remove: row.remove === null ? null : { label: row.removeLabel, ...row.remove },
          ...(list.remove === null
            ? {}
            : {
                onRemove: () => {
                  list.remove?.(key)
                  setTold(words('rowRemoved', { row: rowCalled, count: list.rows.length - 1 }))
                },
              }),
          ...(moves && list.rows.length > 1 ? { move: movesOf(row.index, key) } : {}),
        }
      })}
      {...(list.totals === null ? {} : { totals: list.totals })}
      add={list.add === null ? null : { label: addLabel, ...list.add }}
      {...(list.append === null
        ? {}
        : {
            onAdd: () => {
              list.append?.()
              setTold('')
            },
          })}
      {...(list.remove === null ? {} : { told, onPaste: event => void paste(event) })}
      noted={refused.length === 0 ? null : words('pastedNot', { cells: refused.join('; ') })}
      line={mark}
    />
  )
}

/** The numbers of the rows that a list is in, from 1: `lines.0.tasks` is in the first. */
const placesIn = (list: string): readonly number[] =>
  list.split('.').flatMap((part, at) => (at % 2 === 1 ? [Number(part) + 1] : []))
