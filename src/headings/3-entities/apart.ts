/** When two records are alike, so that they are in each other's way. */
import type { App } from '../app.ts'
import type { Entity } from './model.ts'

/** Where records belong to tenants, columns beside those of the rule. People sign in by their address before it is known whose they are: it is theirs alone. */
export function apartBy({ shape, builtIn }: Entity, field: string, within: readonly string[]): readonly string[] {
  const { tenant } = shape
  const isOfAll = tenant === undefined || tenant.field === 'id' || (builtIn && field === 'email')
  return isOfAll || within.includes(tenant.field) ? [] : [tenant.field]
}

/** Fields that are alike where they are empty: those at the top of a tree stand beside each other, as those below one record do. */
export const alikeIfEmpty = (app: App, { key, partOf }: Entity, field: string): boolean =>
  partOf === null && app.trees.get(key)?.field === field
