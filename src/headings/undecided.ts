/** Headings that say nothing yet: `not shown.`, or not there at all. A document whose nine headings all say so is valid. */
import { nineTitles } from '../document/nine.ts'
import { nothing } from '../document/nothing.ts'
import type { Cell } from '../document/source.ts'
import type { Section } from '../document/tree.ts'
import { type Context, leaveOpen, sectionsOf } from './context.ts'

/** What follows for the application while a heading is undecided. */
const consequences = [
  'the start page tells nothing about the product',
  'there is no page beside the start page',
  'nothing is stored',
  'records have no states, and nothing can be done with them',
  'whatever fits the types of the fields is accepted',
  'nobody may see or do anything',
  'nothing is called and no mail is sent',
  'refusals have only their built-in words',
  'nothing is limited but by the engine itself',
] as const

/** Records a gap for every heading that says nothing. Where it is missing, the place is the title of the document. */
export function leaveHeadingsOpen(context: Context, title: Cell, areScreensAssumed: boolean): void {
  nineTitles.forEach((name, index) => {
    const section = index + 1
    const parts = sectionsOf(context, section)
    if (parts.some(part => says(part))) return
    const written = parts.flatMap(part => part.prose).find(cell => nothing(cell) !== null)
    const kind = written === undefined ? null : nothing(written)
    const by = typeof kind === 'object' && kind !== null ? kind : { owner: null, note: null }
    const what = `heading ${section}, ${name}`
    const consequence = section === 2 && areScreensAssumed ? 'only assumed screens are served' : consequences[index]!
    leaveOpen(context, written ?? parts[0]?.title ?? title, { section, what, consequence }, by.owner, by.note)
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
