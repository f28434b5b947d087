/** Tables of figures on a page: each figure is held against its own line and, where the columns can be told apart, its own column. */
import { plainText } from './page.ts'
import { withoutMarks } from './shown.ts'

/** Of one group, of several together, or of all. */
type Kind = 'group' | 'sum' | 'total'

/** What a line should be. */
export interface Wanted {
  readonly kind: Kind
  /** What its groups are called, outermost first; undefined: that cannot be told. */
  readonly names: readonly (string | undefined)[]
  /** By column. */
  readonly values: readonly (number | null)[]
}

/** What stands in columns, each with so many measures. */
export interface Columns {
  /** Undefined: what it is called cannot be told. */
  readonly names: readonly (string | undefined)[]
  /** They stand in the order of these names, which are those of days. */
  readonly inOrder: boolean
  readonly measures: number
}

interface Line {
  readonly kind: Kind
  readonly heads: readonly string[]
  readonly texts: readonly string[]
}

export interface Grid {
  /** Above each figure, from the first one on. */
  readonly heads: readonly string[]
  readonly lines: readonly Line[]
}

const rowsOf = (html: string) => [...html.matchAll(/<tr([^>]*)>(.*?)<\/tr>/gs)].map(([, is, inner]) => [is!, inner!])

/** Texts of a row; a cell that spans several stands for each of them. What is only drawn is left out. */
const textsOf = (row: string): readonly string[] =>
  [...row.matchAll(/<(t[hd])([^>]*)>(.*?)<\/\1>/gs)].flatMap(([, , is, inner]) => {
    const width = Number(/colspan="(\d+)"/i.exec(is!)?.[1] ?? 1)
    return is!.includes('aria-hidden') ? [] : Array<string>(width).fill(plainText(inner!))
  })

/** The last table of a piece of a page, which says in words what another draws; `named`: columns that say what a line is of. */
export function gridIn(html: string, named: number): Grid | null {
  const table = withoutMarks(html.match(/<table.*?<\/table>/gs)?.at(-1) ?? '')
  const [head = '', rest = ''] = table.split('</thead>')
  if (rest === '') return null
  let heads: readonly string[] = []
  let around = ''
  const [body = '', foot = ''] = rest.split('<tfoot')
  const lines = rowsOf(body).map(([is, inner]): Line => {
    const texts = textsOf(inner!)
    // A name that stands above is not said again.
    heads = texts.slice(0, named).map((text, at) => text || (heads[at] ?? ''))
    const isSum = /class="(?:sum|group)"/.test(is!)
    if (isSum) around = heads[0] ?? ''
    const isWithin = is!.includes('class="within"')
    return { kind: isSum ? 'sum' : 'group', heads: isWithin ? [around, ...heads] : heads, texts: texts.slice(named) }
  })
  const totals = rowsOf(foot).map(
    ([, inner]): Line => ({ kind: 'total', heads: [], texts: textsOf(inner!).slice(named) }),
  )
  return { heads: textsOf(rowsOf(head)[0]?.[1] ?? '').slice(named), lines: [...lines, ...totals] }
}

/** By each wanted value the place where it stands; null: that cannot be told. A text: it stands nowhere. */
function placesIn({ heads }: Grid, { names, inOrder, measures }: Columns): readonly number[] | string | null {
  const firsts = names.map((name, at) => (name === undefined || inOrder ? at * measures : heads.indexOf(name)))
  if (inOrder && heads.length < names.length * measures) return `it has ${heads.length} columns of figures`
  if (!inOrder && names.length > 1 && (names.includes(undefined) || new Set(names).size < names.length)) return null
  const lost = firsts.indexOf(-1)
  return lost >= 0
    ? `there is no column ${names[lost]}`
    : firsts.flatMap(first => Array.from({ length: measures }, (_, at) => first + at))
}

/** Lines that a table should have, and has not; `isWhole`: it has no others either, and lines of nothing as well. */
export function otherGrid(
  grid: Grid,
  wanted: readonly Wanted[],
  columns: Columns,
  isWhole: boolean,
): readonly string[] {
  const places = placesIn(grid, columns)
  if (typeof places === 'string') return [places]
  const says = ({ texts }: Line, values: Wanted['values']) =>
    values.every((value, at) =>
      places === null ? texts.some(text => isSaid(text, value)) : isSaid(texts[places[at]!] ?? '', value),
    )
  const isCalled = ({ heads }: Line, names: Wanted['names']) =>
    names.every(name => name === undefined || heads.some(head => head.includes(name)))
  const needed = wanted.filter(({ values }) => isWhole || values.some(value => value !== null && value !== 0))
  const alike = Map.groupBy(needed, ({ kind, names, values }) => JSON.stringify([kind, names, values]))
  const missing = [...alike.values()].flatMap(all => {
    const [{ kind, names, values }] = all as [Wanted]
    const there = grid.lines.filter(line => line.kind === kind && isCalled(line, names) && says(line, values)).length
    const called = names.map(name => name ?? 'a group').join(', ') || 'all'
    return there < all.length ? [`${there} of ${all.length} lines of ${called} say ${values.join(' ')}`] : []
  })
  const counts = (['group', 'sum'] as const).flatMap(kind => {
    const [has, needs] = [grid.lines, needed].map(all => all.filter(line => line.kind === kind).length)
    return isWhole && has !== needs ? [`it has ${has} lines of a ${kind}, and not ${needs}`] : []
  })
  return [...counts, ...missing]
}

/** Nothing is said as nothing, or as zero. */
const isSaid = (text: string, value: number | null): boolean =>
  isNumber(text, value) || ((value === null || value === 0) && (Number.isNaN(numberIn(text)) || isNumber(text, 0)))

/** The number that a text says; NaN: none. Groups of three digits are thousands. */
export function numberIn(text: string): number {
  const digits = /-?\d[\d.,’'\s\u202f]*/.exec(text.replace(/−/g, '-'))?.[0].trim() ?? ''
  const [, whole = digits, part = ''] = /^(.*)[.,](\d{1,2}|\d{4,})$/.exec(digits) ?? []
  const number = whole.replace(/[^\d-]/g, '')
  return number === '' ? Number.NaN : Number(`${number}.${part === '' ? '0' : part}`)
}

/** Whether a text says a number, as exactly as it says one; null: nothing. */
export function isNumber(text: string, value: number | null): boolean {
  const is = numberIn(text)
  if (value === null) return Number.isNaN(is)
  const places = /[.,](\d{1,2}|\d{4,})[^\d]*$/.exec(text)?.[1]?.length ?? 0
  return Math.abs(is - value) <= 0.5 * 10 ** -places + 1e-9
}
