/** Primary keys, unique constraints and unique indexes as the rule `unique` of one of their fields. */

import { readSql, write } from './expression.ts'
import { aboutOf, type Importing, knownIn, type TableImport } from './importing.ts'

export function addUniques(importing: Importing, into: TableImport): void {
  const { table, entity } = into
  const note = (name: string, definition: string) =>
    importing.drafting.note(entity, `${table.name}.${name}`, `is not carried over: ${definition}`)
  for (const { name, kind, columns, definition } of table.constraints) {
    if (kind !== 'primary' && kind !== 'unique') continue
    // A key that the database gave has no field.
    if (kind === 'primary' && columns.length === 1 && !into.fields.has(columns[0]!)) continue
    if (!addUnique(importing, into, columns, null)) note(name, definition)
  }
  for (const { name, columns: plain, where, definition } of table.uniques) {
    const lowered = plain === null ? loweredColumn(definition) : null
    const columns = plain ?? (lowered === null ? null : [lowered])
    if (columns === null || !addUnique(importing, into, columns, where, lowered !== null)) note(name, definition)
  }
}

/** The one column of an index over `lower(…)`, as PostgreSQL writes it; null: it is over something else. */
function loweredColumn(definition: string): string | null {
  const [, quoted, bare] = /USING btree \(lower\(\(?(?:"((?:[^"]|"")+)"|(\w+))\)?(?:::text)?\)\)/.exec(definition) ?? []
  return quoted?.replaceAll('""', '"') ?? bare ?? null
}

/** False where the language has no place for it: a field takes the rule once, and files and long texts never. */
function addUnique(
  { carried }: Importing,
  into: TableImport,
  columns: readonly string[],
  where: string | null,
  lowered = false,
): boolean {
  const fields = columns.map(column => into.fields.get(column))
  if (fields.some(field => field === undefined || /^(?:long text|file|image)\b/.test(field.type))) return false
  const condition = where === null ? null : readSql(where, knownIn(into))
  const written = condition === null ? null : write(condition)
  if (where !== null && written === null) return false
  const carrier = fields.findLast(field => !field!.rules.some(rule => rule.startsWith('unique')))
  if (carrier === undefined) return false
  const others = fields.filter(field => field !== carrier).map(field => field!.key)
  const within = others.length === 0 ? '' : ` within ${others.join(', ')}`
  const isCitext = into.table.columns.some(({ name, type }) => type === 'citext' && into.fields.get(name) === carrier)
  const rule = `unique${lowered || isCitext ? ' without case' : ''}${within}${written === null ? '' : ` while ${written}`}`
  if (carrier!.rules[0] === 'required') carrier!.rules.splice(1, 0, rule)
  else carrier!.rules.unshift(rule)
  if (where !== null)
    carried.push({
      entity: into.entity,
      field: carrier!,
      rule,
      about: aboutOf(into.table, carrier!.key),
      source: where,
    })
  return true
}
