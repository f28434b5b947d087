/** Heading 2: screens and routes. */
import type { Cell } from '../../document/source.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import type { Type } from '../../expression/type.ts'
import type { FieldParameters } from '../../kinds/fields/field-kind.ts'
import type { Specified } from '../specified.ts'

export interface Screen {
  /** From its name: `my_loans`. Unique. */
  readonly key: string
  readonly name: Cell
  readonly route: Specified<Route>
  readonly for: Specified<Audience>
  readonly shows: Specified<Shows>
  /** Roles that come here first. Null: it is the home of nobody in particular. */
  readonly homeFor: { readonly cell: Cell; readonly roles: readonly string[] } | null
  /** What its kind alone knows; `kinds/screens/members.ts` says how others ask for it. */
  readonly part: Readonly<Record<string, unknown>>
  readonly meaning: Cell | null
}

/** One of the fields that records are sorted by. */
export interface SortKey {
  readonly field: string
  readonly descending: boolean
  readonly cell: Cell
}

/** A step that an inbox waits for: of one entity, or (null) of each that has a step of that name. */
export interface AwaitedStep {
  readonly step: string
  readonly entity: string | null
  readonly cell: Cell
}

/** Steps that a screen offers. */
export type Buttons = readonly { readonly step: string; readonly cell: Cell }[]

/** Markdown; notes, scenarios and bold keys are not in it. */
export interface ScreenText {
  /** Null: there is none. */
  readonly text: Cell | null
  /** The same in other languages, by their tags: what stands below `#### In German`, up to the next one. */
  readonly translated: ReadonlyMap<string, Cell>
}

/** `- **At most:** 5 per hour else E-LATER`; `error` null: Ninefold's own words. */
export interface AtMost {
  readonly cell: Cell
  readonly most: number
  readonly span: 'minute' | 'hour' | 'day'
  readonly error: string | null
}

/** `- **View:** Late where state = Overdue; sort due_back`: the same list, with fewer rows, other columns, another order. */
export interface View {
  readonly cell: Cell
  /** From its name: `late`. Unique on its screen. */
  readonly key: string
  readonly name: Cell
  /** Rows it shows of those that the screen shows. Null: all. */
  readonly where: Expression | null
  /** Empty: those of the screen. */
  readonly columns: readonly Column[]
  /** Empty: that of the screen. */
  readonly sort: readonly SortKey[]
}

/** `/loans/{number}`: fixed segments and segments that name a field of the shown entity. */
export interface Route {
  readonly cell: Cell
  readonly pattern: string
  readonly segments: readonly ({ readonly text: string } | { readonly field: string })[]
}

export interface Column {
  readonly field: string
  readonly cell: Cell
  /** In a form or on a page of a wizard, of a list of rows: the fields of a row that it asks for. Absent: all that may be set. */
  readonly rows?: readonly string[]
}

export type Audience = { readonly cell: Cell } & (
  | { readonly kind: 'everyone' }
  | { readonly kind: 'everyone signed in' }
  | { readonly kind: 'roles'; readonly roles: readonly string[] }
)

export interface Shows {
  readonly cell: Cell
  /** A screen kind's name, from the registry `kinds/screens`. */
  readonly kind: string
  /** Entity key; null for kinds that show none. */
  readonly entity: string | null
  /** `board of Loan by state`: the field it is grouped by; of records in time, the one in which they begin. */
  readonly by: string | null
  /** `calendar of Loan by out_on to due_back`: the field in which it ends. Null: it is one day. */
  readonly until: string | null
  /** `timeline of Loan by item, from out_on`: the field whose values are its lanes. Absent: it has none. */
  readonly lanes?: string
}

/** A number over many records: `sum of total_value where state = Out`. */
export interface Figure {
  readonly cell: Cell
  readonly kind: 'count' | 'sum' | 'average' | 'smallest' | 'largest'
  /** Entity key. */
  readonly entity: string
  /** What is added up, asked of each record; null for `count`. */
  readonly of: Expression | null
  readonly where: Expression | null
  readonly type: Type
}

