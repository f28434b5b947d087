/** Columns that name records of another sheet. */
import { singular, snake } from '../draft.ts'
import type { Column } from './sheet.ts'
import { folded, isDistinct, namesKey, type SheetTable } from './table.ts'

export interface Reference {
  readonly from: SheetTable
  readonly column: Column
  readonly to: SheetTable
  /** The column whose texts it names records by. */
  readonly key: Column
  /** The text of the key by what stands in the column. */
  readonly named: ReadonlyMap<string, string>
}

/** Of the columns whose cells stand in a key of a sheet. A key refers only where its heading says whom it names. */
export function referencesOf(tables: readonly SheetTable[]): readonly Reference[] {
  const keys = tables.flatMap(to =>
    to.columns
      .filter(isDistinct)
      .map(key => ({ to, key, named: new Map(key.texts.map(text => [folded(text!), text!])) })),
  )
  const found: Reference[] = []
  for (const from of tables)
    for (const column of from.columns) {
      const candidates = keys
        .filter(({ to, key }) => !(to === from && key === column))
        .filter(({ to, key }) => !found.some(one => one.from === to && one.column === key && one.to === from))
        .filter(({ to, key, named }) => fits(from, column, to, key, named))
      const best = candidates.find(({ to, key }) => isSaid(column, to, key)) ?? candidates[0]
      if (best !== undefined) found.push({ from, column, ...best })
    }
  return found
}

/** One in ten may name nothing; figures that happen to be there say nothing unless the heading does. */
function fits(
  from: SheetTable,
  column: Column,
  to: SheetTable,
  key: Column,
  named: ReadonlyMap<string, string>,
): boolean {
  const filled = column.texts.filter(text => text !== null)
  const hits = filled.filter(text => named.has(folded(text)))
  if (filled.length === 0 || (filled.length - hits.length) * 10 > filled.length) return false
  if (isSaid(column, to, key)) return from !== to || !isDistinct(column)
  const different = new Set(hits)
  return different.size >= 3 && !isDistinct(column) && [...different].every(text => /\p{L}{2}|\p{L}.*\d\d/u.test(text))
}

/** `Projects 2026` is a sheet of projects. */
const nameOf = ({ name }: SheetTable['entity']): string =>
  snake(singular(name.replace(/[\s_-]*\d[\d/.-]*$/, '') || name))

/** `Customer`, `Customer ID` and `Sold to customer` name a customer; so does the heading of a key that says more than `ID`. */
function isSaid({ heading }: Column, { entity }: SheetTable, key: Column): boolean {
  const [said, name] = [snake(heading), nameOf(entity)]
  return `_${said}_`.includes(`_${name}_`) || (said === snake(key.heading) && namesKey(heading) && said.includes('_'))
}

/** `Customer ID` names a customer, and so does `customer_name`: the field is the customer. */
export function referenceHeading({ column: { heading }, key, to }: Reference): string {
  const words = heading.trim().split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/)
  const last = words.at(-1)!.toLowerCase()
  const isTail = words.length > 1 && (namesKey(words.at(-1)!) || last === snake(key.heading) || last === 'name')
  const short = isTail ? words.slice(0, -1).join(' ') : heading
  return snake(short) === '' ? to.entity.name : short
}
