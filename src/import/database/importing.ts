/** What the parts of an import from a database share. */
import type { DraftEntity, DraftField, Drafting } from '../draft.ts'
import type { Catalogue, ForeignTable } from './catalogue.ts'
import type { Known, KnownColumn } from './expression.ts'

export interface Importing {
  readonly catalogue: Catalogue
  readonly drafting: Drafting
  /** By name of the table. */
  readonly tables: ReadonlyMap<string, TableImport>
  /** Rules that hold an expression: the checker decides whether the language takes them. */
  readonly carried: Carried[]
}

export interface TableImport {
  readonly table: ForeignTable
  readonly entity: DraftEntity
  /** By name of the column; without those that have no field. */
  readonly columns: Map<string, KnownColumn>
  readonly fields: Map<string, DraftField>
}

interface Carried {
  readonly entity: DraftEntity
  readonly field: DraftField
  readonly rule: string
  readonly about: string
  /** As the database says it. */
  readonly source: string
}

export const aboutOf = (table: ForeignTable, column: string): string => `${table.name}.${column}`

export const knownIn =
  ({ columns }: TableImport): Known =>
  name =>
    columns.get(name) ?? null

/** The columns of the primary key; none where there is no such key. */
export const keysOf = ({ constraints }: ForeignTable): readonly string[] =>
  constraints.find(({ kind }) => kind === 'primary')?.columns ?? []