export interface Measure {
  readonly cell: Cell
  /** Behind `as`; null: named by what it measures. */
  readonly name: string | null
  readonly figure: Figure
  /** `share of … out of …`: what is the whole. `all`: the same over all groups. Null: it is no share. */
  readonly whole: 'all' | Figure | Expression | null
}

/** What stands under a column of a list, below its rows and with each group of them. */
export interface Total {
  readonly cell: Cell
  /** The column. */
  readonly field: string
  readonly measure: Measure
}

export type Unit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday' | 'hour'

/** `month of out_on`, `item.category`. */
export interface Grouping {
  readonly cell: Cell
  readonly unit: Unit | null
  readonly value: Expression
}

/** `- **Asks:** from: date default today - 30` */
export interface Parameter {
  readonly cell: Cell
  readonly key: string
  readonly kind: string
  readonly parameters: FieldParameters
  readonly type: Type
  readonly default: Expression | null
}

/** A heading 4 of a wizard. */
export interface Page {
  /** What it asks. */
  readonly name: Cell
  readonly fields: readonly Column[]
  readonly meaning: Cell | null
}

/** A heading 4 of the page of a record, or of a form. */
export interface Section {
  readonly name: Cell
  /** Child lists, too. */
  readonly fields: readonly Column[]
  /** Null: the first one. */
  readonly tab: Cell | null
  readonly meaning: Cell | null
}

export interface Print {
  /** Null: the entity, and what the record is called by. */
  readonly title: Template | null
  readonly footer: Template | null
  /** What stands below the title first, without a name; then the headings 4. */
  readonly parts: readonly PrintPart[]
  /** The same in the other languages of heading 1, by their tags, as far as they are translated. */
  readonly translated: ReadonlyMap<string, Omit<Print, 'translated'>>
}

export interface PrintPart {
  readonly name: Cell | null
  readonly text: Template | null
  readonly fields: readonly PrintField[]
}

/** `net`, `supplier.name`, `lines`, `lines.product`. */
export interface PrintField {
  readonly cell: Cell
  /** Of the record itself: `supplier`. */
  readonly field: string
  /** A column of its rows; null: all that there are, or no rows. */
  readonly column: string | null
  /** Of a record that it names: the whole path. */
  readonly value: Expression | null
}

/** A heading 4 of a dashboard. */
export interface Card {
  readonly name: Cell
  readonly meaning: Cell | null
  /** Null: as there is room. */
  readonly width: CardWidth | null
  readonly shows: Specified<CardContent>
}

export type CardContent =
  | (FiguresContent & {
      readonly kind: 'number'
      /** Which way is good; null: neither is. */
      readonly better: 'higher' | 'lower' | null
    })
  | (FiguresContent & {
      readonly kind: 'chart'
      readonly by: Grouping
      /** What each group is parted by; only where there is one measure. Null: by nothing. */
      readonly across: Grouping | null
      readonly drawn: Drawing
    })
  | {
      readonly kind: 'list'
      readonly cell: Cell
      readonly entity: string
      readonly where: Expression | null
      readonly columns: readonly Column[]
      readonly sort: readonly SortKey[]
    }

/** All of records of one entity. */
interface FiguresContent {
  readonly cell: Cell
  /** The number; of a chart as many as it draws. */
  readonly measures: readonly [Measure, ...Measure[]]
  /** What is aimed at: a number of the same kind. Null: nothing. */
  readonly aim: Expression | null
  /** The day by which a period is asked for. Null: it counts whenever its records are. */
  readonly date: Expression | null
}

/** `share`: of each group all parts are one whole. */
export type Drawing = 'line' | 'bars' | 'stacked' | 'grouped' | 'share'

/** What the reader of a dashboard may choose, and of a dashboard what it begins with; `all`: whenever. */
export type PeriodName = 'week' | 'month' | 'quarter' | 'year' | 'all'

/** Of the twelve columns of a dashboard. */
export type CardWidth = 3 | 4 | 6 | 8 | 12
