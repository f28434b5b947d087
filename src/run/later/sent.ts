/** What a call sent, for people: each value as far as whoever asks may see on every record what it was made from. */
import type { Expression, Template } from '../../expression/expression.ts'
import type { Type } from '../../expression/type.ts'
import type { Call } from '../../headings/7-calls/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { nested } from '../../kinds/calls/http/body.ts'
import type { Policy } from '../access/policy.ts'
import { readable } from '../read/readable.ts'
import { shownAddress, variableOf } from './egress.ts'
import type { StoredCall } from './outbox.ts'

export interface Sent {
  /** `POST {ASSETS_URL}/returns`. */
  readonly request: string
  /** Its `Idempotency-Key`. */
  readonly key: string
  /** JSON, over several lines. */
  readonly body: string
}

/** Stands for a secret, and for a value that whoever asks may not see. */
export const untold = '•••'

/**
 * Settings stand there by the names of their variables; headers, which hold keys, not at all. `redact` takes out secrets that a record
 * holds. Null: the document leaves its request open.
 */
export function sentOf(
  app: App,
  policy: Policy,
  call: Call,
  { url, body }: StoredCall,
  key: string,
  redact: (text: string) => string,
): Sent | null {
  if (isUnspecified(call.request)) return null
  const isTold = ({ root, type }: Expression) => readable(app, policy, root, 'r') === true && areNamed(policy, type)
  const areTold = ({ parts }: Template) => parts.every(part => part.kind === 'text' || isTold(part.expression))
  const { method, url: address } = call.request
  const shownUrl = url.map((part, index) => {
    const written = address.parts[index]
    const isShown =
      typeof part === 'string' || 'setting' in part || (written?.kind === 'value' && isTold(written.expression))
    return isShown ? part : { value: untold }
  })
  const shown = call.send.flatMap(({ name, from }): [string, unknown][] => {
    const value = body[name]
    if (isUnspecified(from) || value === undefined) return []
    if ('parts' in from ? areTold(from) : isTold(from)) return [[name, asNamed(app, value)]]
    return [[name, Array.isArray(value) ? [untold] : untold]]
  })
  const ownKey = call.repeat?.key
  return {
    request: redact(`${method} ${shownAddress(app, shownUrl)}`),
    key: redact(ownKey == null || areTold(ownKey) ? key : untold),
    body: redact(JSON.stringify(nested(Object.fromEntries(shown)), null, 2)),
  }
}

/** A record is told by its id and title: to those who may see all of each. */
function areNamed(policy: Policy, type: Type): boolean {
  if (type.kind === 'values') return areNamed(policy, type.of)
  return type.kind !== 'reference' || (policy.names(type.entity, 'r') === true && policy.whole(type.entity))
}

const asNamed = (app: App, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'setting' in value
    ? `{${variableOf(app, String(value.setting))}}`
    : value
