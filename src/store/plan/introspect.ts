/** What is in the database now: the tables of `public`, and of schemas whose tables a document names, with their columns, constraints and indexes. */
import { raw, type Sql, sql } from '../../expression/sql.ts'
import { calledTable, literal, tableName } from '../names.ts'
import type { Reader } from '../pool.ts'
import type { Alias, Pair } from './before.ts'
import { defaultMark, definitionIn, keptMark } from './definition.ts'
import type { VersionView } from './version-views.ts'

export interface Actual {
  readonly tables: ReadonlyMap<string, ActualTable>
  /** Views that stand for tables of others, by name: what their comment says that they are. */
  readonly views: ReadonlyMap<string, string>
  /** Views that keep the name of a table for the version before, by that name. */
  readonly aliases: ReadonlyMap<string, Alias>
  /** Views of tables as versions before know them. */
  readonly versionViews: readonly VersionView[]
  /** What else has a name in `public` that no table or index can have then: `a view`, `an index of staff`; and whose it is. */
  readonly taken: ReadonlyMap<string, Taken>
  /** Tables of the schema `ninefold` that speak of entities, and the columns of their key. */
  readonly systemTables: ReadonlyMap<string, readonly string[]>
  /** Functions of ours that work out what is kept, by name. */
  readonly keepers: ReadonlyMap<string, ActualKeeper>
  /** Numbers of the system steps that were applied. */
  readonly systemSteps: ReadonlySet<number>
  /** The document that was applied last. */
  readonly version: string | null
  /** The document that somebody began to apply since, and did not end. */
  readonly underWay: string | null
  /** Extensions that are there, and those that could be. */
  readonly extensions: { readonly installed: ReadonlySet<string>; readonly available: ReadonlySet<string> }
}

interface Taken {
  readonly what: string
  /** Null: it belongs to no table. */
  readonly table: string | null
}

export interface ActualTable {
  readonly name: string
  /** Made by Ninefold: its comment says so. */
  readonly ours: boolean
  readonly hasRows: boolean
  /** The table whose part it is: a partition of it, or it inherits from it. */
  readonly partOf: string | null
  /** Its rows lie in parts. */
  readonly hasParts: boolean
  readonly columns: ReadonlyMap<string, ActualColumn>
  /** Columns that are written as others are. */
  readonly pairs: readonly ActualPair[]
  readonly constraints: ReadonlyMap<string, ActualConstraint>
  /** Without those that stand behind a constraint. */
  readonly indexes: ReadonlyMap<string, ActualIndex>
}

/** `function`: that of its trigger. */
export interface ActualPair extends Pair {
  readonly function: string
}

export interface ActualColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly default: string | null
  /** Version of the document whose default it is, for records of the version before; null: not such a one. */
  readonly defaultOf: string | null
  /** Of ours, for what is computed. */
  readonly kept: boolean
  /** The database gives every value, and takes none. */
  readonly given: boolean
  /** Of an enumerated type: its labels. */
  readonly labels: readonly string[]
}

interface ActualKeeper {
  readonly definition: string
  /** Triggers that call it, switched on. */
  readonly triggers: readonly string[]
}

export interface ActualObject {
  readonly name: string
  /** Null: not ours, or left unfinished. */
  readonly definition: string | null
  /** A constraint that was validated, an index that was built to the end. */
  readonly valid: boolean
}

export interface ActualIndex extends ActualObject {
  readonly unique: boolean
  /** `lower(name)` tells values apart by `name`; of another expression its text stands here, which is the name of no column. */
  readonly columns: readonly string[]
  /** Those of them that `lower(name)` stands for. */
  readonly inSmall: readonly string[]
  /** Of a unique one: two empty values are the same. */
  readonly nullsAlike: boolean
  /** The condition of a partial one, as PostgreSQL writes it. */
  readonly where: string | null
}

/** `target` and its columns: of foreign keys to tables that are read, too. */
export interface ActualConstraint extends ActualObject {
  /** As `pg_constraint.contype` has it; `t`: a trigger that keeps rows as they are, or out of circles, and `valid` that it is switched on. */
  readonly kind: string
  readonly columns: readonly string[]
  readonly target: string | null
  readonly targetColumns: readonly string[]
  /** As PostgreSQL writes it. */
  readonly text: string
}

