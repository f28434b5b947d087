/** What stands on paper, as plain values: kinds of screens make it of what their page shows, and `typeset.ts` sets it. */
import type { Rich } from '../../kinds/fields/markdown/rich.ts'

export interface Paper {
  readonly title: string
  /** Its tag: `de-CH`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The sender and the lines of their address, at the head of each sheet. */
  readonly letterhead: readonly string[]
  /** PNG or JPEG; null: there is none, or paper cannot show it. */
  readonly logo: Uint8Array | null
  /** Each begins a page. */
  readonly sheets: readonly Sheet[]
  /** Fonts of the application's own look, for letters that ours lack. */
  readonly fonts: readonly Uint8Array[]
}

export interface Sheet {
  readonly title: string
  readonly blocks: readonly Block[]
  /** At the foot of each of its pages, beside the number; empty: the number alone. */
  readonly foot: string
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  /** `quiet`: it says something about the whole. */
  | { readonly kind: 'text'; readonly text: string; readonly quiet?: boolean }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly label: string; readonly value: Said }[] }
  | PaperTable

/** A value in words; a text with Markdown as what it looks like. */
export interface Said {
  readonly text: string
  readonly rich?: readonly Rich[]
}

export interface PaperTable {
  readonly kind: 'table'
  readonly columns: readonly { readonly label: string; readonly numeric: boolean }[]
  readonly rows: readonly PaperRow[]
  /** Sums under the columns; null: there are none. */
  readonly foot: readonly (string | null)[] | null
}

export interface PaperRow {
  readonly cells: readonly string[]
  /** A second line in its first cell. */
  readonly under?: string
  /** It names the rows that follow it: stronger, and once more at the head of the pages on which they go on. */
  readonly isHead?: boolean
}
