/** A write in a transaction of its own, with everything that follows from it: all of it, or nothing. */
import type { App } from '../../headings/app.ts'
import { isBusy } from '../../store/failures.ts'
import type { Tx } from '../../store/pool.ts'
import { declared } from '../names.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { heldByDatabase, violated } from '../problems/violation.ts'
import type { Request, Runtime } from '../request.ts'
import { hasChosen } from './assign.ts'
import { guardingPeople } from './by-conditions.ts'
import { beginCode, codeFailure, codeProblem } from './code.ts'
import { applyEffects } from './effects.ts'
import { expectWrites } from './record.ts'
import { keepRefused } from './refused-attempts.ts'
import { isolationOf, writtenAfter } from './together.ts'
import { refused } from './write.ts'

/**
 * Runs a write in a transaction, and then its effects. Whatever is not done is undone. What only the database could see is told in
 * the words of the rule that it holds. `record`: the one that is written; null: a new one, or it is no attempt of anybody.
 */
export async function writing(
  runtime: Runtime,
  request: Request,
  what: string,
  entity: string,
  work: (tx: Tx) => Promise<Outcome>,
  record: string | null = null,
): Promise<Outcome> {
  const whole = async (tx: Tx): Promise<Outcome> => {
    expectWrites(tx, writtenAfter(runtime.app, entity))
    const made = await work(tx)
    if (made.kind !== 'done') return made
    const { problems, version, gone } = await applyEffects(tx, runtime, request, { entity, id: made.id })
    if (problems.length > 0) return refused(problems)
    return { ...made, version: version ?? made.version, ...(gone ? { gone } : {}) }
  }
  let chose = false
  let told = false
  const outcome = await runtime.store
    .inTransaction(
      async tx => {
        beginCode(tx)
        const given = await guardingPeople(tx, runtime.app, request, entity, () => whole(tx)).finally(() => {
          chose = hasChosen(tx)
        })
        const failure = codeFailure(tx)
        const { name } = runtime.app.entities.get(entity)!
        const made = failure === null ? given : heeding(given, codeProblem(runtime.app, failure, name))
        if (made.kind === 'done') return made
        if (record !== null) await keepRefused(tx, runtime.app, request, { entity, record, what }, made)
        return tx.abandon(made)
      },
      {
        ...isolationOf(runtime.app, entity),
        // Somebody was faster. What the application chose it chooses anew; what a person gave is judged again, now that the other record is
        // there: then it is told like anything else that is taken.
        beginsAgain(error) {
          const taken = takenMeanwhile(runtime.app, error)
          const again = taken !== null && (taken === 'chosen' ? chose : !told)
          if (taken === 'given') told = true
          return again
        },
      },
    )
    .catch((error: unknown) => {
      const problem = isBusy(error) ? raise(runtime.app, 'NF-BUSY', {}) : violated(runtime.app, request, entity, error)
      if (problem === null) throw error
      return refused([problem])
    })
  runtime.observe?.({ kind: 'wrote', what, entity, request, outcome })
  return outcome
}

/** What a function of the document failed at is not written, and told with what else is wrong; who may not write hears of that alone. */
function heeding(outcome: Outcome, failed: Problem): Outcome {
  if (outcome.kind === 'not found' || outcome.kind === 'stale') return outcome
  if (outcome.kind === 'done') return refused([failed])
  const isDenied = outcome.problems.some(({ status, code }) => status === 403 && code !== 'NF-STEP-WHEN')
  return isDenied ? outcome : refused([failed, ...outcome.problems])
}

/** Whether the database refused what another record has, and who had put it in. */
function takenMeanwhile(app: App, error: unknown): 'chosen' | 'given' | null {
  const held = heldByDatabase(app, error)
  if (held === null || (held.rule !== 'unique' && held.rule !== 'no overlap') || held.field === null) return null
  return declared(app, held.entity, held.field)?.assignedFrom == null ? 'given' : 'chosen'
}
