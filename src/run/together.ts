/**
 * Rules that look at all records of an entity (`count(Loan where …) < limits.max_open`) must hold whoever writes at the same
 * moment. What such a rule is about, and what it looks at, is therefore written as if one transaction ran after another.
 */
import type { Checked } from '../expression/checked.ts'
import { computedRoot, partsOf, pathsOf } from '../expression/computed.ts'
import type { Expression } from '../expression/expression.ts'
import type { Schema } from '../expression/type.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, type Said } from '../headings/said.ts'
import { once } from './statements.ts'

/** Entities whose writes need whole-transaction isolation. Empty for most documents. */
export function writtenTogether(app: App): ReadonlySet<string> {
  return once(app, ['written together'], () => {
    const entities = new Set<string>()
    const look = (about: string, expression: Said<Expression> | null) => {
      if (expression === null || isUnspecified(expression)) return
      const read = entitiesReadWhole(expression.root, expression.schema, new Set())
      if (read.size === 0) return
      for (const entity of [about, ...read]) entities.add(withParent(app, entity))
    }
    for (const { entity, mustHold } of app.rules) look(entity, mustHold)
    for (const { entity, transitions } of app.workflows.values()) for (const { when } of transitions) look(entity, when)
    return entities
  })
}

/** Child rows are written with their parent. */
const withParent = (app: App, entity: string): string => app.entities.get(entity)?.partOf ?? entity

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
