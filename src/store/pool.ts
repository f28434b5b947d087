/**
 * The one way to the database: statements outside a transaction read, statements inside one (`tx`) may write.
 * Values come back as `Wire` values (see rows.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool, type PoolClient, type PoolConfig, type ResultBuilder } from 'pg'
import { type Sql, type Statement, statement } from '../expression/sql.ts'
import type { RecordValue } from '../expression/type.ts'
import {
  checkingCertificates,
  codeOf,
  explainedConnecting,
  explainedFailure,
  isComingBack,
  isConnectionLost,
  isOutdatedPlan,
  isSilence,
  isSpent,
  isWorthRetrying,
  neverSent,
  silence,
} from './failures.ts'
import { type LinePlace, lines } from './lines.ts'
import { type ChangedFields, type News, newsOf } from './news.ts'
import { overdue } from './overdue.ts'
import { PipelinedQuery, type Sent, sentOf } from './pipelined.ts'
import { keepsNames } from './pooler.ts'
import { parserOf } from './rows.ts'
import { asVersion, type Limits, type Settings, settingsFor } from './session-settings.ts'
import { isUndone, runTransaction } from './transaction.ts'
import { Unavailable, Unsure } from './unavailable.ts'

export type Bindings = Readonly<Record<string, unknown>>

/** Reads. `Row` is what the statement's columns are; the default is a record of Wire values. */
export interface Reader {
  /** A statement that was built once and runs often: it stays prepared on the server. */
  readonly run: <Row extends object = RecordValue>(statement: Statement, bindings?: Bindings) => Promise<readonly Row[]>
  /** A statement that is built as it is needed. */
  readonly query: <Row extends object = RecordValue>(query: Sql, bindings?: Bindings) => Promise<readonly Row[]>
}

declare const written: unique symbol

/** A transaction. Only `inTransaction` gives one: whoever takes a `Tx` writes, whoever does not, cannot. */
export interface Tx extends Reader {
  readonly [written]: true
  /** Runs a writing statement; gives the number of rows it touched. */
  readonly write: (query: Sql | Statement, bindings?: Bindings) => Promise<number>
  /**
   * Sends a writing statement and does not wait for it: it travels with the next one, or with the commit, and that is what tells of
   * its failure.
   */
  readonly writeAhead: (statement: Statement, bindings: Bindings) => void
  /** Waits for what was written ahead: for whoever must hear of a failure here. */
  readonly arrived: () => Promise<void>
  /** Undoes everything and makes `inTransaction` give this value: for refusals found after the first write. */
  readonly abandon: (value: unknown) => never
  /** Runs a part that may fail on its own: its writes are undone when it throws, the rest stays. */
  readonly attempt: <Value>(part: () => Promise<Value>) => Promise<Value>
  /**
   * Runs a statement at once, beside the transaction: it stays done whatever becomes of that, and nobody waits for it. A crash of the
   * server can undo it only if nothing that was committed after it remains.
   */
  readonly aside: <Row extends object = RecordValue>(
    statement: Statement,
    bindings: Bindings,
  ) => Promise<readonly Row[]>
  /** Called once after the commit, never after a rollback. For waking workers; it must not throw. */
  readonly afterCommit: (task: () => void) => void
  /** Tells whoever listens, in all processes, that this record was written, once it is. */
  readonly tell: (entity: string, id: string, fields: ChangedFields) => void
}

export interface TransactionOptions {
  /** Whole-transaction isolation: as if transactions ran one after another. Default: read committed. */
  readonly serializable?: boolean
  /** How often the work may begin again (serialisation failure, deadlock, a connection that broke before the commit). The work must not have effects outside the transaction. */
  readonly attempts?: number
  /** Failures besides those with which the work begins again; `Unsure` is one where the work finds out by itself whether it was kept. */
  readonly beginsAgain?: (error: unknown) => boolean
  /**
   * What all of this name get in the way of each other with. As long as one of them begins again, those that come stand in line behind it,
   * each without a connection, instead of all beginning again and again.
   */
  readonly line?: string
}

/** A connection of one's own, outside transactions: for migrations, which need `concurrently` and advisory locks. */
export interface Session extends Reader {
  /** One statement or several, as text of our own without parameters. Gives the number of rows that the last one touched. */
  readonly execute: (text: string) => Promise<number>
}

