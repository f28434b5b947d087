/** Names and literals in statements of our own making: DDL takes no parameters, so what stands in it is quoted here. */
import { createHash } from 'node:crypto'
import { raw, Slot, type Sql } from '../expression/sql.ts'

/** PostgreSQL cuts longer names off without a word. */
const longest = 63

/** `"due_back"`. Every name is quoted, so that reserved words (`order`, `user`) are names like others. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A table in another schema than `public` is called with it, `sales.orders`, as whoever made the database says it. */
export const tableName = (name: string): string => {
  const point = name.indexOf('.')
  return point < 0 ? `public.${quoted(name)}` : `${quoted(name.slice(0, point))}.${quoted(name.slice(point + 1))}`
}

/** How a row of `pg_class` is called. */
export const calledTable = (alias: string): Sql =>
  raw(
    `(select case when nspname = 'public' and strpos(${alias}.relname, '.') = 0 then ${alias}.relname::text else nspname || '.' || ${alias}.relname end from pg_namespace where oid = ${alias}.relnamespace)`,
  )

/** Where whoever serves this version of a document looks for tables first: there is only what it knows otherwise than it is by now. */
export const versionSchema = (version: string): string => `ninefold_${version}`

/** The schema that a table is called with; null where it is in `public`. */
export const schemaIn = (name: string): string | null => (name.includes('.') ? name.slice(0, name.indexOf('.')) : null)

export const columnList = (names: readonly string[]): string => names.map(quoted).join(', ')

/** A text literal; `standard_conforming_strings` is on in every server since 9.1. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The parts joined by `_`; a name that would be too long ends in a hash of the whole instead. */
export const shortName = (...parts: readonly string[]): string => within(longest, parts.join('_'))

/** The name with an ending that stays whole. */
export const endingIn = (name: string, ending: string): string =>
  within(longest - Buffer.byteLength(ending), name) + ending

function within(most: number, name: string): string {
  if (Buffer.byteLength(name) <= most) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  let begin = ''
  for (const character of name) {
    if (Buffer.byteLength(begin + character) > most - 9) break
    begin += character
  }
  return `${begin}_${hash}`
}

/** SQL text with its values written into it, for constraints. A slot has no value before a request: a mistake of ours. */
export function inlined(query: Sql): string {
  let text = query.texts[0]!
  query.values.forEach((value, index) => {
    if (value instanceof Slot) throw new Error(`The slot '${value.name}' cannot stand in a constraint.`)
    text += valueLiteral(value) + query.texts[index + 1]!
  })
  return text
}

function valueLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return literal(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `array[${value.map(valueLiteral).join(', ')}]`
  throw new Error(`A ${typeof value} cannot stand in a constraint.`)
}
