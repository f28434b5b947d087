/** Takes a step back, or a decision about one, inside of a transaction: the record is as it was before, and what was to leave does not. */
import type { Transition } from '../../headings/4-states/model.ts'
import type { Tx } from '../../store/pool.ts'
import { isArchived } from '../access/archived.ts'
import { asSeen } from '../access/rows.ts'
import { reviveDecisions, withdrawDecision } from '../approvals/decide.ts'
import { withdrawSent } from '../later/outbox.ts'
import { armTimers } from '../later/timers.ts'
import type { Outcome } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { remember, takingBack } from '../read/history.ts'
import type { Request, Runtime } from '../request.ts'
import { changesOf } from './change-set.ts'
import { check } from './check.ts'
import { changedDraft } from './draft-record.ts'
import { recompute } from './recompute.ts'
import { loadChildren, lockRecord } from './record.ts'
import { recordHolds, resultAlias } from './resulting.ts'
import { type Scope, scopeOf } from './scope.ts'
import type { Values } from './undo-values.ts'
import { brokenLater, notFound, refused, save } from './write.ts'

export interface Taken {
  readonly entity: string
  readonly id: string
  /** That it made, or that was decided about. */
  readonly version: number
  readonly kind: 'step' | 'decision'
  readonly transition: Transition
  readonly values: Values
  /** Of the history. */
  readonly entry: { readonly id: string; readonly request: string; readonly from_state: string | null }
}

/** Whoever took it must be one who may take it where it is then, as heading 6 and its column Who have it now; who is not learns nothing of rules. */
export const steppingBack =
  (runtime: Runtime, request: Request, taken: Taken) =>
  async (tx: Tx): Promise<Outcome> => {
    const scope = scopeOf(tx, runtime, request)
    const { app, policy } = scope
    const { entity, id, version, transition, entry } = taken
    const locked = await lockRecord(tx, app, request, policy, entity, id)
    if (locked === null || !locked.sees || isArchived(locked.record)) return notFound(app)
    if (locked.version !== version) return refused([raise(app, 'NF-UNDO', {})])
    await loadChildren(tx, app, entity, [locked.record])
    const old = locked.record
    if (taken.kind === 'decision') {
      if (!(await withdrawDecision(tx, entry.id, version))) return refused([raise(app, 'NF-UNDO', {})])
      told(scope, taken, version, {})
      await armTimers(scope, { entity, record: old, old })
      return { kind: 'done', id, version }
    }
    const record = changedDraft(app, request, entity, { ...old, ...taken.values, state: entry.from_state })
    const about = { entity, record, old }
    const renewed = recompute(scope, about)
    // The right is judged on what would be, with the decisions that count again, and before rules have their say.
    await reviveDecisions(tx, { entity, record: id, step: transition.key, version, by: request.actor.id! })
    const resulting = { ...about, record: { ...record, version: `${version + 1}` } }
    const [may] = await recordHolds(scope, resulting, [policy.takes(entity, transition, resultAlias)])
    if (may !== true) return notFound(app)
    const touched = new Set([...Object.keys(taken.values), 'state', ...renewed])
    const checked = await check(scope, { ...about, on: 'change', touched, reported: new Set() })
    if (checked.problems.length > 0) return refused(await asSeen(scope, about, checked.problems))
    const next = await save(scope, entity, locked, record)
    const late = await brokenLater(scope, checked)
    if (late.length > 0) return refused(await asSeen(scope, about, late))
    if ((await withdrawSent(tx, request, entry)) > 0) return refused([raise(app, 'NF-UNDO-SENT', {})])
    told(scope, taken, next, changesOf(app, entity, old, record), [old.state as string, entry.from_state])
    await armTimers(scope, about)
    return { kind: 'done', id, version: next }
  }

function told(
  { tx, app, request }: Scope,
  { entity, id, transition }: Taken,
  version: number,
  changes: ReturnType<typeof changesOf>,
  [fromState, toState]: readonly (string | null)[] = [],
): void {
  tx.tell(entity, id, null)
  const states = { fromState: fromState ?? null, toState: toState ?? null }
  const because = transition.undo!.cell
  remember(tx, app, request, {
    entity,
    record: id,
    version,
    kind: 'change',
    what: takingBack,
    ...states,
    changes,
    because,
  })
}
