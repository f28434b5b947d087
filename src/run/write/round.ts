import { namedThing } from '../../headings/3-entities/titles.ts'
/** One round of effects: what it may still do, and what is told of what it is refused. */
import type { Act } from '../../headings/4-states/model.ts'
import { builtIn } from '../../headings/8-errors/built-in.ts'
import type { Tx } from '../../store/pool.ts'
import { readerOf, titleOf } from '../access/reading.ts'
import type { Outcome, Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'

/** So many records may be written by the effects of one write. More is refused as a whole. */
export const mostEffects = 1000

/** The record that was written to begin with. */
export interface Cause {
  readonly entity: string
  readonly id: string
}

/** One round of effects, with what it may still do. */
export interface Round {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly request: Request
  readonly cause: Cause
  left: number
  version: number | null
  gone: boolean
  /** For each `for each` that is under way, ids of records that were written since its records were read; `all`: nobody knows which. */
  readonly past: Set<string>[]
}

/** Of the records that refuse a step which all of them were to take, so many are told. */
export const mostTold = 10

/** A refusal of one effect undoes all of it; the first one is told, and what else refuses the same step. */
export class Refused {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    this.problems = problems
  }
}

/** What was read of a record is not how it is any more. */
export function outdate({ past }: Round, id: string): void {
  for (const ids of past) ids.add(id)
}

export function limited(round: Round, ids: readonly string[], act: Act): readonly string[] {
  if (ids.length > round.left) tooMany(round, act)
  return ids
}

export function spend(round: Round, act: Act): void {
  if (--round.left < 0) tooMany(round, act)
}

function tooMany({ runtime }: Round, { cell }: Act): never {
  throw new Refused([raise(runtime.app, 'NF-EFFECTS', { limit: mostEffects }, { because: cell })])
}

export async function insist(round: Round, entity: string, id: string | null, outcome: Outcome): Promise<void> {
  const problems = await problemsOf(round, entity, id, outcome)
  if (problems.length > 0) throw new Refused(problems)
}

/**
 * What another record refuses is said of the whole: the form has no such field. Built-in words name that record, those of the catalogue
 * stand as they are. `id` null: it was to be created.
 */
export async function problemsOf(
  round: Round,
  entity: string,
  id: string | null,
  outcome: Outcome,
): Promise<readonly Problem[]> {
  const { tx, runtime, request, cause } = round
  const isCause = entity === cause.entity && id === cause.id
  if (outcome.kind === 'done') {
    if (isCause) round.version = outcome.version
    return []
  }
  const problems = outcome.kind === 'refused' ? outcome.problems : [outcome.problem]
  if (isCause) return problems.map(problem => ({ ...problem, of: { entity, id } }))
  const reader = { ...request, actor: readerOf(request) }
  const found = id === null ? null : await titleOf(tx, runtime.app, reader, entity, id)
  const title = found?.seen === true ? found.title : null
  const of = runtime.app.entities.get(entity)!
  const named = title === null ? of.name : namedThing(of, title)
  return problems.map(problem => ({
    ...problem,
    message: Object.hasOwn(builtIn, problem.code) ? `${named}: ${problem.message}` : problem.message,
    field: null,
    of: title === null ? { entity, id: null } : { entity, id, title },
  }))
}
