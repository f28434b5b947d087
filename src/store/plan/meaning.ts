/**
 * Values that a change keeps and that mean something else then: 19 in a field that becomes a percentage is read as 1,900 %. The tables do
 * not tell it (many types are numbers), so the document is asked that was applied last.
 */

import type { Diagnostic } from '../../document/diagnostic.ts'
import { sameCurrency } from '../../expression/currency.ts'
import { formatDecimal, multiply, parseDecimal, whole } from '../../expression/decimal.ts'
import { raw, sql } from '../../expression/sql.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { readApp } from '../../headings/index.ts'
import { quoted, tableName } from '../names.ts'
import type { Reader } from '../pool.ts'
import { columnType } from '../schema.ts'
import type { Actual } from './introspect.ts'
import { judged } from './probes.ts'

/** One warning per field that has values. */
export async function otherMeanings(
  reader: Reader,
  app: App,
  before: App,
  actual: Actual,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const { entity, field, old, change } of changesOf(before, app)) {
    if (actual.tables.get(old.table)?.columns.has(old.column) !== true) continue
    const column = quoted(old.column)
    const [answer] = await reader.query<{ count: string; example: string | null }>(
      raw(`select count(${column}) as count, max(${column})::text as example from ${tableName(old.table)}`),
    )
    const { count, example } = answer!
    if (example === null) continue
    const statement = (by: string) =>
      `update ${tableName(entity.key)} set ${quoted(field.key)} = ${quoted(field.key)} ${by}`
    const parameters = { count: Number(count), entity: entity.name, field: field.key, ...change(example, statement) }
    found.push(judged(3, ({ report }) => report('N0920', field.typeCell, parameters)))
  }
  return found
}

/** The document before this one. Null where there is none, or it is this one, or cannot be read any more. */
export async function lastApplied(reader: Reader, app: App, { version }: Actual): Promise<App | null> {
  if (version === null || version === app.version) return null
  const [row] = await reader.query<{ files: string }>(
    sql`select files::text as files from ninefold.document order by number desc limit 1`,
  )
  const files = JSON.parse(row?.files ?? '[]') as readonly { readonly path: string; readonly text: string }[]
  const [root] = files
  return root === undefined
    ? null
    : readApp(root.path, path => files.find(file => file.path === path)?.text ?? null).app
}

type ConversionHelp = (
  example: string,
  statement: (by: string) => string,
) => { readonly change: string; readonly convert: string }

interface Change {
  readonly entity: Entity
  readonly field: Field
  readonly old: { readonly table: string; readonly column: string }
  readonly change: ConversionHelp
}

function changesOf(before: App, app: App): readonly Change[] {
  return [...app.entities.values()].flatMap(entity => {
    const was = before.entities.get(entity.key) ?? before.entities.get(entity.was ?? '')
    return entity.fields.flatMap((field): readonly Change[] => {
      const own = was?.fields.find(({ key }) => key === field.key) ?? was?.fields.find(({ key }) => key === field.was)
      if (was === undefined || own === undefined || columnType(own) === null || columnType(field) === null) return []
      const change = changeOf(own, field)
      return change === null ? [] : [{ entity, field, old: { table: was.key, column: own.key }, change }]
    })
  })
}

const hundred = whole(100)

/** Null: the numbers mean what they meant, or cannot stay. */
function changeOf(old: Field, now: Field): ConversionHelp | null {
  const [from, to] = [old.typeCell.text, now.typeCell.text]
  if (isNumber(old) && now.kind === 'percent')
    return (example, statement) => ({
      change: `${example} would be read as ${formatDecimal(multiply(parseDecimal(example)!, hundred))} %`,
      convert: `\`${statement('/ 100')}\` right after it is applied`,
    })
  if (old.kind === 'percent' && isNumber(now))
    return (example, statement) => ({
      change: `what was ${formatDecimal(multiply(parseDecimal(example)!, hundred))} % would be ${example}`,
      convert: `\`${statement('* 100')}\` right after it is applied, or before where the new type has no decimals`,
    })
  if (old.type.kind === 'money' && now.type.kind === 'money' && !sameCurrency(old.type, now.type))
    return (example, statement) => ({
      change: `\`${from}\` becomes \`${to}\`, and ${example} stays ${example}`,
      convert: `\`${statement('* <rate>')}\` right after it is applied`,
    })
  return null
}

const isNumber = ({ kind }: Field): boolean => ['integer', 'decimal', 'money'].includes(kind)