const within = (alias: 'c' | 'o', schemas: readonly string[]): Sql =>
  sql`${raw(`${alias}.relnamespace`)} in (select oid from pg_namespace where nspname = any(${schemas}::text[]))`

const tablesQuery = (schemas: readonly string[]): Sql => sql`
  select ${calledTable('c')} as name, obj_description(c.oid, 'pg_class') as comment,
    (select p.inhparent::regclass::text from pg_inherits p where p.inhrelid = c.oid limit 1) as part_of,
    c.relkind = 'p' or exists (select from pg_inherits p where p.inhparent = c.oid) as has_parts
  from pg_class c
  where ${within('c', schemas)} and c.relkind in ('r', 'p') order by 1`

const columnsQuery = (schemas: readonly string[]): Sql => sql`
  select ${calledTable('c')} as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    pg_get_expr(d.adbin, d.adrelid) as default, col_description(c.oid, a.attnum) as comment, a.attgenerated <> '' or a.attidentity = 'a' as given,
    coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid), '{}') as labels
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where ${within('c', schemas)} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by 1, a.attnum`

const constraintsQuery = (schemas: readonly string[]): Sql => sql`
  select ${calledTable('c')} as table, k.conname as name, k.contype as kind, k.convalidated as valid,
    obj_description(k.oid, 'pg_constraint') as comment, case when o.oid is not null then ${calledTable('o')} end as target, pg_get_constraintdef(k.oid) as text,
    (select array_agg(a.attname::text order by n.place) from unnest(k.conkey) with ordinality n (number, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.number) as columns,
    (select array_agg(a.attname::text order by n.place) from unnest(k.confkey) with ordinality n (number, place)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.number) as target_columns
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  left join pg_class o on o.oid = k.confrelid and ${within('o', schemas)}
  where ${within('c', schemas)} and k.contype in ('p', 'u', 'f', 'c', 'x')
  union all
  select c.relname, g.tgname, 't', g.tgenabled <> 'D', obj_description(g.oid, 'pg_trigger'), null, pg_get_triggerdef(g.oid), null, null
  from pg_trigger g join pg_class c on c.oid = g.tgrelid
  where c.relnamespace = 'public'::regnamespace and not g.tgisinternal and g.tgfoid in (to_regproc('ninefold.append_only'), to_regproc('ninefold.no_circle'))`

const indexesQuery = (schemas: readonly string[]): Sql => sql`
  select ${calledTable('c')} as table, n.relname as name, i.indisvalid and i.indisready as valid,
    obj_description(n.oid, 'pg_class') as comment, i.indisunique as unique, i.indnullsnotdistinct as nulls_alike,
    pg_get_expr(i.indpred, i.indrelid) as where, over.columns, over.in_small
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_class n on n.oid = i.indexrelid
  cross join lateral (
    select array_agg(coalesce(a.attname::text, e.text) order by k.place) as columns,
      coalesce(array_agg(a.attname::text) filter (where k.number = 0 and a.attname is not null), '{}') as in_small
    from unnest(i.indkey::int2[]) with ordinality k (number, place)
    cross join pg_get_indexdef(i.indexrelid, k.place::integer, true) as e (text)
    left join pg_attribute a on a.attrelid = i.indrelid and (a.attnum = k.number
      or k.number = 0 and a.attnum > 0 and e.text in ('lower(' || quote_ident(a.attname) || ')', 'lower(' || quote_ident(a.attname) || '::text)'))
    where k.place <= i.indnkeyatts) as over
  where ${within('c', schemas)}
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`

const keepersQuery = sql`
  select p.proname as name, obj_description(p.oid, 'pg_proc') as comment,
    array(select g.tgname::text from pg_trigger g where g.tgfoid = p.oid and g.tgenabled in ('O', 'A')) as triggers
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype`