export interface Store extends Reader {
  readonly url: string
  readonly inTransaction: <Value>(work: (tx: Tx) => Promise<Value>, options?: TransactionOptions) => Promise<Value>
  readonly inSession: <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>
  /** Runs the work and tells which statements it (and what it awaited) sent, `begin` and `commit` included. */
  readonly counted: <Value>(work: () => Promise<Value>) => Promise<{ value: Value; statements: readonly string[] }>
  /** Of this process, at this moment. `waiting`: pieces of work that have none. */
  readonly connections: () => {
    readonly open: number
    readonly idle: number
    readonly waiting: number
    readonly most: number
  }
  /** Records that were written, in any process; gives the way to end it. */
  readonly listen: News['listen']
  /** To be called after tables changed: prepared statements are made anew. */
  readonly tablesChanged: () => void
  /** 180004 is 18.4. Connects when nothing has yet; throws `Unavailable` below 15. */
  readonly serverVersion: () => Promise<number>
  /** Waits for what runs, then closes every connection. */
  readonly close: () => Promise<void>
}

export interface StoreOptions {
  /**
   * PostgreSQL itself, for what needs a connection of its own (sessions, news, what is done aside), where the pool is one of a pooler that may give each
   * transaction another connection of the server.
   */
  readonly directUrl?: string | undefined
  /** Connections at most. Default 10. */
  readonly connections?: number
  /** Milliseconds. Default 15,000. */
  readonly statementTimeout?: number
  /** Milliseconds beyond that, after which the way to the server is taken for broken. Default 5,000. */
  readonly grace?: number
  /** Milliseconds to wait for a lock. Default 5,000. */
  readonly lockTimeout?: number
  /** Milliseconds to wait for a connection (all are busy, or the server is restarting). Default 5,000. */
  readonly connectTimeout?: number
  /** Of the document that is served: it goes on by the tables as it knows them while they become those of the next one. */
  readonly version?: string
  /** Shown in `pg_stat_activity`. */
  readonly name?: string
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onProblem?: (error: Error) => void
  readonly onStatement?: (text: string) => void
}

const minimumVersion = 150000
/** So many texts stay prepared; more would only cost the server memory, and run unprepared. */
const maximumPrepared = 1000

interface Pooled {
  readonly pool: Pool
  readonly url: string
  /** What travels ahead of each transaction, and of each statement on its own, as nothing stays with the connection. */
  readonly ahead: readonly string[]
}

