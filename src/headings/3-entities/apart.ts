/** Where records belong to tenants: in what else two of them must be alike before they are in each other's way. */
import type { Entity } from './model.ts'

/** Columns beside those of the rule. People sign in by their address before it is known whose they are: it is theirs alone. */
export function apartBy({ shape, builtIn }: Entity, field: string, within: readonly string[]): readonly string[] {
  const { tenant } = shape
  const isOfAll = tenant === undefined || tenant.field === 'id' || (builtIn && field === 'email')
  return isOfAll || within.includes(tenant.field) ? [] : [tenant.field]
}
