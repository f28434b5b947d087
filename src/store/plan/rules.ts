/** What is asked of the records where the tables are as they should be: rules that no constraint holds, over constants and other records, and what is kept of them. */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { raw, Slot, type Sql, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { Rule } from '../../headings/5-validation/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { keptBy, keptIn } from '../kept-columns.ts'
import { inlined, quoted, tableName } from '../names.ts'
import type { Reader } from '../pool.ts'
import { columnType, schemaOf } from '../schema.ts'
import { judged, someOf } from './probes.ts'

/**
 * One warning per rule. The tables must be as the document wants them. Rules on an occasion, about the person or the day are left
 * out: they say nothing of records that are there; so are warnings, which may have been confirmed; and those over constants that people have changed while the application ran.
 */
export async function brokenRules(reader: Reader, app: App): Promise<readonly Diagnostic[]> {
  const changed = await reader.query<{ key: string }>(sql`select distinct key from ninefold.constant`)
  const found: Diagnostic[] = []
  for (const rule of app.rules) {
    const query = queryFor(app, rule, new Set(changed.map(({ key }) => key)))
    if (query === null) continue
    const [answer] = await reader.query<{ count: string; examples: string[] | null }>(raw(query))
    const { count, examples } = answer!
    if (count === '0') continue
    const parameters = {
      count: Number(count),
      entity: app.entities.get(rule.entity)!.name,
      rule: rule.name,
      examples: someOf(examples ?? [], Number(count)),
    }
    found.push(judged(5, ({ report }) => report('N0916', rule.cell, parameters)))
  }
  return found
}

/** What is kept of records and is not what it would be if it were worked out now: one warning per field. */
export async function wronglyKept(reader: Reader, app: App): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const { name, title, called, kept } of schemaOf(app).tables.values()) {
    for (const { name: column, value, rows, own, shown, cell } of kept) {
      const [answer] = await reader.query<{ count: string; examples: string[] | null }>(
        raw(
          `select count(*) as count, (array_agg(${calledSql(called)} order by t.id))[1:5] as examples from ${quoted(name)} as t where t.${quoted(column)} is distinct from (${value})`,
        ),
      )
      const { count, examples } = answer!
      if (count === '0') continue
      const functions = [...rows.map(({ table }) => keptBy(table)), ...(own.length === 0 ? [] : [keptIn(name)])]
      const parameters = {
        count: Number(count),
        entity: title,
        field: shown,
        functions: functions.map(one => `${tableName(one)}()`).join(', '),
        examples: someOf(examples ?? [], Number(count)),
      }
      found.push(judged(3, ({ report }) => report('N0919', cell, parameters)))
    }
  }
  return found
}

const calledSql = (columns: readonly string[]): string =>
  `coalesce(nullif(concat_ws(' ', ${[...columns.map(key => `t.${quoted(key)}::text`), 'null'].join(', ')}), ''), t.id::text)`

function queryFor(app: App, { entity, on, mustHold, warns }: Rule, changed: ReadonlySet<string>): string | null {
  if (on !== null || warns || isUnspecified(mustHold) || mustHold.tier === 3) return null
  const { table, title, fields } = app.entities.get(entity)!
  // A constraint holds it, unless the table is that of another application.
  if (mustHold.tier === 0 && table === null) return null
  const condition = withConstants(app, toSql(mustHold, { alias: 't' }), changed)
  if (condition === null) return null
  const stored = title.filter(key => fields.some(field => field.key === key && columnType(field) !== null))
  return `select count(*) as count, (array_agg(${calledSql(stored)} order by t.id))[1:5] as examples from ${quoted(entity)} as t where (${condition}) is false`
}

/** The condition with the values of constants in it; null where it reads anything else that only a request knows. */
function withConstants(app: App, condition: Sql, changed: ReadonlySet<string>): string | null {
  const values: unknown[] = []
  for (const value of condition.values) {
    if (!(value instanceof Slot)) {
      values.push(value)
      continue
    }
    const key = /^limits\.(\w+)$/.exec(value.name)?.[1]
    const constant = key === undefined || changed.has(key) ? undefined : app.limits.get(key)
    if (constant === undefined || constant.later.length > 0 || isUnspecified(constant.value)) return null
    values.push(constant.value.wire)
  }
  return inlined({ texts: condition.texts, values })
}
