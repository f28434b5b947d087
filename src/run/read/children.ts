/** Rows of a record, and theirs, as somebody may see them: read with it in one statement. */
import { join, type Sql, sql } from '../../expression/sql.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import type { OneData, ReadChild, ReadRow } from '../../kinds/screens/read-data.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request } from '../request.ts'
import { hasOwnRights } from '../write/record.ts'
import { fromArray, selectArray, selectionOf, visibleFields, visibleLists } from './select.ts'

export type ReadChildren = Pick<OneData, 'children' | 'childFields'>

interface Children {
  /** Stands in a select from the parent, which `of` names. */
  readonly column: Sql
  /** From a row of that select. */
  readonly read: (row: { readonly ' children'?: unknown }, request: Request) => ReadChildren
}

/**
 * All rows of a record, of every list, as one more column of the record. `may`: with what may be done with rows that have permissions of
 * their own. `out`: for a file, those that may be exported.
 */
export function childrenOf(
  app: App,
  policy: Policy,
  entity: string,
  { may = false, out = false, of = 't' } = {},
): Children {
  // Each level has an alias of its own.
  const alias = of === 't' ? 'c' : `${of}c`
  const lists = visibleLists(app, policy, entity).map(list => {
    const fields = visibleFields(app, policy, list.entity)
    const open = policy.field(entity, list.field, of)
    const asked = may && hasOwnRights(app, list.entity)
    return {
      ...list,
      open,
      selection: selectionOf({ app, policy, entity: list.entity, alias, fields, may: asked, quoted: out }),
      within: childrenOf(app, policy, list.entity, { may, out, of: alias }),
    }
  })
  // A row without cells says that the list is seen on this record, even where it is empty.
  const marks = lists.flatMap(({ field, open }) =>
    typeof open === 'boolean'
      ? []
      : [
          sql`select ${field}::text as list, -1 as place, null::text[] as cells, null::jsonb as " children" where ${open}`,
        ],
  )
  const rows = lists.map(({ field, entity: child, selection, open, within }) => {
    const ofParent = sql`${columnSql(alias, app.schema.get(child)!.parent!)} = ${columnSql(of, 'id')}`
    // A list may be one that is seen only on some rows of the parent.
    const visible = allOf([
      ofParent,
      policy.rows(child, 'see', alias),
      out ? policy.rows(child, 'export', alias) : true,
      open,
    ])
    return sql`select ${field}::text as list, ${columnSql(alias, 'position')} as place, ${selectArray(selection.parts)} as cells, ${within.column}
      from ${fromSql(child, alias)}${selection.joins} where ${conditionSql(visible)}`
  })
  const all = sql`(select jsonb_agg(jsonb_build_array(r.list, r.cells, r." children") order by r.place)
    from (${join([...rows, ...marks], ' union all ')}) as r) as " children"`
  return {
    column: rows.length === 0 ? sql`null::jsonb as " children"` : all,
    read(row, request) {
      const found = (row[' children'] ?? []) as readonly (readonly [
        string,
        readonly (string | null)[] | null,
        unknown,
      ])[]
      const seen = lists.filter(({ field, open }) => open === true || found.some(([list]) => list === field))
      const rowsOf = ({ field, selection, within }: (typeof lists)[number]) =>
        found.flatMap(([list, cells, inner]): readonly ReadChild[] =>
          list === field && cells !== null
            ? [
                {
                  ...selection.read(fromArray(selection.parts, cells), request),
                  ...within.read({ ' children': inner }, request),
                },
              ]
            : [],
        )
      return {
        children: Object.fromEntries(seen.map(list => [list.field, rowsOf(list)])),
        childFields: Object.fromEntries(seen.map(({ field, selection }) => [field, selection.fields])),
      }
    },
  }
}

/** A row with its rows in it, labels by path. */
export function nested(
  row: Pick<ReadRow, 'values' | 'labels'>,
  children: ReadChildren['children'],
): { values: RecordValue; labels: Readonly<Record<string, string>> } {
  const labels: Record<string, string> = { ...row.labels }
  const lists = Object.entries(children).map(([list, rows]) => {
    const inner = rows.map(child => nested(child, child.children))
    for (const [index, child] of inner.entries())
      for (const [key, label] of Object.entries(child.labels)) labels[`${list}.${index}.${key}`] = label
    return [list, inner.map(({ values }) => values)]
  })
  return { values: { ...row.values, ...Object.fromEntries(lists) }, labels }
}
