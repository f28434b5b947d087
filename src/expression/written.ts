/** Days, moments and lists as texts, in both back ends: as the wording of the application says. */
import type { CheckedNode } from './checked.ts'
import { partsOf } from './dates.ts'
import { join, raw, type Sql, sql } from './sql.ts'
import { quoted } from './sql-values.ts'
import type { Part, Wording } from './wording.ts'

/** Texts of a list that are written out before it is said how many more there are. */
const MOST_LISTED = 20

/** `time`: of a moment, as its clocks show it. */
export function writtenDay(number: number, time: string | null, { months, date, moment }: Wording): string {
  const [year, month, day] = partsOf(number)
  const parts: Readonly<Record<Part, string>> = {
    d: String(day),
    dd: String(day).padStart(2, '0'),
    month: months[month - 1]!,
    year: String(year),
    time: time ?? '',
  }
  return (time === null ? date : moment).map(piece => ('part' in piece ? parts[piece.part] : piece.text)).join('')
}

/** The same of a value that may be named several times. */
export function writtenDaySql(day: Sql, time: Sql | null, { months, date, moment }: Wording): Sql {
  const parts: Readonly<Record<Part, Sql>> = {
    d: sql`to_char(${day}, 'FMDD')`,
    dd: sql`to_char(${day}, 'DD')`,
    month: ofOrder(months, sql`extract(month from ${day})`),
    year: sql`to_char(${day}, 'FMYYYY')`,
    time: time ?? raw("''"),
  }
  const pieces = (time === null ? date : moment).map(piece =>
    'part' in piece ? parts[piece.part] : sql`${quoted(piece.text)}`,
  )
  return sql`(${join(pieces, ' || ')})`
}

export const weekdayNameSql = (weekday: Sql, { weekdays }: Wording): Sql => ofOrder(weekdays, weekday)

const ofOrder = (words: readonly string[], number: Sql): Sql =>
  sql`(array[${join(
    words.map(word => quoted(word)),
    ', ',
  )}]::text[])[(${number})::integer]`

/** Rows are listed as they stand. */
export const isAsRows = ({ name, source }: CheckedNode<'aggregate'>): boolean =>
  name === 'list' && source.kind === 'list' && source.parent !== null

/** What stands between texts that are listed, and before how many more there are. */
type Parted = readonly [between: string, before: string]
const BY_COMMAS: Parted = [', ', ' ']
export const BY_LINES: Parted = ['\n', '\n']

/** Empty where there are none. */
export function listed(texts: readonly string[], more: string, [between, before]: Parted = BY_COMMAS): string | null {
  if (texts.length === 0) return null
  const all = texts.slice(0, MOST_LISTED).join(between)
  return texts.length <= MOST_LISTED ? all : `${all}${before}${more.replace('{}', String(texts.length - MOST_LISTED))}`
}

/** `texts` is the array of them, in order; `name` one that nothing else has. */
export function listedSql(texts: Sql, name: string, more: string, [between, before]: Parted = BY_COMMAS): Sql {
  const most = raw(String(MOST_LISTED))
  const [all, many] = [raw(`${name}.texts`), sql`cardinality(${raw(`${name}.texts`)})`]
  const [ahead, behind] = more.split('{}').map(quoted) as [Sql, Sql]
  const rest = sql`case when ${many} > ${most} then ${quoted(before)} || ${ahead} || (${many} - ${most}) || ${behind} else '' end`
  const text = sql`array_to_string(${all}[1:${most}], ${quoted(between)}) || ${rest}`
  return sql`(select ${text} from (${texts}) as ${raw(name)}(texts) where ${many} > 0)`
}
