/** The pages of screen kinds that are whole rooms, in the order of their style sheets. A new one is one line here and one in `index.ts`. */

import { blockPage } from './block/page.tsx'
import { boardPage } from './board/page.tsx'
import { calendarPage } from './calendar/page.tsx'
import { chartPage } from './chart/page.tsx'
import { dashboardPage } from './dashboard/page.tsx'
import { inboxPage } from './inbox/page.tsx'
import { listPage } from './list/page.tsx'
import { onePage } from './one/page.tsx'
import { pivotPage } from './pivot/page.tsx'
import { printPage } from './print/page.tsx'
import { reportPage } from './report/page.tsx'
import type { ScreenPage } from './screen-page.ts'
import { textPage } from './text/page.tsx'
import { timelinePage } from './timeline/page.tsx'

const all: readonly ScreenPage[] = [
  boardPage,
  calendarPage,
  timelinePage,
  inboxPage,
  textPage,
  dashboardPage,
  chartPage,
  reportPage,
  pivotPage,
  printPage,
  listPage,
  onePage,
  blockPage,
]

/** By the name that a screen of the model carries. */
export const screenPages: ReadonlyMap<string, ScreenPage> = new Map(all.map(page => [page.name, page]))

/** What `bundleStyles` puts behind the sheets of `ui`. */
export const screenSheets: readonly URL[] = all.flatMap(({ sheet }) => sheet ?? [])
