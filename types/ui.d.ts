/**
 * Parts of the interface for React components beside a document: what is built of them looks like the rest of the application, in light and
 * dark, on paper and on a phone, without a line of CSS. They need no script, and take the application's colour and theme.
 */
import type { JSX, ReactNode } from 'react'
import type { BlockStep } from './blocks.d.ts'

/** `go`: in the application's colour; the others say how something stands. Never the colour alone: a word stands with it. */
export type Tone = 'go' | 'wait' | 'good' | 'bad'

/** What stands in it, below each other, with the usual room between. */
export function Stack(props: { children: ReactNode }): JSX.Element

/** Beside each other; on a narrow page below each other. */
export function Row(props: { children: ReactNode }): JSX.Element

/** A part with a title. */
export function Section(props: { title: string; children: ReactNode }): JSX.Element

/** Does something on the page; at most one in sight is `primary`. */
export function Button(props: {
  onClick: () => void
  primary?: boolean
  disabled?: boolean
  children: ReactNode
}): JSX.Element

/** Goes somewhere, and looks like a button. */
export function LinkButton(props: { href: string; primary?: boolean; children: ReactNode }): JSX.Element

/** Takes a step of the record, or leads to the page that asks first. Without a script too. */
export function StepButton(props: { step: BlockStep; primary?: boolean }): JSX.Element

/** A word that marks something: `late`. */
export function Tag(props: { tone?: Tone | 'mute'; children: ReactNode }): JSX.Element

/** Something to know before going on. */
export function Note(props: { tone?: Tone; children: ReactNode }): JSX.Element

/** Names and what they are, in columns. */
export function Facts(props: { facts: { label: string; value: ReactNode }[] }): JSX.Element

/** Large figures beside each other; `of`: what they say, for readers of screens. */
export function Figures(props: {
  of: string
  figures: { label: string; value: ReactNode; note?: ReactNode; href?: string }[]
}): JSX.Element

/** The first cell of a row is its head; on a phone rows are cards. `of`: what it lists, for readers of screens. */
export function Table(props: {
  of: string
  columns: { label: string; numeric?: boolean }[]
  rows: { key: string; cells: ReactNode[] }[]
  total?: ReactNode[]
}): JSX.Element

/** There is nothing to show: what would stand here, and the way on. */
export function Empty(props: { title: string; text?: ReactNode; action?: ReactNode }): JSX.Element

/** A label, a hint below it, and the control that stands in it. */
export function Field(props: { label: string; hint?: string; children: ReactNode }): JSX.Element
