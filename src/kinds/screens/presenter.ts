/**
 * What the page of a screen kind may ask of the application around it: words, addresses, formats, what this person may do, and rows.
 * `web/presenter.ts` answers; of everything above, a kind knows this alone. View half: it names types of `ui`.
 */
import type { Cell } from '../../document/source.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import type { Buttons, Grouping, Measure, Parameter, Screen, Total } from '../../headings/2-screens/model.ts'
import type { App } from '../../headings/app.ts'
import type { BlockLink } from '../../headings/code/model.ts'
import type { ChartProps } from '../../ui/chart.tsx'
import type { KeyFigureView } from '../../ui/key-figures.tsx'
import type { Reader } from '../../ui/reader.tsx'
import type { FiguresCard, FiguresCardNeed } from './cards/need.ts'
import type { Period } from './cards/period.ts'
import type { FilterBarView, FilterRecords } from './filter-view.ts'
import type {
  DecidedData,
  FigureKey,
  FiguresData,
  GroupsData,
  InboxData,
  OneData,
  ReadChild,
  ReadRow,
  RowsData,
  ValuesByExpression,
  Verdict,
} from './read-data.ts'
import type { BlockView, RecordView } from './record-view.ts'
import type { Address, FiguresNeed, Filter, GroupsNeed, InboxNeed, OneNeed, RowsNeed } from './screen-kind.ts'
import type { FiguresFile } from './screen-page.ts'
import type { SaverView, TableTabs, TableView } from './table-view.ts'
import type {
  ActionView,
  ChildTableView,
  FaceView,
  FactView,
  FieldView,
  Hidden,
  LinesView,
  LinkView,
  Mark,
  MarkOf,
  ScreenView,
  StateView,
  StepLinkView,
  ValueView,
} from './view-model.ts'

export interface BarOf {
  /** A field that it has no control for. */
  readonly without?: string
  /** Names in the address that are no filters and say how the page is looked at. */
  readonly looks?: readonly string[]
}

export interface Places {
  readonly action: string
  readonly hidden: readonly Hidden[]
}

export interface Presenter {
  readonly app: App
  /** Language, zone, words of the chrome, formats. */
  readonly reader: Reader
  /** Of this page, without its query. */
  readonly path: string
  readonly address: Address
  /** It is asked for as a file. */
  readonly asFile: boolean
  /** It is asked for as a file for paper. */
  readonly asPaper: boolean
  /** The same page under another query. */
  readonly at: (query: URLSearchParams) => Presenter

  /** Rows as this person may see them. Null: there is nothing to see. */
  readonly read: (need: RowsNeed) => Promise<RowsData | null>
  /** The same of several parts of a page, each by itself. */
  readonly readEach: (
    needs: readonly (FiguresNeed | RowsNeed | null)[],
  ) => Promise<readonly (FiguresData | RowsData | null)[]>
  /** Figures of what the page reads, at once with that. */
  readonly readFigures: (need: FiguresNeed) => Promise<FiguresData | null>
  readonly readGroups: (need: GroupsNeed) => Promise<GroupsData | null>
  /** A record as this person may see it, and that they were shown it is written down where the document wants it. Null: not there, or not for them. */
  readonly readOne: (need: OneNeed) => Promise<OneData | null>
  /** The same with all that stands on its page, and the scripts of its blocks. `related`: entities whose records are listed below; null: all that refer to it. */
  readonly record: (
    screen: Screen,
    need: OneNeed,
    related: readonly { readonly entity: string }[] | null,
  ) => Promise<{ readonly view: RecordView; readonly scripts: readonly string[] } | null>
  /** Records of which this person may take one of these steps now: so many of each entity. */
  readonly waiting: (steps: InboxNeed['steps'], limit: number) => Promise<InboxData>
  /** How many records wait for them, as it stands beside the first inbox; empty: none, or this is another one. */
  readonly waitingCount: (screen: Screen) => Promise<string>
  /** Records of which they took one of these steps last: so many. */
  readonly decided: (steps: InboxNeed['steps'], limit: number) => Promise<DecidedData>

