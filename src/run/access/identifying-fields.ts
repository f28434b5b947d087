/** Fields that tell which record is meant. */
import type { Field } from '../../headings/3-entities/model.ts'

/** No two records have the same value in it. */
export const tellsApart = (field: Field): boolean => field.parameters.picture !== undefined || isAlone(field)

/** Fields that together tell it: this one, within others. */
export const tellTogether = ({ key, unique }: Field): readonly string[] =>
  unique === null || unique.within.length === 0 || unique.while !== null ? [] : [...unique.within, key]

/** Unique over all records. */
export const isAlone = ({ unique }: Field): boolean =>
  unique !== null && unique.within.length === 0 && unique.while === null
