/** Names that no field can have: every record has them already, or the API says something of its own under them. */
import { archivedAt } from '../../expression/archived.ts'
import type { Context } from '../context.ts'
import { isArchiving } from './archives.ts'
import { isByHand, placeField } from './by-hand.ts'
import type { EntityDraft } from './declare.ts'

/** Names that every record's table has; expressions know all but the last, of child rows the first three. `state` and the parent come on top. */
export const everywhere: Readonly<Record<string, string>> = {
  id: 'every record has an `id`',
  created_at: 'every record remembers when it was created',
  created_by: 'every record remembers who created it',
  changed_at: 'every record remembers when it was last changed',
  changed_by: 'every record remembers who last changed it',
  version: 'every record counts its changes',
}

/** What the API says of a record beside what it is, and of which entities: all that `web/api/json.ts` can add. */
export const saidByApi = {
  unseen: { what: 'the API lists in it what names records that somebody may not see', of: 'all' },
  steps: { what: 'the API lists in it the steps that can be taken', of: 'states' },
  approvals: { what: 'the API lists in it the approvals that a record waits for', of: 'approvals' },
} as const satisfies Readonly<Record<string, { readonly what: string; readonly of: 'all' | 'states' | 'approvals' }>>

/** Why a field of the entity cannot be called so; null: it can. */
export function builtInName(
  context: Context,
  draft: EntityDraft,
  parent: EntityDraft | null,
  key: string,
): string | null {
  const workflow = context.workflows.get(draft.key)
  if (/^state(_since)?$/.test(key) && workflow !== undefined) return 'its states stand under heading 4'
  if (key === placeField && parent !== null) return 'rows keep their order in it'
  if (key === placeField && isByHand(draft)) return 'it says where a record stands in the order by hand'
  if (parent !== null && key === parent.key) return `it names the ${parent.name} that the row is part of`
  if ((key === archivedAt || key === 'archived') && isArchiving(draft)) return 'it says which records are archived'
  const has = { all: true, states: workflow !== undefined, approvals: (workflow?.approvalRows.length ?? 0) > 0 }
  for (const [name, { what, of }] of Object.entries(saidByApi)) if (name === key && has[of]) return what
  return Object.hasOwn(everywhere, key) ? everywhere[key]! : null
}
