/** What the parts of the SQL back end hand to each other. */
import type { Checked } from './checked.ts'
import { decidedEntity, decisionsSql } from './decisions.ts'
import { identifier, join, raw, type Sql, sql } from './sql.ts'
import type { Schema } from './type.ts'

/** Where a field of the record before the change is read: an alias, or the field itself. */
export type Row = string | ((field: string) => Sql)

export interface SqlContext {
  /** The row of the expression's own record. In a CHECK: the table's name. */
  readonly alias: Row
  /** That row before the change, for `old`. */
  readonly old?: Row
  /** The record that the rule is about, where that is not the own one (`Scope.this`). */
  readonly this?: Row
  /** Of a row that is not stored yet: the record that it is part of, which is not stored either. Paths over `this` go through it. */
  readonly above?: Row | undefined
  /** A column; by default `alias."field"`. */
  readonly column?: (entity: string, field: string, alias: string) => Sql
  /** The table of `several`: by default `<entity>_<field>` with the columns `owner` and `member`. */
  readonly links?: (entity: string, field: string) => Links
  /**
   * `condition`: it stands where unknown means false (a `where`, a filter). Then `is` and `in` are written so that an index
   * serves them. `value` by default.
   */
  readonly as?: 'value' | 'condition'
  /** Aggregates are written so that they can be worked out for many rows at once (`overMany`). */
  readonly rollups?: boolean
  /** Rows are those of their tables, as they are stored: computed fields that the database keeps are read from their columns. */
  readonly kept?: boolean
}

export interface Links {
  readonly table: Sql
  readonly owner: string
  readonly member: string
}

export interface EmitScope {
  readonly context: SqlContext
  readonly schema: Schema
  readonly own: Row
  /** `this`. */
  readonly about: Row
  /** A name for one more inner table. */
  readonly alias: () => string
  /** By the alias of an inner table: what its records refer to, in the same `from`. */
  readonly joined: Map<string, Joined>
  /** The SQL of a part. `condition`: it stands where unknown means false. */
  readonly emit: (node: Checked, place: EmitScope, condition?: boolean) => Sql
}

/**
 * Of one of many records, what it refers to is joined: the database then begins with either end, reads it once for all of them, and may ask
 * `any` for all rows together. One record or none each, so that no row is lost or doubled.
 */
export interface Joined {
  readonly joins: Sql[]
  /** Aliases by whose field leads there. */
  readonly at: Map<string, string>
}

/** Without its schema: a connection of ours looks for the view that stands for a table of others, then in `public`, and nowhere else. */
export function tableSql(name: string): Sql {
  const decided = decidedEntity(name)
  return decided === null ? identifier(name) : decisionsSql(decided)
}

/** Arithmetic is done in `numeric`, which does not overflow; columns of whole numbers are bigint. */
export function numeric(node: Checked, place: EmitScope): Sql {
  const value = place.emit(node, place)
  const isNumeric = node.op === 'arithmetic' || node.op === 'negate' || node.type.kind !== 'integer'
  return isNumeric ? value : sql`${value}::numeric`
}

/** The right side of an equation. Two columns of text may have different collations; bytes decide then. */
export function against(left: Checked, right: Checked, place: EmitScope): Sql {
  const value = place.emit(right, place)
  const isText = ['text', 'choice', 'choices'].includes(left.type.kind)
  return isText && right.op !== 'literal' && left.op !== 'literal' ? sql`${value} collate "C"` : value
}

export const whereSql = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('') : sql` where ${join(conditions, ' and ')}`
