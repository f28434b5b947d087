/**
 * A pooler that gives each transaction another connection of the server (PgBouncer with `pool_mode = transaction`) loses what the pool
 * sets once for each of its own: the schemas, the time zone, how dates are written.
 */
import { sql } from '../expression/sql.ts'
import type { Session, Store } from './pool.ts'
import { Unavailable } from './unavailable.ts'

/** Throws `Unavailable` where two connections turn out to be the same one, or one to be two. */
export async function refusePooler(store: Pick<Store, 'inSession'>): Promise<void> {
  const isShared = await store.inSession(one =>
    store.inSession(async other => {
      const own = [await processOf(one), await processOf(one)]
      // Keeps a connection of the server: the one that is free.
      await other.execute('begin')
      const held = await processOf(other)
      own.push(await processOf(one))
      await other.execute('rollback')
      return new Set(own).size > 1 || own.includes(held)
    }),
  )
  if (isShared)
    throw new Unavailable(
      'The database is reached through a pooler that gives each transaction another connection, and so loses the settings of Ninefold',
      'Name PostgreSQL itself in DATABASE_URL (Ninefold keeps a pool of its own), or set the pooler to one connection for each client (PgBouncer: pool_mode = session).',
    )
}

async function processOf(session: Session): Promise<string> {
  const [row] = await session.query<{ pid: string }>(sql`select pg_backend_pid()::text as pid`)
  return row!.pid
}
