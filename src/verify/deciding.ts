/** Decisions about records that wait for several people, and who stands in for whom, as they are stored. */
import { join, sql } from '../expression/sql.ts'
import { tableSql } from '../run/names.ts'
import type { Runtime } from '../run/request.ts'
import type { Decision } from './oracle/approvals.ts'

/** What people decided about records as they are, and for whom they do on which days. */
export interface Deciding {
  readonly decided: readonly (Decision & { readonly entity: string; readonly record: string })[]
  readonly standIns: readonly {
    readonly person: string
    readonly deputy: string
    readonly from: string
    readonly until: string
  }[]
}

export async function readDeciding({ app, store }: Runtime): Promise<Deciding> {
  const decided = [...app.workflows].flatMap(([entity, { approvals }]) =>
    approvals.length === 0
      ? []
      : sql`select d.entity, d.record, d.step, d.approval, d.person, d.represents from ninefold.decision as d
          join ${tableSql(entity)} as t on t.id = d.record and t.version = d.version
          where d.entity = ${entity} and d.taken_from is null`,
  )
  if (decided.length === 0) return { decided: [], standIns: [] }
  return {
    decided: await store.query(join(decided, ' union all ')),
    standIns: await store.query(
      sql`select person, deputy, from_on::text as from, until_on::text as until from ninefold.deputy`,
    ),
  }
}
