/** What a record without a title of its own is called by: what it refers to, and when it is. */
import type { Entity } from './model.ts'

/** The fields that name a record to people. Child rows are named by the first thing that they refer to, else by their first text. */
export function titleFields({ title, fields, partOf }: Pick<Entity, 'title' | 'fields' | 'partOf'>): readonly string[] {
  const named = title.filter(key => key !== 'id')
  if (named.length > 0) return named
  const first = (...kinds: readonly string[]) =>
    fields.find(({ type, hidden, computed }) => kinds.includes(type.kind) && hidden === null && computed === null)
  const thing = first('reference')
  const telling = partOf === null ? [thing, first('date', 'moment')] : [thing ?? first('text')]
  return telling.flatMap(field => field?.key ?? [])
}
