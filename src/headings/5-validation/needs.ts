/** What the fields of a record need beside rules, as conditions: that they have a value, or none. */
import type { Cell } from '../../document/source.ts'
import type { Checked, Source } from '../../expression/checked.ts'
import type { Field } from '../3-entities/model.ts'
import { actsOf, createdWith } from '../4-states/all-acts.ts'
import { writtenFields } from '../4-states/unfilled.ts'
import type { App } from '../app.ts'
import { allOf, fieldOf, isTried, type Tried } from '../points-nodes.ts'

/** A condition that every record meets when it is written. */
export interface Need extends Tried {
  readonly cell: Cell
  /** "`required when state = Done` of `note`". */
  readonly words: string
}

/** Of the fields that the conditions read, and of those that these needs read in turn. */
export function needsOf(app: App, entity: string, conditions: readonly Tried[], occasion: string): readonly Need[] {
  const { fields } = app.entities.get(entity)!
  const needs: Need[] = []
  const keys = new Set<string>()
  const follow = (all: readonly Tried[]) => {
    for (const key of all.flatMap(({ root }) => allOf(root)).flatMap(fieldOf)) {
      const field = fields.find(one => one.key === key)
      if (keys.has(key) || field === undefined) continue
      keys.add(key)
      const own = needsOfField(app, entity, field, occasion).filter(({ root }) => isTried(app, entity, root))
      needs.push(...own)
      follow(own)
    }
  }
  follow(conditions)
  return needs
}

function needsOfField(app: App, entity: string, field: Field, occasion: string): readonly Need[] {
  const { key, required, onlyWhen, setBy } = field
  const filled = isFilled(app, entity, field)
  if (filled === null) return []
  const needs: Need[] = []
  const need = (words: string, cell: Cell, root: Checked) =>
    needs.push({ cell, root, words: `\`${words}\` of \`${key}\`` })
  if (onlyWhen !== null)
    need(`only when ${onlyWhen.cell.text}`, onlyWhen.cell, or([isSure(onlyWhen.root), not(filled)]))
  if (required !== null && setBy === null) {
    const unless = [onlyWhen, required.when].filter(one => one !== null).map(({ root }) => not(root))
    need(required.cell.text, required.cell, or([...unless, filled]))
  }
  const steps = (app.workflows.get(entity)?.transitions ?? []).filter(step => step.key === occasion)
  const asked = steps.flatMap(({ asks }) => asks.find(one => one.field === key && one.required) ?? [])
  if (asked[0] !== undefined && asked.length === steps.length)
    needs.push({ cell: asked[0].cell, root: filled, words: `\`${asked[0].cell.text}\` of \`${steps[0]!.name}\`` })
  // What nothing ever fills is told of the step.
  const isLater = setBy !== null && occasion === 'create' && field.default === null && writtenFields(app).has(key)
  if (isLater && !isMade(app, entity)) need(setBy.cell.text, setBy.cell, not(filled))
  return needs
}

/** Something beside people makes records of it, and may fill everything. */
const isMade = (app: App, entity: string): boolean =>
  actsOf(app).some(act => act.kind === 'create' && createdWith(act).some(one => one.entity === entity)) ||
  [...app.receives.values()].some(one => one.entity === entity)

const yesNo = { type: { kind: 'yes/no' }, optional: false } as const
const not = (of: Checked): Checked => ({ op: 'not', of, ...yesNo })
const or = (parts: readonly Checked[]): Checked => ({ op: 'or', parts, ...yesNo })

/** What is unknown is no. */
const isSure = (of: Checked): Checked => ({ op: 'and', parts: [not({ op: 'empty', of, ...yesNo }), of], ...yesNo })

/** That a field has a value, or a list has rows; null where neither is known of it. */
function isFilled(app: App, entity: string, { key, type, computed, optional }: Field): Checked | null {
  if (computed !== null) return null
  const step = { entity, field: key, to: null, parent: false, computed: false }
  const path = { base: 'own', steps: [step] } as const
  if (type.kind !== 'list') return not({ op: 'empty', of: { op: 'field', path, type, optional }, ...yesNo })
  const parent = app.schema.get(type.entity)?.parent
  if (parent === undefined) return null
  const source: Source = { kind: 'list', path, entity: type.entity, parent }
  const count: Checked = {
    op: 'aggregate',
    name: 'count',
    source,
    value: null,
    where: null,
    type: { kind: 'integer' },
    optional: false,
  }
  return {
    op: 'compare',
    sign: '>',
    left: count,
    right: { op: 'literal', value: '0', type: { kind: 'integer' }, optional: false },
    ...yesNo,
  }
}
