/**
 * Questions to the data before a rule is tightened. They are asked of the table *as it will be*: a subquery gives today's
 * columns tomorrow's names, types and defaults, so that nothing has to be changed to know what would go wrong.
 */
import type { CodeTable, Diagnostic, Reporter } from '../../document/diagnostic.ts'
import { reporter } from '../../document/diagnostic.ts'
import { literal, quoted, tableName } from '../names.ts'
import type { Column, Constraint, Index, Physical, Table } from '../physical.ts'
import { circlesSql } from '../trees.ts'
import { migrationCodes } from './codes.ts'
import { comparedBy } from './definition.ts'
import type { ActualColumn, ActualTable } from './introspect.ts'
import type { Probe } from './step.ts'
import { conversion } from './types.ts'

export interface Future {
  readonly table: Table
  /** After renames. */
  readonly actual: ActualTable
  /** The table's name now, its columns' names now by their new ones, and the table as if all were renamed. */
  readonly now: {
    readonly table: string
    readonly columns: ReadonlyMap<string, string>
    readonly renamed: ActualTable
    /** Columns that come beside the ones of before, with the same values and rules, by their new names. */
    readonly beside: ReadonlyMap<string, ActualColumn>
  }
}

/** A diagnostic of this layer, as a value. */
export function judged(section: number, tell: (reporter: Reporter<typeof migrationCodes>) => void): Diagnostic {
  const found: Diagnostic[] = []
  tell(reporter(migrationCodes satisfies CodeTable, section, found))
  return found[0]!
}

/** "1 record", "2 records". */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const sectionOf = (holds: { readonly rule: string }): number =>
  holds.rule === 'rule' ? 5 : holds.rule === 'state' ? 4 : 3
/** Some of so many: "L1, L2, L3, L4, L5 and 25 more". */
export function someOf(examples: readonly string[], count: number): string {
  if (examples.length === 0) return '–'
  const more = count - examples.length
  return `${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Removed states or choices that are named. */
const mostValues = 9

const ask = (from: string, condition: string, values = 'array[]::text[]'): string =>
  `select count(*) as count, (array_agg(id::text order by id))[1:5] as examples, ${values} as values from ${from} where ${condition}`

/** The table as it will be; null where a value has no way to become the new type (asked by a probe of its own). */
function futureRows({ table, now }: Future): string {
  const columns = table.columns.map(column => {
    const old = now.renamed.columns.get(column.name)
    return `${old === undefined ? (column.fill?.sql ?? 'null') : carried(column, old.type, quoted(now.columns.get(column.name) ?? column.name))}::${column.type} as ${quoted(column.name)}`
  })
  return `(select ${columns.join(', ')} from ${tableName(now.table)}) as ${quoted(table.name)}`
}

function carried(column: Column, type: string, old: string): string {
  const change = type === column.type ? null : conversion(type, column.type)
  let value = old
  if (type !== column.type) {
    if (change === null) value = 'null'
    else {
      const using = change.using.replaceAll('{column}', old)
      const impossible = change.impossible?.replaceAll('{column}', old)
      value = impossible === undefined ? using : `case when ${impossible} then null else ${using} end`
    }
  }
  if (column.renamed.length > 0) {
    const whens = column.renamed.map(({ from, to }) => `when ${literal(from)} then ${literal(to)}`)
    value = `case ${value} ${whens.join(' ')} else ${value} end`
  }
  return column.notNull && column.fill !== null ? `coalesce(${value}, ${column.fill.sql})` : value
}

/** Records without a value for a column that is to be `not null` (`N0902`). */
export function requiredProbe(future: Future, column: Column): Probe {
  return {
    query: ask(futureRows(future), `${quoted(column.name)} is null`),
    judge: (count, examples) =>
      count === 0
        ? null
        : judged(3, ({ report }) =>
            report('N0902', column.cell, {
              count,
              entity: future.table.title,
              field: column.name,
              examples: someOf(examples, count),
            }),
          ),
  }
}

/** Values that the new type cannot hold; null where it holds them all. */
export function typeProbe(future: Future, column: Column, from: string): Probe | null {
  const change = conversion(from, column.type)
  if (change !== null && change.impossible === null) return null
  const old = quoted(future.now.columns.get(column.name) ?? column.name)
  const impossible = change === null ? 'true' : `(${change.impossible!.replaceAll('{column}', old)})`
  return {
    query: ask(tableName(future.now.table), `${old} is not null and ${impossible}`),
    judge: (count, examples) =>
      count === 0
        ? null
        : judged(3, ({ report }) =>
            report('N0905', column.cell, {
              count,
              entity: future.table.title,
              field: column.name,
              type: `\`${column.typeText}\``,
              examples: someOf(examples, count),
            }),
          ),
  }
}

/** What records that are there may break. */
export type AskedConstraint = Exclude<Constraint, { readonly kind: 'append only' }>

