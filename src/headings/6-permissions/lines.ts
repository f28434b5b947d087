/** The lines of a field: which roles have it, and on which records. What one of them opens is open. */
import { isUnspecified, specified } from '../specified.ts'
import type { Access, FieldPermission } from './model.ts'

/** None: the field follows its record. */
export const linesOf = (access: Access | undefined, field: string): readonly FieldPermission[] =>
  access?.fields.filter(line => line.field === field) ?? []

/** Roles that one line or another names; null: all that may see, or change, the record. */
export function rolesOfLines(lines: readonly FieldPermission[], verb: 'see' | 'change'): readonly string[] | null {
  if (lines.length === 0) return null
  if (verb === 'see') return union(lines.map(({ see }) => see))
  // A line that says nothing of Change leaves it to those who see the field by it.
  if (lines.length === 1 && lines[0]!.change === null) return null
  return union(lines.map(({ see, change }) => change ?? see))
}

const union = (named: readonly FieldPermission['see'][]): readonly string[] => [
  ...new Set(named.flatMap(one => specified(one)?.roles ?? [])),
]

/** The conditions of all lines as written, in one text; null: some line opens it on every record, or there is none. */
export function conditionOf(lines: readonly FieldPermission[]): string | null {
  const texts = lines.map(({ when }) => (when === null || isUnspecified(when) ? null : when.cell.text))
  return lines.length === 0 || texts.includes(null) ? null : texts.toSorted().join(' or ')
}
