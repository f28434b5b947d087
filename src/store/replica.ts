/**
 * A standby that takes reading off the server that is written to. Whoever wrote reads there once it has that write, and nobody where it is far
 * behind; whatever fails there is read from the server that is written to.
 */
import { type Sql, type Statement, sql } from '../expression/sql.ts'
import { codeOf } from './failures.ts'
import { type Identified, identity } from './identity.ts'
import { type Bindings, openStore, type Reader, type Store, type StoreOptions } from './pool.ts'
import { refusePooler } from './pooler.ts'

export interface Replica {
  /** Reads there; null: it is away, too far behind, or lacks what was written up to this place in the log of the database (`pg_lsn`). */
  readonly readerFor: (written: string | null) => Reader | null
  /** Looks how far it is: for whoever does not wait for the next look. */
  readonly look: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ReplicaOptions extends StoreOptions {
  /** Told when it begins to be read (null), and why it is not any more. */
  readonly onChange: (why: string | null) => void
  /** Milliseconds. What was written longer ago than this is there, or nothing is read there. Default 5,000. */
  readonly mostBehind?: number
  /** Milliseconds between two looks. Default 500. */
  readonly lookEvery?: number
}

const whereWritten = sql`select ${identity}, pg_current_wal_lsn()::text as place`
const whereReplayed = sql`select ${identity}, case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as place`

interface Place extends Identified {
  /** Null: no standby. */
  readonly place: string | null
}

export function followReplica(primary: Store, url: string, options: ReplicaOptions): Replica {
  const { onChange, mostBehind = 5000, lookEvery = 500, ...pool } = options
  // Whoever asks does not wait for one that is away.
  const standby = openStore(url, { connectTimeout: 1000, ...pool })
  /** Where the primary was, and when; the oldest that the standby may lack first. */
  let seen: { readonly place: bigint; readonly at: number }[] = []
  /** How far the standby is; null: nothing is read there. */
  let replayed: bigint | null = null
  let current = 0
  let told: string | null | undefined
  let isItself = false

  const tell = (why: string | null) => {
    if (why !== null) replayed = null
    if (why === told) return
    told = why
    onChange(why)
  }
  const isCurrent = () => performance.now() - current <= mostBehind
  const look = async () => {
    if (!isItself) await refusePooler(standby, 'DATABASE_READ_URL')
    isItself = true
    const at = performance.now()
    const [[written], [there]] = await Promise.all([
      primary.query<Place>(whereWritten) as Promise<readonly [Place]>,
      standby.query<Place>(whereReplayed) as Promise<readonly [Place]>,
    ])
    if (there.identity !== written.identity) return tell('it is no standby of the database that DATABASE_URL names')
    if (there.place === null) return tell('it is no standby')
    const reached = placeOf(there.place)
    seen.push({ place: placeOf(written.place!), at })
    const has = seen.filter(({ place }) => place <= reached)
    seen = seen.slice(has.length)
    current = has.at(-1)?.at ?? current
    replayed = reached
    tell(isCurrent() ? null : `it is more than ${mostBehind / 1000} seconds behind`)
  }
  const lookAgain = () => look().catch((error: unknown) => tell((error as Error).message))
  let looking = lookAgain()
  const timer = setInterval(() => {
    looking = looking.then(lookAgain)
  }, lookEvery).unref()

  const tried = async <Rows>(ask: (reader: Reader) => Promise<Rows>): Promise<Rows> => {
    try {
      return await ask(standby)
    } catch (error) {
      // It would take as long on the other.
      if (codeOf(error) === '57014') throw error
      const rows = await ask(primary)
      tell((error as Error).message)
      return rows
    }
  }
  const reader: Reader = {
    run: <Row extends object>(statement: Statement, bindings?: Bindings) =>
      tried(one => one.run<Row>(statement, bindings)),
    query: <Row extends object>(query: Sql, bindings?: Bindings) => tried(one => one.query<Row>(query, bindings)),
  }

  return {
    readerFor(written) {
      const isThere = replayed !== null && isCurrent() && (written === null || placeOf(written) <= replayed)
      return isThere ? reader : null
    },
    look: lookAgain,
    async close() {
      clearInterval(timer)
      await looking
      await standby.close()
    },
  }
}

/** `16/B374D848`: two halves of a number. */
function placeOf(text: string): bigint {
  const [high, low] = text.split('/').map(half => BigInt(`0x${half}`)) as [bigint, bigint]
  return (high << 32n) + low
}
