/** What a dashboard is given: cards with numbers, drawings and records. */
import type { LinesView, LinkView, Mark, ScreenView } from '../view-model.ts'

export interface DashboardView extends ScreenView {
  readonly kind: 'dashboard'
  readonly ignored: readonly string[]
  /** Numbers stand in a row of their own above everything else. */
  readonly numbers: readonly NumberCard[]
  readonly sheets: readonly (ChartCard | ListCard | OpenCard)[]
}

interface CardFace {
  readonly key: string
  readonly title: string
  readonly meaning: string | null
  readonly mark: Mark | null
}

interface NumberCard extends CardFace {
  readonly kind: 'number'
  /** Empty: there is nothing to say. */
  readonly text: string
  /** The list of what it counts; null: there is none that this person may open. */
  readonly href: string | null
}

interface ChartCard extends CardFace {
  readonly kind: 'chart'
  readonly chart: ChartView
}

export interface ListCard extends CardFace {
  readonly kind: 'list'
  readonly list: LinesView
  /** The list with all of them. */
  readonly all: LinkView | null
}

/** The document leaves open what it shows. */
interface OpenCard extends CardFace {
  readonly kind: 'open'
}

/** A number for each group, as a drawing and as its numbers. */
export interface ChartView {
  readonly drawn: 'bars' | 'line'
  /** Along time: upright, with every period between the first and the last. */
  readonly overTime: boolean
  /** Heads of the table of numbers: what the groups and what the numbers are. */
  readonly by: string
  readonly measure: string
  /** `size` is only for drawing; null: there is no number. */
  readonly points: readonly {
    readonly label: string
    readonly short: string
    readonly text: string
    readonly size: number | null
    /** The list of what it counts. */
    readonly href: string | null
  }[]
  /** How a mark on the scale is written. */
  readonly scale: (size: number) => string
  /** "The first 60 are shown"; null where all are. */
  readonly more: string | null
}
