/** What a page of cards is given: cards with numbers, drawings and records. */
import type { ChartProps } from '../../../ui/chart.tsx'
import type { LinesView, Mark, ScreenView } from '../view-model.ts'

export interface CardsView extends ScreenView {
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
  /** The list with all of them, or without an address only that there are more; null where all are here. */
  readonly all: { readonly label: string; readonly href: string | null } | null
}

/** The document leaves open what it shows. */
interface OpenCard extends CardFace {
  readonly kind: 'open'
}

export interface ChartView extends ChartProps {
  /** Along time: upright, with every period between the first and the last. */
  readonly overTime: boolean
}
