/**
 * SQL as values: text with parameters, composed without string building. Every statement of Ninefold is made of these,
 * so a value can never become text. A parameter is either a value, or a named slot that is bound per request
 * (`me`, `today`, `now`, `limits.max_items`), so that one text serves every request and stays prepared.
 */

export class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export interface Sql {
  /** One more text than values. */
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  /** Of a condition: what must hold together. */
  readonly all?: readonly Sql[]
}

/** An aggregate over what belongs to a row, which can be written in two ways (see `many.ts`). */
export class Rollup {
  /** The alias of the row. */
  readonly row: string
  /** What it is: the same object, the same value. */
  readonly node: object
  /** A subquery for each row. */
  readonly alone: Sql
  /** The join that gives all rows their `value` under this name; `among` selects those rows. */
  readonly grouped: (name: string, among: ((of: Sql) => Sql) | null) => Sql
  /** What the column of the join means. */
  readonly value: (column: Sql) => Sql
  constructor({ row, node, alone, grouped, value }: Readonly<Rollup>) {
    this.row = row
    this.node = node
    this.alone = alone
    this.grouped = grouped
    this.value = value
  }
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && 'texts' in value

/** Tagged template: nested `Sql` is spliced in, anything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const texts: string[] = [strings[0]!]
  const values: unknown[] = []
  parts.forEach((part, index) => {
    if (isSql(part)) {
      texts[texts.length - 1] += part.texts[0]!
      values.push(...part.values)
      texts.push(...part.texts.slice(1))
      texts[texts.length - 1] += strings[index + 1]!
    } else {
      values.push(part)
      texts.push(strings[index + 1]!)
    }
  })
  return { texts, values }
}

/** Text that is SQL itself: only ever literals of our own code and the output of `identifier`. */
export const raw = (text: string): Sql => ({ texts: [text], values: [] })

/** A quoted identifier. Throws on NUL, which PostgreSQL cannot hold in a name. */
export function identifier(...names: readonly string[]): Sql {
  for (const name of names)
    if (name.includes('\0') || name === '') throw new Error('An SQL name is empty or has a NUL.')
  return raw(names.map(name => `"${name.replaceAll('"', '""')}"`).join('.'))
}

export const slot = (name: string): Sql => ({ texts: ['', ''], values: [new Slot(name)] })

/** Joins fragments with a separator of our own text, e.g. `join(conditions, ' and ')`. Empty list: empty text. */
export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return raw('')
  return parts.reduce((left, right) => sql`${left}${raw(separator)}${right}`)
}

/** The query with something else in the place of some of its values; undefined leaves one as it is. */
export function withValues(query: Sql, change: (value: unknown) => Sql | undefined): Sql {
  const texts: string[] = [query.texts[0]!]
  const values: unknown[] = []
  query.values.forEach((value, index) => {
    const part = change(value) ?? { texts: ['', ''], values: [value] }
    texts[texts.length - 1] += part.texts[0]!
    texts.push(...part.texts.slice(1))
    texts[texts.length - 1] += query.texts[index + 1]!
    values.push(...part.values)
  })
  return { texts, values }
}

/** The query with columns in the place of these slots: what is asked for one is asked for each row of something. */
export const withColumns = (query: Sql, columns: Readonly<Record<string, Sql>>): Sql =>
  withValues(alone(query), value => (value instanceof Slot ? columns[value.name] : undefined))

/** With a subquery for each aggregate that nothing was joined for. */
export function alone(query: Sql): Sql {
  if (!query.values.some(value => value instanceof Rollup)) return query
  return withValues(query, value => (value instanceof Rollup ? alone(value.alone) : undefined))
}

export interface Statement {
  readonly text: string
  /** The values for `$1…`, slots filled from `bindings`. A slot without a binding is a mistake of ours and throws. */
  readonly bind: (bindings: Readonly<Record<string, unknown>>) => unknown[]
}

/** Numbers the parameters. The same slot used twice is one parameter. */
export function statement(written: Sql): Statement {
  const query = alone(written)
  const parameters: unknown[] = []
  const numbers = new Map<string, number>()
  let text = query.texts[0]!
  query.values.forEach((value, index) => {
    let number = value instanceof Slot ? numbers.get(value.name) : undefined
    if (number === undefined) {
      number = parameters.push(value)
      if (value instanceof Slot) numbers.set(value.name, number)
    }
    text += `$${number}${query.texts[index + 1]!}`
  })
  return {
    text,
    bind: bindings =>
      parameters.map(value => {
        if (!(value instanceof Slot)) return value
        const bound = bindings[value.name]
        if (bound === undefined && !(value.name in bindings))
          throw new Error(`No value is bound to the SQL slot '${value.name}'.`)
        return bound
      }),
  }
}