const pairsQuery = sql`
  select c.relname as table, obj_description(g.oid, 'pg_trigger') as comment, p.proname as function
  from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
  where c.relnamespace = 'public'::regnamespace and p.pronamespace = to_regnamespace('ninefold') and g.tgname like 'becomes\_%' order by g.tgname`

const aliasesQuery = sql`
  select c.relname as name, obj_description(c.oid, 'pg_class') as comment
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'`

const versionViewsQuery = sql`
  select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'v' and starts_with(n.nspname, 'ninefold_') order by 1, 2`

const takenQuery = sql`
  select c.relname::text as name, t.relname::text as table,
    case when t.oid is not null then 'an index of ' || quote_ident(t.relname) else case c.relkind when 'v' then 'a view'
      when 'm' then 'a materialised view' when 'S' then 'a sequence' when 'f' then 'a foreign table' else 'a type' end end as what
  from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind not in ('r', 'p')
  union all
  select typname::text, null, 'a type' from pg_type where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0`

const systemTablesQuery = sql`
  select c.relname as name, array(select a.attname::text from pg_index i
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[]) where i.indrelid = c.oid and i.indisprimary) as key
  from pg_class c join pg_attribute e on e.attrelid = c.oid and e.attname = 'entity' and not e.attisdropped
  where c.relnamespace = to_regnamespace('ninefold') and c.relkind = 'r' order by c.relname`

const viewsQuery = sql`
  select c.relname as name, obj_description(c.oid, 'pg_class') as comment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'ninefold_beside' and c.relkind = 'v'`

/** Reads the catalogue; ours are told by their comments. `others`: schemas beside `public`. */
export async function introspect(reader: Reader, others: readonly string[]): Promise<Actual> {
  const schemas = ['public', ...others]
  const tableRows = await reader.query<{
    name: string
    comment: string | null
    part_of: string | null
    has_parts: boolean
  }>(tablesQuery(schemas))
  const columnRows = await reader.query<{
    table: string
    name: string
    type: string
    required: boolean
    default: string | null
    comment: string | null
    given: boolean
    labels: readonly string[]
  }>(columnsQuery(schemas))
  type ObjectRow = { table: string; name: string; kind: string; valid: boolean; comment: string | null }
  const constraintRows = await reader.query<
    ObjectRow & {
      target: string | null
      columns: readonly string[] | null
      target_columns: readonly string[] | null
      text: string
    }
  >(constraintsQuery(schemas))
  const indexRows = await reader.query<
    ObjectRow & {
      unique: boolean
      nulls_alike: boolean
      where: string | null
      columns: readonly string[] | null
      in_small: readonly string[]
    }
  >(indexesQuery(schemas))
  const keeperRows = await reader.query<{ name: string; comment: string | null; triggers: readonly string[] }>(
    keepersQuery,
  )
  const keepers = keeperRows.flatMap(({ name, comment, triggers }): [string, ActualKeeper][] => {
    const definition = definitionIn(comment)
    return definition === null ? [] : [[name, { definition, triggers }]]
  })
  const viewRows = await reader.query<{ name: string; comment: string | null }>(viewsQuery)
  const pairRows = await reader.query<{ table: string; comment: string | null; function: string }>(pairsQuery)
  const aliasRows = await reader.query<{ name: string; comment: string | null }>(aliasesQuery)
  const aliases = aliasRows.flatMap(({ name, comment }): [string, Alias][] => {
    const [table, since] = markIn(comment)
    return since === undefined ? [] : [[name, { table: table!, since }]]
  })
  const versionRows = await reader.query<{ schema: string; name: string; comment: string | null }>(versionViewsQuery)
  const versionViews = versionRows.flatMap(({ schema, name, comment }): VersionView[] => {
    const [, since] = markIn(comment)
    return since === undefined ? [] : [{ schema, name, since }]
  })
  const takenRows = await reader.query<Taken & { name: string }>(takenQuery)
  const systemRows = await reader.query<{ name: string; key: readonly string[] }>(systemTablesQuery)
  const filled = await tablesWithRows(
    reader,
    tableRows.map(row => row.name),
  )
  const objectOf = ({ name, valid, comment }: ObjectRow) => ({ name, valid, definition: definitionIn(comment) })
  const of = <Row extends { table: string }>(rows: readonly Row[], table: string) =>
    rows.filter(row => row.table === table)
  const tables = tableRows.map(({ name, comment, part_of, has_parts }): [string, ActualTable] => [
    name,
    {
      name,
      ours: definitionIn(comment) !== null,
      hasRows: filled.has(name),
      partOf: part_of,
      hasParts: has_parts,
      columns: new Map(
        of(columnRows, name).map(row => [
          row.name,
          {
            name: row.name,
            type: row.type,
            notNull: row.required,
            default: row.default,
            defaultOf: definitionIn(row.comment)?.startsWith(defaultMark)
              ? definitionIn(row.comment)!.slice(defaultMark.length)
              : null,
            kept: definitionIn(row.comment) === keptMark,
            given: row.given,
            labels: row.labels,
          },
        ]),
      ),
      pairs: of(pairRows, name).flatMap(({ comment, function: called }) => {
        const [from, to, since] = markIn(comment)
        return since === undefined ? [] : [{ from: from!, to: to!, since, function: called }]
      }),
      constraints: new Map(
        of(constraintRows, name).map(row => [
          row.name,
          {
            ...objectOf(row),
            kind: row.kind,
            columns: row.columns ?? [],
            target: row.target,
            targetColumns: row.target_columns ?? [],
            text: row.text,
          },
        ]),
      ),
      indexes: new Map(
        of(indexRows, name).map(row => [
          row.name,
          {
            ...objectOf(row),
            unique: row.unique,
            columns: row.columns ?? [],
            inSmall: row.in_small,
            nullsAlike: row.nulls_alike,
            where: row.where,
          },
        ]),
      ),
    },
  ])
  const views = new Map(viewRows.map(({ name, comment }) => [name, definitionIn(comment) ?? '']))
  return {
    tables: new Map(tables),
    views,
    aliases: new Map(aliases),
    versionViews,
    taken: new Map(takenRows.flatMap(({ name, ...row }) => (new Map(aliases).has(name) ? [] : [[name, row] as const]))),
    systemTables: new Map(systemRows.map(({ name, key }) => [name, key])),
    keepers: new Map(keepers),
    ...(await systemState(reader)),
    extensions: await extensions(reader),
  }
}

