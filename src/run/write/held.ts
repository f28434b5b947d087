/** Mails, calls and notices of a step that can be taken back: they leave when it cannot be any more. */
import { slot, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import type { Request, Runtime } from '../request.ts'
import { built } from '../statements.ts'
import type { Companion } from './accompanied.ts'

/** A step, or a decision about one, as the history tells it. */
export interface Stepped {
  readonly entity: string
  readonly kind: string
  readonly what: string
  readonly from_state: string | null
  readonly to_state: string | null
}

/** The branch that was taken; of a step that waits, the first. */
export const branchOf = (app: App, { entity, kind, what, from_state: from, to_state: to }: Stepped) =>
  app.workflows
    .get(entity)
    ?.transitions.find(
      (one): one is Transition =>
        one.key === what &&
        (kind === 'decision' || (one.to === to && specified(one.from)?.includes(from ?? '') === true)),
    )

/** Beside a step. */
export const holding = ({ app }: Pick<Runtime, 'app'>, request: Request): Companion => ({
  async around(tx, write) {
    const after = request.newId()
    const outcome = await write(tx)
    if (outcome.kind !== 'done') return outcome
    const of = { after, request: request.id, record: outcome.id }
    const [step] = await tx.run<Stepped>(stepped, of)
    const undo = step === undefined ? null : branchOf(app, step)?.undo
    if (undo == null) return outcome
    const due = new Date(request.now.getTime() + undo.seconds * 1000).toISOString()
    await tx.write(hold, { ...of, due })
    return outcome
  },
})

const since = sql`id > ${slot('after')}::uuid and request = ${slot('request')}`

const stepped = built(sql`select entity, kind, what, from_state, to_state from ninefold.history
  where ${since} and record = ${slot('record')}::uuid and kind = 'step' order by id limit 1`)

const hold = built(
  sql`with told as (update ninefold.untold set due_at = ${slot('due')}::timestamptz
      where entry in (select id from ninefold.history where ${since}))
    update ninefold.outbox set due_at = ${slot('due')}::timestamptz where ${since} and state = 'waiting'`,
)
