/** A checked expression: what parse and check give, and what the JavaScript and the SQL back end take. */
import type { Cell } from '../document/source.ts'
import type { Checked } from './checked.ts'
import type { Schema, Type } from './type.ts'

/** Where a rule can run: see LANGUAGE "Where one rule runs". */
export type Tier = 0 | 1 | 2 | 3

export interface Expression {
  readonly cell: Cell
  readonly type: Type
  /** The result may be empty (unknown). */
  readonly optional: boolean
  readonly tier: Tier
  /** Dotted paths it reads, as written from its own record: `item.category.keeper`, `lines.value`, `limits.max_items`, `me`. */
  readonly reads: readonly string[]
  readonly schema: Schema
  readonly root: Checked
}

/** A message text with `{expression}` holes. */
export interface Template {
  readonly cell: Cell
  readonly parts: readonly TemplatePart[]
}

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /**
   * `{due_back:long}`: `format` is one of the few named formats, null for the type's own. `words`: what is read for a choice, where
   * that is not its name.
   */
  | {
      readonly kind: 'value'
      readonly expression: Expression
      readonly format: string | null
      readonly words?: Readonly<Record<string, string>>
    }
  /** `{count(lines)|item|items}`. */
  | { readonly kind: 'plural'; readonly expression: Expression; readonly forms: readonly string[] }
