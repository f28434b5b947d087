/** The rows that a screen shows of those that somebody may see. */
import type { Expression } from '../../expression/expression.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { allOf, type Condition } from '../access/condition.ts'
import type { Policy } from '../access/policy.ts'
import { whereSql } from '../names.ts'

export const whereKey = (where: Expression | null) =>
  where === null ? '' : `${where.cell.file.path}:${where.cell.start}`

/** The rows that may be seen and that the screen shows. */
export const shownRows = (
  policy: Policy,
  entity: string,
  where: Expression | null,
  { out = false, view, archived }: Pick<RowsNeed, 'view' | 'archived'> & { readonly out?: boolean } = {},
): Condition =>
  allOf([
    policy.rows(entity, 'see', 't'),
    archived === true ? policy.rows(entity, 'restore', 't') : true,
    out ? policy.rows(entity, 'export', 't') : true,
    ...(where === null ? [] : [whereSql(where, 't')]),
    ...(view === undefined ? [] : [whereSql(view, 't')]),
  ])
