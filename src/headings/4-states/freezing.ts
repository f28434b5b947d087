/** What `frozen on submit until send back` of heading 3 makes of the steps: acts that come last in their Then. */

import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import { ownField } from '../../expression/own-field.ts'
import type { Schema, Type } from '../../expression/type.ts'
import { keptAs } from '../3-entities/frozen.ts'
import type { Entity } from '../3-entities/model.ts'
import { isOwn, leaves } from './all-acts.ts'
import type { Act, Given, Transition, Workflow } from './model.ts'

type Workflows = ReadonlyMap<string, Workflow>

/** The steps with what they freeze, and what they let go again. */
export const withFreezing = (workflows: Workflows, entities: ReadonlyMap<string, Entity>, schema: Schema): Workflows =>
  new Map(
    [...workflows].map(([entity, workflow]) => {
      const stepped = entities.get(entity)!
      const transitions = workflow.transitions.map(step => {
        const acts = [...entities.values()].flatMap(of => actOf(schema, step, of, stepped) ?? [])
        // biome-ignore lint/suspicious/noThenProperty: Then is a column of the document; its value is a list, never a function
        return acts.length === 0 ? step : { ...step, then: [...step.then, ...acts] }
      })
      return [entity, { ...workflow, transitions }] as const
    }),
  )

/** What a step freezes, or lets go, in its record, or in the rows of its record. */
function actOf(schema: Schema, { key: step, then }: Transition, of: Entity, stepped: Entity): Act | null {
  const values = valuesOf(schema, of, stepped.key, step)
  if (values.length === 0) return null
  const text = [...new Set(values.map(({ cell }) => cell.text))].join('; ')
  const cell: Cell = { ...values[0]!.cell, text }
  if (of.key === stepped.key) {
    // What the step does to rows and other records comes before, so that sums over them are frozen as they are then.
    const isLate = !then.every(act => isOwn(act) || leaves(act))
    return { kind: 'set', freezes: true, cell, of: isLate ? { kind: 'itself', cell, entity: of.key } : null, values }
  }
  const list = stepped.fields.find(({ type }) => type.kind === 'list' && type.entity === of.key)
  if (list === undefined) return null
  const path = { ...read(schema, rowsOf(stepped.key, list.key, of.key), cell), reads: [list.key] }
  const acts: readonly Act[] = [{ kind: 'set', cell, of: null, values }]
  return { kind: 'for each', freezes: true, name: null, cell, of: { kind: 'path', cell, entity: of.key, path }, acts }
}

/** The mark, and beside it what is worked out as it is now. */
function valuesOf(schema: Schema, of: Entity, stepped: string, step: string): readonly Given[] {
  const marks = new Map<string, Given>()
  const kept: Given[] = []
  for (const { frozen, field } of [
    { frozen: of.frozen, field: null },
    ...of.fields.map(field => ({ frozen: field.frozen, field })),
  ]) {
    if (frozen === null || frozen.of !== stepped) continue
    const { cell, mark } = frozen
    const isFrozen = frozen.steps.includes(step)
    if (!isFrozen && !frozen.until.includes(step)) continue
    const given = (name: string, root: Checked): Given => ({
      cell,
      field: name,
      value: read(schema, root, { ...cell, text: textOf(root) }),
    })
    marks.set(mark, given(mark, isFrozen ? { op: 'now', type: moment, optional: false } : nothing(moment)))
    if (field?.computed == null) continue
    const { key, type } = field
    kept.push(given(keptAs(key), isFrozen ? ownField(of.key, key, type, true) : nothing(type)))
  }
  return [...kept, ...marks.values()]
}

/** The rows of a list, as their ids. */
const rowsOf = (entity: string, list: string, rows: string): Checked => ({
  op: 'values',
  source: {
    kind: 'list',
    path: { base: 'own', steps: [{ entity, field: list, to: null, parent: false, computed: false }] },
    entity: rows,
    parent: entity,
  },
  value: { ...ownField(rows, 'id', { kind: 'reference', entity: rows }), optional: false },
  type: { kind: 'list', entity: rows },
  optional: false,
})

const moment: Type = { kind: 'moment' }

const nothing = (type: Type): Checked => ({ op: 'literal', value: null, type, optional: true })

/** As an act would say it. */
const textOf = (root: Checked): string =>
  root.op === 'field' ? root.path.steps[0]!.field : root.op === 'now' ? 'now' : 'empty'

const read = (schema: Schema, root: Checked, cell: Cell): Expression => ({
  cell,
  type: root.type,
  optional: root.optional,
  tier: root.op === 'now' ? 1 : 0,
  reads: root.op === 'field' ? [root.path.steps[0]!.field] : root.op === 'now' ? ['now'] : [],
  schema,
  root,
})
