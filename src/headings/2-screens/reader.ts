/** What stands below the heading of one screen, as the members of its kind read it (`kinds/screens/members.ts`). */
import { splitAt } from '../../document/cell.ts'
import type { NamedRow } from '../../document/columns.ts'
import type { Cell } from '../../document/source.ts'
import type { Subject } from '../../document/tree.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Product } from '../1-product/model.ts'
import { readRoles } from '../6-permissions/declare.ts'
import type { BlockLink } from '../code/model.ts'
import { readBlocks } from '../code/read.ts'
import { type Context, cellOrNull, readAt, readSpecified, saysNothing } from '../context.ts'
import { open, use } from '../gaps/gap.ts'
import { type Specified, specified } from '../specified.ts'
import { readCards, readChart, readDay, readPeriod } from './cards.ts'
import { readButtons, readColumns, readFilters, readFormColumns, readRelated, readSort, readSteps } from './fields.ts'
import { readLaneGroups } from './lanes.ts'
import { askedOf, readGroupings, readMeasure, readParameters } from './measures.ts'
import type {
  Buttons,
  Card,
  Grouping,
  Measure,
  Page,
  PeriodName,
  Print,
  ScreenText,
  Section,
  Shows,
  View,
} from './model.ts'
import { readPages } from './pages.ts'
import { readPrint } from './print.ts'
import { readAtMost, readConfirmTo, readSites } from './public-forms.ts'
import { readSections } from './sections.ts'
import { blockLink } from './shows.ts'
import { readText } from './text.ts'
import { readTotals } from './totals.ts'
import { readViews } from './views.ts'

const section = 2

interface Written {
  /** Of the screen. */
  readonly name: Cell
  readonly shows: Specified<Shows>
  readonly subject: Subject | null
  readonly keys: NamedRow | null
  readonly translations: Product['translations']
}

export type ScreenReader = ReturnType<typeof screenReader>

/** `key`: a bold key; what it does not say, or says of no entity, is absent. */
export function screenReader(context: Context, { name, shows, subject, keys, translations }: Written) {
  const screen = { screen: name.text }
  const what = specified(shows)
  const entity = what?.entity ?? null
  const text = (key: string): Cell | null => cellOrNull(keys?.cell(key) ?? null)
  const all = (key: string): readonly Cell[] => keys?.all(key) ?? []
  /** What is about records, where the screen says of which. */
  const ofRecords =
    <V, Absent>(absent: Absent, read: (entity: string, cell: Cell | null, key: string) => V) =>
    (key: string): V | Absent =>
      entity === null ? absent : read(entity, text(key), key)
  const parameters = readParameters(context, all('Asks'), use('screenAsks', screen))
  const asked = parameters.length === 0 ? {} : { asked: askedOf(parameters) }
  return {
    text,
    condition: ofRecords(null, (entity, cell): Expression | null =>
      cell === null
        ? null
        : readAt(context, cell, { section, entity, ...asked }, { kind: 'yes/no' }, use('screenShows', screen)),
    ),
    columns: ofRecords([], (entity, cell) => readColumns(context, entity, cell)),
    formColumns: ofRecords([], (entity, cell) => readFormColumns(context, entity, cell)),
    filters: ofRecords([], (entity, cell) => readFilters(context, entity, cell)),
    totals: ofRecords([], (entity, cell) => readTotals(context, entity, cell, use('screenMeasures', screen))),
    sort: ofRecords([], (entity, cell) => readSort(context, entity, cell)),
    views: ofRecords([], (entity, _, key): readonly View[] => readViews(context, entity, all(key), name.text)),
    roles: ofRecords(null, (_, cell) => (cell === null ? null : readRoles(context, cell, section))),
    buttons: ofRecords(null, (entity, _, key): Buttons | null => {
      const cell = keys?.cell(key) ?? null
      if (cell === null || cell.text === '') return null
      return saysNothing(cell) ? [] : readButtons(context, entity, cell)
    }),
    related: ofRecords(null, (entity, _, key) => readRelated(context, entity, keys?.cell(key) ?? null)),
    atMost: ofRecords(null, (entity, cell) => readAtMost(context, entity, cell)),
    confirmTo: ofRecords(null, (entity, cell) => readConfirmTo(context, entity, cell)),
    sites: ofRecords([], (_, cell) => readSites(context, cell)),
    /** Steps of any entity. */
    steps: (key: string) => readSteps(context, text(key)),
    parameters: () => parameters,
    measures: ofRecords([], (entity, _, key): readonly Specified<Measure>[] =>
      all(key).map(cell =>
        readSpecified(context, cell, open(section, 'screenMeasure', screen), said =>
          readMeasure(context, said, { entity, ...asked, use: use('screenMeasures', screen) }),
        ),
      ),
    ),
    /** Those that the Shows cell says, and further ones. */
    groups: ofRecords([], (entity, further): readonly Grouping[] =>
      [what === null ? null : (splitAt(what.cell, 'by')?.after ?? null), further].flatMap(cell =>
        cell === null ? [] : readGroupings(context, cell, entity, { ...asked, use: use('screenGroups', screen) }),
      ),
    ),
    /** What a bold key says alone. */
    groupings: ofRecords([], (entity, cell): readonly Grouping[] =>
      cell === null ? [] : readGroupings(context, cell, entity, { ...asked, use: use('screenGroups', screen) }),
    ),
    laneGroups: ofRecords(null, (entity, cell): string | null =>
      cell === null || what === null ? null : readLaneGroups(context, cell, entity, what),
    ),
    day: ofRecords(null, (entity, cell): Expression | null =>
      readDay(context, cell, entity, use('screenGroups', screen)),
    ),
    cards: (): readonly Card[] => (subject === null ? [] : readCards(context, subject)),
    /** What the Shows cell says, as the one card. */
    chart: (): readonly Card[] =>
      entity === null || what === null
        ? []
        : readChart(context, what.cell, entity, { name, keys: key => keys?.cell(key) ?? null, all }),
    period: (key: string): PeriodName | null => readPeriod(context, text(key)),
    pages: (): readonly Page[] => (entity === null ? [] : readPages(context, entity, { subject, name })),
    sections: (): readonly Section[] =>
      entity === null || subject === null ? [] : readSections(context, entity, subject),
    print: (): Print | null =>
      entity === null
        ? null
        : readPrint(context, entity, translations, { subject, name, keys: key => keys?.cell(key) ?? null }),
    prose: (): ScreenText | null => (subject === null ? null : readText(context, subject, [...translations.keys()])),
    blocks: (key: string): readonly BlockLink[] => readBlocks(context, all(key)),
    /** The link that the Shows cell begins with. */
    component: (): readonly BlockLink[] => (what === null ? [] : readBlocks(context, [blockLink(what.cell)!.link])),
  }
}
