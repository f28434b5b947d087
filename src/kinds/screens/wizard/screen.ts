import { oneNeed } from '../one/screen.ts'
import type { ScreenKind } from '../screen-kind.ts'

/** A form in steps: each page asks for some of its fields, and the last one shows them all before anything is saved. */
export const wizard: ScreenKind = {
  name: 'wizard',
  written: 'wizard for Entity',
  opening: 'wizard for',
  meaning:
    'A form in steps: each heading 4 below it is a page that asks for some of the fields. With a field in braces in its address, for the record that it names.',
  entity: 'required',
  by: 'none',
  record: 'optional',
  entry: 'steps',
  properties: [],
  need: (screen, app, address) => {
    const need = oneNeed(screen, app, address, 0)
    return need === null ? null : { need, ignored: [] }
  },
}
