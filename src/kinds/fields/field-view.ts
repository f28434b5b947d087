/** The view half of a field type: how a value is shown, and how a form takes it. Plain data, without React; browsers do not load it. */
import type { FieldParameters } from './field-kind.ts'
import type { Rich } from './markdown/rich.ts'

export interface FieldView {
  /** Of the kind. */
  readonly name: string
  /** How a value is shown. Absent: as every value of its type (`web/screens/values.ts`). */
  readonly show?: (wire: string) => ShownValue
  /** How a form takes a value. Absent: in a line of text; references and files are chosen instead (`web/screens/choosing.ts`). */
  readonly control?: (asked: ControlAsked) => FieldControl
}

/** How a value is set. A closed list: columns, paper and files know these, and no kinds. */
export type Look = 'text' | 'long' | 'number' | 'date' | 'yes/no' | 'state' | 'code' | 'file' | 'image'

export interface ShownValue {
  readonly text: string
  readonly look: Look
  /** With paragraphs, lists and links; `text` are its words alone. */
  readonly rich?: readonly Rich[]
}

interface ControlAsked {
  readonly parameters: FieldParameters
  /** Empty is an answer of its own here. */
  readonly mayBeEmpty: boolean
  /** Whoever fills it in is asked for what is their own: browsers may fill in what they know of them. */
  readonly own: boolean
  /** A rule takes no number below zero. */
  readonly neverBelowZero: boolean
  /** A name of the document, in the reader's language. */
  readonly word: (name: string) => string
  readonly yesNo: (value: 'yes' | 'no') => string
}

interface Option {
  readonly value: string
  readonly label: string
}

type FieldControl =
  /** A line of text; absent: any text, over the full width, that no browser fills in. */
  | {
      readonly kind: 'input'
      readonly type?: 'email' | 'tel' | 'url' | 'password' | 'date' | 'time' | 'datetime-local'
      readonly inputMode?: 'numeric' | 'decimal' | 'tel' | 'email' | 'url' | null
      /** A figure, which is typed at the end of the line. */
      readonly numeric?: boolean
      /** Code points. */
      readonly maxLength?: number | null
      /** Currency or unit that stands beside it. */
      readonly affix?: string | null
      readonly autoComplete?: 'off' | 'email' | 'tel' | 'new-password'
      /** Width by expected content. */
      readonly size?: 'short' | 'medium' | 'full'
    }
  | { readonly kind: 'textarea'; readonly rows: number; readonly maxLength: number | null }
  | { readonly kind: 'select' | 'several'; readonly options: readonly Option[] }
  | { readonly kind: 'checkbox' }

/** A number. The keyboard of figures has no minus on telephones: it is asked for where no number below zero is taken. */
export const inFigures = (
  { neverBelowZero }: ControlAsked,
  keys: 'numeric' | 'decimal',
  affix: string | null = null,
): FieldControl => ({ kind: 'input', inputMode: neverBelowZero ? keys : null, numeric: true, affix, size: 'short' })

export const namedOptions = ({ parameters: { choices = [] }, word }: ControlAsked): readonly Option[] =>
  choices.map(choice => ({ value: choice, label: word(choice) }))