  /** A record by what names it in addresses, with these fields; null: it is not there for them, or would be written down as read. */
  readonly recordAt: (entity: string, address: string, fields: readonly string[]) => Promise<ReadRow | null>
  /** What the forms over records sent, as an address of this page; null: none was sent. */
  readonly builtAddress: (entity: string) => string | null
  /** What stands over records that somebody looks through. `ignored`: what of the address was not understood. */
  readonly lookup: (screen: Screen, need: RowsNeed | GroupsNeed, ignored: readonly string[]) => Promise<Lookup>

  /** Records that filters name, and forms that were held back. */
  readonly readBeside: (screen: Screen, need: RowsNeed) => Promise<Beside>
  /** What is looked for where a search found nothing: words that are one letter off. Null: it has none that may be. */
  readonly nearly: (need: RowsNeed) => RowsNeed | null
  readonly table: (screen: Screen, table: Tabled) => TableView
  /** The tabs over a list, and the form in which views of it are saved; null: for visitors. */
  readonly views: (screen: Screen) => { readonly views: TableTabs; readonly saver: SaverView | null }
  /** The address of the view that a list opens with for this person; null: as it is. */
  readonly firstView: (screen: Screen) => string | null
  /** Drafts of new records that this person has begun. */
  readonly drafts: (entity: string) => readonly LinkView[]

  readonly title: (entity: string, row: ReadRow) => string
  /** The same without the reference behind it. */
  readonly called: (entity: string, row: ReadRow) => string
  /** Fields without which a row can neither be named nor linked to. */
  readonly namingFields: (entity: string) => readonly string[]
  /** Null: they may not open it. */
  readonly href: (entity: string, row: ReadRow) => string | null
  /** The same of the record that an address names. */
  readonly hrefAt: (entity: string, address: string) => string | null
  /** Back to the page of a record, and the list that it was opened from; null: they may not open it. */
  readonly backTo: (entity: string, row: ReadRow) => LinkView | null
  /** It leads back to this page. */
  readonly stepAt: (entity: string, address: string, step: string) => StepLinkView
  readonly marks: (entity: string, row: ReadRow) => readonly MarkOf[]
  readonly state: (entity: string, state: string) => StateView
  readonly value: (entity: string, row: ReadRow, field: string) => ValueView
  /** What a field is called; null: there is none such. */
  readonly label: (entity: string, field: string) => string | null
  /** Rows of a list with these columns and their sums, and with these lists of theirs, null: all; none where it is no list. */
  readonly childTables: (
    entity: string,
    list: string,
    rows: readonly ReadChild[],
    columns: readonly string[],
    inner: readonly string[] | null,
  ) => readonly ChildTableView[]
  /** What was read of a record besides its fields, with its label and in a text; null: not for them. */
  readonly toldValue: (
    value: Expression,
    told: ValuesByExpression,
  ) => { readonly label: string; readonly value: ValueView } | null
  readonly toldText: (text: Template, told: ValuesByExpression) => string | null
  /** Null: there is no such field. */
  readonly fact: (entity: string, row: ReadRow, field: string) => FactView | null
  /** Where people set one of these fields of a row anew; null: nowhere, or not this person. */
  readonly changing: (entity: string, row: ReadRow, fields: readonly string[]) => Changing | null
  /** Steps of a row, as far as a screen offers them; null: all. */
  readonly actions: (offered: Buttons | null, entity: string, row: ReadRow) => readonly ActionView[]
  /** Where places in an order by hand are changed, with what a form of it carries; null: what is shown is in no such order, or not theirs. */
  readonly places: (shown: Pick<RowsNeed, 'entity' | 'sort'>) => Places | null
  /** A record among others, as far as it was read and they may see it. */
  readonly face: (entity: string, row: ReadRow) => FaceView
  /** What is read for it, besides what names it. */
  readonly faceFields: (entity: string) => readonly string[]
  /** "loans". */
  readonly things: (entity: string) => string
  /** "New loan"; null: they may create none. */
  readonly create: (entity: string, verdict: Verdict) => LinkView | null

  readonly lines: (entity: string, columns: readonly string[], rows: readonly ReadRow[], empty: string) => LinesView
  /** The first list of such records that this person may open; null: there is none. */
  readonly allOf: (entity: string) => LinkView | null
  /** Where a figure leads; `wheres`: what the records that it counts have to fulfil. */
  readonly leads: (entity: string, wheres: readonly (Expression | null)[]) => Leads
  readonly figures: FigureWords
  readonly keyFigure: (figures: Figured) => KeyFigureView
  readonly chart: (figures: Charted) => ChartProps

