/** Which fields free text looks in. */
import type { Entity, Field } from './model.ts'

/** Kinds of text that people write sentences into. */
const long: ReadonlySet<string> = new Set(['long text', 'markdown'])

/** Texts that are searchable, long texts, and those that name the record; in the document's order. */
export const searchedFields = ({ fields, title }: Entity): readonly Field[] =>
  fields.filter(
    ({ key, kind, searchable, type, hidden }) =>
      type.kind === 'text' && (searchable !== null || title.includes(key) || (long.has(kind) && hidden === null)),
  )
