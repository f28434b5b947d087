import { unread } from '../query.ts'
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
  need: (_screen, _app, address) => ({ need: { kind: 'text' }, ignored: unread(address.query) }),
}
