/** What is tried with an entity, with which records, and what came of it. */
import type { Cell } from '../document/source.ts'
import type { RecordValue } from '../expression/type.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import type { Player, Site } from './client.ts'
import { toldOf } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import type { World } from './world.ts'

/** Somebody, a record, and everything else that conditions look at. */
export interface Case extends oracle.Case {
  readonly app: App
  readonly world: World
  readonly record: RecordValue
}

export type Whose = Omit<Case, 'record'>

/** The cells that decide it: what a disagreement points to. */
export const cellOf = ({ app, entity }: Pick<Case, 'app' | 'entity'>): Cell => app.access.get(entity)!.cell

export const isTold = (app: App, entity: string): boolean => oracle.isTold(toldOf(app), entity)

/** All tries that one cell of the document decides. */
export interface Tally {
  readonly cell: Cell
  readonly title: string
  tried: number
  through: number
  readonly wrong: string[]
  /** Why more could not be tried. */
  note: string | null
}

export interface Trial {
  readonly site: Site
  readonly entity: Entity
  readonly tallies: Map<string, Tally>
  /** A part of what is tried with this entity is done. */
  readonly done: () => void
}

/** A record that is tried, and how another one like it is made when it is gone. */
export interface Subject {
  id: string
  readonly by: string
  readonly again: (() => Promise<string | null>) | null
}

export const whereOf = (player: Player, subject: Subject, state: string | null): string =>
  `${player.name}, ${subject.by}${state === null ? '' : ` in ${state}`}`

export async function caseOf(
  { site, entity }: Trial,
  { id }: Pick<Subject, 'id'>,
  player: Player,
): Promise<Case | null> {
  const world = await site.observatory.world(player)
  const record: RecordValue | undefined = world.record(entity.key, id)
  return record === undefined ? null : { app: site.app, world, entity: entity.key, record }
}

export function tallyOf({ tallies }: Trial, key: string, cell: Cell, title: string): Tally {
  const known = tallies.get(key) ?? { cell, title, tried: 0, through: 0, wrong: [], note: null }
  tallies.set(key, known)
  return known
}

/** All tries of one way in beside the plain ones. */
export const doorOf = (trial: Trial, name: string): Tally =>
  tallyOf(
    trial,
    `door ${name}`,
    cellOf({ app: trial.site.app, entity: trial.entity.key }),
    `${trial.entity.name}: ${name}`,
  )

/** All tries of one step. */
export function stepTally(trial: Trial, step: string): Tally {
  const { name, cell } = trial.site.app.workflows.get(trial.entity.key)!.transitions.find(({ key }) => key === step)!
  return tallyOf(trial, `step ${step}`, cell, `${trial.entity.name}, ${name}: who may, and when`)
}
