/** Several records of an entity, whole: with their child rows and what is told of them, in one statement. */
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { WholeRecord } from '../../kinds/screens/read-data.ts'
import type { OneNeed } from '../../kinds/screens/screen-kind.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { logRead } from '../access/read-log.ts'
import { tellingOf } from '../access/told.ts'
import { columnSql, fromSql } from '../names.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { childrenOf } from './children.ts'
import { type Raw, selectList, wholeSelection } from './select.ts'
import { whereKey } from './shown.ts'

/** In the order of `ids`; those that are not there, or not for them, are left out. */
export async function readEach(
  runtime: Runtime,
  request: Request,
  { entity, told = [], shown }: Required<Pick<OneNeed, 'entity' | 'shown'>> & Pick<OneNeed, 'told'>,
  ids: readonly string[],
): Promise<readonly WholeRecord[]> {
  const { app, store } = runtime
  const policy = policyFor(app, request.actor)
  const { selection, children, telling, rows } = cachedStatement(
    app,
    ['each', policy.key, entity, ...told.map(whereKey)],
    () => {
      const selected = wholeSelection(app, policy, entity, { may: false })
      const lists = childrenOf(app, policy, entity)
      const tells = tellingOf(app, policy, told, 't')
      const isAsked: Sql = sql`${columnSql('t', 'id')} = any(${slot('ids')}::uuid[])`
      return {
        selection: selected,
        children: lists,
        telling: tells,
        rows: built(sql`select ${selectList([...selected.parts, ...tells.parts])}, ${lists.column}
        from ${fromSql(entity, 't')}${selected.joins}
        where ${conditionSql(allOf([policy.rows(entity, 'see', 't'), isAsked]))}
        order by array_position(${slot('ids')}::uuid[], ${columnSql('t', 'id')})`),
      }
    },
  )
  const found = await store.run<Raw>(rows, bindingsOf(request, { ids }))
  const records = found.map(one => ({
    row: selection.read(one, request),
    fields: selection.fields,
    ...children.read(one, request),
    told: telling.read(one),
  }))
  await logRead(runtime, request, { entity, records: records.map(({ row }) => row.id), way: shown, opening: null })
  return records
}
