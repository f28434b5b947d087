/** What stands in the texts of a database, as far as types do not say it. Reads every record once, and changes nothing. */
import { identifier, join, raw, type Sql, sql } from '../../expression/sql.ts'
import { tableName } from '../../store/names.ts'
import type { Reader } from '../../store/pool.ts'
import type { ForeignColumn } from './catalogue.ts'

/** Of the texts in a column. */
export interface Measure {
  /** Characters; null: there are none. */
  readonly longest: number | null
  readonly hasLines: boolean
  /** Records in which nothing but blanks stands. */
  readonly blank: number
}

const isText = ({ type }: Pick<ForeignColumn, 'type'>): boolean => /^(?:text|citext|name|character\b.*)$/.test(type)

/** By column, of all columns that hold texts. */
export async function measured(
  reader: Reader,
  table: string,
  columns: readonly Omit<ForeignColumn, 'measure'>[],
): Promise<ReadonlyMap<string, Measure>> {
  const texts = columns.filter(isText)
  if (texts.length === 0) return new Map()
  const asked = texts.map(({ name }): Sql => {
    const text = sql`${identifier(name)}::text`
    return sql`jsonb_build_object('longest', max(char_length(${text})), 'hasLines', coalesce(bool_or(${text} ~ '[\r\n]'), false),
      'blank', count(*) filter (where btrim(${text}) = ''))`
  })
  const [row] = await reader.query<{ all: readonly Measure[] }>(
    sql`select jsonb_build_array(${join(asked, ', ')}) as all from ${raw(tableName(table))}`,
  )
  return new Map(texts.map(({ name }, index) => [name, row!.all[index]!]))
}
