/**
 * Queries whose answer is described once: what the columns of a prepared statement are stays the same for as long as its connection
 * keeps it (PostgreSQL refuses to run it when they change), so the driver need not ask for them and read them with every run.
 */
import { type Connection, Query, type ResultBuilder } from 'pg'

/** What the driver makes of a description of columns, besides what its types tell. */
interface Columns {
  readonly fields: unknown
  readonly _parsers: unknown
  readonly _prebuiltEmptyResultObject: unknown
}

interface Described {
  /** The connection, on which nothing is asked to be described. */
  readonly quiet: Connection
  /** By name of the prepared statement. */
  readonly columns: Map<string, Columns>
}

const described = new WeakMap<Connection, Described>()

const of = (connection: Connection): Described => {
  let known = described.get(connection)
  if (known === undefined) {
    const quiet = Object.assign(Object.create(connection), { describe: () => {} }) as Connection
    known = { quiet, columns: new Map() }
    described.set(connection, known)
  }
  return known
}

/** What the driver has of a query, and its types do not tell. */
interface Inside {
  name: string | undefined
  readonly _result: Columns
  _accumulateRows: boolean
  readonly prepare: (connection: Connection) => void
  readonly handleCommandComplete: (message: unknown, connection: Connection) => void
}

const driver = Query.prototype as unknown as Inside

/** A query of the driver. */
export class DescribedQuery extends Query {
  /** Milliseconds after which the driver gives the connection up; 0: never. */
  readonly query_timeout: number

  /** `name`: of the prepared statement; undefined: it runs once. */
  constructor(
    text: string,
    values: unknown[],
    name: string | undefined,
    within: number,
    done: (error: Error | null, result: ResultBuilder) => void,
  ) {
    super(text, values, done as never)
    ;(this as unknown as Inside).name = name
    this.query_timeout = within
  }

  prepare(this: Inside, connection: Connection): void {
    const { quiet, columns } = of(connection)
    const known = this.name === undefined ? undefined : columns.get(this.name)
    if (known !== undefined) {
      Object.assign(this._result, known)
      this._accumulateRows = true
    }
    driver.prepare.call(this, known === undefined ? connection : quiet)
  }

  handleCommandComplete(this: Inside, message: unknown, connection: Connection): void {
    if (this.name !== undefined) {
      const { columns } = of(connection)
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      if (!columns.has(this.name)) columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    driver.handleCommandComplete.call(this, message, connection)
  }
}
