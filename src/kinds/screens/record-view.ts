/** What the page of a record is given: its facts and rows, what can be done, what it waits for, what happened. */
import type { DiagramLayout } from '../../ui/layout.ts'
import type { Ring } from '../../ui/states.ts'
import type { HistoryEntry } from './read-data.ts'
import type {
  ActionView,
  ChildTableView,
  FaceView,
  FactView,
  Hidden,
  LinesView,
  LinkView,
  Mark,
  MarkOf,
  ScreenView,
  StateView,
  ValueView,
} from './view-model.ts'

export interface RecordView extends ScreenView {
  /** What tells it from others that are called alike; empty: its title does. */
  readonly reference: string
  /** That, and until when, it is read in an emergency; null: it is not. */
  readonly opened: string | null
  /** That it is archived, and the way back; null: it is not. */
  readonly archived: { readonly note: string; readonly restore: ActionView | null } | null
  readonly state: StateView | null
  readonly marks: readonly MarkOf[]
  /** The picture of its face, and of whom it is about the first letters. */
  readonly picture: Pick<FaceView, 'image' | 'initials'>
  /** What one wants to know first, below the title; the first is the largest. */
  readonly strip: readonly (FactView & { readonly mark: Mark | null })[]
  /** What can be done now: open actions first, in the document's order. Closed but offered ones follow, with the reason. */
  readonly actions: readonly ActionView[]
  readonly edit: LinkView | null
  /** Why it cannot be edited, where the role could. */
  readonly editClosed: { readonly why: string; readonly mark: Mark | null } | null
  readonly remove: ActionView | null
  /** A form for a new one with what this one has; null for who may create none. */
  readonly duplicate: LinkView | null
  /** Other screens of this record: prints, and forms and wizards that change it. */
  readonly ways: readonly (LinkView & { readonly icon: 'pencil' | 'print' | 'lock' | 'share' })[]
  /** In the list that it was opened from; null: in none. */
  readonly near: { readonly previous: LinkView | null; readonly next: LinkView | null } | null
  /** Files in its own fields. */
  readonly attachments: readonly AttachmentView[]
  /** What one may do with it, and why not the rest; null for visitors. */
  readonly why: LinkView | null
  readonly diagram: DiagramView | null
  /** What of it stands on which tab; all of them are on the page, and one is shown. A single one is no tab. */
  readonly tabs: readonly {
    readonly label: string
    readonly href: string
    readonly current: boolean
    readonly sections: readonly SectionView[]
  }[]
  /** What it waits for in its state; none: nothing, or nobody decides about it. */
  readonly approvals: { readonly title: string; readonly all: readonly ApprovalView[] }
  /** What refers to it. */
  readonly related: readonly RelatedView[]
  /** Components of the document. */
  readonly blocks: readonly BlockView[]
  readonly history: readonly HistoryEntryView[]
  /** Which of it is shown; empty: there is nothing to choose. */
  readonly shows: readonly (LinkView & { readonly current: boolean })[]
  /** Null: they may not talk about it. */
  readonly talk: TalkView | null
}

export interface SectionView {
  readonly key: string
  readonly title: string
  readonly meaning: string | null
  readonly mark: Mark | null
  readonly facts: readonly {
    readonly label: string
    readonly value: ValueView
    readonly hint: string | null
    readonly mark: Mark | null
  }[]
  readonly children: readonly ChildTableView[]
}

interface AttachmentView {
  readonly field: string
  readonly name: string
  /** "412 kB". */
  readonly size: string
  readonly href: string
  /** How it is shown beside its name: as a picture, or in a frame that this is the address of; null: not at all. */
  readonly preview: { readonly kind: 'image' } | { readonly kind: 'frame'; readonly src: string } | null
}

export interface RelatedView {
  readonly key: string
  readonly label: string
  /** `3`, `10+`. */
  readonly count: string
  readonly rows: readonly {
    readonly id: string
    readonly face: FaceView
    readonly marks: readonly MarkOf[]
    readonly state: StateView | null
  }[]
  /** Of child rows instead: what stands in them, each with the record that it is part of. */
  readonly lines: LinesView | null
  /** All of them: in a list, or here. */
  readonly all: LinkView | null
  /** The form of a new one, with this record filled in. */
  readonly create: LinkView | null
}

/** A React component of the document: what `Block` takes. */
export interface BlockView {
  readonly key: string
  /** Null: it failed. */
  readonly html: string | null
  readonly data: string
  readonly failed: string
}

/** Comments: where they are sent, and whether this person follows the record. */
export interface TalkView {
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly follows: boolean
  readonly longest: number
}

/** The states of the entity as a graph, and where the record is in it: what `StateDiagram` takes. */
export interface DiagramView {
  readonly layout: DiagramLayout
  readonly rings: ReadonlyMap<string, Ring>
  readonly current: string | null
  readonly possible: readonly string[]
  readonly passed: readonly string[]
  readonly mark: Mark | null
}

export interface ApprovalView {
  readonly key: string
  /** "Finance, for approve". */
  readonly label: string
  /** "2 of Accountant". */
  readonly needs: string
  readonly decisions: readonly {
    /** "Fay agreed for Finn". */
    readonly text: string
    readonly at: string
    readonly when: string
    readonly reason: string | null
  }[]
  readonly given: boolean
  /** "given", "not asked for yet", "waits for Kim", "1 more needed". */
  readonly missing: string
  readonly mark: Mark | null
}

export interface HistoryEntryView {
  /** "Dan Weber", or the application's name. */
  readonly who: string
  /** "took the step approve", "changed 2 fields", "created it", "mail due_soon": follows `who` in a sentence. */
  readonly what: string
  readonly kind: HistoryEntry['what']
  /** ISO. */
  readonly at: string
  /** "today, 14:02". */
  readonly when: string
  readonly changes: readonly { readonly label: string; readonly before: ValueView; readonly after: ValueView }[]
  /** "delivered", "waiting", "failed after 6 attempts". */
  readonly delivery: { readonly family: 'good' | 'wait' | 'bad'; readonly text: string } | null
  /** Why somebody decided so, or opened it in an emergency. */
  readonly reason: string | null
  /** Null: it is no comment. */
  readonly comment: ThreadView | null
}

interface CommentView {
  readonly id: string
  /** Null: it was taken back. */
  readonly text: string | null
  /** "changed today, 14:02". */
  readonly note: string | null
  /** What one's own is changed and taken back by: fields of a form. */
  readonly own: readonly Hidden[] | null
  readonly files: readonly { readonly name: string; readonly size: string; readonly href: string }[]
}

interface ThreadView extends CommentView {
  /** What a reply is sent with. */
  readonly reply: readonly Hidden[]
  /** Oldest first. */
  readonly replies: readonly (Pick<HistoryEntryView, 'who' | 'what' | 'at' | 'when'> & CommentView)[]
}
