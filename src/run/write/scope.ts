/** What the parts of a write share, from its first statement to its last. */
import type { App } from '../../headings/app.ts'
import type { Tx } from '../../store/pool.ts'
import { type Policy, policyFor } from '../access/policy.ts'
import type { Request, Runtime } from '../request.ts'
import { hearingIn } from './code.ts'
import { type Related, relatedRecords } from './environment.ts'

/** A write: where it happens, who asks and what they may, and what it has read of other records. */
export interface Scope {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly app: App
  readonly request: Request
  readonly policy: Policy
  readonly related: Related
}

/** Nothing is read yet. */
export const scopeOf = (tx: Tx, runtime: Runtime, request: Request): Scope => ({
  tx,
  runtime,
  app: runtime.app,
  request: hearingIn(tx, runtime.app, request),
  policy: policyFor(runtime.app, request.actor),
  related: relatedRecords(tx, runtime.app),
})
