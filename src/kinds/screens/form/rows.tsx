/** Child rows in a form: a small table of controls, each row with its remove button, the add button below. */
import { type ReactNode, useState } from 'react'
import { ChildRows } from '../../../ui/child-rows.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { Conditional } from './conditional.tsx'
import { Conditions, Control, isNumeric, isPicked, messageOf, onlyWarns } from './control.tsx'
import type { Live } from './use-live.tsx'
import type { RowsView } from './view-model.ts'

export function FormRows({ rows, live }: { readonly rows: RowsView; readonly live: Live }) {
  const { words } = useReader()
  const { id, label, hint, columns, addLabel, blank, mark } = rows
  const list = live.rowsOf(rows)
  const [told, setTold] = useState('')
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
      {...(list.remove === null ? {} : { told })}
      line={mark}
    />
  )
}
