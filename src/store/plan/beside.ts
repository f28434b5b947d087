/**
 * Tables of other applications that a document names (`Table`): they stay as they are, and Ninefold stands beside them. It adds columns of
 * its own, which begin with `ninefold_`, and makes a view by which the rest of it sees such a table as one of ours: with keys of one
 * kind, values as the document spells them, and references to those keys. What is written to the view is written to the table.
 */
import { createHash } from 'node:crypto'
import type { Diagnostic } from '../../document/diagnostic.ts'
import { literal, quoted, shortName, tableName } from '../names.ts'
import type { Column, Constraint, Index, Physical, Table } from '../physical.ts'
import { commentOf, renamedDefinition } from './definition.ts'
import {
  besidePrefix,
  choicesOf,
  columnsFor,
  literalsIn,
  notKeptCode,
  ofKind,
  ours,
  spelling,
  type Taken,
  trimmed,
} from './foreign.ts'
import type { Actual, ActualColumn } from './introspect.ts'
import { judged } from './probes.ts'
import { addConstraint, alter, commentOnConstraint, createIndex } from './statements.ts'
import { phases, type Step, step } from './step.ts'
import { keepsUnique, speaksOf, type Unique } from './uniques.ts'

interface Beside {
  readonly steps: readonly Step[]
  readonly found: readonly Diagnostic[]
  /** The tables that are Ninefold's own; references to the others lead to the keys that they were given. */
  readonly desired: Physical
}

const schema = 'ninefold_beside'
const idColumn = added('id')

/** Steps for tables of other applications, and the desired tables with those taken out. */
export function standBeside(desired: Physical, actual: Actual): Beside {
  const all: Taken[] = [...desired.tables.values()].flatMap(table => {
    const foreign = table.beside === null ? undefined : actual.tables.get(table.beside.table)
    return foreign === undefined || foreign.ours ? [] : [{ table, foreign, columns: columnsFor(table, foreign) }]
  })
  if (all.length === 0) return { steps: [], found: [], desired }
  const lead = (constraint: Constraint): Constraint => {
    const target = constraint.kind === 'foreign' ? all.find(({ table }) => table.name === constraint.table) : undefined
    if (constraint.kind !== 'foreign' || target === undefined) return constraint
    return { ...constraint, table: target.foreign.name, key: idColumn }
  }
  const rest = [...desired.tables.values()].filter(table => !all.some(one => one.table === table))
  const own = rest.map((table): [string, Table] => [table.name, { ...table, constraints: table.constraints.map(lead) }])
  const found = all.flatMap(one =>
    whyNot(one, all, desired).map(why =>
      judged(3, ({ report }) => report('N0917', one.table.beside!.cell, { name: one.foreign.name, why })),
    ),
  )
  return {
    steps: found.length > 0 ? [] : [...stepsFor(all, actual), ...all.flatMap(one => referring(one, lead))],
    found,
    desired: { tables: new Map(own) },
  }
}

function added(column: string): string {
  return `${besidePrefix}${column}`
}

/** What only a table of ours could hold. */
function whyNot(one: Taken, all: readonly Taken[], desired: Physical): readonly string[] {
  const { table, foreign, columns } = one
  if (table.name === 'person') return ['people who sign in are kept by Ninefold itself']
  if (foreign.partOf !== null) return [`its records are some of \`${foreign.partOf}\`, which can be named instead`]
  const isHeld = (wanted: Unique) => isAdded(one, wanted) || keepsUnique(one, wanted)
  const isNamed = ({ name, constraints }: Table) => {
    const theirs = all.find(other => other.table.name === name)?.columns
    return constraints.some(
      other => other.kind === 'foreign' && other.table === table.name && theirs?.has(other.column) !== true,
    )
  }
  // No key holds for all parts, and nothing can refer to what has none.
  const naming = foreign.hasParts ? [...desired.tables.values()].filter(isNamed) : []
  return [
    ...naming.map(({ name }) => `its records lie in parts, and \`${name}\` could not refer to them`),
    ...table.constraints.flatMap(constraint => {
      const { kind, holds } = constraint
      if (kind === 'foreign' && columns.has(constraint.column) && referenceOf(one, constraint.column, all) === null)
        return [`\`${columns.get(constraint.column)!.name}\` is no foreign key to a table that stands beside too`]
      if (kind === 'exclude') return [`it does not hold \`${holds.cell.text}\``]
      return kind === 'unique' && !isHeld(plainly(constraint.columns))
        ? [`it does not hold \`${holds.cell.text}\``]
        : []
    }),
    ...table.indexes.flatMap(index =>
      index.unique && !isHeld(index) ? [`it does not hold \`${index.holds!.cell.text}\``] : [],
    ),
  ]
}

