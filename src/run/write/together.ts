/**
 * Rules that look at all records of an entity (`count(Loan where …) < limits.max_open`) must hold whoever writes at the same
 * moment. What such a rule is about, and what it looks at, is therefore written as if one transaction ran after another.
 */
import type { Checked } from '../../expression/checked.ts'
import { computedRoot, partsOf, pathsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Schema } from '../../expression/type.ts'
import { createdWith } from '../../headings/4-states/all-acts.ts'
import type { Act } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'
import type { TransactionOptions } from '../../store/pool.ts'
import { cachedStatement } from '../statements.ts'
import { deepLists } from './draft-record.ts'

/** Entities whose writes need whole-transaction isolation. Empty for most documents. */
function writtenTogether(app: App): ReadonlySet<string> {
  return cachedStatement(app, ['written together'], () => {
    const entities = new Set<string>()
    for (const [about, expression] of [...judged(app), ...counting(app)]) {
      const read = readWhole(expression)
      if (read.size === 0) continue
      for (const entity of [about, ...read]) entities.add(withParent(app, entity))
    }
    return entities
  })
}

type Judged = readonly (readonly [entity: string, expression: Specified<Expression> | null | undefined])[]

const readWhole = (expression: Specified<Expression> | null | undefined): ReadonlySet<string> =>
  expression == null || isUnspecified(expression)
    ? new Set()
    : entitiesReadWhole(expression.root, expression.schema, new Set())

/** What a write is held to, with the entity that it is about. */
const judged = ({ rules, workflows, effects, entities }: App): Judged => [
  ...rules.map(({ entity, mustHold }) => [entity, mustHold] as const),
  ...[...workflows.values()].flatMap(({ entity, transitions, approvals }) =>
    [...transitions, ...approvals].map(({ when }) => [entity, when] as const),
  ),
  ...effects.map(({ entity, when }) => [entity, when] as const),
  ...[...entities.values()].flatMap(({ key, fields }) =>
    fields
      .flatMap(({ chooseFrom, assignedFrom, required, onlyWhen, readOnlyWhen, min, max, copiedFrom }) => [
        chooseFrom?.where,
        assignedFrom?.where,
        required?.when,
        onlyWhen,
        readOnlyWhen,
        min,
        max,
        copiedFrom,
      ])
      .map(one => [key, one] as const),
  ),
]

/** Heading 6 holds people to a number where it counts the records that it lets them make. */
const counting = ({ access }: App): Judged =>
  [...access].flatMap(([entity, { rows }]) =>
    rows
      .flatMap(({ create, change }) => [create, change])
      .flatMap(grant =>
        !isUnspecified(grant) && grant.kind === 'when' && readWhole(grant.expression).has(entity)
          ? [[entity, grant.expression] as const]
          : [],
      ),
  )

/** How a write of this entity is isolated, with everything that its steps and effects may write beside it. */
export const isolationOf = (app: App, entity: string): TransactionOptions =>
  cachedStatement(app, ['isolation', entity], () => {
    if (!app.entities.has(entity)) return {}
    const together = writtenTogether(app)
    // Who writes at the same moment makes the others begin again; with many at once, more often than usual.
    const all = [...reached(app, entity)]
    const serializable = all.some(one => together.has(one))
    const isContested = serializable || all.some(one => assigns(app, one))
    return { serializable, ...(isContested && { attempts: 40, line: entity }) }
  })

/** Entities of which the effects and steps behind a write of this one may write records that are there already. */
export const writtenAfter = (app: App, entity: string): ReadonlySet<string> =>
  cachedStatement(app, ['written after', entity], () =>
    app.entities.has(entity)
      ? new Set(
          [...reached(app, entity)]
            .flatMap(one => actsOf(app, one).flatMap(writtenBy))
            .flatMap(one => [one, withParent(app, one)]),
        )
      : new Set<string>(),
  )

/** Whether the application chooses a field of the entity or of its rows. */
const assigns = (app: App, entity: string): boolean =>
  [entity, ...deepLists(app, entity).map(list => list.entity)].some(of =>
    app.entities.get(of)?.fields.some(({ assignedFrom }) => assignedFrom !== null),
  )

/** The entity, and all that its effects, steps and timers write, and theirs. */
export const reached = (app: App, entity: string): ReadonlySet<string> =>
  cachedStatement(app, ['reached', entity], () => {
    const found = new Set([withParent(app, entity)])
    for (const one of found) {
      for (const written of [one, ...deepLists(app, one).map(list => list.entity)])
        for (const act of actsOf(app, written)) for (const other of writtenBy(act)) found.add(withParent(app, other))
    }
    return found
  })

function actsOf(app: App, entity: string): readonly Act[] {
  const steps = app.workflows.get(entity)?.transitions ?? []
  const apart = [...app.effects, ...app.timers, ...app.sweeps].filter(one => one.entity === entity)
  return [...steps, ...apart].flatMap(({ then }) => then)
}

/** Entities that an act writes. */
function writtenBy(act: Act): readonly string[] {
  switch (act.kind) {
    case 'set':
      return act.of === null ? [] : [act.of.entity]
    case 'create':
      return createdWith(act).map(({ entity }) => entity)
    case 'delete':
      return [act.of.entity]
    case 'do':
      return [act.on.entity]
    case 'for each':
      return [act.of.entity, ...act.acts.flatMap(writtenBy)]
    default:
      return []
  }
}

/** Rows are written with the record that they are part of, whatever lies between them. */
export function withParent(app: App, entity: string): string {
  const partOf = app.entities.get(entity)?.partOf ?? null
  return partOf === null ? entity : withParent(app, partOf)
}

/** Whether it looks at records of an entity, not only at those that references and lists name. */
export const readsRecords = (node: Checked): boolean =>
  ('source' in node && node.source.kind === 'records') || partsOf(node).some(readsRecords)

function entitiesReadWhole(node: Checked, schema: Schema, seen: Set<string>): ReadonlySet<string> {
  const found = new Set<string>()
  if ('source' in node && node.source.kind === 'records') found.add(node.source.entity)
  for (const { steps } of pathsOf(node))
    for (const { entity, field, computed } of steps) {
      const name = `${entity}.${field}`
      const root = computed && !seen.has(name) ? computedRoot(schema, entity, field) : null
      if (root === null) continue
      seen.add(name)
      for (const one of entitiesReadWhole(root, schema, seen)) found.add(one)
    }
  for (const part of partsOf(node)) for (const one of entitiesReadWhole(part, schema, seen)) found.add(one)
  return found
}
