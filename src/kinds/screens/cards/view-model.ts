/** What a page of cards is given: cards with numbers, drawings and records, and over them the days that they are about. */
import type { ChartProps } from '../../../ui/chart.tsx'
import type { KeyFigureView } from '../../../ui/key-figures.tsx'
import type { LinesView, Mark, ScreenView } from '../view-model.ts'

export interface CardsView extends ScreenView {
  readonly ignored: readonly string[]
  /** Null: nothing on it has days. */
  readonly period: SwitchView | null
  /** Numbers stand in a row of their own above everything else. */
  readonly numbers: readonly NumberCard[]
  readonly sheets: readonly (ChartCard | ListCard | OpenCard)[]
}

export interface SwitchView {
  readonly label: string
  readonly periods: readonly Choice[]
  /** In words; null: whenever. */
  readonly days: string | null
  readonly previous: { readonly label: string; readonly href: string | null }
  readonly next: SwitchView['previous']
  /** A `GET` form of two days. */
  readonly dates: {
    readonly label: string
    readonly action: string
    readonly kept: readonly { readonly name: string; readonly value: string }[]
    readonly from: { readonly label: string; readonly value: string }
    readonly to: { readonly label: string; readonly value: string }
    readonly show: string
    readonly current: boolean
  }
  readonly against: { readonly label: string; readonly choices: readonly Choice[] } | null
}

interface Choice {
  readonly label: string
  readonly href: string
  readonly current: boolean
}

interface CardHead {
  readonly key: string
  readonly title: string
  readonly meaning: string | null
  readonly mark: Mark | null
}

export interface NumberCard extends CardHead {
  readonly kind: 'number'
  readonly figure: KeyFigureView
}

/** `span`: of twelve columns. */
interface SheetCard extends CardHead {
  readonly span: number
}

interface ChartCard extends SheetCard {
  readonly kind: 'chart'
  readonly chart: ChartProps
}

export interface ListCard extends SheetCard {
  readonly kind: 'list'
  readonly list: LinesView
  /** The list with all of them, or without an address only that there are more; null where all are here. */
  readonly all: { readonly label: string; readonly href: string | null } | null
}

/** The document leaves open what it shows. */
interface OpenCard extends SheetCard {
  readonly kind: 'open'
}
