/**
 * What a field type answers. Ask the kind a question; never ask which kind it is.
 * A kind lives in its own folder, stands in the explicit list of `index.ts`, and passes `contract.test.ts` with its examples.
 */
import type { Cell } from '../../document/source.ts'
import type { Sql } from '../../expression/sql.ts'
import type { Type, Wire } from '../../expression/type.ts'

/** What a type cell says beyond the kind. Plain data: it goes to the browser with a form. */
export interface FieldParameters {
  /** Characters (code points) of a text. */
  readonly length?: number
  readonly precision?: number
  /** Digits after the point. */
  readonly scale?: number
  /** ISO 4217; of `money in` the path to the field that says it. */
  readonly currency?: string
  readonly choices?: readonly string[]
  /** Key of the entity that a reference, a child list or `several` names. */
  readonly entity?: string
  /** `LN-{yyyy}-{00000}`. */
  readonly picture?: string
  /** A length of time may be below zero. */
  readonly signed?: boolean
}

/** Why a text is not a value of this kind; `code` is one of `refusals.ts`, the rest fills its message (with `label`, which the caller adds). */
export interface InvalidValue {
  readonly code: string
  readonly detail: Readonly<Record<string, string | number>>
}

export type Parsed = { readonly value: Wire } | { readonly invalid: InvalidValue }

/** What is wrong with the part of a type cell behind the kind's name; `at` are offsets in that part. */
export interface WrongType {
  readonly wrong: string
  readonly at?: readonly [from: number, to: number]
  /** What to write in place of the part at `at`. */
  readonly suggestion?: string
}

export interface FieldKind {
  /** As the type cell names it: `long text`. */
  readonly name: string
  /** How it is written, for the reference and for completion: `text [length]`. */
  readonly written: string
  readonly meaning: string
  /** What follows the kind's name in the type cell → parameters, or what is wrong with it. `entities` are the names in the document. */
  readonly read: (argument: string, entities: ReadonlyMap<string, string>) => FieldParameters | WrongType
  readonly type: (parameters: FieldParameters, owner: string) => Type
  /** PostgreSQL type, or null where the field has no column of its own (child lists). */
  readonly column: (parameters: FieldParameters) => string | null
  /** CHECK over a column, beyond the type; null for none. No parameters in it: constraints cannot have any. */
  readonly check: (parameters: FieldParameters, column: Sql) => Sql | null
  /**
   * Form text (as people of the locale write it, or canonical) → wire. Never null: empty input is handled before.
   * `zone` is the IANA zone that a time without one is meant in. Only moments ask for it.
   */
  readonly parse: (text: string, parameters: FieldParameters, locale: string, zone: string) => Parsed
  /** JSON of the API → wire, and back. A wire value itself is read, too. */
  readonly fromJson: (json: unknown, parameters: FieldParameters) => Parsed
  readonly toJson: (wire: Wire, parameters: FieldParameters) => unknown
  /** What an expression works out, halves away from zero, with as many places as the column holds. Absent: it has no more. */
  readonly rounded?: (wire: string, parameters: FieldParameters) => string
  /** JSON Schema (2020-12) of what `toJson` gives and `fromJson` takes, without null. */
  readonly schema: (parameters: FieldParameters) => Readonly<Record<string, unknown>>
  /**
   * What a form control holds for this value: text that `parse` reads back with the same locale and zone.
   * Absent locale: canonical. Empty text for null.
   */
  readonly input: (wire: Wire, parameters: FieldParameters, locale?: string, zone?: string) => string
  /**
   * The n-th of many values (1, 2, …) that nobody wrote, each another one as long as there are more, for records that have to be there.
   * Null: none can be made up, since people do not write it, or it names what has to exist.
   */
  readonly sample: (n: number, parameters: FieldParameters) => Wire
  /** Comparisons that a list filter offers, in order; the first is the default. */
  readonly filters: readonly Comparison[]
  readonly sortable: boolean
  /** A form gives it piece by piece, under one name: what there is so far, with one more. */
  readonly gathered?: (before: string | undefined, text: string) => string
  /** It names records that stand in a table of links, not in a column; its value is that of `several/links.ts`. */
  readonly links?: true
  /** Kinds of files (`file/types.ts`) that it takes where no rule says which; absent: any, or it holds no files. */
  readonly files?: readonly string[]
  /** Set by people in forms; false for kinds that the application fills (auto number). */
  readonly entered: boolean
  /** What is typed is hashed before it is stored, and nothing reads it: `check` is over the hash, `toJson` and `input` give nothing. */
  readonly sealed?: true
  /** Only answers of calls and received messages write it, whatever its rules say; `fromJson` takes any JSON, and a wire value as a text. */
  readonly received?: true
  readonly examples: readonly FieldExample[]
}

export type Comparison =
  | 'is'
  | 'is not'
  | 'contains'
  | 'starts with'
  | 'before'
  | 'after'
  | 'at least'
  | 'at most'
  | 'any of'
  /** Days that move with the calendar, by their name in `kinds/screens/relative.ts`. */
  | 'within'
  | 'is empty'

/** For the contract test and the reference. `bad` must be refused by form, API and database alike. */
interface FieldExample {
  /** The type cell. */
  readonly type: string
  /** Where the kind is sortable: in ascending order. */
  readonly good: readonly { readonly text: string; readonly wire: Wire }[]
  readonly bad: readonly string[]
}

/** Reads a whole type cell with the registry: kind, parameters, type; or what is wrong. */
export interface ReadType {
  readonly kind: FieldKind
  readonly parameters: FieldParameters
  readonly type: Type
  readonly cell: Cell
}
