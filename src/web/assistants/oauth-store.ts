/** What OAuth keeps, in one table. Tokens and codes are known by their SHA-256 alone; all that came of a consent ends with its key. */
import { type Adapter, errors } from 'oidc-provider'
import { sql } from '../../expression/sql.ts'
import { isStorable } from '../../kinds/fields/texts.ts'
import type { Tx } from '../../store/pool.ts'
import { registeredHours } from '../bounds.ts'
import type { Web } from '../request-context.ts'
import { hashOf } from '../sign-in/session.ts'

/** Days for which a program stays known after the key that it was let in with. */
const rememberedDays = 90

/** As JSON that the database takes: what programs say of themselves, and what they want back, may be anything. */
const asKept = (payload: object): string =>
  JSON.stringify(payload, (_, value) => {
    if (typeof value === 'string' && !isStorable(value))
      throw new errors.InvalidRequest('a text has letters that are none')
    return value
  })

/** `kind`: as the library calls it. */
export function oauthStore(web: Web, kind: string): Adapter {
  const now = () => web.options.clock()
  const { store } = web.site().runtime
  const write = <Value>(work: (tx: Tx) => Promise<Value>) => store.inTransaction(work)
  const named = (id: string) => sql`kind = ${kind} and hash = ${hashOf(id)}::bytea`
  const endKeyOf = (grant: string) =>
    write(tx =>
      tx.write(sql`delete from ninefold.api_key as k using ninefold.oauth as o
        where o.kind = 'Grant' and o.hash = ${hashOf(grant)}::bytea and k.id = o.api_key`),
    )
  return {
    async upsert(id, { jti: _, ...payload }, expiresIn = registeredHours * 3600) {
      // Who somebody is, our own session says.
      if (kind === 'Session') return
      const ends = new Date(now().getTime() + expiresIn * 1000)
      const key = (payload.accountId as string | undefined) ?? null
      const kept = asKept(payload)
      await write(async tx => {
        await tx.write(sql`
          insert into ninefold.oauth (kind, hash, payload, api_key, ends_at)
          values (${kind}, ${hashOf(id)}::bytea, ${kept}::jsonb, ${key}::uuid, ${ends}::timestamptz)
          on conflict (kind, hash) do update set payload = excluded.payload, api_key = excluded.api_key, ends_at = excluded.ends_at`)
        if (kind === 'Grant')
          await tx.write(sql`
            update ninefold.oauth as o set ends_at = greatest(o.ends_at, k.ends_at + make_interval(days => ${rememberedDays}))
            from ninefold.api_key as k
            where o.kind = 'Client' and o.hash = ${hashOf(payload.clientId as string)}::bytea and k.id = ${key}::uuid`)
      })
    },
    async find(id) {
      const [row] = await store.query<{ payload: Record<string, unknown> }>(sql`
        select payload from ninefold.oauth as o where ${named(id)} and ends_at > ${now()}::timestamptz
          and (api_key is null or exists (select from ninefold.api_key as k where k.id = o.api_key and k.ends_at > ${now()}::timestamptz))`)
      if (row === undefined) return undefined
      return kind === 'Client' ? row.payload : { ...row.payload, jti: id }
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume(id) {
      const at = Math.floor(now().getTime() / 1000)
      const rows = await write(tx =>
        tx.query(sql`update ninefold.oauth set payload = payload || jsonb_build_object('consumed', ${at}::bigint)
          where ${named(id)} and not payload ? 'consumed' returning kind`),
      )
      // Two that come at once: one of them is right.
      if (rows.length === 0) throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      if (kind === 'Grant') return endKeyOf(id)
      await write(tx => tx.write(sql`delete from ninefold.oauth where ${named(id)}`))
    },
    revokeByGrantId: endKeyOf,
  }
}
