/** The query cache: statements are built once per application, set of roles and shape of the question, then only bound. */

import { memoize } from '../expression/memoize.ts'
import { type Sql, type Statement, statement } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import type { Request } from './request.ts'

/** Shapes that come from addresses are not endless, but many: what is beyond this is built anew when asked for again. */
const maximumKept = 2000

const counts = { built: 0, reused: 0 }

/** Since the process began. */
export const keptStatements = (): Readonly<typeof counts> => counts

const memory = new WeakMap<App, Map<string, unknown>>()

/** The value made for this key before, or made now. `parts` must name everything that the value depends on. */
export function cachedStatement<Value>(
  app: App,
  parts: readonly (string | number | boolean | null)[],
  make: () => Value,
): Value {
  const known = memoize(memory, app, () => new Map<string, unknown>())
  const key = parts.join('\0')
  const found = known.get(key)
  if (found !== undefined) {
    counts.reused++
    return found as Value
  }
  counts.built++
  if (known.size >= maximumKept) known.clear()
  const made = make()
  known.set(key, made)
  return made
}

/** A value that is made once for each entity of an application. */
export function ofEntity<Value>(make: (app: App, entity: string) => Value): (app: App, entity: string) => Value {
  const known = new WeakMap<App, Map<string, Value>>()
  return (app, entity) => {
    const found = known.get(app)?.get(entity)
    if (found !== undefined) return found
    const made = make(app, entity)
    memoize(known, app, () => new Map<string, Value>()).set(entity, made)
    return made
  }
}

export const built = (query: Sql): Statement => statement(query)

/** What the slots of compiled expressions are bound to. */
export function bindingsOf(request: Request, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const bindings: Record<string, unknown> = {
    me: request.actor.id,
    tenant: request.actor.tenant ?? null,
    link: request.actor.link?.id ?? null,
    today: request.today,
    now: request.now.toISOString(),
    closed: request.closed,
    guards: JSON.stringify(request.guards ?? {}),
    ...more,
  }
  for (const [key, value] of Object.entries(request.limits)) bindings[`limits.${key}`] = value
  return bindings
}
