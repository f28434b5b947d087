/** What a heading 4 is, by its words. */
import { slice, trimmed } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'

export type BlockKind = 'notes' | 'sample data' | 'examples' | 'scenario' | 'fields' | 'other'

/** `Notes …` is prose under every heading; `Scenario: …` may stand under every heading. */
export function blockKind(title: Cell): BlockKind {
  const text = title.text.toLowerCase()
  if (/^notes\b/.test(text)) return 'notes'
  if (/^sample data$/.test(text)) return 'sample data'
  if (/^examples?\s*:/.test(text)) return 'examples'
  if (/^scenario\s*:/.test(text)) return 'scenario'
  return /^fields\s*:/.test(text) ? 'fields' : 'other'
}

/** What stands behind the colon: `V-2` of `Examples: V-2`. */
export function blockName(title: Cell): Cell {
  return trimmed(slice(title, title.text.indexOf(':') + 1))
}