/** What a comment of `before.ts` says; nothing where it is no such one. */
function markIn(comment: string | null): readonly string[] {
  const text = definitionIn(comment)
  return text?.startsWith('[') ? (JSON.parse(text) as readonly string[]) : []
}

async function extensions(reader: Reader): Promise<Actual['extensions']> {
  const rows = await reader.query<{ name: string; there: boolean }>(
    sql`select name, installed_version is not null as there from pg_available_extensions`,
  )
  const names = (some: typeof rows) => new Set(some.map(({ name }) => name))
  return { installed: names(rows.filter(({ there }) => there)), available: names(rows) }
}

async function tablesWithRows(reader: Reader, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const each = names.map(name => `select ${literal(name)} as name where exists (select from ${tableName(name)})`)
  const rows = await reader.query<{ name: string }>(raw(each.join('\nunion all ')))
  return new Set(rows.map(row => row.name))
}

async function systemState(reader: Reader): Promise<Pick<Actual, 'systemSteps' | 'version' | 'underWay'>> {
  const query: Sql = sql`select to_regclass('ninefold.system') is not null as there`
  const [row] = await reader.query<{ there: boolean }>(query)
  if (!row!.there) return { systemSteps: new Set(), version: null, underWay: null }
  const steps = await reader.query<{ number: string }>(sql`select number from ninefold.system`)
  const [document] = await reader.query<{ version: string; under_way: string | null }>(
    sql`select version, obj_description('ninefold.document'::regclass) as under_way from ninefold.document order by number desc limit 1`,
  )
  return {
    systemSteps: new Set(steps.map(step => Number(step.number))),
    version: document?.version ?? null,
    underWay: document?.under_way ?? null,
  }
}
