/** All screen kinds, in the order of the reference. A new kind is one folder and one line here. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { specified } from '../../headings/specified.ts'
import { block } from './block/screen.ts'
import { board } from './board/screen.ts'
import { calendar } from './calendar/screen.ts'
import { chart } from './chart/screen.ts'
import { dashboard } from './dashboard/screen.ts'
import { form } from './form/screen.ts'
import { inbox } from './inbox/screen.ts'
import { list } from './list/screen.ts'
import { one } from './one/screen.ts'
import { pivot } from './pivot/screen.ts'
import { print } from './print/screen.ts'
import { report } from './report/screen.ts'
import type { ScreenKind } from './screen-kind.ts'
import { text } from './text/screen.ts'
import { timeline } from './timeline/screen.ts'
import { wizard } from './wizard/screen.ts'

const all: readonly ScreenKind[] = [
  list,
  one,
  form,
  wizard,
  board,
  calendar,
  timeline,
  dashboard,
  chart,
  report,
  pivot,
  inbox,
  print,
  text,
  block,
]

/** By the name that a screen of the model carries. */
export const screenKinds: ReadonlyMap<string, ScreenKind> = new Map(all.map(kind => [kind.name, kind]))

/** Null: the document leaves open what the screen shows. */
export const kindOf = ({ shows }: Pick<Screen, 'shows'>): ScreenKind | null =>
  screenKinds.get(specified(shows)?.kind ?? '') ?? null
