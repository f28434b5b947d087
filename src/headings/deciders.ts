/** Fields whose people take a step or decide about it: whoever `Sign-in when` keeps out never could, and so is not to be chosen there. */
import type { Expression } from '../expression/expression.ts'
import { highest } from '../expression/summary.ts'
import type { Choosing, Entity, Field } from './3-entities/model.ts'
import type { Workflow } from './4-states/model.ts'
import { specified } from './specified.ts'

type Entities = ReadonlyMap<string, Entity>

/** The entities, with that said of the people that such fields name. */
export function withDeciders(entities: Entities, workflows: ReadonlyMap<string, Workflow>): Entities {
  const present = entities.get('person')?.signInWhen ?? null
  if (present === null) return entities
  const of = (entity: Entity): Entity => {
    const workflow = workflows.get(entity.key)
    const deciding = workflow === undefined ? new Set<string>() : decidingFields(workflow)
    const fields = entity.fields.map(field => (deciding.has(field.key) ? presentOnly(field, present) : field))
    return deciding.size === 0 ? entity : { ...entity, fields }
  }
  return new Map([...entities].map(([key, entity]) => [key, of(entity)]))
}

/** Where roles may act as well, the step does not wait for the person. */
function decidingFields({ transitions, approvals }: Workflow): ReadonlySet<string> {
  const takers = transitions.flatMap(({ who }) => {
    const named = specified(who)
    return named?.kind === 'roles' && named.roles.length === 0 ? named.people : []
  })
  const deciders = approvals.flatMap(({ from }) => {
    const named = specified(from)
    return named !== null && named.roles.length + named.chosen.length === 0 ? named.people : []
  })
  return new Set([...takers, ...deciders].flatMap(ownField))
}

function ownField({ root }: Expression): readonly string[] {
  if (root.op !== 'field' || root.path.base !== 'own' || root.path.steps.length !== 1) return []
  return [root.path.steps[0]!.field]
}

function presentOnly(field: Field, present: Expression): Field {
  const isPerson = field.type.kind === 'reference' && field.type.entity === 'person'
  if (!isPerson || field.computed !== null || field.assignedFrom !== null) return field
  const chosen: Choosing = field.chooseFrom ?? { cell: present.cell, entity: 'person', role: null, where: null }
  return { ...field, chooseFrom: { ...chosen, where: chosen.where === null ? present : both(chosen.where, present) } }
}

const both = (one: Expression, other: Expression): Expression => ({
  ...one,
  optional: one.optional || other.optional,
  tier: highest([one.tier, other.tier]),
  reads: [...new Set([...one.reads, ...other.reads])],
  root: { op: 'and', parts: [one.root, other.root], type: one.type, optional: one.optional || other.optional },
})