const plainly = (names: readonly string[]): Unique => ({
  columns: names.map(name => ({ name, forPeople: false, descending: false })),
  where: null,
})

/** It speaks of nothing that the table has, so that what holds it can be added with the columns. */
const isAdded = (one: Taken, wanted: Unique): boolean => speaksOf(one, wanted).every(name => !one.columns.has(name))

/** Where a column of theirs leads, whose values are keys of theirs. */
function referenceOf({ table, foreign, columns }: Taken, column: string, all: readonly Taken[]) {
  const constraint = table.constraints.find(one => one.kind === 'foreign' && one.column === column)
  const to = all.find(one => constraint?.kind === 'foreign' && one.table.name === constraint.table)
  const old = columns.get(column)?.name
  const key = ofKind(foreign, 'f').find(one => one.columns.join() === old && one.target === to?.foreign.name)
  return key === undefined ? null : { table: to!.foreign.name, key: key.targetColumns[0]! }
}

function stepsFor(all: readonly Taken[], actual: Actual): readonly Step[] {
  const changes = all.map(one => ({ one, add: additions(one), made: madeOf(one, all) }))
  const open = changes.filter(
    ({ one, add, made }) => add.length > 0 || actual.views.get(one.table.name) !== made.definition,
  )
  if (open.length === 0) return []
  const names = open.map(({ one }) => one.foreign.name)
  const tables = names.length === 1 ? 'the table' : `${names.length} tables`
  return [
    step(
      phases.system + 1,
      'rewrite',
      open[0]!.one.table.beside!.cell,
      `Stand beside ${tables} that another application made: ${names.join(', ')}. They keep every column, type, key and check; columns of Ninefold's own (${besidePrefix}…) and a view of each are added`,
      [
        `create schema if not exists ${schema}`,
        ...open.flatMap(({ add }) => add),
        ...open.flatMap(({ made }) => made.statements),
      ],
      {
        rows: 'every record and every value stays as it is: {count} records',
        count: `select (${names.map(name => `(select count(*) from ${tableName(name)})`).join(' + ')})::text as count`,
      },
    ),
  ]
}

/** Fields that no column of theirs holds may refer to tables of ours, once these are there. */
function referring({ table, foreign, columns }: Taken, lead: (constraint: Constraint) => Constraint): readonly Step[] {
  return table.constraints.flatMap(constraint => {
    if (constraint.kind !== 'foreign' || columns.has(constraint.column)) return []
    if (foreign.constraints.has(constraint.name)) return []
    const made = { ...(lead(constraint) as typeof constraint), column: added(constraint.column) }
    const statements = [addConstraint(foreign.name, made), commentOnConstraint(foreign.name, made)]
    const what = `Let ${made.column} of ${foreign.name} refer to ${made.table}`
    return [step(phases.refer, 'moment', constraint.holds.cell, what, statements)]
  })
}

/** Columns that the table lacks, and what they must hold. */
function additions(one: Taken): readonly string[] {
  const { table, foreign, columns } = one
  const lacking = table.columns.filter(({ name }) => !columns.has(name) && !foreign.columns.has(added(name)))
  const uniques = table.constraints.flatMap((constraint): readonly Constraint[] =>
    constraint.kind === 'unique' && isAdded(one, plainly(constraint.columns))
      ? [{ ...constraint, columns: constraint.columns.map(added) }]
      : [],
  )
  const key: Constraint = {
    ...(table.constraints.find(({ kind }) => kind === 'primary') as Extract<Constraint, { kind: 'primary' }>),
    kind: 'unique',
    name: shortName(foreign.name.replaceAll('.', '_'), idColumn, 'key'),
    columns: [idColumn],
    deferrable: false,
  }
  const index = quoted(key.name)
  return [
    ...lacking.flatMap(column => addColumn(foreign.name, column)),
    ...(foreign.hasParts && !foreign.indexes.has(key.name)
      ? [`create index ${index} on ${tableName(foreign.name)} (${quoted(idColumn)})`]
      : []),
    ...[...(foreign.hasParts ? [] : [key]), ...uniques]
      .filter(({ name }) => !foreign.constraints.has(name))
      .flatMap(constraint => [addConstraint(foreign.name, constraint), commentOnConstraint(foreign.name, constraint)]),
    ...table.indexes
      .filter(index => index.unique && isAdded(one, index) && !foreign.indexes.has(index.name))
      .map(index => createIndex(foreign.name, amongAdded(one, index), false)),
  ]
}

