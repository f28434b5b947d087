/** What a step, a timer or a new record brings about, as heading 4 says it, with what follows from it. */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import { leaves } from '../headings/4-states/all-acts.ts'
import type { Act, AskedField, Effect, Transition } from '../headings/4-states/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import type { Player } from './client.ts'
import { worth } from './judge.ts'
import type { Case, Trial } from './trial.ts'
import type { World } from './world.ts'

export interface Happening {
  readonly cell: Cell
  /** Of the step; `created`; null: a timer. */
  readonly key: string | null
  readonly to: string | null
  readonly asks: readonly AskedField[]
  readonly acts: readonly Act[]
}

/** What stood there before. */
export interface Before {
  readonly known: Case
  readonly player: Player
  readonly entries: number
  readonly left: ReadonlySet<string>
}

export interface Taken {
  readonly trial: Trial
  readonly before: Before
  /** With the acts of the effects that follow. */
  readonly branch: Happening
  readonly world: World
  readonly after: RecordValue
  /** All that follows from it is known, and writes this record alone. */
  readonly isAlone: boolean
}

/** It writes this record, one of `entity`, alone, or others from which nothing follows. A step of another of its entity may be its own. */
function isOwn(app: App, entity: string, act: Act): boolean {
  if (leaves(act) || act.kind === 'go to') return true
  if (act.kind === 'set') return act.of === null || !isFollowed(app, act.of.entity)
  if (act.kind === 'create') return !isFollowed(app, act.entity)
  if (act.kind !== 'do' || act.on.kind !== 'path' || act.on.entity === entity) return false
  return !isFollowed(app, act.on.entity) && stepOf(app, act) !== null
}

/** The one row of a step that is taken of another record, where it does nothing more than leading on. */
export function stepOf(app: App, { on, step }: Extract<Act, { kind: 'do' }>): Transition | null {
  const [row, ...others] = (app.workflows.get(on.entity)?.transitions ?? []).filter(({ key }) => key === step)
  return row !== undefined && others.length === 0 && row.then.every(act => leaves(act)) ? row : null
}

const isFollowed = (app: App, entity: string): boolean => effectsOf(app, entity).some(({ then }) => !then.every(leaves))

/** It, with the acts of the effects whose When holds afterwards. */
export function takenOf(trial: Trial, before: Before, happening: Happening, world: World, after: RecordValue): Taken {
  const { app, judged } = trial.site
  const isIn = (act: Act) => isOwn(app, trial.entity.key, act)
  const environment = { ...world.environment(trial.entity.key, after), old: before.known.record }
  const acts = [...happening.acts]
  let isAlone = acts.every(isIn)
  for (const effect of effectsOf(app, trial.entity.key)) {
    const isIts = happening.key !== null && effect.on.includes(happening.key)
    if (!isIts && !effect.on.includes('changed')) continue
    const holds = effect.when === null ? true : isUnspecified(effect.when) ? null : worth(effect.when, environment)
    if (typeof holds !== 'boolean' && holds !== null) isAlone = false
    // What it sets may be what its When reads.
    const isPlain = isIts && effect.then.every(act => isIn(act) && !(act.kind === 'set' && act.of === null))
    if (holds === true && !isPlain) isAlone = false
    if (isIts && isAlone) judged.in(effect.cell, 'On', 'Of', 'When')
    if (isIts && holds === true) acts.push(...effect.then)
  }
  return { trial, before, branch: { ...happening, acts }, world, after, isAlone }
}

const effectsOf = ({ effects }: App, entity: string): readonly Effect[] =>
  effects.filter(effect => effect.entity === entity)

export const stateAfter = ({ branch }: Taken): string | null =>
  branch.acts.reduce((state, act) => (act.kind === 'go to' ? act.state : state), branch.to)
