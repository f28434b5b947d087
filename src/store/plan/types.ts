/** Which column types can become which, and which values cannot. */

interface Conversion {
  /** How the old value becomes the new one; `{column}` is the quoted column. */
  readonly using: string
  /** Which old values cannot: a condition; null where all can. */
  readonly impossible: string | null
  /** False where PostgreSQL only changes its catalogue. */
  readonly rewrites: boolean
}

// A zero or a plus before a number belongs to what it is part of, a postcode or a telephone number, and would be lost for good.
const wholeNumber = `{column} !~ '^\\s*(0|-?[1-9][0-9]{0,17})\\s*$'`
const anyNumber = `{column} !~ '^\\s*-?(0|[1-9][0-9]{0,17})([.][0-9]{1,18})?\\s*$'`
// Only what looks like a date is read as one: a case expression is evaluated in order.
const anyDate = `case when {column} !~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then true
  else right({column}, 2)::int > extract(day from (left({column}, 7) || '-01')::date + interval '1 month - 1 day') end`
const anyTime = `{column} !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`
const anyBoolean = `lower({column}) not in ('true', 'false', 'yes', 'no', 't', 'f', '1', '0')`

/** Null: no value of the old type has a meaning in the new one. Types are as `format_type` writes them. */
export function conversion(from: string, to: string): Conversion | null {
  const number = numeric(to)
  const was = numeric(from)
  if (number !== null && (was !== null || from === 'bigint')) {
    const digits = number.precision - number.scale
    const wider = was !== null && was.scale === number.scale && was.precision <= number.precision
    return {
      using: `{column}::${to}`,
      impossible: wider
        ? null
        : `round({column}, ${number.scale}) <> {column} or abs({column}) >= 1e${digits}::numeric`.replaceAll(
            '{column}',
            was === null ? '{column}::numeric' : '{column}',
          ),
      rewrites: !wider,
    }
  }
  if (to === 'bigint' && was !== null)
    return {
      using: '{column}::bigint',
      impossible: 'trunc({column}) <> {column} or abs({column}) >= 1e18::numeric',
      rewrites: true,
    }
  if (to === 'text') return { using: textOf(from), impossible: null, rewrites: from !== 'text' }
  if (from !== 'text') return null
  if (to === 'bigint') return { using: '{column}::bigint', impossible: wholeNumber, rewrites: true }
  if (number !== null)
    return {
      using: `{column}::${to}`,
      // Counted as numbers only where the text is one: a case expression is evaluated in order.
      impossible: `case when ${anyNumber} then true else round({column}::numeric, ${number.scale}) <> {column}::numeric or abs({column}::numeric) >= 1e${number.precision - number.scale}::numeric end`,
      rewrites: true,
    }
  if (to === 'date') return { using: '{column}::date', impossible: anyDate, rewrites: true }
  if (to.startsWith('time without')) return { using: `{column}::${to}`, impossible: anyTime, rewrites: true }
  if (to === 'boolean') return { using: '{column}::boolean', impossible: anyBoolean, rewrites: true }
  return null
}

/** Whether PostgreSQL takes every number that is written for one type for the other too, and keeps it: whoever writes it need not know. */
export function takesAll(from: string, to: string): boolean {
  const [was, is] = [digitsOf(from), digitsOf(to)]
  return was !== null && is !== null && is.scale >= was.scale && is.whole >= was.whole
}

/** How many digits a number has before its point, and behind it. */
function digitsOf(type: string): { readonly whole: number; readonly scale: number } | null {
  if (type === 'bigint') return { whole: 19, scale: 0 }
  const found = numeric(type)
  return found === null ? null : { whole: found.precision - found.scale, scale: found.scale }
}

function textOf(from: string): string {
  return from.startsWith('time without') ? `to_char({column}, 'HH24:MI')` : '{column}::text'
}

function numeric(type: string): { precision: number; scale: number } | null {
  const found = /^numeric\((\d+),(\d+)\)$/.exec(type)
  return found
    ? { precision: Number(found[1]), scale: Number(found[2]) }
    : type === 'numeric'
      ? { precision: 131072, scale: 16383 }
      : null
}

const spelled: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  time: 'time without time zone',
  int8: 'bigint',
  int4: 'integer',
  int: 'integer',
  bool: 'boolean',
}

/** A type as PostgreSQL's catalogue writes it: `timestamptz(3)` is `timestamp(3) with time zone`. */
export function catalogueType(type: string): string {
  const [, name, parameters] = /^([a-z0-9 ]+?)\s*(\([^)]*\))?$/.exec(type.trim().toLowerCase()) ?? [type, type, '']
  const words = (spelled[name!] ?? name!).split(' ')
  const compact = (parameters ?? '').replaceAll(' ', '')
  return name === 'numeric' && /^\(\d+\)$/.test(compact)
    ? `numeric${compact.replace(')', ',0)')}`
    : [words[0] + compact, ...words.slice(1)].join(' ')
}