/** Opens a pool. Nothing is sent before the first statement. */
export function openStore(url: string, options: StoreOptions = {}): Store {
  const connectTimeout = options.connectTimeout ?? 5000
  const statementTimeout = options.statementTimeout ?? 15_000
  const patience = statementTimeout + (options.grace ?? 5000)
  const config: PoolConfig = {
    connectionString: checkingCertificates(url),
    max: options.connections ?? 10,
    // The driver's default of ten seconds would make a quiet application connect anew on every click.
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: connectTimeout,
    application_name: options.name ?? 'ninefold',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Statements that are not awaited one by one (begin and the first query) travel in one round trip.
    pipeline: true,
    types: { getTypeParser: parserOf as never },
  }
  const limits: Limits = { statementTimeout, lockTimeout: options.lockTimeout ?? 5000 }
  const { directUrl, version: served } = options
  const always = served === undefined ? {} : asVersion(served)
  const isBehindPooler = directUrl !== undefined
  const pooled = (config: PoolConfig, isShared: boolean, more: Settings = {}): Pooled => {
    const settings = { ...always, ...more }
    const pool = new Pool(config)
    pool.on('error', error => {
      // A pool that ends does not wait for its goodbyes: a server that ends right after may cut a connection first.
      if (!pool.ending) options.onProblem?.(error)
    })
    // A connection that breaks between two statements of a transaction tells it here first; unheard, it would end the process.
    // The next statement on it fails and says so.
    pool.on('connect', client => {
      client.on('error', () => {})
      // Travels ahead of the connection's first statement. A failure is that statement's, too. Set, and not given with the connection:
      // PgBouncer takes few settings there.
      if (!isShared) client.query(settingsFor('connection', limits, settings)).catch(() => {})
    })
    return {
      pool,
      url: config.connectionString!,
      ahead: isShared ? [settingsFor('transaction', limits, settings)] : [],
    }
  }
  const toServer = { ...config, connectionString: checkingCertificates(directUrl ?? url) }
  const shared = pooled(config, isBehindPooler)
  const direct = isBehindPooler ? pooled(toServer, false) : shared
  // Its own connection: transactions that hold all the others, of the pool or of a pooler, must not wait for one. The log is written in
  // order, so a commit that comes after takes care of this one's, too.
  const besides = pooled({ ...toServer, max: 1 }, false, { synchronous_commit: `'off'` })
  const { pool } = shared

  const news = newsOf(toServer, (channel, message) => pool.query('select pg_notify($1, $2)', [channel, message]))
  const counting = new AsyncLocalStorage<string[]>()
  const told = (text: string) => {
    counting.getStore()?.push(text)
    options.onStatement?.(text)
  }

  let generation = 0
  let prepares = true
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    if (!prepares) return undefined
    let name = names.get(text)
    if (name === undefined && names.size < maximumPrepared) {
      name = `n${generation}_${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`
      names.set(text, name)
    }
    return name
  }
  const tablesChanged = () => {
    generation++
    names.clear()
  }

  let version: number | null = null
  const connect = async ({ pool, url }: Pooled = shared): Promise<PoolClient> => {
    for (let waited = 0, pause = 25; ; waited += pause, pause = Math.min(pause * 2, 400)) {
      try {
        const client = await pool.connect()
        if (version !== null) return client
        try {
          if (isBehindPooler) prepares = await keepsNames(client)
          version = await checkedVersion(client)
        } catch (error) {
          client.release(true)
          throw error
        }
        return client
      } catch (error) {
        if (isComingBack(error) && waited < connectTimeout) await wait(pause)
        else throw explainedConnecting(error, url, { patience: connectTimeout, inUse: pool.totalCount })
      }
    }
  }

  const placeIn = lines()
  /** A connection in the order of the line: whoever lost goes there, and whoever comes while others stand in it. */
  const connectIn = async (place: LinePlace, lost: boolean): Promise<PoolClient> => {
    if (lost || place.isOutside()) await place.enter()
    const client = await connect()
    if (!place.isOutside()) return client
    client.release()
    return connectIn(place, true)
  }

  const sentAs = ({ text, bind }: Statement, bindings: Bindings, prepared: boolean): Sent =>
    sentOf(text, bind(bindings), prepared ? nameOf(text) : undefined)
  /** Without values; prepared under its own text. */
  const fixed = (text: string): Sent => sentOf(text, [], prepares ? text : undefined)
  const answers = overdue(patience)
  /** In one packet; gives what the last one gives. `endless`: it may take as long as it takes. */
  const send = async (client: PoolClient, statements: readonly Sent[], endless = false): Promise<ResultBuilder> => {
    for (const { text } of statements) told(text)
    try {
      return await new Promise<ResultBuilder>((resolve, reject) => {
        const waiting = endless ? null : answers.begin(() => streamOf(client).destroy(silence()))
        const done = (error: Error | null, result: ResultBuilder) => {
          if (waiting !== null) answers.end(waiting)
          if (error) reject(error)
          else resolve(result)
        }
        // Made here: what a query is made of, the driver would copy property by property.
        client.query(new PipelinedQuery(statements, done))
      })
    } catch (error) {
      // From where it was asked for, not from the socket.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  /**
   * A statement of its own. Begun again once where that cannot do anything twice: after a change of tables a plan made before
   * it is refused (0A000), after a restart of the server an idle connection turns out to be dead, and what only reads may be read anew.
   */
  const alone = async (query: Statement, bindings: Bindings, prepared: boolean, from = shared) => {
    for (let attempt = 1; ; attempt++) {
      const client = await connect(from)
      let broken: Error | undefined
      try {
        // One transaction, as they travel together.
        return await send(client, [...from.ahead.map(fixed), sentAs(query, bindings, prepared)])
      } catch (error) {
        broken = isSpent(error) ? (error as Error) : undefined
        const why = whyAgain(error, query)
        if (why === null || attempt > 1 || isSilence(error)) throw explainedFailure(error)
        if (why === 'outdated plan') tablesChanged()
      } finally {
        client.release(broken)
      }
    }
  }

  const rowsOf = (result: { rows: unknown[] }) => result.rows as never[]
  const reader: Reader = {
    run: async (query, bindings = {}) => rowsOf(await alone(query, bindings, true)),
    query: async (query, bindings = {}) => rowsOf(await alone(statement(query), bindings, false)),
  }

  const aside = async (query: Statement, bindings: Bindings) => rowsOf(await alone(query, bindings, true, besides))

  return {
    url,
    ...reader,
    tablesChanged,
    listen: news.listen,
    async inTransaction(work, { serializable = false, attempts = 8, beginsAgain = () => false, line } = {}) {
      const begin = serializable ? 'begin isolation level serializable' : 'begin'
      const place = placeIn(line)
      try {
        for (let attempt = 1; ; attempt++) {
          try {
            const client = await connectIn(place, attempt > 1)
            const frame = { begin: [begin, ...shared.ahead].map(fixed), commit: fixed('commit') }
            return await runTransaction({ client, send, sentAs, aside, tell: news.tell, ...frame }, work)
          } catch (error) {
            const outdated = isOutdatedPlan(error)
            const isPassing = outdated || isWorthRetrying(error) || isUndone(error)
            if (attempt >= attempts || !(isPassing || beginsAgain(error))) throw explainedFailure(error)
            if (outdated) tablesChanged()
            else await wait(attempt * attempt * 3)
          }
        }
      } finally {
        place.leave()
      }
    },
    async inSession(work) {
      const client = await connect(direct)
      const query = async (query: Statement, bindings: Bindings) =>
        rowsOf(await send(client, [sentAs(query, bindings, false)], true))
      try {
        return await work({
          run: (built, bindings = {}) => query(built, bindings),
          query: (built, bindings = {}) => query(statement(built), bindings),
          async execute(text) {
            told(text)
            const results = await client.query(text)
            const last: { rowCount: number | null } = Array.isArray(results) ? results.at(-1) : results
            return last.rowCount ?? 0
          },
        })
      } finally {
        // Its settings and locks go with it.
        client.release(true)
      }
    },
    async counted(work) {
      const statements: string[] = []
      const value = await counting.run(statements, work)
      return { value, statements }
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: pool.options.max,
    }),
    async serverVersion() {
      if (version === null) (await connect()).release()
      return version!
    },
    async close() {
      await news.close()
      await Promise.all([...new Set([shared, besides, direct])].map(({ pool }) => pool.end()))
    },
  }
}

