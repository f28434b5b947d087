/** Of which row a problem speaks, in words. */
import type { Problem } from '../../run/outcome.ts'
import type { Site } from '../site.ts'

/** "Parts › Cleaning › Tasks › Row 2": each list with the row, by its name or, without one, its number. Null: it is about no row. */
export function problemPlace({ reader }: Pick<Site, 'reader'>, { field, rows = [] }: Problem): string | null {
  const numbers = (field ?? '').split('.').filter((_, at) => at % 2 === 1)
  const words = rows.flatMap(([list, name], at) => [
    list,
    name || reader.words('row', { number: Number(numbers[at]) + 1 }),
  ])
  return words.length === 0 ? null : words.join(' › ')
}
