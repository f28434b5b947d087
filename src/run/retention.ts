/** What has happened is told of as long as the constants of heading 9 say (`sent_days`, `job_days`, `history_days`); what is older goes, once an hour, and so does what comments said before. */
import { raw, type Sql, sql } from '../expression/sql.ts'
import { engineValue } from '../headings/9-limits/engine.ts'
import type { Store } from '../store/pool.ts'
import { forgetBefore } from './people/comment-undo.ts'
import { type Door, systemRequest } from './people/people.ts'
import type { Request, Runtime } from './request.ts'

/** Rows of a table of `ninefold`, whose ids are in the order of time. */
interface Past {
  readonly table: 'outbox' | 'job' | 'history'
  /** When it was written. */
  readonly at: 'created_at' | 'made_at' | 'at'
  /** Null: for ever. */
  readonly days: (limits: Request['limits']) => number | null
  /** Which of them may go, over `t`. */
  readonly over: Sql
  /** With one statement. */
  readonly portion: number
}

/**
 * Whoever may not learn who did something in a record, where a field that they do not see names that person, is told so by the history: an
 * entry stays as long as anything newer in the record is by somebody whom it names.
 */
const namesNobody = (by: Sql): Sql => sql`not exists (${by} and position(x.person::text in t.changes::text) > 0)`
const ofRecord = raw('x.entity = t.entity and x.record = t.record')

const past: readonly Past[] = [
  {
    table: 'outbox',
    at: 'created_at',
    days: limits => engineValue(limits, 'sent_days'),
    // What failed waits for somebody, however long.
    over: sql`t.state in ('delivered', 'unaddressed', 'withdrawn')`,
    portion: 1000,
  },
  {
    table: 'job',
    at: 'made_at',
    days: limits => engineValue(limits, 'job_days'),
    over: sql`t.state not in ('checking', 'applying')`,
    // Each goes with its rows.
    portion: 10,
  },
  {
    table: 'history',
    at: 'at',
    days: ({ history_days: days }) => (days == null ? null : Number(days)),
    over: sql`(t.changes = '{}' or (
      ${namesNobody(sql`select from (select entity, record, actor as person, id from ninefold.history) as x where ${ofRecord} and x.id > t.id`)}
      and ${namesNobody(sql`select from ninefold.comment as x where ${ofRecord}`)}
      and ${namesNobody(sql`select from ninefold.decision as x where ${ofRecord}`)}))`,
    portion: 1000,
  },
]

/** Gives how many rows went. */
export async function forgetPast(runtime: Runtime, door: Door): Promise<number> {
  const { limits, now } = await systemRequest(runtime, 'timer', door)
  let gone = await runtime.store.inTransaction(tx => forgetBefore(tx, now))
  for (const one of past) {
    const days = one.days(limits)
    if (days !== null) gone += await remove(runtime.store, one, new Date(now.getTime() - days * 86_400_000))
  }
  return gone
}

const first = '00000000-0000-0000-0000-000000000000'

/** From the oldest on, in portions, up to one in which nothing is old. */
async function remove(store: Store, { table, at, over, portion }: Past, before: Date): Promise<number> {
  const name = raw(`ninefold.${table}`)
  let gone = 0
  for (let after = first; ; ) {
    const next = await store.inTransaction(async tx => {
      const [row] = await tx.query<{ last: string | null; old: boolean | null; gone: string }>(sql`
        with next as (select id, ${raw(at)} < ${before} as old from ${name} where id > ${after}::uuid order by id limit ${portion}),
        gone as (delete from ${name} as t using next where t.id = next.id and next.old and ${over} returning 1)
        select (array_agg(id order by id desc))[1] as last, bool_or(old) as old, (select count(*) from gone) as gone from next`)
      return row!
    })
    gone += Number(next.gone)
    if (next.last === null || next.old !== true) return gone
    after = next.last
  }
}
