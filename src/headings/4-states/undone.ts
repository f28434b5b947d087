/** Steps that say how long they can be taken back, and of which something stays that is not taken back with them. */
import { reporter } from '../../document/diagnostic.ts'
import type { Cell } from '../../document/source.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { isOwn, leaves } from './all-acts.ts'
import { stateCodes } from './codes.ts'
import type { Act } from './model.ts'

export function checkUndone(context: Context, app: App): void {
  const { report } = reporter(stateCodes, 4, context.found)
  for (const { entity, transitions } of app.workflows.values())
    for (const { key, name, undo, then } of transitions) {
      if (undo === null) continue
      const stays = [...then, ...followingAlways(app, entity, key)].find(isLasting)
      const number = app.entities
        .get(entity)
        ?.fields.find(({ gapless, givenOn }) => gapless !== null && givenOn?.steps.includes(key) === true)
      const cell: Cell | null = stays?.cell ?? number?.gapless ?? null
      if (cell !== null)
        report('N1478', undo.cell, { name }, { related: [{ span: cell, message: 'is not taken back with it' }] })
    }
}

/** What an effect does each time that the step is taken. */
const followingAlways = ({ effects }: App, entity: string, step: string): readonly Act[] =>
  effects.flatMap(effect =>
    effect.entity === entity && effect.on.includes(step) && effect.when === null ? effect.then : [],
  )

/** Other records are written, or somebody is told of a problem. */
const isLasting = (act: Act): boolean => !isOwn(act) && (act.kind === 'report' || !leaves(act))
