/**
 * A pooler that gives each transaction another connection of the server (PgBouncer with `pool_mode = transaction`): what is set once for
 * a connection is lost there, and so is what waits on one.
 */
import type { PoolClient } from 'pg'
import { sql } from '../expression/sql.ts'
import { codeOf } from './failures.ts'
import { type Identified, identity } from './identity.ts'
import type { Reader, Session, Store } from './pool.ts'
import { Unavailable } from './unavailable.ts'

/** Where the name of a database stands in the environment. */
type Variable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_READ_URL'

/** Others may come in between through the same pooler, so that a single look finds nothing. */
const looks = 4

/** Throws `Unavailable` where two connections turn out to be the same one, or one to be two. */
export async function refusePooler(store: Pick<Store, 'inSession'>, named: Variable = 'DATABASE_URL'): Promise<void> {
  const isShared = await store.inSession(one =>
    store.inSession(async other => {
      const [own, held] = [new Set<string>(), new Set<string>()]
      for (let look = 0; look < looks; look++) {
        own.add(await processOf(one)).add(await processOf(one))
        // Keeps a connection of the server: the one that is free.
        await other.execute('begin')
        held.add(await processOf(other))
        own.add(await processOf(one))
        await other.execute('rollback')
      }
      return own.size > 1 || held.size > 1 || [...held].some(pid => own.has(pid))
    }),
  )
  if (isShared)
    throw new Unavailable(
      `${named} names a pooler that gives each transaction another connection, and so loses the settings of Ninefold`,
      named === 'DATABASE_URL'
        ? 'Name PostgreSQL itself in DATABASE_DIRECT_URL besides: what needs a connection of its own goes there, all else through the pooler.'
        : 'Name PostgreSQL itself there, by its own port.',
    )
}

async function processOf(session: Session): Promise<string> {
  const [row] = await session.query<{ pid: string }>(sql`select pg_backend_pid()::text as pid`)
  return row!.pid
}

/** Throws `Unavailable` where a pooler leads to another database than the way around it. */
export async function refuseAnother(store: Store): Promise<void> {
  const identityOf = (reader: Reader) => reader.query<Identified>(sql`select ${identity}`)
  const [[pooled], [direct]] = await Promise.all([identityOf(store), store.inSession(identityOf)])
  if (pooled!.identity !== direct!.identity)
    throw new Unavailable(
      'DATABASE_DIRECT_URL names another database than DATABASE_URL',
      'Both have to lead to the same database of the same server, one through the pooler and one around it.',
    )
}

/**
 * Whether a prepared statement is found by its name, whatever connection of the server comes next: poolers that see to it (PgBouncer since
 * 1.21) give it a name of their own there.
 */
export async function keepsNames(client: PoolClient): Promise<boolean> {
  const name = 'ninefold_named'
  try {
    const { rows } = await client.query<{ plain: boolean }>({
      name,
      text: `select exists (select from pg_prepared_statements where name = '${name}') as plain`,
    })
    return !rows[0]!.plain
  } catch (error) {
    // Prepared there by somebody else.
    if (codeOf(error) === '42P05') return false
    throw error
  }
}