  /** A component of the document that is a whole screen, with the records that it is given; null: none. */
  readonly component: (
    link: BlockLink,
    given: { readonly entity: string; readonly rows: readonly ReadRow[]; readonly more: boolean } | null,
  ) => { readonly view: BlockView; readonly script: string | null }

  /** The line of the document that a part of the page stands in. */
  readonly markAt: (cell: Cell) => Mark
  /** Nothing is there to show, `filtered` as the address has it. */
  readonly none: (
    entity: string,
    screen: { readonly emptyText: Cell | null; readonly where: Expression | null },
    filtered: boolean,
  ) => string
  /** What stands on every screen; `entity` null: it shows none. */
  readonly frame: (screen: Screen, entity: string | null) => ScreenView
  /** The control by which a page asks its reader for something, with what they answered. */
  readonly asks: (parameter: Parameter, answer: string) => FieldView
  /** What of the address was not understood, as notes over the page. */
  readonly notUnderstood: (parts: readonly string[]) => readonly string[]
  /** `left`: how many are left out, where that is known. */
  readonly firstShown: (count: number, left?: number) => string
}

/** What figures, and what they are grouped by, are called, and how their values are written. */
export interface FigureWords {
  readonly group: (by: Grouping) => string
  readonly key: (by: Grouping, key: FigureKey) => string
  readonly measure: (measure: Measure) => string
  /** The numbers of a column, with as many digits after the point. */
  readonly column: (measure: Measure, values: readonly (string | null)[]) => readonly string[]
  /** The same with all their digits. */
  readonly exact: (measure: Measure, values: readonly (string | null)[]) => readonly string[]
  /** Numbers, and what they are grouped by, as cells of a file that is asked for. */
  readonly cells: (measure: Measure, values: readonly (string | null)[]) => FiguresFile['rows'][number]
  readonly keyCell: (by: Grouping, key: FigureKey) => FiguresFile['rows'][number][number]
  readonly isPercent: (measure: Measure) => boolean
  readonly isNumber: (measure: Measure) => boolean
  /** For drawing. */
  readonly size: (value: string | null) => number | null
  /** The same page as files; none where they may not all be taken along. `query`: what of the address goes along. */
  readonly exports: (entity: string, query: URLSearchParams) => readonly LinkView[]
}

/** A card with a number: what was read for it. */
export interface Figured {
  readonly need: FiguresCardNeed & { readonly card: FiguresCard & { readonly kind: 'number' } }
  readonly now: FiguresData
  readonly before: FiguresData | null
  readonly period: Period
  readonly leads: Leads
}

/** The same of one with a chart. */
export interface Charted extends Omit<Figured, 'need'> {
  readonly need: FiguresCardNeed & { readonly card: FiguresCard & { readonly kind: 'chart' } }
}

/** The form of a record, or the page of a step that asks for it. */
export interface Changing {
  readonly href: string
  readonly isStep: boolean
  /** Those of the fields that are set there. */
  readonly fields: readonly string[]
}

/** The address of the records of one group of a figure (`group`: what besides holds for it; null: that cannot be said); null: no list shows just these. */
export type Leads = (group: readonly Filter[] | null) => string | null

export interface Beside {
  readonly records: FilterRecords
  /** Forms for everyone that were held back; null: none, or not for this person. */
  readonly held: LinkView | null
}

/** What is known of a table of records. */
export interface Tabled {
  /** As the kind asked for it: without what is read to name its rows. */
  readonly need: RowsNeed
  readonly ignored: readonly string[]
  readonly data: RowsData
  readonly records: FilterRecords
  /** What stands there when there is nothing to show; null: Ninefold's own words. */
  readonly emptyText: Cell | null
  /** What stands under its columns, and the figures of that, as `rowFigures` asks for them with `need`. */
  readonly totals: readonly Total[]
  readonly figures: FiguresData | null
  /** What its rows may be grouped by besides columns. */
  readonly groups: readonly Grouping[]
}

export interface Lookup {
  /** Its search and filters. `shown`: fields that have one where the screen names none, but for `without`. */
  readonly bar: (shown: readonly string[], of?: BarOf) => FilterBarView
  /** What was not looked for as the address has it, in words. */
  readonly ignored: readonly string[]
  /** Forms for everyone that were held back; null: none, or not for this person. */
  readonly held: LinkView | null
}
