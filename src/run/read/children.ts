/** Child rows of a record, as somebody may see them: read with it in one statement. */
import { join, type Sql, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request } from '../request.ts'
import { hasOwnRights } from '../write/record.ts'
import { fromArray, type Selection, selectArray, selectionOf, visibleFields, visibleLists } from './select.ts'

export interface ReadChildren {
  readonly children: Readonly<Record<string, readonly ReadRow[]>>
  readonly childFields: Readonly<Record<string, readonly string[]>>
}

interface Children {
  /** Stands in a select from the parent, which `t` names. */
  readonly column: Sql
  /** From a row of that select. */
  readonly read: (row: { readonly ' children'?: unknown }, request: Request) => ReadChildren
}

/** All child rows of a record, of every list, as one more column of the record. `may`: with what may be done with rows that have permissions of their own. */
export function childrenOf(app: App, policy: Policy, entity: string, { may = false } = {}): Children {
  const lists = visibleLists(app, policy, entity).map(list => {
    const fields = visibleFields(app, policy, list.entity)
    const open = policy.field(entity, list.field, 't')
    const asked = may && hasOwnRights(app, list.entity)
    return {
      ...list,
      open,
      selection: selectionOf({ app, policy, entity: list.entity, alias: 'c', fields, may: asked }),
    }
  })
  // A row without cells says that the list is seen on this record, even where it is empty.
  const marks = lists.flatMap(({ field, open }) =>
    typeof open === 'boolean'
      ? []
      : [sql`select ${field}::text as list, -1 as place, null::text[] as cells where ${open}`],
  )
  const rows = lists.map(({ field, entity: child, selection, open }) => {
    const ofParent = sql`${columnSql('c', app.schema.get(child)!.parent!)} = ${columnSql('t', 'id')}`
    // A list may be one that is seen only on some rows of the parent.
    const visible = allOf([ofParent, policy.rows(child, 'see', 'c'), open])
    return sql`select ${field}::text as list, ${columnSql('c', 'position')} as place, ${selectArray(selection.parts)} as cells
      from ${fromSql(child, 'c')}${selection.joins} where ${conditionSql(visible)}`
  })
  const all = sql`(select jsonb_agg(jsonb_build_array(r.list, r.cells) order by r.place)
    from (${join([...rows, ...marks], ' union all ')}) as r) as " children"`
  return {
    column: rows.length === 0 ? sql`null as " children"` : all,
    read(row, request) {
      const found = (row[' children'] ?? []) as readonly (readonly [string, readonly (string | null)[] | null])[]
      const seen = lists.filter(({ field, open }) => open === true || found.some(([list]) => list === field))
      const rowsOf = (field: string, { parts, read: readRow }: Selection) =>
        found.flatMap(([list, cells]) =>
          list === field && cells !== null ? [readRow(fromArray(parts, cells), request)] : [],
        )
      return {
        children: Object.fromEntries(seen.map(({ field, selection }) => [field, rowsOf(field, selection)])),
        childFields: Object.fromEntries(seen.map(({ field, selection }) => [field, selection.fields])),
      }
    },
  }
}

/** A row with its child rows in it, labels by path. */
export function nested(
  row: Pick<ReadRow, 'values' | 'labels'>,
  children: Readonly<Record<string, readonly ReadRow[]>>,
): { values: RecordValue; labels: Readonly<Record<string, string>> } {
  const labels: Record<string, string> = { ...row.labels }
  for (const [list, rows] of Object.entries(children))
    rows.forEach((child, index) => {
      for (const [key, label] of Object.entries(child.labels)) labels[`${list}.${index}.${key}`] = label
    })
  const lists = Object.entries(children).map(([list, rows]) => [list, rows.map(child => child.values)])
  return { values: { ...row.values, ...Object.fromEntries(lists) }, labels }
}
