/** What a form knows while somebody types: plain data, made for the person who fills it. `live.ts` checks with it. */
import type { Portable } from '../../expression/computed.ts'
import type { Without } from '../../expression/letters.ts'
import type { RecordValue, Type, Wire } from '../../expression/type.ts'
import type { PackedZone } from '../../expression/zone-table.ts'
import type { FieldParameters } from '../../kinds/fields/field-kind.ts'
import type { Words } from '../problems/raise.ts'
import type { FieldRules } from './validate.ts'

/** A line of the document, as data: screens show it. */
export interface Mark {
  readonly section: number
  readonly line: number
  readonly file: string
  readonly unspecified?: boolean
}

export interface LiveForm {
  readonly locale: string
  readonly zone: string
  /** The clocks of the zones that it goes by, in all years: those of the browser may be of another age. */
  readonly clocks: Readonly<Record<string, PackedZone>>
  readonly on: 'create' | 'change'
  readonly entity: string
  /** The form's own entity and those of its rows. */
  readonly entities: Readonly<Record<string, LiveEntity>>
  readonly rules: readonly LiveRule[]
  /** What a new record begins with, or what is stored: only fields that this person may see. */
  readonly values: RecordValue
  readonly me: string | null
  readonly today: string
  readonly now: string
  readonly limits: Readonly<Record<string, Wire>>
  /** Days without work; null where no rule asks, or this person may not see them. */
  readonly closed: readonly string[] | null
  /** What the server has worked out of the form as it stands. */
  readonly worked: Readonly<Record<string, Wire>>
  /** Records that references may name, with the fields that rules and copies need: by entity and id. */
  readonly related: Readonly<Record<string, Readonly<Record<string, RecordValue>>>>
  /** Entities whose records it needs, each with those of its references that lead on to others of them. */
  readonly leads: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** So often one leads to the next at most. */
  readonly levels: number
  /** Built-in messages that the document words anew, by code. */
  readonly words: Readonly<Record<string, { readonly message: string; readonly whatToDo: string | null }>>
}

export interface LiveEntity {
  readonly fields: readonly LiveField[]
  /** Of a child: the field that refers to its parent. */
  readonly parent: string | null
}

export interface LiveField extends FieldRules {
  readonly key: string
  readonly label: string
  readonly kind: string
  readonly parameters: FieldParameters
  readonly type: Type
  readonly computed: Portable | null
  /** Computed, and by the server alone: the fields that it reads. Null: it is not. */
  readonly later: readonly string[] | null
  /** Of a new row: taken from another record. */
  readonly copied: Portable | null
  /** Code works it out on the server: here it is not known. */
  readonly renewed: boolean
  /** Added up below the rows of a list. */
  readonly summed: boolean
  /** Entered in this form. */
  readonly entered: boolean
  /** Other records may have taken its value: the server is asked when it was filled in. */
  readonly asks: boolean
  /** No two rows of the form may have the same; keys of the fields that count. */
  readonly unlike: readonly string[] | null
  /** What two of them may differ in and still be the same. */
  readonly unlikeWithout: Without | null
  /** Only rows of which this holds. */
  readonly unlikeWhile: Portable | null
  /** What stands behind `else`: the error of the catalogue, by the built-in code whose place it takes. */
  readonly refusals: Readonly<Record<string, LiveRefusal>>
  /** Lines of the document, by code. */
  readonly marks: Readonly<Record<string, Mark | null>>
}

export interface LiveRefusal {
  readonly code: string
  /** Null: its words need what is not known here. */
  readonly message: Words | null
  readonly whatToDo: Words | null
}

export interface LiveRule {
  readonly name: string
  readonly entity: string
  /** Null: `create` and `change` alike. */
  readonly on: readonly string[] | null
  readonly mustHold: Portable
  /** Only the server says that it does not hold, and asks whether that is meant. */
  readonly warns: boolean
  /** Fields of the record that it reads. */
  readonly reads: readonly string[]
  readonly field: string | null
  /** Null: the document leaves the error open. */
  readonly code: string | null
  readonly message: Words | null
  readonly whatToDo: Words | null
  readonly mark: Mark | null
}