function amongAdded({ table }: Taken, { columns, where, ...index }: Index): Index {
  const names = new Map(table.columns.map(({ name }) => [name, added(name)]))
  return {
    ...index,
    columns: columns.map(column => ({ ...column, name: added(column.name) })),
    where: where === null ? null : renamedDefinition(where, names, new Map()),
  }
}

const given: Readonly<Record<string, string>> = {
  // In the order of their making, as ours are: what is made later is newer.
  id: `default (overlay(lpad(to_hex((extract(epoch from clock_timestamp()) * 4096000)::bigint), 15, '0') placing '7' from 13 for 0) || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid not null`,
  version: 'default 1 not null',
  created_at: 'default now() not null',
  changed_at: 'default now() not null',
  state_since: 'default now()',
}

/** Other programs go on making records: what Ninefold needs in each has a default, and nothing else is required. */
function addColumn(table: string, { name, type, fill }: Column): readonly string[] {
  const column = quoted(added(name))
  const plain = alter(table, `add column ${column} ${type} ${given[name] ?? ''}`.trimEnd())
  if (fill === null) return [plain]
  return fill.sql.includes('"') ? [plain] : [alter(table, `add column ${column} ${type} default ${fill.sql}`)]
}

interface Made {
  readonly definition: string
  readonly statements: readonly string[]
}

function madeOf(one: Taken, all: readonly Taken[]): Made {
  const { table, foreign } = one
  const view = `${schema}.${quoted(table.name)}`
  const writer = `${schema}.${quoted(shortName(table.name, 'write'))}`
  const columns = table.columns.map(column => `${readSql(one, column, all)} as ${quoted(column.name)}`)
  const statements = [
    `drop view if exists ${view}`,
    `create view ${view} as select\n  ${columns.join(',\n  ')}\nfrom ${tableName(foreign.name)} as t`,
    `create or replace function ${writer}() returns trigger language plpgsql as $write$\n${writing(one, all)}\n$write$`,
    `create trigger write instead of insert or update or delete on ${view} for each row execute function ${writer}()`,
  ]
  const hash = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)
  const definition = `${foreign.name} ${hash}`
  return { definition, statements: [...statements, `comment on view ${view} is ${commentOf(definition)}`] }
}

