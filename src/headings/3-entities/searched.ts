/** Which fields free text looks in. */
import type { Entity, Field } from './model.ts'

/** Texts that are searchable, and those that name the record; in the document's order. */
export const searchedFields = ({ fields, title }: Entity): readonly Field[] =>
  fields.filter(({ key, searchable, type }) => type.kind === 'text' && (searchable !== null || title.includes(key)))
