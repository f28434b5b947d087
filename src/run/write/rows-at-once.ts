/** Which `for each` over rows can work out all of its values first, so that the record of the rows is written once. */
import type { Checked } from '../../expression/checked.ts'
import { computedRoot, partsOf, pathsOf } from '../../expression/computed.ts'
import type { Schema } from '../../expression/type.ts'
import type { Act, Given } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { childLists } from './draft-record.ts'

/** It only sets fields of each row, and no value depends on what was set in another one. */
export function areSetAtOnce(app: App, { of, acts }: Extract<Act, { kind: 'for each' }>): boolean {
  const { partOf } = app.entities.get(of.entity)!
  if (partOf === null || !childLists(app, partOf).some(({ entity }) => entity === of.entity)) return false
  const isApart = ({ value: { root } }: Pick<Given, 'value'>) => !reads(root, app.schema, of.entity)
  return acts.every(act => {
    if (act.kind === 'go to') return true
    if (act.kind === 'let') return isApart(act)
    return act.kind === 'set' && act.of === null && act.values.every(isApart)
  })
}

/** Whether it reads records of the entity; `own`: beside the one that its bare names are about. */
function reads(node: Checked, schema: Schema, entity: string, own = true): boolean {
  if (sourcesOf(node).includes(entity)) return true
  return pathsOf(node).some(({ base, steps }) =>
    steps.some((step, at) => {
      const isOwn = own && base === 'own' && at === 0
      if (step.entity === entity && !isOwn) return true
      const computed = step.computed ? computedRoot(schema, step.entity, step.field) : null
      return computed !== null && reads(computed, schema, entity, isOwn)
    }),
  )
}

/** The entities of lists and records that it goes through. */
const sourcesOf = (node: Checked): readonly string[] => [
  ...('source' in node ? [node.source.entity] : []),
  ...partsOf(node).flatMap(sourcesOf),
]
