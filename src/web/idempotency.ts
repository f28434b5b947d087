/**
 * A form that is sent twice, or an API call repeated with its `Idempotency-Key`, happens once: the second gets the outcome of the first (idempotency keys).
 * The key is claimed inside the transaction of the write itself. So a repeat that comes at the same moment waits for the first one, a
 * refused attempt uses nothing up, and a crash cannot leave a key without its result; and where a connection breaks during the commit it
 * tells whether that was kept.
 */
import { createHash } from 'node:crypto'
import { sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { hasSealed } from '../run/names.ts'
import type { Outcome } from '../run/outcome.ts'
import { passwords } from '../run/people/password.ts'
import type { Companion } from '../run/write/accompanied.ts'
import type { Store, Tx } from '../store/pool.ts'
import { Unsure } from '../store/unavailable.ts'

export interface IdempotencyKey {
  /** Whose key: another person's same key is another key. */
  readonly scope: string
  readonly key: string
  /** Method, path and what was sent. */
  readonly request: string
  /** Of which fields were sent; null: of none. */
  readonly entity: string | null
}

/** What a program was told of a write: a repeat is told the same. */
export interface KeptResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Longer answers are not kept: a repeat is told of the record as it is by then. */
const longestTold = 256 * 1024

/** Keeps what is told first, before anybody is told: of repeats that come at the same moment all are told what one of them keeps. */
export async function keepFirstResponse(
  store: Store,
  once: IdempotencyKey | null,
  { status, headers, body }: KeptResponse,
): Promise<KeptResponse> {
  const told: KeptResponse = { status, headers, body }
  if (once === null || body.length > longestTold) return told
  const [kept] = await store.query<{ told: string }>(sql`
    update ninefold.idempotency set answer = case when answer ? 'told' then answer else answer || ${JSON.stringify({ told })}::jsonb end
    where scope = ${once.scope} and key = ${once.key} returning (answer -> 'told')::text as told`)
  return kept === undefined ? told : (JSON.parse(kept.told) as KeptResponse)
}

/** The same key came with something else. */
export class KeyReused extends Error {
  constructor() {
    super('The key was used for another request.')
    this.name = 'KeyReused'
  }
}

/** A write (`create`, `change`, `takeStep`…) that is done at most once per key. It throws `KeyReused`. */
export const idempotency = (app: App, key: IdempotencyKey | null, now: Date): Companion | null =>
  key === null
    ? null
    : {
        async around(tx, write) {
          const earlier = await claim(tx, app, key, now)
          if (earlier !== null) return earlier
          const outcome = await write(tx)
          // A refusal is not kept: what was refused may be sent again with the same key, put right or not.
          if (outcome.kind !== 'done') return tx.abandon(outcome)
          await keepOutcome(tx, key, outcome)
          return outcome
        },
        // The key tells whether it was kept.
        beginsAgain: error => error instanceof Unsure,
      }

async function claim(tx: Tx, app: App, once: IdempotencyKey, now: Date): Promise<Outcome | null> {
  const { scope, key } = once
  const hash = await hashOf(app, once)
  const claimed = await tx.write(sql`
    insert into ninefold.idempotency (scope, key, request_hash, created_at) values (${scope}, ${key}, ${hash}, ${now})
    on conflict (scope, key) do nothing`)
  if (claimed === 1) return null
  const [row] = await tx.query<{ request_hash: Buffer; answer: Outcome | null }>(
    sql`select request_hash, answer from ninefold.idempotency where scope = ${scope} and key = ${key}`,
  )
  if (row === undefined || !row.request_hash.equals(hash)) throw new KeyReused()
  return row.answer
}

/** What may hold a secret is as hard to guess from this as from the record: the key, which is there once, makes the salt. */
async function hashOf(app: App, { scope, key, request, entity }: IdempotencyKey): Promise<Buffer> {
  const sha = (text: string) => createHash('sha256').update(text).digest()
  if (entity === null || !hasSealed(app, entity)) return sha(request)
  const slow = passwords(bytes => sha(`${scope} ${key}`).subarray(0, bytes))
  return Buffer.from(await slow.hash(request))
}

const keepOutcome = (tx: Tx, { scope, key }: IdempotencyKey, outcome: Outcome): Promise<number> =>
  tx.write(sql`
    update ninefold.idempotency set status = 200, answer = ${JSON.stringify(outcome)}::jsonb
    where scope = ${scope} and key = ${key}`)
