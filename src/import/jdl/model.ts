/** What JHipster Domain Language says, before it means anything to Ninefold. */

/** Where something stands: 1-based line and column. */
export interface TextRange {
  readonly line: number
  readonly column: number
}

export interface JdlModel {
  readonly entities: readonly JdlEntity[]
  readonly enums: readonly JdlEnum[]
  readonly relationships: readonly JdlRelationship[]
  readonly options: readonly JdlOption[]
  readonly applications: readonly JdlApplication[]
  /** By name, as written: `4`, `50.5`. */
  readonly constants: ReadonlyMap<string, { readonly value: string; readonly place: TextRange }>
  readonly deployments: readonly TextRange[]
}

export interface JdlEntity {
  readonly name: string
  readonly place: TextRange
  /** `entity Book (t_book)`. */
  readonly table: string | null
  readonly comment: string | null
  readonly annotations: readonly JdlAnnotation[]
  readonly fields: readonly JdlField[]
}

export interface JdlField {
  readonly name: string
  readonly place: TextRange
  /** `String`, or the name of an enum. */
  readonly type: string
  readonly comment: string | null
  readonly annotations: readonly JdlAnnotation[]
  readonly validations: readonly JdlValidation[]
}

export interface JdlValidation {
  readonly name: ValidationName
  /** A number, the name of a constant, or a regular expression without its slashes; null where the validation takes nothing. */
  readonly argument: string | null
  readonly place: TextRange
}

export const validationNames = [
  'required',
  'unique',
  'min',
  'max',
  'minlength',
  'maxlength',
  'minbytes',
  'maxbytes',
  'pattern',
] as const

export type ValidationName = (typeof validationNames)[number]

export interface JdlAnnotation {
  readonly name: string
  readonly value: string | null
}

export interface JdlEnum {
  readonly name: string
  readonly place: TextRange
  readonly comment: string | null
  /** `CLOSED("Closed")` has the label `Closed`. */
  readonly values: readonly { readonly name: string; readonly label: string | null; readonly comment: string | null }[]
}

export const relationshipKinds = ['OneToOne', 'OneToMany', 'ManyToOne', 'ManyToMany'] as const

export interface JdlRelationship {
  readonly kind: (typeof relationshipKinds)[number]
  readonly place: TextRange
  readonly from: JdlSide
  readonly to: JdlSide
  /** `with builtInEntity`. */
  readonly with: readonly string[]
}

/** `Book{author(name) required}`. */
export interface JdlSide {
  readonly entity: string
  readonly field: string | null
  /** The field of the other entity that people are shown. */
  readonly display: string | null
  readonly required: boolean
  readonly comment: string | null
  readonly annotations: readonly JdlAnnotation[]
}

/** `paginate Book, Author with pagination except Tag`. */
export interface JdlOption {
  readonly keyword: string
  readonly entities: readonly string[]
  readonly with: string | null
  readonly except: readonly string[]
  readonly place: TextRange
}

export interface JdlApplication {
  readonly baseName: string | null
  readonly place: TextRange
}
