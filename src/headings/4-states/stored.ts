/** Values that acts give to fields which never take them: whatever does it is refused each time. */
import { reporter } from '../../document/diagnostic.ts'
import type { Expression } from '../../expression/expression.ts'
import { whyNeverTaken } from '../3-entities/contradictions.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { createdWith } from './all-acts.ts'
import { stateCodes } from './codes.ts'
import type { Act, Given } from './model.ts'

export function checkStored(context: Context, app: App): void {
  const { report } = reporter(stateCodes, 4, context.found)
  for (const { entity, given } of givenIn(app)) {
    const field = app.entities.get(entity)?.fields.find(({ key }) => key === given.field)
    const refused = field === undefined ? null : whyNeverTaken(app, field, given.value)
    if (refused === null) continue
    const related = [{ span: refused.cell, message: 'refuses it' }]
    report('N1475', given.value.cell, { field: given.field, why: refused.why }, { related })
  }
}

interface Gift {
  /** Of the record that is given something. */
  readonly entity: string
  readonly given: Given
  /** What `let` has given names to before. */
  readonly named: ReadonlyMap<string, Expression>
}

/** Of all acts, and of the answers of calls. */
export const givenIn = ({ workflows, timers, sweeps, effects, calls }: App): readonly Gift[] => [
  ...[...workflows.values()].flatMap(({ entity, transitions }) =>
    transitions.flatMap(({ then }) => gifts(then, entity)),
  ),
  ...[...timers, ...sweeps, ...effects].flatMap(({ entity, then }) => gifts(then, entity)),
  ...[...calls.values()].flatMap(({ entity, answers }) =>
    answers.flatMap(({ then }) => then.flatMap(act => (act.kind === 'set' ? of(entity, act.values) : []))),
  ),
]

const of = (entity: string | null, values: readonly Given[], named: Gift['named'] = new Map()): readonly Gift[] =>
  entity === null ? [] : values.map(given => ({ entity, given, named }))

function gifts(acts: readonly Act[], owner: string | null, outer: Gift['named'] = new Map()): readonly Gift[] {
  const lets = acts.flatMap(act => (act.kind === 'let' ? [[act.name, act.value] as const] : []))
  const named = new Map([...outer, ...lets])
  return acts.flatMap((act, index) => {
    switch (act.kind) {
      case 'set': {
        const behind = acts.slice(index + 1)
        return of(
          act.of?.entity ?? owner,
          act.of === null ? act.values.filter(given => !isSetAgain(behind, given)) : act.values,
          named,
        )
      }
      case 'create':
        return createdWith(act).flatMap(({ entity, values }) => of(entity, values, named))
      case 'for each':
        return gifts(act.acts, act.of.entity, named)
      default:
        return []
    }
  })
}

/** What a record becomes is asked when all acts are done. */
const isSetAgain = (acts: readonly Act[], { field }: Given): boolean =>
  acts.some(act => act.kind === 'set' && act.of === null && act.values.some(given => given.field === field))
