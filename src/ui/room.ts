/** Which columns of a table stay when there is little room. A server has no font to measure with: widths are estimated from the texts. */
import type { Column, Priority } from './table.tsx'

interface Wanting {
  readonly label: string
  /** Letters of its longest value. */
  readonly longest: number
  /** Pixels beside it: a ring, a tag. */
  readonly beside: number
}

/** The widths of a table, in pixels, up to which columns of priority 2, 3, 4 and 5 give way, after that of cards: as `list.css` has them. */
const widths = [688, 864, 992, 1120, 1280] as const

const letter = 7.7
const headLetter = 6.6
const sortIcon = 12
const padding = 24
/** Boxes that choose rows, and menus of rows. */
const controls = 92
const shortAtMost = 26
/** What a value that is longer is broken into, in letters. */
const broken = 22

/** One per column, in their order. `first`: the places of those that get room before the others, and keep it. */
export function roomOf(
  columns: readonly Wanting[],
  first: readonly number[],
): readonly Required<Pick<Column, 'priority' | 'short'>>[] {
  const width = ({ label, longest, beside }: Wanting) =>
    padding +
    Math.max((longest > shortAtMost ? broken : longest) * letter + beside, label.length * headLetter + sortIcon)
  const priorities = new Map<number, Priority>()
  let taken = controls
  for (const at of [...first, ...columns.keys()]) {
    if (priorities.has(at)) continue
    taken += width(columns[at]!)
    const fits = widths.findIndex(most => taken <= most)
    priorities.set(at, first.includes(at) ? 1 : (((fits < 0 ? widths.length : fits) + 1) as Priority))
  }
  return columns.map(({ longest }, at) => ({ priority: priorities.get(at)!, short: longest <= shortAtMost }))
}
