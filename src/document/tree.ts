/** The shape that a document has before any heading gives it a meaning: sections, subjects, blocks, properties and tables. */
import type { Cell, SourceFile, Span } from './source.ts'

/** A bullet that begins with a bold key and a colon: `- **Time zone:** Europe/Berlin`. */
export interface Property {
  readonly key: Cell
  readonly value: Cell
}

export interface Row extends Span {
  /** As many as the table has columns; a missing cell is an empty one at the end of the row. */
  readonly cells: readonly Cell[]
}

export interface Table extends Span {
  readonly header: readonly Cell[]
  readonly rows: readonly Row[]
}

/** A fence tagged `ninefold mail`. */
export interface Fence extends Span {
  /** What stands behind the tag: the mail whose body it is. */
  readonly about: Cell | null
  readonly text: Cell
}

/** What may stand under any heading, in the order it was written. */
export interface Content {
  readonly properties: readonly Property[]
  /** Bullets that begin with a bold word without a colon, or a colon without bold type: prose, unless the word is a key. */
  readonly nearly: readonly Property[]
  readonly tables: readonly Table[]
  readonly fences: readonly Fence[]
  /** Top-level paragraphs, for the prose lint and for `not shown.` */
  readonly prose: readonly Cell[]
}

/**
 * A heading 4: a step in block form, `Sample data`, `Examples: V-2`, `Scenario: …`, `Fields: …`, `Notes`. Those five have the
 * tables below them; any other block is a row, so a table below it belongs to the subject or section around it.
 */
export interface Block extends Content {
  readonly title: Cell
}

/** A heading 3: an entity, a screen, a call. `### Loan line (part of Loan)` has title `Loan line`, `was` and `partOf` taken off. */
export interface Subject extends Content {
  readonly title: Cell
  readonly was: Cell | null
  readonly partOf: Cell | null
  readonly blocks: readonly Block[]
}

/** A heading 2 of one file. Sections with the same number in several files are merged by their readers, in file order. */
export interface Section extends Content {
  /** 1 to 9. */
  readonly number: number
  readonly title: Cell
  readonly subjects: readonly Subject[]
  /** Blocks (heading 4) that stand directly under the section, as scenarios do. */
  readonly blocks: readonly Block[]
}

export interface Document {
  /** Root file first, then the parts in the order they are linked. */
  readonly files: readonly SourceFile[]
  /** Heading 1 of the root file; null where there is none (reported). */
  readonly title: Cell | null
  /** Properties that stand before the first heading 2 of the root file: `Ninefold` (edition) and `Part`. */
  readonly properties: readonly Property[]
  readonly sections: readonly Section[]
}