/** A value of theirs as the document has it. */
function readSql(one: Taken, { name, type }: Column, all: readonly Taken[]): string {
  const { foreign, columns } = one
  const old = columns.get(name)
  if (old === undefined) {
    const theirs = ours.has(name) ? foreign.columns.get(name) : undefined
    const own = `t.${quoted(added(name))}`
    if (name !== 'created_at' || theirs?.type.startsWith('timestamp') !== true) return own
    return `coalesce(t.${quoted(name)}::${type}, ${own})`
  }
  const value = `t.${quoted(old.name)}`
  const to = referenceOf(one, name, all)
  if (to !== null)
    return `(select r.${quoted(idColumn)} from ${tableName(to.table)} as r where r.${quoted(to.key)} = ${value})`
  const spelled = spellings(one, name, old)
  if (spelled.length > 0)
    return `case ${value}::text ${spelled.map(([theirs, word]) => `when ${literal(theirs)} then ${literal(word)}`).join(' ')} else ${trimmed(`${value}::text`)} end`
  if (type === 'text') return trimmed(`${value}::text`)
  const scale = /^numeric\(\d+,(\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined && old.type !== type) return `round(${finite(value, old.type)}::numeric, ${scale})`
  return old.type === type ? value : `${value}::${type}`
}

/** Floating point has values that are no numbers; what is left is written as it is shown. */
const finite = (value: string, type: string): string =>
  /^(?:real|double precision)$/.test(type)
    ? `nullif(nullif(nullif(${value}, 'NaN'), 'Infinity'), '-Infinity')::text`
    : type.startsWith('numeric')
      ? `nullif(${value}, 'NaN')`
      : value

/** How they spell the values of a closed list. */
function spellings({ table, foreign }: Taken, column: string, old: ActualColumn): readonly [string, string][] {
  const checks = ofKind(foreign, 'c').filter(({ columns }) => columns.includes(old.name))
  const theirs = old.labels.length > 0 ? old.labels : checks.flatMap(({ text }) => literalsIn(text))
  return choicesOf(table, column).flatMap((choice): [string, string][] => {
    const label = theirs.find(one => one === choice) ?? theirs.find(one => spelling(one) === spelling(choice))
    return label === undefined ? [] : [[label, choice]]
  })
}

/** The body of the trigger: what was written to the view goes to the table, and only what changed. */
function writing(one: Taken, all: readonly Taken[]): string {
  const { table, foreign, columns } = one
  const target = tableName(foreign.name)
  const fields = table.columns.flatMap(({ name, type }) => {
    const old = columns.get(name)
    if (old === undefined) return [{ name, column: added(name), value: `new.${quoted(name)}`, guard: [] }]
    if (old.given) return []
    const value = writeSql(one, name, old, all)
    const isCast = old.type !== type && referenceOf(one, name, all) === null
    return [{ name, column: old.name, value, guard: isCast ? guarded(foreign.name, name, value, { type, old }) : [] }]
  })
  const names = fields.map(({ column }) => quoted(column)).join(', ')
  const sets = fields
    .filter(({ name }) => name !== 'id')
    .map(({ name, column, value }) => {
      const changed = `new.${quoted(name)} is distinct from old.${quoted(name)}`
      return `${quoted(column)} = case when ${changed} then ${value} else t.${quoted(column)} end`
    })
  const found = `t.${quoted(idColumn)} = old.id and t.${quoted(added('version'))} = old.version`
  const isThere = `exists (select from ${target} as t where t.${quoted(idColumn)} = new.id)`
  return [
    'declare said text; detailed text; code text; held text; inside text; of text; domain text; col text;',
    'begin',
    ...fields.flatMap(({ guard }) => guard),
    "  if tg_op = 'INSERT' then",
    `    insert into ${target} (${names}) values (${fields.map(({ value }) => value).join(', ')});`,
    // A rule or a trigger of theirs put it elsewhere.
    `    if not ${isThere} then ${notKept(foreign.name, '')} end if;`,
    '    return new;',
    "  elsif tg_op = 'UPDATE' then",
    `    update ${target} as t set ${sets.join(', ')} where ${found};`,
    '  else',
    `    delete from ${target} as t where ${found};`,
    '  end if;',
    '  if not found then return null; end if;',
    "  return case when tg_op = 'DELETE' then old else new end;",
    // Their constraints are not known here: the first of its columns is told with the refusal.
    'exception when check_violation or foreign_key_violation or exclusion_violation then',
    '  get stacked diagnostics said = message_text, detailed = pg_exception_detail, code = returned_sqlstate, held = constraint_name, inside = schema_name, of = table_name, domain = pg_datatype_name;',
    "  select a.attname into col from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1] where k.conname = held and k.conrelid = to_regclass(format('%I.%I', inside, of));",
    // A domain refuses without saying of which column.
    `  if of = '' then select a.attname into col from pg_attribute a where a.attrelid = to_regclass(${literal(target)}) and not a.attisdropped and a.atttypid = to_regtype(format('%I.%I', inside, domain)) order by a.attnum limit 1; of := ${literal(foreign.name)}; end if;`,
    "  raise exception using errcode = code, message = said, detail = detailed, constraint = held, schema = inside, table = of, column = coalesce(col, '');",
    'end',
  ].join('\n')
}

/** Refuses what their type does not take, or takes and changes: a range that is none, a number with more digits than floating point has. */
function guarded(
  table: string,
  name: string,
  value: string,
  { type, old }: { readonly type: string; readonly old: ActualColumn },
): readonly string[] {
  const field = `new.${quoted(name)}`
  const changes =
    type.startsWith('numeric') && !old.type.startsWith('numeric')
      ? `if (${value})::text::numeric <> ${field} then ${notKept(table, name)} end if;`
      : `perform ${value};`
  return [
    `  if tg_op <> 'DELETE' and ${field} is distinct from (case when tg_op = 'UPDATE' then old.${quoted(name)} end) then`,
    `    begin ${changes} exception when data_exception then ${notKept(table, name)} end;`,
    '  end if;',
  ]
}

const notKept = (table: string, column: string): string =>
  `raise exception 'not kept' using errcode = '${notKeptCode}', schema = 'public', table = ${literal(table)}, column = ${literal(column)};`

/** Where a text must stand, nothing is an empty one. */
const isText = (type: string): boolean => /^(?:text|character varying|citext)\b/.test(type)

/** A value of the document as they have it. */
function writeSql(one: Taken, name: string, old: ActualColumn, all: readonly Taken[]): string {
  const value = `new.${quoted(name)}`
  const to = referenceOf(one, name, all)
  const theirs = () => {
    if (to !== null)
      return `(select r.${quoted(to.key)} from ${tableName(to.table)} as r where r.${quoted(idColumn)} = ${value})`
    const spelled = spellings(one, name, old)
    const whens = spelled.map(([their, word]) => `when ${literal(word)} then ${literal(their)}`)
    return `${whens.length === 0 ? value : `(case ${value} ${whens.join(' ')} else ${value} end)`}::${old.type}`
  }
  const otherwise = old.default ?? (isText(old.type) ? "''" : null)
  return old.notNull && otherwise !== null ? `coalesce(${theirs()}, ${otherwise})` : theirs()
}
