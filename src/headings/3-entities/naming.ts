/** By what sample data name a record: what their loader looks for is what a check of them knows. */
import type { Entity, Field } from './model.ts'

/** Fields whose text names a record: its title, or another unique text. */
export const namingFields = ({ fields, title }: Entity): readonly Field[] =>
  fields.filter(
    ({ key, type, unique, computed }) =>
      type.kind === 'text' && computed === null && (title.includes(key) || unique !== null),
  )

/** Fields whose value in the same sample data tells rows which record they are part of. */
export const namingRows = (entity: Entity): ReadonlySet<string> =>
  new Set([...entity.title, ...namingFields(entity).map(({ key }) => key)])
