/** What React components beside a document are given. `ninefold types` writes what they see of each entity, in `ninefold.d.ts`. */
import type { DateText } from './functions.d.ts'

/** A step that this person can take now: a form that posts `hidden` to `action`, or a link to a page that asks, where `asks`. */
export interface BlockStep {
  key: string
  label: string
  action: string
  hidden: { name: string; value: string }[]
  confirm: string | null
  asks: boolean
}

export interface BlockProps<Seen> {
  /** What this person sees of the record; what they may not see is absent. */
  record: Seen
  steps: BlockStep[]
  today: DateText
  locale: string
}

/** What a block that is a whole screen is given. */
export interface ScreenGiven {
  today: DateText
  locale: string
}

export interface ScreenProps<Seen> extends ScreenGiven {
  /** What this person sees, page by page; `href`: the page of the record, where they may open it. */
  records: (Seen & { href: string | null; steps: BlockStep[] })[]
  more: boolean
}
