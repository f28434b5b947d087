/** What a page asks for at the same moment travels as one statement. */
import { type Sql, type Statement, statement } from '../expression/sql.ts'
import type { Bindings, Reader, Store } from './pool.ts'

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
  readonly done: (rows: readonly never[]) => void
  readonly failed: (error: unknown) => void
}

/**
 * The same store, for reading what one page shows; whatever is asked before the event loop turns is one statement, and what is asked
 * twice is read once. Their columns have to be text, yes/no, whole numbers or JSON: they travel as JSON. Moments keep the shape that
 * JSON gives them. One that gathers already is given back. `from`: where it is read, if not there.
 */
export function atOnce(store: Store, from: Reader = store): Store {
  if (gathering.has(store)) return store
  let waiting: Asked[] = []
  // By the statement, then by what it is given: texts are long, and the same object from one page to the next.
  const known = new Map<string, Map<string, Promise<readonly never[]>>>()
  const send = async () => {
    const parts = waiting
    waiting = []
    try {
      const rows = parts.length === 1 ? [await alone(from, parts[0]!)] : await together(from, parts)
      for (const [index, { done }] of parts.entries()) done(rows[index] as never[])
    } catch (error) {
      for (const { failed } of parts) failed(error)
    }
  }
  const run = ({ text, bind }: Statement, bindings: Bindings = {}) => {
    const values = bind(bindings)
    const given = JSON.stringify(values)
    const before = known.get(text) ?? new Map<string, Promise<readonly never[]>>()
    known.set(text, before)
    const found =
      before.get(given) ??
      new Promise<readonly never[]>((done, failed) => {
        if (waiting.length === 0) setImmediate(() => void send())
        waiting.push({ text, values, done, failed })
      })
    before.set(given, found)
    return found
  }
  const gathered = { ...store, run, query: (query: Sql, bindings?: Bindings) => run(statement(query), bindings) }
  gathering.add(gathered)
  return gathered
}

const gathering = new WeakSet<Store>()

const alone = (store: Reader, { text, values }: Asked) => store.run({ text, bind: () => [...values] })

async function together(store: Reader, parts: readonly Asked[]): Promise<readonly unknown[]> {
  const values: unknown[] = []
  const columns = parts.map((part, index) => {
    const before = values.length
    values.push(...part.values)
    const text = part.text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`)
    return `(select coalesce(json_agg(one), '[]') from (${text}) as one) as p${index}`
  })
  const [found] = await store.run<Record<string, readonly object[]>>({
    text: `select ${columns.join(', ')}`,
    bind: () => values,
  })
  return parts.map((_, index) => found![`p${index}`]!.map(asWire))
}

/** As the driver gives them: numbers of every size as text. */
const asWire = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  )
