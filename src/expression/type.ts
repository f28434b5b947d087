/** The types that a document's expressions have. There is no floating point, and nothing is ever coerced but whole number → decimal. */

export type Type =
  | { readonly kind: 'text' }
  | { readonly kind: 'integer' }
  /** `percent`: people write and read it as one; its value is the fraction. */
  | { readonly kind: 'decimal'; readonly percent?: true }
  /** `places`: how many decimals, where they are more than those of the currency: a price per unit. */
  | { readonly kind: 'money'; readonly currency: string | CurrencyOf; readonly places?: number }
  | { readonly kind: 'yes/no' }
  | { readonly kind: 'date' }
  /** An instant; written `date and time` in the document. */
  | { readonly kind: 'moment' }
  /** Time of day, `HH:MM`. */
  | { readonly kind: 'time' }
  /** Days and longer never compare with, or turn into, hours and shorter: `calendar` is days…years, `clock` is seconds…hours. */
  | { readonly kind: 'duration'; readonly of: 'calendar' | 'clock' }
  /** One of a closed list. `of` tells lists apart in messages: `Loan.state`, `Item.condition`. */
  | { readonly kind: 'choice'; readonly of: string; readonly options: readonly string[] }
  /** Any of a closed list. Its wire value is their names in the order of `options`, parted by `, `. */
  | { readonly kind: 'choices'; readonly of: string; readonly options: readonly string[] }
  /** A record of another entity, by its key (`loan_line`). */
  | { readonly kind: 'reference'; readonly entity: string }
  /** Records of an entity: child rows, or `several`. */
  | { readonly kind: 'list'; readonly entity: string }
  /** One value per child row: `lines.item.tag`. Only aggregates and calls take it. */
  | { readonly kind: 'values'; readonly of: Type }
  | { readonly kind: 'file' }
  /** What another system said. Its wire value is its text; no expression looks into it. */
  | { readonly kind: 'json' }
  /** Written, and never read: no expression has it. */
  | { readonly kind: 'secret' }
  /** What a failed cell has; it agrees with everything so that one mistake gives one message. */
  | { readonly kind: 'error' }

export type Money = Extract<Type, { kind: 'money' }>

/** The currency that another field says: its path as it is written where the amount is read, `currency`, `order.currency`. */
export interface CurrencyOf {
  readonly of: string
}

/**
 * A value as rows, forms, the wire and the browser hold it. Numbers are decimal text ('12.50', never floating point), with the
 * currency behind it where a person reads an amount whose currency another field says ('12.50 USD'),
 * dates 'YYYY-MM-DD', moments ISO 8601 in UTC with milliseconds, times 'HH:MM', references the id, choices and states their text,
 * several choices their names with `, ` between.
 */
export type Wire = string | boolean | null

/** A record by field key; child lists are arrays of records. `id` is always there once the record is stored. */
export interface RecordValue {
  readonly [field: string]: Wire | readonly RecordValue[] | undefined
}

/** A field as expressions see it. */
export interface FieldShape {
  readonly key: string
  readonly type: Type
  /** May be empty. */
  readonly optional: boolean
  /** A computed field's own expression; back ends put it in place of a column. A thunk, because entities refer to each other. */
  readonly computed?: (() => import('./expression.ts').Expression | null) | undefined
  /** Stored, and worked out by code whenever its record is written: nobody else writes it. */
  readonly renewed?: true
  /** Nobody wrote it down: it is named to nobody. */
  readonly unseen?: true
}

/** An entity as expressions see it. Includes the built-in fields: `id`, `state` where there is a workflow, the parent of child rows. */
export interface EntityShape {
  /** `loan_line`: also the name of the table. */
  readonly key: string
  /** `Loan line`. */
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldShape>
  /** Child entities only: the key of the field that refers to the parent. */
  readonly parent?: string | undefined
  /** Its records may lie in a table of another application. */
  readonly elsewhere?: true | undefined
  /** Its records are archived, not deleted: `archived_at` says since when. */
  readonly archives?: true | undefined
  /** Computed fields of which many of its records are asked at once: lists show them, others add them up. */
  readonly asked?: ReadonlySet<string> | undefined
  /** Where several people decide steps of its records: the keys of these steps, and of their approvals. */
  readonly decided?: { readonly steps: ReadonlySet<string>; readonly approvals: ReadonlySet<string> } | undefined
  /** Where its records belong to tenants. */
  readonly tenant?: TenantShape | undefined
}

/** Of fields that many mistakes are compared with, by how many there were. */
const named = new WeakMap<EntityShape['fields'], { readonly size: number; readonly names: readonly string[] }>()

/** The names of the fields that people know. */
export function namesIn({ fields }: EntityShape): readonly string[] {
  const kept = named.get(fields)
  if (kept?.size === fields.size) return kept.names
  const names = [...fields.values()].flatMap(({ key, unseen }) => (unseen ? [] : [key]))
  named.set(fields, { size: fields.size, names })
  return names
}

/** `field` of a record, and `person` of a person, name the tenant; `id` where the records are the tenants. */
export interface TenantShape {
  readonly entity: string
  readonly field: string
  readonly person: string
}

/** All entities, by key. Filled before any expression is checked. */
export type Schema = ReadonlyMap<string, EntityShape>
