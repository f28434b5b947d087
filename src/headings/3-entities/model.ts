/** Heading 3: entities and their fields. */
import type { Cell } from '../../document/source.ts'
import type { Duration } from '../../expression/dates.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Without } from '../../expression/letters.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import type { FieldParameters } from '../../kinds/fields/field-kind.ts'
import type { SortKey } from '../2-screens/model.ts'
import type { Specified } from '../specified.ts'
import type { Signs } from './pattern.ts'

export interface Entity {
  /** `loan_line`: name in expressions, of the table and in addresses. */
  readonly key: string
  /** `Loan line`. */
  readonly name: string
  readonly cell: Cell
  /** Keys it had before: `### Loan (was Booking)`. */
  readonly was: string | null
  /** Key of the parent, for child rows: `### Loan line (part of Loan)`. */
  readonly partOf: string | null
  /** Fields as declared, in the document's order. Built-in ones (`id`, `state`, the parent) are only in `shape`. */
  readonly fields: readonly Field[]
  readonly shape: EntityShape
  /** Keys of the texts that name a record, its `reference` last; at least one. */
  readonly title: readonly string[]
  /** Keys of what people call a record by: texts, or what it refers to (`Ada Lovelace · LN-7`), or a list of rows (`Drill +2`). Empty: nothing was found. */
  readonly called: readonly string[]
  /** The number or unique text that follows what the record is called: `Ladder · RQ-12`. Null: nothing follows. */
  readonly reference: string | null
  /** What the document says of how a record is shown among others; null: nothing, and `recordFace` derives all of it. */
  readonly face: FaceLine | null
  /** Built in (`Person`), perhaps extended by the document. */
  readonly builtIn: boolean
  readonly samples: readonly Sample[]
  /** Who of those that see a record may talk about it; null: all of them that are signed in. Child rows have none of their own. */
  readonly comments: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | null
  /** Who of those that see a record is told what happened to it before; null: all of them. Of child rows it is told with their record. */
  readonly timeline: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | null
  /** Who sees in the timeline what was tried with a record and refused; null: nobody, and it is not kept. */
  readonly refused: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | null
  /** `Once per: reference`: the field that tells repetitions of what programs make; null: only an `Idempotency-Key` does. */
  readonly once: string | null
  /** `Append only: yes`, of it or of what it is part of: nobody changes or deletes a record, and the database holds that. */
  readonly appendOnly: Cell | null
  /** `Delete: archives`: what is deleted is put aside, and can be brought back. Rows are put aside with what they are part of. */
  readonly archives: Cell | null
  /** Nobody changes or deletes a record once it is frozen, but for these fields; null: heading 6 and states alone say who may. */
  readonly frozen: (Frozen & { readonly except: readonly string[] }) | null
  /** How long what is personal in it is kept; null: until somebody erases it. */
  readonly keep: Keep | null
  /** Words that stand beside a record while something holds of it. */
  readonly marks: readonly Mark[]
  /** How its records stand where nothing else orders them; empty: the newest first. */
  readonly order: readonly SortKey[]
  /** Who is shown which record is written down. */
  readonly readLog: Cell | null
  /** Of `Person`: whoever it does not hold of cannot sign in. Null: everybody may who has a way in. */
  readonly signInWhen: Expression | null
  /** Name of a table that another application made and that its records lie in, where the database has it. */
  readonly table: Cell | null
  readonly meaning: readonly Cell[]
}

/** `frozen on submit until send back`: from one of these steps on, until one of those. */
export interface Frozen {
  readonly cell: Cell
  /** The entity that has the steps: of rows, perhaps what they are part of. */
  readonly of: string
  /** Keys. */
  readonly steps: readonly string[]
  readonly until: readonly string[]
  /** An unseen field of the record: since when it is frozen. */
  readonly mark: string
}

/** The parts of a face, in the order in which they are read. */
export const faceParts = ['title', 'reference', 'facts', 'person', 'date', 'picture'] as const

export type FacePart = (typeof faceParts)[number]

/** `- **Face:** title subject; reference number; facts net; person requester; date needed_on; picture photo`. */
export interface FaceLine {
  readonly cell: Cell
  /** Keys of fields; of a part that is not here nothing was said, and an empty one is left out. */
  readonly parts: ReadonlyMap<FacePart, readonly string[]>
}

/** How a mark looks, beside its word. */
export const markTones = ['bad', 'warning', 'good', 'plain'] as const

export interface Mark {
  readonly cell: Cell
  /** `Late`. */
  readonly name: Cell
  readonly where: Expression
  readonly tone: (typeof markTones)[number]
}

export type Keep = { readonly cell: Cell } & (
  | { readonly kind: 'forever' }
  | {
      readonly kind: 'for'
      readonly amount: number
      readonly unit: 'day' | 'week' | 'month' | 'year'
      /** States of which it is in one, or a date or moment: a field, `created_at`, `changed_at`. */
      readonly after: { readonly states: readonly string[] } | { readonly field: string }
      /** What happens then: to what is personal in it, or to the record as a whole. */
      readonly end: 'erase' | 'delete'
    }
)

export interface Unique {
  readonly cell: Cell
  /** What two texts may differ in and still be the same. */
  readonly without: Without | null
  /** Keys of fields of this entity (the parent counts as one); none: over the whole entity. */
  readonly within: readonly string[]
  readonly while: Expression | null
}

