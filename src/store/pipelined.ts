/** Statements that travel together and are answered in one go. */
import pg, { type Connection, Query, type ResultBuilder } from 'pg'

/** A statement as it is sent: see `sentOf`. */
export interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
  /** Of the prepared statement; undefined: it runs once. */
  readonly name: string | undefined
}

/** What the driver has of a connection, and its types do not tell. */
interface Line {
  readonly stream: Connection['stream']
  readonly query: (text: string) => void
  readonly parse: (statement: Pick<Sent, 'text' | 'name'>) => void
  readonly bind: (given: { readonly statement: string | undefined; readonly values: readonly unknown[] }) => void
  readonly describe: (what: { readonly type: 'P' }) => void
  readonly execute: (what: null) => void
  readonly sync: () => void
  /** Texts by name: those that the server has, and those that are on their way. */
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
}

/** The same of a query. */
interface Inside {
  text: string
  name: string | undefined
  readonly _result: { rows: unknown[]; readonly command: string | null }
  _accumulateRows: boolean
  handleCommandComplete(message: unknown, connection: Connection): void
  handleError(error: Error, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

type Done = (error: Error | null, result: ResultBuilder) => void

const DriverQuery = Query as unknown as new (text: string, values: undefined, done: Done) => Inside

/** The driver's way from a value to what is sent of it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

/** What cannot be sent is found here, before anything is. */
export const sentOf = (text: string, values: readonly unknown[], name: string | undefined): Sent => ({
  text,
  values: values.map(prepareValue),
  name,
})

/**
 * A query of the driver. It gives what its last statement gives. The first that fails makes it fail, and PostgreSQL passes over those
 * behind that one.
 */
export class PipelinedQuery extends DriverQuery {
  readonly #statements: readonly Sent[]
  /** The one that is being answered. */
  #at = 0

  constructor(statements: readonly Sent[], done: Done) {
    super('', undefined, done)
    this.#statements = statements
    this._accumulateRows = true
  }

  submit(connection: Connection): null {
    const line = connection as unknown as Line
    this.#turnTo(0)
    const [first, second] = this.#statements
    if (second === undefined && first!.name === undefined && first!.values.length === 0) {
      line.query(first!.text)
      return null
    }
    const { stream, parsedStatements: there, submittedNamedStatements: underWay } = line
    stream.cork()
    for (const { text, name, values } of this.#statements) {
      if (name === undefined) line.parse({ text, name })
      else if (there[name] === undefined && underWay[name] === undefined) {
        line.parse({ text, name })
        underWay[name] = text
      }
      line.bind({ statement: name, values })
      line.describe({ type: 'P' })
      line.execute(null)
    }
    line.sync()
    stream.uncork()
    return null
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#at + 1 < this.#statements.length) this.#turnTo(this.#at + 1)
    else super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements: underWay } = connection as unknown as Line
    for (const { name } of this.#statements.slice(this.#at + 1)) if (name !== undefined) delete underWay[name]
    // What was committed stays so: the failure is the connection's.
    if (this._result.command === 'COMMIT') this.handleReadyForQuery(connection)
    else super.handleError(error, connection)
  }

  /** What is answered from now on is the answer to this one. The driver notes by its name what the server has. */
  #turnTo(at: number): void {
    this.#at = at
    const { text, name } = this.#statements[at]!
    this.text = text
    this.name = name
    this._result.rows = []
  }
}
