/**
 * One transaction on one connection: statements travel with each other where nobody waits between them, and it ends with a commit or
 * leaves nothing.
 */
import type { PoolClient, ResultBuilder } from 'pg'
import { type Sql, type Statement, statement } from '../expression/sql.ts'
import { codeOf, isConnectionLost, isReadOnly, isSilence, isWorthRetrying, neverSent } from './failures.ts'
import { type Sent, sentOf } from './pipelined.ts'
import type { Bindings, Tx } from './pool.ts'
import { Unsure } from './unavailable.ts'

/** The connection, and the pool's ways to it. */
export interface Way {
  readonly client: PoolClient
  readonly send: (client: PoolClient, statements: readonly Sent[]) => Promise<ResultBuilder>
  readonly sentAs: (query: Statement, bindings: Bindings, prepared: boolean) => Sent
  readonly aside: (query: Statement, bindings: Bindings) => Promise<never[]>
  readonly tell: Tx['tell']
  /** What is sent before all else. */
  readonly begin: readonly Sent[]
  readonly commit: Sent
}

interface Abandoned {
  readonly value: unknown
}

/** Runs the work in a transaction and gives the connection back. */
export async function runTransaction<Value>(
  { client, send, sentAs, aside, tell, begin, commit }: Way,
  work: (tx: Tx) => Promise<Value>,
): Promise<Value> {
  let over = false
  let isEnding = false
  let savepoints = 0
  const tasks: (() => void)[] = []
  /** What failed. All that was sent with it is refused, too, and only says that something did (25P02). */
  let failure: unknown
  const orFailure = async <Result>(sent: Promise<Result>): Promise<Result> => {
    try {
      return await sent
    } catch (error) {
      failure ??= error
      throw codeOf(error) === '25P02' ? failure : error
    }
  }
  /** What is to be sent before the next statement, or with the commit. */
  let ahead: Sent[] = [...begin]
  const isBegun = () => ahead[0] !== begin[0]
  const isEmpty = () => ahead.length === (isBegun() ? 0 : begin.length)
  /** Behind those, all in one go. */
  const sent = (last: Sent): Promise<ResultBuilder> => {
    const all = [...ahead, last]
    ahead = []
    return orFailure(send(client, all))
  }
  const inside = (query: Statement, bindings: Bindings, prepared: boolean): Sent => {
    if (over) throw new Error('The transaction is over: a statement was not awaited.')
    return sentAs(query, bindings, prepared)
  }
  const waited = (...query: Parameters<typeof inside>) => sent(inside(...query))
  const tx = {
    run: async (query: Statement, bindings: Bindings = {}) => rowsOf(await waited(query, bindings, true)),
    query: async (query: Sql, bindings: Bindings = {}) => rowsOf(await waited(statement(query), bindings, false)),
    write: async (query: Sql | Statement, bindings: Bindings = {}) => {
      const built = 'bind' in query
      return (await waited(built ? query : statement(query), bindings, built)).rowCount ?? 0
    },
    writeAhead: (query: Statement, bindings: Bindings) => void ahead.push(inside(query, bindings, true)),
    async arrived(): Promise<void> {
      if (!isEmpty()) await sent(ahead.pop()!)
    },
    abandon(value: unknown): never {
      throw { [abandoned]: true, value } satisfies Abandoned & { [abandoned]: true }
    },
    async attempt<Part>(part: () => Promise<Part>): Promise<Part> {
      const name = `attempt_${++savepoints}`
      await sent(plain(`savepoint ${name}`))
      try {
        const value = await part()
        await sent(plain(`release ${name}`))
        return value
      } catch (error) {
        ahead = []
        await sent(plain(`rollback to ${name}`))
        failure = undefined
        throw error
      }
    },
    aside,
    afterCommit: (task: () => void) => void tasks.push(task),
    tell: (...written: Parameters<Tx['tell']>) => void tasks.push(() => tell(...written)),
  } as unknown as Tx

  let broken: Error | undefined
  try {
    const value = await work(tx)
    over = true
    if (isBegun() || !isEmpty()) {
      isEnding = true
      const { command } = await sent(commit)
      if (command !== 'COMMIT')
        throw new Error('A statement failed, and nobody told: nothing of this transaction is kept.', {
          cause: failure,
        })
    }
    for (const task of tasks) task()
    return value
  } catch (error) {
    over = true
    if (isConnectionLost(error)) {
      broken = error as Error
      if (isEnding && !neverSent(error) && !isWorthRetrying(error)) throw new Unsure(error)
      if (!isSilence(error)) undone.add(broken)
    } else if (isReadOnly(error)) broken = error as Error
    else if (isBegun())
      await send(client, [plain('rollback')]).catch((failure: Error) => {
        broken = failure
      })
    if (isAbandoned(error)) return error.value as Value
    throw error
  } finally {
    client.release(broken)
  }
}

const rowsOf = (result: { rows: unknown[] }) => result.rows as never[]

const plain = (text: string): Sent => sentOf(text, [], undefined)

/** Connections that broke before the commit was sent: nothing of the transaction is kept. */
const undone = new WeakSet<Error>()

const abandoned = Symbol('abandoned')

function isAbandoned(error: unknown): error is Abandoned {
  return typeof error === 'object' && error !== null && abandoned in error
}

/** Whether nothing of the transaction that failed with it was kept, so that it may begin again. */
export const isUndone = (error: unknown): boolean => undone.has(error as Error)