export interface Field {
  readonly key: string
  readonly cell: Cell
  readonly was: string | null
  /** "Due back". */
  readonly label: string
  /** Name of a kind in the registry `kinds/fields`. */
  readonly kind: string
  readonly typeCell: Cell
  /** What the type cell says beyond the kind: length, currency, choices, entity, picture … */
  readonly parameters: FieldParameters
  readonly type: Type
  /** May be empty, for expressions and the database (not required, or required only under a condition). */
  readonly optional: boolean
  readonly required: { readonly cell: Cell; readonly when: Expression | null } | null
  readonly unique: Unique | null
  /** Of an amount whose currency another field says: that field. */
  readonly currency: Expression | null
  readonly default: Expression | null
  readonly min: Expression | null
  readonly max: Expression | null
  /** Anchored, portable subset; from a picture (`AA-9999`) or a regular expression. `shown`: as people are told it. */
  readonly pattern: {
    readonly cell: Cell
    readonly source: string
    readonly shown: string
    readonly signs: Signs
  } | null
  /** Kinds of files that are taken, as `file/types.ts` names them; null: any, or it holds no files. */
  readonly types: { readonly cell: Cell; readonly names: readonly string[] } | null
  /** How large a file may be; null: as the limit of the application says, or it holds no files. */
  readonly most: { readonly cell: Cell; readonly bytes: number; readonly shown: string } | null
  readonly readOnly: { readonly cell: Cell; readonly after: 'always' | 'create' } | null
  /** People cannot change it where this holds of the record as it would be. */
  readonly readOnlyWhen: Expression | null
  /** It is there only where this holds; empty otherwise. */
  readonly onlyWhen: Expression | null
  readonly noOverlap: NoOverlap | null
  /** What people may choose: records of the entity that it refers to. */
  readonly chooseFrom: Choosing | null
  /** The application chooses when the record is created; people never. */
  readonly assignedFrom: Choosing | null
  /** A series without holes. */
  readonly gapless: Cell | null
  /** Steps that give the number, the first of them that is taken; null: it is given when the record is created. */
  readonly givenOn: { readonly cell: Cell; readonly steps: readonly string[] } | null
  /** What people enter they cannot change once it is frozen; what is worked out stays what it was then. */
  readonly frozen: Frozen | null
  /** `else E-FREE-1`: by built-in code (`NF-UNIQUE`), the error of the catalogue that takes its place. */
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly setBy: { readonly cell: Cell; readonly who: 'steps' | 'calls' } | null
  /** In no screen, form, list, export or API. */
  readonly hidden: Cell | null
  /** Among those that name the record, instead of what would otherwise. */
  readonly display: Cell | null
  readonly searchable: Cell | null
  /** It says something about a person; of a `Person`, whose record it is. */
  readonly personal: Cell | null
  /** `copied from item.value on create`: frozen; and `= fee(lines)`, which TypeScript decides (`renewed`). */
  readonly copiedFrom: Expression | null
  /** Worked out by code each time its record is written, and stored: the database lists, sorts and asks it like any other. */
  readonly renewed: boolean
  /** `= sum(lines.value)`, `follows item.value`: no column; computed wherever it is read. */
  readonly computed: Expression | null
  readonly meaning: Cell | null
}

/**
 * A table under `#### Sample data`, or a file of them. A reference is written as the title or a unique value of the record that it
 * names, or as what the row of that record is called. Columns may also be `state`, and the parent of a row.
 */
export interface Sample {
  readonly cell: Cell
  /** From a file: to be looked at in `dev`. Scenarios and examples know the tables alone. */
  readonly isFile: boolean
  readonly columns: readonly { readonly field: string; readonly cell: Cell }[]
  readonly rows: readonly (readonly Cell[])[]
  /** What each row is called, in the column that is headed with the entity's name; null: nothing. */
  readonly names: readonly (Cell | null)[]
  /** Of people: the roles that each row gives, in the column `role`. */
  readonly roles: readonly (readonly string[])[]
  /** Cells that are worked out on the day on which they are put in: `today - 3 days`. */
  readonly reckoned: ReadonlyMap<Cell, Reckoned>
}

export interface Reckoned {
  /** It reads no record: `today`, `year(today)`, `now - 2 hours`. */
  readonly expression: Expression
  /** So many working days after that day, or before it. */
  readonly workingDays: number
  /** `at 10:00` on that day; null: no time was said. */
  readonly time: { readonly hour: number; readonly minute: number } | null
}

/** A code of the catalogue, where a rule names it. */
export interface Refusal {
  readonly code: string
  readonly cell: Cell
}

/** Which records of another entity; bare names are its fields, `this.` is the record that has the rule. */
export interface Choosing {
  readonly cell: Cell
  readonly entity: string
  /** Of people: only those who have it. */
  readonly role: string | null
  readonly where: Expression | null
}

/** Two records that are alike in `within` must not take overlapping time. The end is free for the next one, after the gap. */
export interface NoOverlap {
  readonly cell: Cell
  /** Fields of the entity: two dates or two moments. */
  readonly begin: string
  readonly end: string
  /** Keys of fields of the entity; at least one. */
  readonly within: readonly string[]
  /** Days between dates, with the last one itself where it is taken, too; milliseconds between moments. */
  readonly gap: Duration
  readonly while: Expression | null
}
