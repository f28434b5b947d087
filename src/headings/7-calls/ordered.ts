/** Calls of several kinds that keep one order. */
import type { Call } from './model.ts'

/** Of each call that keeps its order with others: all that do, itself among them, whichever of them says so. */
export function orderedTogether(calls: ReadonlyMap<string, Call>): ReadonlyMap<string, ReadonlySet<string>> {
  const together = new Map<string, ReadonlySet<string>>()
  for (const { key, orderedWith } of calls.values())
    for (const { call } of orderedWith) {
      const all = new Set([key, call].flatMap(one => [one, ...(together.get(one) ?? [])]))
      for (const one of all) together.set(one, all)
    }
  return together
}
