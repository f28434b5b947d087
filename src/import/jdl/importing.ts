/** What the parts of an import from JDL share. */
import type { DraftEntity, Drafting } from '../draft.ts'
import type { JdlAnnotation, JdlModel } from './model.ts'

export interface Importing {
  readonly model: JdlModel
  readonly drafting: Drafting
  /** By the names of JDL. */
  readonly entities: ReadonlyMap<string, DraftEntity>
  /** The keys that JDL's fields got: by entity, then by field. */
  readonly keys: Map<string, Map<string, string>>
}

export function noteAnnotations(
  drafting: Drafting,
  entity: DraftEntity | null,
  about: string,
  annotations: readonly JdlAnnotation[],
): void {
  for (const { name, value } of annotations)
    drafting.note(entity, about, `\`@${name}${value === null ? '' : `(${value})`}\` is not carried over`)
}
