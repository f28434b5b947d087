/** The groups of a list: whose records belong together, and how many each head says. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Grouping, Unit } from '../headings/2-screens/model.ts'
import { dayIn } from '../kinds/fields/dates.ts'
import { namesUnseen } from './audience.ts'
import { worth } from './judge.ts'
import { readsOf, seesField } from './oracle/rights.ts'
import { plainText } from './page.ts'
import type { Case } from './trial.ts'

const headed = /<tr class="grp".*?<a [^>]*\bid="([^"]+)".*?<span class="n">(.*?)<\/span>/gs

/** By the group: how many records its head says. */
export const countsIn = (html: string): ReadonlyMap<string, number> =>
  new Map([...html.matchAll(headed)].map(([, id, count]) => [id!, Number(plainText(count!).replace(/\D/g, ''))]))

/** Days of which a group of it is one part. */
const digits: Partial<Record<Unit, number>> = { year: 4, month: 7, day: 10 }

/** What a record is grouped by, as a text; null: that cannot be told from here. */
export function groupOf({ unit, value }: Grouping, one: Case): string | null {
  // What is closed to them is empty.
  const isSeen = [...readsOf(one, value.cell.text)].every(key => seesField(one, { key }))
  const given = isSeen ? worth(value, one.world.environment(one.entity, one.record)) : null
  if (given === NOT_LOADED || (typeof given === 'object' && given !== null)) return null
  if (given === null || given === undefined) return ''
  if (unit === null) return namesUnseen(one, value.type, given) ? 'unseen' : String(given)
  const length = digits[unit]
  const day = value.type.kind === 'moment' ? dayIn(String(given), one.app.product.timeZone.name) : String(given)
  return length === undefined ? null : day.slice(0, length)
}

/** `groups`: of all records in the order of the list. `counts`: what heads say, in any order. */
export function otherGroups(groups: readonly string[], counts: readonly number[]): readonly string[] {
  const runs = groups.filter((group, at) => group !== groups[at - 1])
  if (new Set(runs).size < runs.length) return ['records of one group do not stand together']
  const wanted = [...Map.groupBy(groups, group => group).values()].map(all => all.length)
  const [told, found] = [counts, wanted].map(all => all.toSorted((a, b) => a - b).join(', '))
  return counts.length === 0 || told === found ? [] : [`its groups are said to have ${told} records, and have ${found}`]
}