/** Rows that break a constraint that is to be added. */
export function constraintProbe(
  future: Future,
  constraint: AskedConstraint,
  desired: Physical,
  tableNow: (name: string) => string | null,
): Probe {
  const { holds } = constraint
  const entity = future.table.title
  const rows = futureRows(future)
  switch (constraint.kind) {
    case 'primary':
    case 'unique':
      return uniqueProbe(future, constraint.columns, filled(constraint.columns), holds.cell)
    case 'exclude':
      return overlapProbe(future, constraint)
    case 'tree':
      return {
        query: ask(circlesSql(rows, constraint.column), 'true'),
        judge: (count, examples) =>
          count === 0
            ? null
            : judged(3, ({ report }) =>
                report('N0921', holds.cell, {
                  count,
                  entity,
                  field: constraint.column,
                  examples: someOf(examples, count),
                }),
              ),
      }
    case 'foreign': {
      const target = tableNow(constraint.table)
      const column = quoted(constraint.column)
      const missing =
        target === null
          ? 'true'
          : `not exists (select from ${tableName(target)} as "target" where "target".id = ${quoted(future.table.name)}.${column})`
      return {
        query: ask(rows, `${column} is not null and ${missing}`),
        judge: (count, examples) =>
          count === 0
            ? null
            : judged(3, ({ report }) =>
                report('N0904', holds.cell, {
                  count,
                  entity,
                  field: constraint.column,
                  target: desired.tables.get(constraint.table)?.title ?? constraint.table,
                  examples: someOf(examples, count),
                }),
              ),
      }
    }
    case 'check': {
      const choice = holds.rule === 'state' || holds.rule === 'type'
      const values = choice && holds.field !== null ? `array_agg(distinct ${quoted(holds.field)}::text)` : undefined
      return {
        query: ask(rows, `(${constraint.expression}) is false`, values),
        judge: (count, examples, found) => {
          if (count === 0) return null
          const section = sectionOf(holds)
          if (holds.rule === 'state')
            return judged(section, ({ report }) =>
              report('N0906', holds.cell, {
                count,
                entity,
                values: someOf(found.slice(0, mostValues), found.length),
                value: found[0] ?? '',
                examples: someOf(examples, count),
              }),
            )
          return judged(section, ({ report }) =>
            report('N0901', holds.cell, { count, entity, rule: inWords(holds), examples: someOf(examples, count) }),
          )
        },
      }
    }
  }
}

function overlapProbe(
  future: Future,
  { within, stretch, where, holds }: Extract<Constraint, { kind: 'exclude' }>,
): Probe {
  const alike = within.map((column, index) => `${column} as k${index}`)
  const taken = `(select ${['id', ...alike, `${stretch} as stretch`].join(', ')} from ${futureRows(future)} where ${where})`
  const same = within.map((_, index) => `b.k${index} = a.k${index} and `).join('')
  const rows = `(select a.id from ${taken} as a where exists (select from ${taken} as b where b.id <> a.id and ${same}b.stretch && a.stretch)) as found`
  return {
    query: ask(rows, 'true'),
    judge: (count, examples) =>
      count === 0
        ? null
        : judged(3, ({ report }) =>
            report('N0912', holds.cell, {
              count,
              entity: future.table.title,
              rule: inWords(holds),
              examples: someOf(examples, count),
            }),
          ),
  }
}

/** "V-1 `due_back > out_on`". */
function inWords(holds: Constraint['holds']): string {
  if (holds.name !== null) return `${holds.name}, \`${holds.cell.text}\``
  return holds.field === null ? `\`${holds.cell.text}\`` : `\`${holds.field}\`: ${holds.cell.text}`
}

/** Rows that are alike where they are to be unique; null for other indexes. */
export function indexProbe(future: Future, { unique, columns, where, nullsAlike, holds, cell }: Index): Probe | null {
  if (!unique) return null
  const names = columns.map(({ name }) => name)
  const conditions = [...(nullsAlike ? [] : [filled(names)]), ...(where === null ? [] : [`(${where})`])]
  const compared = columns.map(({ name, without }) => comparedBy(name, without))
  return uniqueProbe(future, names, conditions.join(' and '), holds?.cell ?? cell, compared)
}

const filled = (columns: readonly string[]): string => columns.map(name => `${quoted(name)} is not null`).join(' and ')

/** `where`: which rows count. */
function uniqueProbe(
  future: Future,
  columns: readonly string[],
  where: string,
  cell: Column['cell'],
  compared: readonly string[] = columns.map(quoted),
): Probe {
  const rows = `(select id, count(*) over (partition by ${compared.join(', ')}) as same from ${futureRows(future)} where ${where}) as counted`
  return {
    query: ask(rows, 'same > 1'),
    judge: (count, examples) =>
      count === 0
        ? null
        : judged(3, ({ report }) =>
            report('N0903', cell, {
              count,
              entity: future.table.title,
              fields: columns.map(name => `\`${name}\``).join(' and '),
              examples: someOf(examples, count),
            }),
          ),
  }
}
