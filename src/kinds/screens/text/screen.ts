import type { ScreenKind } from '../screen-kind.ts'

/** A page of prose. */
export const text: ScreenKind = {
  name: 'text',
  written: 'text',
  opening: 'text',
  meaning: 'A page of prose: what stands below its heading 3, as Markdown.',
  entity: 'none',
  by: 'none',
  properties: [],
  isSpecified: screen => screen.text !== null,
}
