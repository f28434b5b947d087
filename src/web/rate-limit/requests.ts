/** Rate limit: how many requests somebody may make in a minute: people where the document says so for everybody or for their roles, their keys always. */
import { engineValue, requestsOfRole } from '../../headings/9-limits/engine.ts'
import type { RequestContext } from '../request-context.ts'
import { countInMinute } from './per-minute.ts'

/**
 * Seconds to wait; 0: go on, and this one is counted. Who has several roles has the largest number of them; who is not signed in is
 * counted by their address, and only where a role of everyone has a number. Keys have numbers of their own.
 */
export async function waitOf({ runtime, request, network, key }: RequestContext): Promise<number> {
  const { limits, actor, now } = request
  if (key !== null) return 0
  const most = requestsOfRole(limits, 'max_requests', actor.roles) ?? (actor.id === null ? null : limits.max_requests)
  if (most == null) return 0
  return await countInMinute(runtime.store, { what: 'requests', who: actor.id ?? network, most: Number(most), now })
}

/** The same for a key. All keys of a person count together: more keys are no more requests. Those of a role with a number of its own are apart. */
export function waitOfKey({ runtime, request }: RequestContext, role: string): Promise<number> {
  const { limits, actor, now } = request
  const own = requestsOfRole(limits, 'max_key_requests', [role])
  const who = own === null ? `${actor.id}` : `${actor.id} ${role}`
  const most = own ?? engineValue(limits, 'max_key_requests')
  return countInMinute(runtime.store, { what: 'key', who, most, now })
}
