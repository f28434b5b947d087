/** All screen kinds, in the order of the reference. A new kind is one folder and one line here. */
import { block } from './block/screen.ts'
import { board } from './board/screen.ts'
import { calendar } from './calendar/screen.ts'
import { dashboard } from './dashboard/screen.ts'
import { form } from './form/screen.ts'
import { inbox } from './inbox/screen.ts'
import { list } from './list/screen.ts'
import { one } from './one/screen.ts'
import { report } from './report/screen.ts'
import type { ScreenKind } from './screen-kind.ts'
import { text } from './text/screen.ts'
import { wizard } from './wizard/screen.ts'

const all: readonly ScreenKind[] = [list, one, form, wizard, board, calendar, dashboard, report, inbox, text, block]

/** By the name that a screen of the model carries. */
export const screenKinds: ReadonlyMap<string, ScreenKind> = new Map(all.map(kind => [kind.name, kind]))

/** Kinds that the language has and this Ninefold does not show yet: known names, so that they are answered honestly. */
export const plannedScreens: readonly Pick<ScreenKind, 'name' | 'written' | 'opening' | 'meaning' | 'entity' | 'by'>[] =
  [
    {
      name: 'table',
      written: 'table of Entity',
      opening: 'table of',
      meaning: 'A list that is edited in place.',
      entity: 'required',
      by: 'none',
    },
    {
      name: 'chart',
      written: 'chart of Entity by field',
      opening: 'chart of',
      meaning: 'Measures as a drawing.',
      entity: 'required',
      by: 'required',
    },
  ]
