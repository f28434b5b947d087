/** Headings that say nothing yet: `not shown.`, or not there at all. A document whose nine headings all say so is valid. */
import { nineTitles } from '../document/nine.ts'
import { nothing } from '../document/nothing.ts'
import type { Cell } from '../document/source.ts'
import type { Section } from '../document/tree.ts'
import { type Context, leaveOpen, sectionsOf } from './context.ts'
import { open } from './gaps/gap.ts'

const codes = [
  'heading1',
  'heading2',
  'heading3',
  'heading4',
  'heading5',
  'heading6',
  'heading7',
  'heading8',
  'heading9',
] as const

/** Records a gap for every heading that says nothing. Where it is missing, the place is the title of the document. */
export function leaveHeadingsOpen(context: Context, title: Cell, areScreensAssumed: boolean): void {
  nineTitles.forEach((heading, index) => {
    const section = index + 1
    const parts = sectionsOf(context, section)
    if (parts.some(part => says(part))) return
    const written = parts.flatMap(part => part.prose).find(cell => nothing(cell) !== null)
    const kind = written === undefined ? null : nothing(written)
    const by = typeof kind === 'object' && kind !== null ? kind : undefined
    const code = section === 2 && areScreensAssumed ? 'heading2Assumed' : codes[index]!
    leaveOpen(context, written ?? parts[0]?.title ?? title, open(section, code, { title: heading }), by)
  })
}

/** A heading that is explicitly nothing (`none`) says something. Heading 1 is said in prose, the others in tables and bullets. */
function says(section: Section): boolean {
  const { properties, tables, fences, subjects, blocks, prose, number } = section
  if (properties.length + tables.length + fences.length + subjects.length + blocks.length > 0) return true
  return prose.some(cell =>
    number === 1 ? typeof nothing(cell) !== 'object' || nothing(cell) === null : nothing(cell) === 'none',
  )
}