/** Why a statement of its own may be sent once more: null if it may not. Throws `Unsure` where nobody knows whether it was carried out. */
function whyAgain(error: unknown, { text }: Statement): 'outdated plan' | 'undone' | null {
  const isLost = isConnectionLost(error)
  if (codeOf(error) === '57P01' || neverSent(error) || (isLost && !writes.test(text))) return 'undone'
  if (isLost) throw new Unsure(error)
  return isOutdatedPlan(error) ? 'outdated plan' : null
}

/** What the driver writes to, and does not tell. */
const streamOf = (client: PoolClient): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream

/** Asked once per store, on its first connection. */
async function checkedVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<Server>(
    "select current_setting('server_version_num') as number, current_setting('server_encoding') as encoding, exists (select from pg_collation where collname = 'und-x-icu') as icu",
  )
  const wrong = unfit(rows[0]!)
  if (wrong !== null) throw wrong
  return Number(rows[0]!.number)
}

interface Server {
  /** Of its version: `150018`. */
  readonly number: string
  readonly encoding: string
  readonly icu: boolean
}

/** Why a server cannot be used; null: it can. */
export const unfit = ({ number, encoding, icu }: Server): Unavailable | null =>
  Number(number) < minimumVersion
    ? new Unavailable(
        `This PostgreSQL server is too old (${releaseOf(number)}); Ninefold needs 15 or newer`,
        'Name a newer server in DATABASE_URL, or leave it out to use the embedded one.',
      )
    : encoding !== 'UTF8'
      ? new Unavailable(
          `The database keeps text as ${encoding}; Ninefold needs UTF8`,
          "Make another one: create database … encoding 'UTF8' template template0.",
        )
      : !icu
        ? new Unavailable(
            'This PostgreSQL server was built without ICU, by which Ninefold sorts texts',
            "Use a server that has it, as the packages of PostgreSQL and of all systems have. If yours got it later: select pg_import_system_collations('pg_catalog').",
          )
        : null

/** `90624` is 9.6, and `140011` is 14. */
const releaseOf = (number: string): string =>
  number.length < 6 ? `${number[0]}.${Number(number.slice(1, 3))}` : number.slice(0, -4)

/** A statement that may change something: none of ours calls a function that does, outside of transactions. */
const writes = /\b(?:insert|update|delete)\b/i
