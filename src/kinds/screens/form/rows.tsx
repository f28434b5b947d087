/** Child rows in a form: a small table of controls, each row with its remove button, the add button below. */
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { ChildRows } from '../../../ui/child-rows.tsx'
import type { RowMove } from '../../../ui/move-handle.tsx'
import { pastedRows } from '../../../ui/pasted.ts'
import { useReader } from '../../../ui/reader.tsx'
import { Conditional } from './conditional.tsx'
import { Conditions, Control, isNumeric, isPicked, messageOf, onlyWarns } from './control.tsx'
import { fillIn } from './paste.ts'
import { type Live, typeable } from './use-live.tsx'
import type { RowsView } from './view-model.ts'

export function FormRows({ rows, live }: { readonly rows: RowsView; readonly live: Live }) {
  const { words } = useReader()
  const { id, label, hint, columns, addLabel, blank, mark, moves } = rows
  const list = live.rowsOf(rows)
  const [told, setTold] = useState('')
  const [refused, setRefused] = useState<readonly string[]>([])
  const movesOf = (at: number, key: string): RowMove => ({
    label: words('moveRow', { row: words('row', { number: at + 1 }) }),
    id: `${id}-${at}-move`,
    name: '_move',
    value: `${rows.key}.${at}`,
    ...(list.move === null
      ? {}
      : {
          onMove: to => {
            list.move?.(key, to)
            setTold(words('rowMoved', { row: words('row', { number: at + 1 }), to: to + 1, count: list.rows.length }))
          },
        }),
  })
  /** One cell is text that is pasted as always. */
  const paste = async (event: ClipboardEvent<HTMLTableElement>) => {
    const lines = pastedRows(event.clipboardData.getData('text/plain'))
    const cell = (event.target as Element).closest('td')
    const first = cell?.closest('tr')?.sectionRowIndex
    if (cell === null || first === undefined || (lines.length === 1 && lines[0]!.length === 1)) return
    event.preventDefault()
    const body = event.currentTarget.tBodies[0]!
    const missing = first + lines.length - list.rows.length
    if (missing > 0) list.append?.(cell.cellIndex, missing)
    await new Promise(resolve => setTimeout(resolve))
    const left: string[] = []
    let count = 0
    for (const [down, cells] of lines.entries())
      for (const [across, text] of cells.entries()) {
        const at = cell.cellIndex + across
        const control = body.rows[first + down]?.cells[at]?.querySelector<HTMLInputElement>(typeable) ?? null
        if (text === '' && control === null) continue
        if (control !== null && (await fillIn(control, text, { yes: words('yes'), no: words('no') }))) count++
        else left.push(`${words('row', { number: first + down + 1 })}, ${columns[at]?.label ?? ''} (${text})`)
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
      error={messageOf(list.errors)}
      warns={onlyWarns(list.errors)}
      columns={columns.map((column, at) => ({
        label: column.label,
        optional: !column.required && blank[at]?.control.kind !== 'checkbox',
        numeric: blank[at] !== undefined && isNumeric(blank[at].control),
        picks: blank[at] !== undefined && isPicked(blank[at].control),
      }))}
      rows={list.rows.map(({ key, row }) => {
        const rowName = words('row', { number: row.index + 1 })
        const messages = row.fields.map(field => messageOf(live.errorsAt(field)))
        const warns = row.fields.map(field => onlyWarns(live.errorsAt(field)))
        return {
          key,
          hidden: row.hidden,
          cells: row.fields.map((field, at): ReactNode => {
            const wrong = messages[at] != null
            const aid = {
              id: field.id,
              ...(wrong ? { 'aria-describedby': `${key}-${at}-e` } : {}),
              ...(wrong && !warns[at] ? { 'aria-invalid': true as const } : {}),
            }
            const name = `${rowName}, ${field.label}`
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
                  setTold(words('rowRemoved', { row: rowName, count: list.rows.length - 1 }))
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
