/** Pieces that all of the description is put together from. */
import type { Policy } from '../../../run/access/policy.ts'
import type { RequestContext } from '../../request-context.ts'
import type { Json } from '../json.ts'

export interface Describing {
  readonly context: RequestContext
  readonly policy: Policy
}

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

/** `Loan line` → `LoanLine`. */
export const schemaName = (name: string): string =>
  name.replace(/(?:^|[\s_-]+)(\p{L})/gu, (_, letter: string) => letter.toUpperCase()).replace(/[^A-Za-z0-9._-]/g, '_')

export const idSchema: Json = { type: 'string', format: 'uuid' }

/** What a body may say of the record in the address. */
export const ownSchema = {
  id: { ...idSchema, description: 'As in the address; no record is given another.' },
  version: { type: 'integer', description: 'Instead of If-Match.' },
}

export const problemAnswer: Json = { $ref: '#/components/responses/Problem' }

export const littleAnswer = { description: 'Done; the record is not wanted, or not seen any more.' }

export function answers(description: string, schema: Json, rest: Json = {}): Json {
  return { '200': { description, content: { 'application/json': { schema } }, ...rest }, default: problemAnswer }
}

/** Only where something of the entity or its rows can be confirmed. */
export const warnedBy = (app: RequestContext['site']['app'], entity: string): readonly Json[] =>
  app.rules.some(rule => rule.warns && (rule.entity === entity || app.entities.get(rule.entity)?.partOf === entity))
    ? [parameter('confirmWarnings')]
    : []
